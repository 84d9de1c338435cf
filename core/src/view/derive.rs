//! Orders of periods in which nobody wrote. Such an order follows from that of an earlier period, its
//! *base*: the last one in which somebody wrote. So a clock that passes a thousand periods costs no more
//! than one boundary. The orders in between are derived when somebody reads them; until then only the
//! points that they follow from are kept.

use std::collections::HashMap;

use super::ended_points::EndedPoints;
use super::periods::Periods;
use super::rules::{Rules, Span};
use super::ties::{Keyed, order_by};
use super::{Facts, Past, PastOrder};
use crate::calendar::Calendar;

impl Periods {
    /// The order of a later period, by its start.
    pub(super) fn derive(&self, base: &Span, past: &Past, start: i64, facts: &Facts) -> PastOrder {
        let later = self.rules.span(&facts.schema.calendar, start);
        let entries = self.entries_after(base, past, &later, facts);
        PastOrder::of(&entries).unwrap_or_else(PastOrder::none)
    }

    /// The entries of a later period, in order.
    pub(super) fn entries_after(&self, base: &Span, past: &Past, later: &Span, facts: &Facts) -> Vec<Keyed> {
        let Some(index) = past.index() else { return Vec::new() };
        let points = EndedPoints::new(self, facts.schema, *base);
        let sequence = |id, moment| points.sequence(facts.members, id, moment);
        let compare = order_by(facts, sequence);
        let within = |start: i64| base.period.start < start && start <= later.period.start;
        let has_later_points =
            past.expires_from.is_none() && self.buckets.iter().any(|(start, _)| within(*start));
        let mut entries = if has_later_points {
            let moments: HashMap<_, _> = index.iter_from(0).map(|(key, id)| (id, key.moment)).collect();
            self.recount_by(later, facts.schema, |id| moments.get(&id).copied(), &compare)
        } else if self.rules.is_rolling() {
            points.entries_after(index, later, &compare)
        } else if later.from == base.period.start {
            // A share of it is carried over.
            let left = |(key, id)| self.remaining(facts.schema, (key, id), None, later).map(|key| (key, id));
            let mut entries: Vec<Keyed> = index.iter_from(0).filter_map(left).collect();
            entries.sort_by(&compare);
            entries
        } else {
            Vec::new()
        };
        if self.starts_with_entries(facts) {
            self.add_starting(&mut entries, later, facts, sequence);
        }
        entries
    }

    /// Whether the periods between a base and the current one follow from what expires in them alone.
    pub(super) fn follows_by_expiry(&self, base: &Span, end: i64, facts: &Facts) -> bool {
        let within = |start: i64| base.period.start < start && start < end;
        let has_points = self.buckets.iter().any(|(start, bucket)| within(*start) && !bucket.is_empty());
        self.rules.is_rolling() && !has_points && !self.starts_with_entries(facts)
    }

    /// The periods from a base to an end, as runs of equal orders: the starts of the first and the last
    /// period of each, oldest first. The orders of two runs may still be equal.
    pub(super) fn runs(&self, calendar: &Calendar, base: &Span, end: i64) -> Vec<(i64, i64)> {
        let mut firsts = vec![base.period.start];
        if !self.rules.is_rolling() && base.period.end < end {
            firsts.push(base.period.end);
        }
        firsts.extend(self.changes(calendar, base, end));
        firsts.sort_unstable();
        firsts.dedup();
        let ends = firsts.iter().skip(1).copied().chain([end]);
        firsts.iter().zip(ends).map(|(first, end)| (*first, self.rules.back(calendar, end, 1))).collect()
    }

    /// The starts of the periods after a base and before an end in which points begin to count or no
    /// longer count, in order.
    pub(super) fn changes(&self, calendar: &Calendar, base: &Span, end: i64) -> Vec<i64> {
        // A loaded board may have points of a period that starts elsewhere by the rules of today.
        let starts = self.all_buckets().map(|(start, _)| self.rules.start_of(calendar, *start));
        let counted: Vec<_> = starts.filter(|start| base.from <= *start && *start < end).collect();
        let mut expiry = Expiry::new(calendar, self.rules);
        let mut changes: Vec<_> = counted.iter().map(|start| expiry.of(*start)).collect();
        if self.rules.carry.is_some() {
            // A share is carried into the next period.
            changes.extend(counted.iter().map(|start| self.rules.next(calendar, *start)));
        }
        changes.extend(counted);
        changes.retain(|start| base.period.start < *start && *start < end);
        changes.sort_unstable();
        changes.dedup();
        changes
    }

    /// The start of the first period in which nothing that the base counted is left.
    pub(super) fn gone_from(&self, calendar: &Calendar, base: &Span) -> Option<i64> {
        let (newest, _) = self.all_buckets().rfind(|(start, _)| *start <= base.period.start)?;
        Some(Expiry::new(calendar, self.rules).of(*newest))
    }
}

/// Finds the periods in which points no longer count. Cheap where it is asked in the order of periods.
struct Expiry<'a> {
    calendar: &'a Calendar,
    rules: Rules,
    /// The period asked for last, and the one in which its points no longer count.
    low: i64,
    high: i64,
}

impl<'a> Expiry<'a> {
    const fn new(calendar: &'a Calendar, rules: Rules) -> Self {
        Self { calendar, rules, low: i64::MAX, high: i64::MAX }
    }

    fn next(&self, start: i64) -> i64 {
        self.rules.next(self.calendar, start)
    }

    fn of(&mut self, start: i64) -> i64 {
        let mut left = self.rules.count;
        while self.low < start && left > 0 {
            (self.low, self.high, left) = (self.next(self.low), self.next(self.high), left.saturating_sub(1));
        }
        if self.low != start {
            self.low = start;
            self.high = (0..self.rules.count).fold(start, |high, _| self.next(high));
        }
        self.high
    }
}
