//! Other rules for a view that is there.

use super::span::Span;
use super::{Contributions, Garbage, Spec, View};
use crate::bucket::Points;
use crate::members::Members;
use crate::schema::{Schema, Ties};

impl View {
    /// Changes the rules of the view, whose last boundary is final. Where points of single periods are
    /// needed from now on, those of the current one are taken from its order.
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
        self.forget_next(garbage);
        self.spec = spec;
        let span = self.timeline.periods().and_then(|periods| periods.span);
        let span = span.and_then(|span| Span::at(&spec, schema, span.period.start));
        self.keep_buckets(schema, members);
        let Some(periods) = self.timeline.periods_mut() else { return };
        periods.span = span;
        if let Some((_, 1)) = spec.reach() {
            // Points of single periods are not needed any more.
            members.release(periods.contributions.column().as_slice());
            periods.contributions = Contributions::OrderOnly;
        }
        self.prune(schema, garbage);
    }

    fn keep_buckets(&mut self, schema: &Schema, members: &mut Members) {
        let Some((_, 2..)) = self.spec.reach() else { return };
        let Some(periods) = self.timeline.periods_mut().filter(|periods| !periods.has_buckets()) else {
            return;
        };
        let column = members.add_sequence_column();
        periods.contributions = Contributions::NumberedBuckets(column);
        let Some(span) = periods.span else { return };
        let count = self.index.len();
        for (before, (key, id)) in (0_u64..).zip(self.index.iter_from(0)) {
            // Nobody knows any more in which order they came: equals stay as they stand.
            let newest_first = schema.ties == Ties::Last;
            let sequence = if newest_first { count.saturating_sub(before) } else { before.saturating_add(1) };
            members.set_sequence(id, column, sequence);
            let units = schema.score(key.rank_key).units();
            periods.peak = periods.peak.max(units.unsigned_abs());
            if let Some(bucket) = periods.bucket_mut(span.period.start) {
                bucket.set(id, Points { units, moment: 0, sequence: 0 });
            }
        }
    }
}
