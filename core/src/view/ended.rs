//! Reads ended periods. A period with a write has a separate order. Other periods use the order of the last period
//! before them, their *base*: their order is the same, or it is derived from the base.
//!
//! So a clock that passes a thousand periods costs no more than one boundary. The orders of these periods are
//! derived when a reader requests them; until then, only the points from which they are derived are kept.

use super::decay::Decay;
use super::faded::{Faded, Fading};
use super::hidden::hidden_in;
use super::{BoardContext, EndedOrder, EndedPoints, EndedShape, Kept, Keyed, Past, PastOrder, Periods, Span};
use crate::calendar::Calendar;
use crate::schema::Schema;
use crate::secret::HashMap;

/// With more hidden members than this, the whole order is derived, and each hidden member is searched for in it.
const MOST_HIDDEN: usize = 16;

/// The order of an ended period, or the data from which it is derived.
pub(super) enum Found<'a> {
    Order(&'a Past),
    Derived(&'a Past, Derivation),
}

/// The data from which the periods after a past period are derived.
pub(super) struct Derivation {
    pub(super) base: Span,
    /// The end of the last of the derived periods.
    pub(super) end: i64,
    /// Whether the boundary after these periods is final.
    pub(super) is_final: bool,
    /// The decay of the order from period to period, if the view decays.
    pub(super) decay: Option<Decay>,
}

impl Periods {
    /// Returns the derivation of the periods after a past period; `None` if they have the same order.
    pub(super) fn derivation(&self, past: &Past, calendar: &Calendar) -> Option<Derivation> {
        let is_newest = self.past.front().is_some_and(|newest| std::ptr::eq(newest, past));
        match self.boundary.anchor().filter(|_| is_newest).zip(self.span) {
            Some((anchor, span)) => {
                let (base, end) = (anchor.span, span.period.start);
                Some(Derivation { base, end, is_final: false, decay: self.rules.decay })
            }
            None => {
                let base = Span { period: past.period, from: past.expires_from? };
                let end = self.rules.period(calendar, past.last).end;
                Some(Derivation { base, end, is_final: true, decay: past.decay })
            }
        }
    }

    pub(super) fn find_ended(&self, start: i64, calendar: &Calendar) -> Option<Found<'_>> {
        if start >= self.span?.period.start {
            return None;
        }
        let at = self.past.partition_point(|past| past.period.start > start);
        let past = self.past.get(at)?;
        if past.period.start == start {
            return Some(Found::Order(past));
        }
        match self.derivation(past, calendar) {
            Some(derivation) if !derivation.is_final || start <= past.last => {
                Some(Found::Derived(past, derivation))
            }
            None if start <= past.last => Some(Found::Order(past)),
            _ => None,
        }
    }

    /// Returns the order of an ended period that can be read, by its start. `None` if no member was ranked. Calls
    /// `note` if an order is derived.
    pub(crate) fn ended<'a>(
        &'a self,
        start: i64,
        context: &BoardContext<'a>,
        note: impl FnOnce(),
    ) -> Option<EndedOrder<'a>> {
        if start < self.oldest() { None } else { self.ended_or_kept(start, context, note) }
    }

    /// Does the same as [`Self::ended`], also for periods that the next final boundary drops.
    pub(crate) fn ended_since<'a>(
        &'a self,
        start: i64,
        context: &BoardContext<'a>,
        note: impl FnOnce(),
    ) -> Option<EndedOrder<'a>> {
        let found = if start < self.since { None } else { self.find_ended(start, &context.schema.calendar) };
        self.found(found?, start, context, note)
    }

    /// Returns the order of an ended period that is kept, even if it cannot be read any more. Otherwise, this
    /// function does the same as [`Self::ended`].
    pub(super) fn ended_or_kept<'a>(
        &'a self,
        start: i64,
        context: &BoardContext<'a>,
        note: impl FnOnce(),
    ) -> Option<EndedOrder<'a>> {
        let calendar = &context.schema.calendar;
        let found = if self.is_kept(start) { self.find_ended(start, calendar) } else { None };
        self.found(found?, start, context, note)
    }

    fn found<'a>(
        &'a self,
        found: Found<'a>,
        start: i64,
        context: &BoardContext<'a>,
        note: impl FnOnce(),
    ) -> Option<EndedOrder<'a>> {
        let (past, derivation) = match found {
            Found::Order(past) => return Some(past.first()),
            Found::Derived(past, derivation) => (past, derivation),
        };
        let first = self.first_like(past, &derivation, start, context)?;
        if first == derivation.base.period.start {
            return Some(past.first());
        }
        let make = || {
            note();
            match self.fading(&derivation, past, first, context) {
                Some(fading) => Kept::Fading(fading),
                None => Kept::Order(self.derive(&derivation, past, first, context)),
            }
        };
        let (kept, hidden) = past.cached.kept(first, make);
        let (shape, len) = match kept {
            Kept::Order(order) => (EndedShape::Order(order), order.len()),
            Kept::Fading(fading) => {
                let faded = Faded::new(fading, past, self, context.schema, context.members);
                (EndedShape::Faded(faded), faded.len())
            }
        };
        (len > 0).then_some(EndedOrder { shape, hidden })
    }

    /// Returns the decay of a later period from its base; `None` if there is no decay, if other points count too,
    /// or if the whole order is needed.
    fn fading(
        &self,
        derivation: &Derivation,
        past: &Past,
        start: i64,
        context: &BoardContext,
    ) -> Option<Fading> {
        let Derivation { base, decay, .. } = derivation;
        let few = context.hidden.is_none_or(|hidden| hidden.len() <= MOST_HIDDEN);
        let end = start.saturating_add(1);
        let has_later_points = past.expires_from.is_none() && self.starts_within(base, end).next().is_some();
        if !few || has_later_points || self.starts_with_entries(context) {
            return None;
        }
        let later = self.rules.span(&context.schema.calendar, start);
        let periods = self.boundaries_to(base.period.start, &later, context.schema);
        Some(Fading::new((*decay)?, periods, *base))
    }

    /// Returns the start of the first period that has the same order as the period that starts at `start`. Both are
    /// derived from the past period.
    fn first_like(
        &self,
        past: &Past,
        derivation: &Derivation,
        start: i64,
        context: &BoardContext,
    ) -> Option<i64> {
        let Derivation { base, end, decay, .. } = derivation;
        if let Some(decay) = decay
            && self.starts_within(base, *end).next().is_none()
        {
            return self.first_faded(*decay, (past, base), start, context.schema);
        }
        let runs = self.runs_of(past, derivation, context.schema);
        runs.iter().rev().map(|(first, _)| *first).find(|first| *first <= start)
    }

    /// Returns the start of the first period with the same order as an ended period in which no visible member is ranked. All
    /// periods between the two have this order, too.
    pub(crate) fn empty_since(&self, start: i64, context: &BoardContext) -> i64 {
        let calendar = &context.schema.calendar;
        let at = self.past.partition_point(|past| past.period.start > start);
        let Some(past) = self.past.get(at) else { return i64::MIN };
        match self.derivation(past, calendar) {
            Some(derivation) if !derivation.is_final || start <= past.last => {
                let first = self.first_like(past, &derivation, start, context);
                let gone = || self.gone_from(past, &derivation.base, context.schema);
                first.or_else(gone).unwrap_or(start)
            }
            None if start <= past.last => past.period.start,
            _ => self.rules.period(calendar, past.last).end,
        }
    }

    /// Returns how many members are ranked in the derived periods around the period that starts at `start`, oldest
    /// first. Each item is for a sequence of periods with equal counts: the start of the first period, and the
    /// count. `None` for a period with a separate order.
    pub(crate) fn counts_around(&self, start: i64, context: &BoardContext) -> Option<&[(i64, u64)]> {
        let calendar = &context.schema.calendar;
        let found = if start < self.oldest() { None } else { self.find_ended(start, calendar) };
        let Found::Derived(past, derivation) = found? else { return None };
        let Derivation { base, end, is_final, decay } = derivation;
        if !is_final && !self.follows_alone(&base, end, context) {
            return None;
        }
        // The counts include all periods until all members have left the order, so they stay valid when the clock
        // advances.
        if let Some(decay) = decay {
            return Some(past.counts.get_or_init(|| self.counts_of_faded(decay, (past, &base), context)));
        }
        let end = self.gone_from(past, &base, context.schema)?;
        Some(past.counts.get_or_init(|| self.counts_until(past, &base, end, context)))
    }

    fn counts_until(&self, past: &Past, base: &Span, end: i64, context: &BoardContext) -> Box<[(i64, u64)]> {
        let BoardContext { schema, members, hidden, .. } = *context;
        let seen = |id| hidden.is_none_or(|hidden| hidden.get(id).is_none());
        let newest = EndedPoints::new(self, schema, *base).newest(seen);
        let left = |first: i64| {
            let from = self.rules.span(&schema.calendar, first).from;
            newest.len().saturating_sub(newest.partition_point(|newest| *newest < from)) as u64
        };
        let runs = self.runs(&schema.calendar, base, end).into_iter().skip(1);
        let runs = runs.map(|(first, _)| (first, left(first)));
        let ranking = past.order.ranking(schema, members);
        let first = (past.period.start, ranking.len().saturating_sub(hidden_in(&ranking, hidden)));
        std::iter::once(first).chain(runs).chain([(end, 0)]).collect()
    }

    /// Returns the order of a later period, by its start.
    fn derive(&self, derivation: &Derivation, past: &Past, start: i64, context: &BoardContext) -> PastOrder {
        let later = self.rules.span(&context.schema.calendar, start);
        let entries = self.entries_after(derivation, past, &later, context);
        PastOrder::of(&entries, past.order.dated()).unwrap_or_else(PastOrder::none)
    }

    /// Returns the entries of a later period, in order.
    pub(super) fn entries_after(
        &self,
        Derivation { base, decay, .. }: &Derivation,
        past: &Past,
        later: &Span,
        context: &BoardContext,
    ) -> Vec<Keyed> {
        let Some(index) = past.index() else { return Vec::new() };
        let points = EndedPoints::new(self, context.schema, *base);
        let end = later.period.start.saturating_add(1);
        let has_later_points = past.expires_from.is_none() && self.starts_within(base, end).next().is_some();
        // Points that were set aside have later numbers than the base.
        let is_recounted = has_later_points && decay.is_none();
        let numbers = if is_recounted { EndedPoints::new(self, context.schema, *later) } else { points };
        let sequence = |id, moment| numbers.sequence(context.members, id, moment);
        let compare = context.order_by(sequence);
        let mut entries = if let Some(decay) = decay {
            if has_later_points {
                let number = |(key, id): Keyed| ((key, id), sequence(id, key.moment).unwrap_or(0));
                let entries = index.iter_from(0).map(number);
                let ahead = self.entries_ahead(*decay, entries, (base, later), context);
                ahead.into_iter().map(|(entry, _)| entry).collect()
            } else {
                let periods = self.boundaries_to(base.period.start, later, context.schema);
                decay.new_keys(periods, context.schema, &compare).entries_of(index)
            }
        } else if has_later_points {
            let keys: HashMap<_, _> = index.iter_from(0).map(|(key, id)| (id, key)).collect();
            self.recount_by(later, context.schema, (*base, |id| keys.get(&id).copied()), &compare)
        } else if self.rules.is_rolling() {
            points.entries_after(index, later, context.members, &compare)
        } else if later.from == base.period.start {
            // A share of the base is carried over.
            let left =
                |(key, id)| self.remaining(context.schema, (key, id), None, later).map(|key| (key, id));
            let mut entries: Vec<Keyed> = index.iter_from(0).filter_map(left).collect();
            entries.sort_by(&compare);
            entries
        } else {
            Vec::new()
        };
        if self.starts_with_entries(context) {
            self.add_starting(&mut entries, later, context, sequence);
        }
        entries
    }

    /// Returns whether the periods between a base and the current period are derived only from the base, and from
    /// points that expire or decay.
    pub(super) fn follows_alone(&self, base: &Span, end: i64, context: &BoardContext) -> bool {
        let has_points = self.starts_within(base, end).next().is_some();
        let follows = self.rules.is_rolling() || self.rules.decay.is_some();
        follows && !has_points && !self.starts_with_entries(context)
    }

    /// Returns the starts of the periods after a base and before an end that have separate points, in order.
    pub(super) fn starts_within(&self, base: &Span, end: i64) -> impl Iterator<Item = i64> {
        let begin = base.period.start;
        let filled = self.buckets.iter().filter(|(_, bucket)| !bucket.is_empty()).map(|(start, _)| *start);
        filled.filter(move |start| begin < *start && *start < end)
    }

    /// Returns the periods that are derived from a past period, as sequences with equal orders (see
    /// [`Self::runs`]).
    pub(super) fn runs_of(&self, past: &Past, derivation: &Derivation, schema: &Schema) -> Vec<(i64, i64)> {
        let Derivation { base, end, decay, .. } = derivation;
        match decay {
            Some(decay) => self.runs_of_faded(*decay, (past, base), *end, schema),
            None => self.runs(&schema.calendar, base, *end),
        }
    }

    /// Returns the periods from a base to an end, as sequences (runs) with equal orders: the starts of the first
    /// and the last period of each sequence, oldest first. The orders of two neighbouring sequences may still be
    /// equal.
    fn runs(&self, calendar: &Calendar, base: &Span, end: i64) -> Vec<(i64, i64)> {
        let mut firsts = vec![base.period.start];
        if !self.rules.is_rolling() && base.period.end < end {
            firsts.push(base.period.end);
        }
        firsts.extend(self.changes(calendar, base, end));
        firsts.sort_unstable();
        firsts.dedup();
        self.runs_from(calendar, &firsts, end)
    }

    /// Returns the sequences that begin with the periods in `firsts`.
    pub(super) fn runs_from(&self, calendar: &Calendar, firsts: &[i64], end: i64) -> Vec<(i64, i64)> {
        let ends = firsts.iter().skip(1).copied().chain([end]);
        firsts.iter().zip(ends).map(|(first, end)| (*first, self.rules.back(calendar, end, 1))).collect()
    }

    /// Returns the starts of the periods after a base and before an end in which points begin to count or stop
    /// counting, in order.
    fn changes(&self, calendar: &Calendar, base: &Span, end: i64) -> Vec<i64> {
        let was_filled =
            |start| self.history().is_some_and(|history| history.changed(start).next().is_some());
        let filled = self.all_buckets().filter(|(start, bucket)| !bucket.is_empty() || was_filled(*start));
        self.changes_by(filled.map(|(start, _)| *start), calendar, base, end)
    }

    /// Does the same as [`Self::changes`], if only the periods in `filled` have points.
    pub(super) fn changes_by(
        &self,
        filled: impl Iterator<Item = i64>,
        calendar: &Calendar,
        base: &Span,
        end: i64,
    ) -> Vec<i64> {
        // A loaded board may have points of a period that has another start by the present rules of its time zone.
        let starts = filled.map(|start| self.rules.period(calendar, start).start);
        let counted: Vec<_> = starts.filter(|start| base.from <= *start && *start < end).collect();
        let mut changes: Vec<_> = self.expiries(calendar, &counted).collect();
        if self.rules.carry.is_some() {
            // A share of each period is carried into the next period.
            changes.extend(counted.iter().map(|start| self.rules.period(calendar, *start).end));
        }
        changes.extend(counted);
        changes.retain(|start| base.period.start < *start && *start < end);
        changes.sort_unstable();
        changes.dedup();
        changes
    }

    /// Returns the start of the first period in which all points that the base counted have expired.
    pub(super) fn gone_from(&self, past: &Past, base: &Span, schema: &Schema) -> Option<i64> {
        if let Some(decay) = self.rules.decay {
            return self.faded_from(decay, (past, base), schema);
        }
        let starts = self.all_buckets().map(|(start, _)| *start);
        let newest = starts.take_while(|start| *start <= base.period.start).last();
        newest.and_then(|newest| self.expiry(&schema.calendar, newest))
    }

    /// Returns the start of the first period in which points of a period no longer count.
    pub(super) fn expiry(&self, calendar: &Calendar, start: i64) -> Option<i64> {
        self.expiries(calendar, &[start]).next()
    }

    /// For each given period, returns the start of the first period in which its points no longer count. The
    /// periods are given by their starts, oldest first. So most results are one step from the previous result.
    fn expiries(&self, calendar: &Calendar, starts: &[i64]) -> impl Iterator<Item = i64> {
        let next = |start| self.rules.period(calendar, start).end;
        let (mut low, mut high) = (i64::MAX, i64::MAX);
        starts.iter().map(move |start| {
            let mut left = self.rules.count;
            while low < *start && left > 0 {
                (low, high, left) = (next(low), next(high), left.saturating_sub(1));
            }
            if low != *start {
                (low, high) = (*start, (0..self.rules.count).fold(*start, |high, _| next(high)));
            }
            high
        })
    }
}
