//! The effect of decay on orders: on the order of the next period, on the orders of ended periods without a write,
//! and on the number of members in each order. After a clock was put back, points of future periods are added in
//! their periods.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::decay::{Decay, LONGEST};
use super::{BoardContext, Keyed, Past, Periods, Seen, Span, key_of};
use crate::calendar::Calendar;
use crate::index::{Index, Key, MemberId, NewKeys};
use crate::schema::Schema;
use crate::score::Score;

/// An entry, and the number of the write that set it.
pub(super) type NumberedEntry = (Keyed, u64);

impl Decay {
    /// Returns the key of an entry after `periods` periods (at least one). `None` if its score has become 0.
    fn left(self, schema: &Schema, key: Key, periods: u32) -> Option<Key> {
        let units = self.after(schema.score(key.rank_key).units(), periods);
        faded(schema, key, units)
    }

    /// Returns the keys of entries after `periods` periods (at least one).
    pub(super) fn new_keys<'a, O: Fn(&Keyed, &Keyed) -> Ordering>(
        self,
        periods: u32,
        schema: &'a Schema,
        order: O,
    ) -> NewKeys<impl FnMut(&mut [Keyed]) + 'a, O> {
        let mut scores: Vec<i64> = Vec::new();
        let change = move |entries: &mut [Keyed]| {
            scores.clear();
            scores.extend(entries.iter().map(|(key, _)| units_of(schema, key.rank_key)));
            self.fade(&mut scores, periods);
            for ((key, _), units) in entries.iter_mut().zip(&scores) {
                key.rank_key = schema.rank_key(Score::from_units(*units).unwrap_or_default());
            }
        };
        NewKeys { change, order, leaving: schema.rank_key(Score::ZERO) }
    }

    /// Returns the number of periods after which an order does not change any more.
    fn steps_of(self, index: &Index, schema: &Schema) -> u32 {
        let steps = |rank_key| self.steps(units_of(schema, rank_key));
        // A member may have a score of 0. Such a member leaves after the first period.
        index.extremes().map_or(0, |(best, worst)| steps(best).max(steps(worst)).max(1))
    }

    /// Returns whether all members leave an order when it decays for long enough.
    fn ends_empty(self, index: &Index, schema: &Schema) -> bool {
        let gone = |rank_key| self.after(units_of(schema, rank_key), LONGEST) == 0;
        index.extremes().is_none_or(|(best, worst)| gone(best) && gone(worst))
    }

    /// Returns the number of members in an order after one period, after two periods, and so on.
    fn counts(self, seen: Seen) -> impl Iterator<Item = u64> {
        let thresholds = self.thresholds().map(Some).chain(std::iter::repeat(None));
        thresholds.map(move |least| {
            let last =
                least.and_then(|least| Score::from_units(least.saturating_sub(1))).unwrap_or(Score::MAX);
            let first = Score::from_units(last.units().saturating_neg()).unwrap_or(Score::MIN);
            let (best, worst) = seen.schema().rank_keys(first, last);
            let gone = seen.better_than(worst.saturating_add(1)).saturating_sub(seen.better_than(best));
            seen.len().saturating_sub(gone)
        })
    }
}

fn units_of(schema: &Schema, rank_key: u64) -> i64 {
    schema.score(rank_key).units()
}

/// Returns the key of an entry whose score has decayed to `units`. `None` if the score has become 0.
fn faded(schema: &Schema, key: Key, units: i64) -> Option<Key> {
    let score = Score::from_units(units).filter(|_| units != 0)?;
    Some(key_of(schema, score, key.moment))
}

impl Periods {
    /// Returns the key of a member's entry in a later period, if the member has no write until then. `None` if the
    /// score has become 0.
    pub(super) fn faded(&self, decay: Decay, schema: &Schema, key: Key, later: &Span) -> Option<Key> {
        decay.left(schema, key, self.boundaries_to(self.span?.period.start, later, schema))
    }

    /// Counts the period boundaries from a start to a later period, but at most [`LONGEST`] of them. After so many
    /// boundaries, no score changes any more.
    pub(super) fn boundaries_to(&self, start: i64, later: &Span, schema: &Schema) -> u32 {
        self.rules.boundaries(&schema.calendar, start, later.period.start, LONGEST)
    }

    /// Returns the start of the first period that has the same order as an ended period. The ended period is
    /// derived from a base. `None` if its order is empty.
    pub(super) fn first_faded(
        &self,
        decay: Decay,
        (past, base): (&Past, &Span),
        start: i64,
        schema: &Schema,
    ) -> Option<i64> {
        let index = past.index()?;
        let steps = decay.steps_of(index, schema);
        let most = steps.saturating_add(1);
        if self.rules.boundaries(&schema.calendar, base.period.start, start, most) <= steps {
            return Some(start);
        }
        if decay.ends_empty(index, schema) {
            return None;
        }
        self.starts_after(&schema.calendar, base.period.start, (start, steps)).last()
    }

    /// Returns the periods from a base to an end, as sequences with equal orders (see [`Self::runs`]).
    pub(super) fn runs_of_faded(
        &self,
        decay: Decay,
        (past, base): (&Past, &Span),
        end: i64,
        schema: &Schema,
    ) -> Vec<(i64, i64)> {
        let calendar = &schema.calendar;
        let ahead = self.starts_within(base, end).map(|start| self.rules.period(calendar, start).start);
        let mut origins: Vec<_> = [base.period.start].into_iter().chain(ahead).collect();
        origins.dedup();
        let steps = match (origins.len(), past.index()) {
            (1, Some(index)) => decay.steps_of(index, schema),
            _ => LONGEST,
        };
        let ends = origins.iter().skip(1).copied().chain([end]);
        let from = |(origin, end): (&i64, i64)| {
            std::iter::once(*origin).chain(self.starts_after(calendar, *origin, (end, steps)))
        };
        let firsts: Vec<_> = origins.iter().zip(ends).flat_map(from).collect();
        self.runs_from(calendar, &firsts, end)
    }

    /// Returns the starts of the periods after the period that starts at `start` and before `end`, at most `most`
    /// of them.
    fn starts_after(
        &self,
        calendar: &Calendar,
        start: i64,
        (end, most): (i64, u32),
    ) -> impl Iterator<Item = i64> {
        let next = |start: &i64| Some(self.rules.period(calendar, *start).end);
        let starts = std::iter::successors(next(&start), next);
        starts.take_while(move |start| *start < end).take(most as usize)
    }

    /// Returns how many members are ranked in the periods after a base. Each item is for a sequence of periods with
    /// equal counts: the start of the first period, and the count.
    pub(super) fn counts_of_faded(
        &self,
        decay: Decay,
        (past, base): (&Past, &Span),
        context: &BoardContext,
    ) -> Box<[(i64, u64)]> {
        let BoardContext { schema, members, hidden, .. } = *context;
        let ranking = past.order.ranking(schema, members);
        let seen = Seen::new(ranking, past.hidden.of(&ranking, hidden));
        let mut counts = vec![(base.period.start, seen.len())];
        if let Some(index) = past.index() {
            let steps = decay.steps_of(index, schema);
            let starts = self.starts_after(&schema.calendar, base.period.start, (i64::MAX, steps));
            counts.extend(starts.zip(decay.counts(seen)));
        }
        counts.dedup_by_key(|(_, count)| *count);
        counts.into_boxed_slice()
    }

    /// Returns the start of the first period in which all members of a base have left the order.
    pub(super) fn faded_from(
        &self,
        decay: Decay,
        (past, base): (&Past, &Span),
        schema: &Schema,
    ) -> Option<i64> {
        let index = past.index().filter(|index| decay.ends_empty(index, schema))?;
        let steps = decay.steps_of(index, schema);
        self.starts_after(&schema.calendar, base.period.start, (i64::MAX, steps)).last()
    }

    /// Returns whether a member with this rank key in a base is still ranked in a later period.
    pub(super) fn outlasts(
        &self,
        decay: Decay,
        rank_key: u64,
        base: &Span,
        later: &Span,
        schema: &Schema,
    ) -> bool {
        let periods = self.boundaries_to(base.period.start, later, schema);
        decay.after(units_of(schema, rank_key), periods) != 0
    }

    /// Returns the entries as they are in a later period, in order. For some members, another entry was set aside
    /// for a period between the base and the later period. Such a member gets this entry in that period.
    pub(super) fn entries_ahead(
        &self,
        decay: Decay,
        entries: impl Iterator<Item = NumberedEntry>,
        (base, later): (&Span, &Span),
        context: &BoardContext,
    ) -> Vec<NumberedEntry> {
        let (schema, end) = (context.schema, later.period.start);
        let mut all: BTreeMap<MemberId, (Key, u64)> =
            entries.map(|((key, id), number)| (id, (key, number))).collect();
        let fade = |all: &mut BTreeMap<MemberId, (Key, u64)>, from: i64, to: i64| {
            let periods = self.rules.boundaries(&schema.calendar, from, to, LONGEST);
            if periods > 0 {
                all.retain(|_, (key, _)| decay.left(schema, *key, periods).map(|left| *key = left).is_some());
            }
        };
        let mut at = base.period.start;
        let ahead = |(start, _): &&(i64, _)| base.period.start < *start && *start <= end;
        for (start, bucket) in self.buckets.iter().filter(ahead) {
            fade(&mut all, at, *start);
            at = *start;
            for (id, points) in bucket.iter() {
                let score = Score::from_units(points.units).unwrap_or_default();
                all.insert(id, (key_of(schema, score, points.moment), points.sequence));
            }
        }
        fade(&mut all, at, end);
        let compare = context.order_by(|id, _| all.get(&id).map(|(_, number)| *number));
        let mut entries: Vec<NumberedEntry> =
            all.iter().map(|(id, (key, number))| ((*key, *id), *number)).collect();
        entries.sort_unstable_by(|(a, _), (b, _)| compare(a, b));
        entries
    }
}
