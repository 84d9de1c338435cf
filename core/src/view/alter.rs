//! Other rules for a view that is there.

use super::periods::Periods;
use super::rules::Rules;
use super::states::Contributions;
use super::{Garbage, Spec, Timeline, View};
use crate::bucket::Points;
use crate::index::Index;
use crate::members::Members;
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
        if let (Timeline::Periods(periods), Some(rules)) = (&mut self.timeline, Rules::of(&spec)) {
            periods.set_rules(rules, &self.index, schema, members, garbage);
        }
    }
}

impl Periods {
    fn set_rules(
        &mut self,
        rules: Rules,
        index: &Index,
        schema: &Schema,
        members: &mut Members,
        garbage: &mut Vec<Garbage>,
    ) {
        self.forget_next(garbage);
        self.rules = rules;
        if rules.count == 1 {
            members.release(self.contributions.column().as_slice());
            self.contributions = Contributions::OrderOnly;
        } else if !self.has_buckets() {
            self.contributions = Contributions::NumberedBuckets(members.add_sequence_column());
            self.fill_bucket(index, schema, members);
        }
        if let Some(span) = self.span {
            let span = rules.span(&schema.calendar, span.period.start);
            self.span = Some(span);
            self.prune(&span, &schema.calendar, garbage);
        }
    }

    /// Takes the points of the current period from its order.
    fn fill_bucket(&mut self, index: &Index, schema: &Schema, members: &mut Members) {
        let (Some(span), Some(column)) = (self.span, self.contributions.column()) else { return };
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
