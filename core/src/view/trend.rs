//! What decay makes of orders: that of the next period, those of ended periods in which nobody wrote, and how
//! many members are left in each. Points of periods that are yet to come, on a clock that was put back, are taken
//! in on the way.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::decay::{Decay, LONGEST};
use super::{Facts, Keyed, Past, Periods, Seen, Span, key_of};
use crate::calendar::Calendar;
use crate::index::{Index, Key, MemberId};
use crate::schema::Schema;
use crate::score::Score;

/// An entry, and the number of the write that gave it.
pub(super) type Numbered = (Keyed, u64);

impl Decay {
    /// What is left of an entry after so many periods, one at the least.
    fn left(self, schema: &Schema, key: Key, periods: u32) -> Option<Key> {
        let units = self.after(schema.score(key.rank_key).units(), periods);
        faded(schema, key, units)
    }

    /// What is left of an order after so many periods, one at the least, in order.
    pub(super) fn entries_after(
        self,
        index: &Index,
        periods: u32,
        schema: &Schema,
        compare: impl Fn(&Keyed, &Keyed) -> Ordering,
    ) -> Vec<Keyed> {
        let mut scores: Vec<i64> =
            index.iter_from(0).map(|(key, _)| units_of(schema, key.rank_key)).collect();
        self.fade(&mut scores, periods);
        let left = index.iter_from(0).zip(scores);
        let left = left.filter_map(|((key, id), units)| Some((faded(schema, key, units)?, id)));
        let mut entries: Vec<Keyed> = left.collect();
        // Only scores that have become equal are out of order, which makes a stable sort fast.
        entries.sort_by(compare);
        entries
    }

    /// After how many periods an order does not change any more.
    fn steps_of(self, index: &Index, schema: &Schema) -> u32 {
        let steps = |rank_key| self.steps(units_of(schema, rank_key));
        // Somebody may have a score of 0, and leaves after the first.
        index.extremes().map_or(0, |(best, worst)| steps(best).max(steps(worst)).max(1))
    }

    /// Whether anybody is left of an order in the end.
    fn ends_empty(self, index: &Index, schema: &Schema) -> bool {
        let gone = |rank_key| self.after(units_of(schema, rank_key), LONGEST) == 0;
        index.extremes().is_none_or(|(best, worst)| gone(best) && gone(worst))
    }

    /// How many members are left of an order after one period, after two, and so on.
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

/// The key of an entry of which so much is left.
fn faded(schema: &Schema, key: Key, units: i64) -> Option<Key> {
    let score = Score::from_units(units).filter(|_| units != 0)?;
    Some(key_of(schema, score, key.moment))
}

impl Periods {
    /// What is left of a member's entry in a later period, if nothing more is written.
    pub(super) fn faded(&self, decay: Decay, schema: &Schema, key: Key, later: &Span) -> Option<Key> {
        decay.left(schema, key, self.boundaries_to(self.span?.period.start, later, schema))
    }

    /// How many boundaries lie before a later period, as far as that matters.
    pub(super) fn boundaries_to(&self, start: i64, later: &Span, schema: &Schema) -> u32 {
        self.rules.boundaries(&schema.calendar, start, later.period.start, LONGEST)
    }

    /// The start of the first period with the same order as an ended one, which follows from a base. Nothing where
    /// nobody is left in it.
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

    /// The periods from a base to an end, as runs of equal orders, as [`Self::runs`] tells them.
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

    /// The starts of the periods after one and before an end, some at the most.
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

    /// How many members are left in the periods after a base: the starts of runs of equal counts.
    pub(super) fn counts_of_faded(
        &self,
        decay: Decay,
        (past, base): (&Past, &Span),
        facts: &Facts,
    ) -> Box<[(i64, u64)]> {
        let Facts { schema, members, hidden, .. } = *facts;
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

    /// The start of the first period in which nobody of a base is left.
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

    /// Whether a member of a base is left in a later period.
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

    /// Entries as they are in a later period, in order. Whose entry was set aside for a period on the way has that.
    pub(super) fn entries_ahead(
        &self,
        decay: Decay,
        entries: impl Iterator<Item = Numbered>,
        (base, later): (&Span, &Span),
        facts: &Facts,
    ) -> Vec<Numbered> {
        let (schema, end) = (facts.schema, later.period.start);
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
        let compare = facts.order_by(|id, _| all.get(&id).map(|(_, number)| *number));
        let mut entries: Vec<Numbered> =
            all.iter().map(|(id, (key, number))| ((*key, *id), *number)).collect();
        entries.sort_unstable_by(|(a, _), (b, _)| compare(a, b));
        entries
    }
}
