//! Reading ended periods. Those in which somebody was ranked and wrote have an order of their own; the
//! others follow from the last of these before them, and are worked out when somebody asks.

use std::collections::HashMap;

use super::fade::{self, Rows};
use super::period::Periods;
use super::span::Span;
use super::turn::{Entries, order_by};
use super::{Facts, Order, Past, View};
use crate::bucket::Bucket;
use crate::calendar::{Calendar, Unit};
use crate::index::MemberId;
use crate::schema::Schema;

/// Where an ended period is found.
enum Found<'a> {
    /// It has this order.
    Order(&'a Order),
    /// Its order follows from that of a period in which somebody wrote.
    Follows { past: &'a Past, base: Span, end: i64, is_final: bool },
}

impl View {
    fn find_ended(&self, start: i64) -> Option<Found<'_>> {
        let periods = self.timeline.periods()?;
        let span = periods.span.filter(|span| periods.oldest() <= start && start < span.period.start)?;
        let at = periods.past.partition_point(|past| past.period.start > start);
        let past = periods.past.get(at)?;
        if past.period.start == start {
            return Some(Found::Order(&past.order));
        }
        let anchor = periods.boundary.anchor().filter(|_| at == 0);
        match (anchor, past.fades) {
            (Some(anchor), _) => {
                Some(Found::Follows { past, base: anchor.span, end: span.period.start, is_final: false })
            }
            (None, _) if past.last < start => None,
            (None, None) => Some(Found::Order(&past.order)),
            (None, Some(from)) => {
                let base = Span { period: past.period, from };
                Some(Found::Follows { past, base, end: past.last.saturating_add(1), is_final: true })
            }
        }
    }

    /// The order of an ended period by its start; nothing where it is not kept or nobody was ranked.
    /// `note` is called where it had to be worked out.
    pub(crate) fn ended(&self, start: i64, facts: &Facts, note: impl FnOnce()) -> Option<&Order> {
        let (past, base, end) = match self.find_ended(start)? {
            Found::Order(order) => return Some(order),
            Found::Follows { past, base, end, .. } => (past, base, end),
        };
        let runs = self.runs(facts.schema, &base, end);
        let first = runs.iter().rev().map(|(first, _)| *first).find(|first| *first <= start)?;
        if first == base.period.start {
            return Some(&past.order);
        }
        let make = || {
            note();
            self.worked_out(&base, past, first, facts)
        };
        Some(past.worked.order(first, make)).filter(|order| order.len() > 0)
    }

    /// The order of a period that follows from an earlier one.
    fn worked_out(&self, base: &Span, past: &Past, start: i64, facts: &Facts) -> Order {
        let span = Span::at(&self.spec, facts.schema, start);
        let entries = span.map(|span| self.entries_between(base, past, &span, facts));
        entries.and_then(|entries| Order::of(&entries)).unwrap_or_else(Order::none)
    }

    /// All orders of ended periods that are kept, newest first: the starts of the first and the last
    /// period of each, and the order; those that had to be worked out only for `tell`.
    pub(crate) fn each_ended(&self, facts: &Facts, mut tell: impl FnMut(i64, i64, &Order)) {
        let Some(periods) = self.timeline.periods() else { return };
        for past in &periods.past {
            let follows = periods.past.front().is_some_and(|front| std::ptr::eq(front, past));
            let anchor = periods.boundary.anchor().filter(|_| follows).map(|anchor| anchor.span);
            let (base, end) = match (anchor.zip(periods.span), past.fades) {
                (Some((anchor, span)), _) => (anchor, span.period.start),
                (None, Some(from)) => (Span { period: past.period, from }, self.end_of(facts.schema, past)),
                (None, None) => {
                    if past.last >= periods.oldest() {
                        tell(past.period.start.max(periods.oldest()).min(past.last), past.last, &past.order);
                    }
                    continue;
                }
            };
            for (first, last) in self.runs(facts.schema, &base, end).into_iter().rev() {
                if last < periods.oldest() {
                    continue;
                }
                let begin = first.max(periods.oldest());
                if first == base.period.start {
                    tell(begin, last, &past.order);
                } else {
                    tell(begin, last, &self.worked_out(&base, past, first, facts));
                }
            }
        }
    }

    fn end_of(&self, schema: &Schema, past: &Past) -> i64 {
        self.spec.reach().map_or(past.last, |(unit, _)| schema.calendar.period(unit, past.last).end)
    }

    /// How many members are ranked in the periods that follow from the one before them, and to which
    /// this one belongs: the starts of runs of equal counts, oldest first. Nothing for a period that
    /// has an order of its own.
    pub(crate) fn counts_around(&self, start: i64, facts: &Facts) -> Option<&[(i64, u64)]> {
        let Some(Found::Follows { past, base, end, is_final }) = self.find_ended(start) else { return None };
        let periods = self.timeline.periods()?;
        if !is_final && !self.fades_alone(&base, end, facts) {
            return None;
        }
        // All of them, however far the clock has got: so they stay as they are.
        let end = self.gone_from(facts.schema, &base)?;
        Some(past.counts.get_or_init(|| self.counts_until(periods, past, &base, end, facts)))
    }

    fn counts_until(
        &self,
        periods: &Periods,
        past: &Past,
        base: &Span,
        end: i64,
        facts: &Facts,
    ) -> Box<[(i64, u64)]> {
        let newest = Rows::new(periods, facts.schema, base.from, base.period.start).newest();
        let left = |first: i64| {
            let from = Span::at(&self.spec, facts.schema, first).map_or(i64::MAX, |span| span.from);
            newest.len().saturating_sub(newest.partition_point(|newest| *newest < from)) as u64
        };
        let runs = self.runs(facts.schema, base, end).into_iter().skip(1);
        let first = (past.period.start, past.order.len());
        let runs = runs.map(|(first, _)| (first, left(first)));
        std::iter::once(first).chain(runs).chain([(end, 0)]).collect()
    }

    /// Whether the periods between one in which somebody wrote and the current one follow from what
    /// expires in them alone.
    pub(super) fn fades_alone(&self, base: &Span, end: i64, facts: &Facts) -> bool {
        let within = |start: i64| base.period.start < start && start < end;
        let ahead = self.timeline.periods().is_some_and(|periods| {
            periods.buckets.iter().any(|(start, bucket)| within(*start) && !bucket.is_empty())
        });
        self.spec.kind.is_rolling() && !ahead && !self.starts_options(facts)
    }

    /// Everybody's entry in a period behind the one in which somebody wrote last, whose order is that of
    /// the newest ended period.
    pub(super) fn entries_between(&self, anchor: &Span, past: &Past, span: &Span, facts: &Facts) -> Entries {
        let Some(periods) = self.timeline.periods() else { return Entries::new() };
        let Some(base) = past.index() else { return Entries::new() };
        let rows = Rows::new(periods, facts.schema, anchor.from, anchor.period.start);
        let sequence = |id, moment| rows.sequence(self, facts.members, id, moment);
        let compare = order_by(facts, sequence);
        let within = |start: i64| anchor.period.start < start && start <= span.period.start;
        let ahead = past.fades.is_none() && periods.buckets.iter().any(|(start, _)| within(*start));
        let mut entries = if ahead {
            let moments: HashMap<_, _> = base.iter_from(0).map(|(key, id)| (id, key.moment)).collect();
            self.recount_by(span, facts, |id| moments.get(&id).copied(), &compare)
        } else if self.spec.kind.is_rolling() {
            fade::merged(base, rows, span, &compare)
        } else if span.from == anchor.period.start {
            let left = |(key, id)| self.remaining(facts, id, key, span).map(|key| (key, id));
            let mut entries: Entries = base.iter_from(0).filter_map(left).collect();
            entries.sort_by(&compare);
            entries
        } else {
            Entries::new()
        };
        if self.starts_options(facts) {
            self.add_initials(&mut entries, span, facts, sequence);
        }
        entries
    }

    /// The periods from one in which somebody wrote to another, as runs of equal orders: the starts of
    /// the first and the last period of each, oldest first. An order may still equal the next one.
    pub(crate) fn runs(&self, schema: &Schema, base: &Span, end: i64) -> Vec<(i64, i64)> {
        let Some((unit, _)) = self.spec.reach() else { return Vec::new() };
        let mut firsts = vec![base.period.start];
        if !self.spec.kind.is_rolling() && base.period.end < end {
            firsts.push(base.period.end);
        }
        firsts.extend(self.changes(schema, base, end));
        firsts.sort_unstable();
        firsts.dedup();
        let ends = firsts.iter().skip(1).copied().chain([end]);
        let last = |end| schema.calendar.back(unit, end, 1).start;
        firsts.iter().zip(ends).map(|(first, end)| (*first, last(end))).collect()
    }

    /// The start of the period at which nothing is left of what counted in one in which somebody wrote.
    pub(super) fn gone_from(&self, schema: &Schema, base: &Span) -> Option<i64> {
        let (periods, (unit, count)) = self.timeline.periods().zip(self.spec.reach())?;
        let counted = |(start, _): &&(i64, Bucket)| *start <= base.period.start;
        let faded = periods.history.iter().flat_map(|faded| &faded.buckets);
        let (newest, _) = faded.chain(&periods.buckets).rfind(counted)?;
        let mut steps = Steps { calendar: &schema.calendar, unit, count, low: i64::MAX, high: i64::MAX };
        Some(steps.leaves(*newest))
    }

    /// Whether a member can be read of anywhere: it is ranked, or was in a period that is kept, or has
    /// points that count. `note` is called where an order had to be worked out.
    pub(crate) fn shows(&self, id: MemberId, facts: &Facts, note: &impl Fn()) -> bool {
        let Some(periods) = self.timeline.periods() else { return self.find(id, facts.members).is_some() };
        self.find(id, facts.members).is_some()
            || periods.counted().any(|(_, bucket)| bucket.contains(id))
            || periods.past.iter().any(|past| self.shows_in(past, id, facts, note))
    }

    fn shows_in(&self, past: &Past, id: MemberId, facts: &Facts, note: &impl Fn()) -> bool {
        let Some(periods) = self.timeline.periods() else { return false };
        if !past.order.contains(id, facts.members) {
            return false;
        }
        let oldest = periods.oldest();
        if past.period.start >= oldest {
            return true;
        }
        // Of the periods that follow from this one, those from the oldest on are kept.
        match self.find_ended(oldest) {
            Some(Found::Order(order)) => std::ptr::eq(order, &raw const past.order),
            Some(Found::Follows { past: other, .. }) if !std::ptr::eq(other, past) => false,
            Some(Found::Follows { base, end, is_final, .. })
                if is_final || self.fades_alone(&base, end, facts) =>
            {
                let span = Span::at(&self.spec, facts.schema, oldest);
                let rows = Rows::new(periods, facts.schema, base.from, base.period.start);
                span.is_some_and(|span| rows.has_left(id, &span))
            }
            Some(Found::Follows { base, end, .. }) => {
                let runs = self.runs(facts.schema, &base, end);
                let kept = runs.into_iter().filter(|(_, last)| *last >= oldest);
                let mut orders = kept.filter_map(|(first, _)| self.ended(first.max(oldest), facts, note));
                orders.any(|order| order.contains(id, facts.members))
            }
            None => false,
        }
    }

    /// The starts of the periods at which points begin to count or count no more, behind one in which
    /// somebody wrote and before another one; in order.
    pub(super) fn changes(&self, schema: &Schema, base: &Span, end: i64) -> Vec<i64> {
        let Some((periods, (unit, count))) = self.timeline.periods().zip(self.spec.reach()) else {
            return Vec::new();
        };
        let faded = periods.history.iter().flat_map(|faded| &faded.buckets);
        let starts = faded.chain(&periods.buckets).map(|(start, _)| *start);
        // A loaded board may have points of a period that begins elsewhere by the rules of today.
        let starts = starts.map(|start| schema.calendar.period(unit, start).start);
        let counted: Vec<_> = starts.filter(|start| base.from <= *start && *start < end).collect();
        let mut steps = Steps { calendar: &schema.calendar, unit, count, low: i64::MAX, high: i64::MAX };
        let mut changes: Vec<_> = counted.iter().map(|start| steps.leaves(*start)).collect();
        if self.spec.carry.is_some() {
            // A part of them is carried into the next period.
            changes.extend(counted.iter().map(|start| steps.next(*start)));
        }
        changes.extend(counted);
        changes.retain(|start| base.period.start < *start && *start < end);
        changes.sort_unstable();
        changes.dedup();
        changes
    }
}

/// Finds the periods at which points count no more, of periods in their order.
struct Steps<'a> {
    calendar: &'a Calendar,
    unit: Unit,
    count: u16,
    /// A period, and the one at which its points count no more.
    low: i64,
    high: i64,
}

impl Steps<'_> {
    fn next(&self, start: i64) -> i64 {
        self.calendar.period(self.unit, start).end
    }

    fn leaves(&mut self, start: i64) -> i64 {
        let mut left = self.count;
        while self.low < start && left > 0 {
            (self.low, self.high, left) = (self.next(self.low), self.next(self.high), left.saturating_sub(1));
        }
        if self.low != start {
            self.low = start;
            self.high = (0..self.count).fold(start, |high, _| self.next(high));
        }
        self.high
    }
}
