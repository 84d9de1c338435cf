//! What a view keeps beside its order, depending on its rules: points of single periods, numbers of writes. When the
//! rules change, the new ones take over the data that exists.

use super::{Boundary, Contributions, Garbage, Past, Periods};
use crate::bucket::Points;
use crate::index::{Index, Key, MemberId};
use crate::members::{Column, Members};
use crate::schema::{Schema, Ties};

impl Periods {
    /// Remembers a member's number in the order of the last period, before the passing of time gives the member
    /// another number.
    pub(super) fn keep_sequence(&mut self, id: MemberId, old: u64) {
        if let Boundary::Reversible(anchor) = &mut self.boundary
            && anchor.sequences.get(id).is_none()
        {
            anchor.sequences.insert(id, old);
        }
    }

    /// Begins to keep the data that the rules need beside the order. The data for a new rule comes from the current
    /// order.
    /// order.
    pub(super) fn set_contributions(
        &mut self,
        index: &Index,
        schema: &Schema,
        members: &mut Members,
        garbage: &mut Vec<Garbage>,
    ) {
        let column = self.contributions.column();
        if self.rules.count > 1 && self.has_buckets() {
            return;
        }
        if !self.rules.passes_on() {
            if let Some(column) = column {
                self.remember_sequences(column, members);
                garbage.push(Garbage::Numbers(members.release(column)));
            }
            self.contributions = Contributions::OrderOnly;
            return;
        }
        let column = column.unwrap_or_else(|| {
            let column = members.add_sequence_column();
            let ids = index.iter_from(0).map(|(_, id)| id);
            let numbers = numbers_of_equals(schema.ties, index.len());
            let mut numbers: Vec<_> = ids.zip(numbers).collect();
            numbers.sort_unstable();
            members.fill(column, numbers);
            column
        });
        if self.rules.count > 1 {
            self.contributions = Contributions::NumberedBuckets(column);
            self.fill_bucket(index, schema);
        } else {
            self.contributions = Contributions::NumberedOrder(column);
        }
    }

    /// Remembers all numbers that derived orders need, before they are forgotten.
    fn remember_sequences(&mut self, column: Column, members: &Members) {
        let Some((history, span)) = self.history.as_mut().zip(self.span) else { return };
        let bases = self.past.iter().filter(|past| past.decay.is_some()).filter_map(Past::index);
        for (_, id) in bases.flat_map(|index| index.iter_from(0)) {
            history.note_sequence(id, span.period.start, members.sequence(id, column));
        }
    }

    /// Takes the points of the current period from its order.
    fn fill_bucket(&mut self, index: &Index, schema: &Schema) {
        let Some(span) = self.span else { return };
        let points = |(key, id): (Key, MemberId)| (id, schema.score(key.rank_key).units());
        let mut points: Vec<_> = index.iter_from(0).map(points).collect();
        // By ascending id, so that blocks are not split again and again.
        points.sort_unstable();
        let Some(peak) = points.iter().map(|(_, units)| units.unsigned_abs()).max() else { return };
        self.peak = self.peak.max(peak);
        let Some(bucket) = self.bucket_mut(span.period.start) else { return };
        for (id, units) in points {
            bucket.set(id, Points { units, moment: 0, sequence: 0 });
        }
    }
}

/// Numbers of writes for entries whose order of writes is no longer known. The entries are given best first, and keep
/// their order.
pub(super) fn numbers_of_equals(ties: Ties, count: u64) -> impl Iterator<Item = u64> {
    let newest_first = ties == Ties::Last;
    (0..count).map(
        move |before| {
            if newest_first { count.saturating_sub(before) } else { before.saturating_add(1) }
        },
    )
}
