//! Other rules for a view that is there.

use super::{Contributions, Garbage, Periods, Rules, Spec, Timeline, View};
use crate::bucket::Points;
use crate::index::Index;
use crate::members::{Column, Members};
use crate::schema::{Schema, Ties};

impl View {
    /// Changes the rules of the view. Its last boundary is final.
    pub(crate) fn set_spec(
        &mut self,
        spec: Spec,
        schema: &Schema,
        members: &mut Members,
        garbage: &mut Vec<Garbage>,
    ) {
        if spec == self.spec {
            return;
        }
        self.spec = spec;
        let (Timeline::Periods(periods), Some(rules)) = (&mut self.timeline, Rules::of(&spec)) else {
            return;
        };
        periods.forget_next(garbage);
        periods.rules = rules;
        if rules.count == 1 {
            members.release(periods.contributions.column().as_slice());
            periods.contributions = Contributions::OrderOnly;
        } else if !periods.has_buckets() {
            let column = members.add_sequence_column();
            periods.contributions = Contributions::NumberedBuckets(column);
            periods.fill_bucket(&self.index, column, schema, members);
        }
        if let Some(span) = periods.span {
            let span = rules.span(&schema.calendar, span.period.start);
            periods.span = Some(span);
            periods.prune(&span, &schema.calendar, garbage);
        }
    }
}

impl Periods {
    /// Takes the points of the current period from its order.
    fn fill_bucket(&mut self, index: &Index, column: Column, schema: &Schema, members: &mut Members) {
        let Some(span) = self.span else { return };
        let count = index.len();
        for (before, (key, id)) in (0_u64..).zip(index.iter_from(0)) {
            // Nobody knows any more in which order they came: equals stay as they stand.
            let newest_first = schema.ties == Ties::Last;
            let sequence = if newest_first { count.saturating_sub(before) } else { before.saturating_add(1) };
            members.set_sequence(id, column, sequence);
            let units = schema.score(key.rank_key).units();
            self.peak = self.peak.max(units.unsigned_abs());
            if let Some(bucket) = self.bucket_mut(span.period.start) {
                bucket.set(id, Points { units, moment: 0, sequence: 0 });
            }
        }
    }
}
