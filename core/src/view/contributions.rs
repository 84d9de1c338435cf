//! The data that a view keeps in addition to its order, depending on its rules: points of single periods, and
//! numbers of writes. When the rules change, existing data is used for the new rules.

use super::{Boundary, Contributions, Garbage, Past, Periods};
use crate::bucket::Points;
use crate::index::{Index, Key, MemberId};
use crate::members::{Column, Members};
use crate::schema::{Schema, Ties};

impl Periods {
    /// Stores a member's number in the order of the last period, before the change to the next period gives the
    /// member another number.
    pub(super) fn keep_sequence(&mut self, id: MemberId, old: u64) {
        if let Boundary::Reversible(anchor) = &mut self.boundary
            && anchor.sequences.get(id).is_none()
        {
            anchor.sequences.insert(id, old);
        }
    }

    /// Begins to keep the data that the rules need in addition to the order. The data for a new rule is computed
    /// from the current order.
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

    /// Stores all numbers that derived orders need, before they are forgotten.
    fn remember_sequences(&mut self, column: Column, members: &Members) {
        let Some((history, span)) = self.history.as_mut().zip(self.span) else { return };
        let bases = self.past.iter().filter(|past| past.decay.is_some()).filter_map(Past::index);
        for (_, id) in bases.flat_map(|index| index.iter_from(0)) {
            history.note_sequence(id, span.period.start, members.sequence(id, column));
        }
    }

    /// Stores the points of the current period, which are the scores of its order, in its bucket.
    fn fill_bucket(&mut self, index: &Index, schema: &Schema) {
        let Some(span) = self.span else { return };
        let points = |(key, id): (Key, MemberId)| (id, schema.score(key.rank_key).units());
        let mut points: Vec<_> = index.iter_from(0).map(points).collect();
        // The points are added by ascending id, so that blocks are not split repeatedly.
        points.sort_unstable();
        let Some(peak) = points.iter().map(|(_, units)| units.unsigned_abs()).max() else { return };
        self.peak = self.peak.max(peak);
        let Some(bucket) = self.bucket_mut(span.period.start) else { return };
        for (id, units) in points {
            bucket.set(id, Points { units, moment: 0, sequence: 0 });
        }
    }
}

/// Returns numbers of writes for `count` entries whose order of writes is not known any more. The entries are given
/// best first, and keep their order.
pub(super) fn numbers_of_equals(ties: Ties, count: u64) -> impl Iterator<Item = u64> {
    let newest_first = ties == Ties::Last;
    (0..count).map(
        move |before| {
            if newest_first { count.saturating_sub(before) } else { before.saturating_add(1) }
        },
    )
}
