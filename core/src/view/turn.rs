//! Boundaries: how a view comes from one period to the next, or to one far later. The way back, when a
//! clock that had leapt ahead is put right, is in [`super::leap`].

use std::cmp::Ordering;
use std::mem;

use super::period::Span;
use super::{Facts, Order, Past, Spec, View, Waste};
use crate::bucket::Points;
use crate::campaign::Choices;
use crate::index::{Index, Key, Known, MemberId, compare_keys};
use crate::members::Members;
use crate::schema::{Schema, Ties};

/// Entries in order, as an index is built from them.
pub(super) type Entries = Vec<(Key, MemberId)>;

impl View {
    /// Whether the current period is another one at a moment.
    pub(crate) fn is_due(&self, now: i64) -> bool {
        let span = self.cycle.as_deref().and_then(|cycle| cycle.span);
        span.is_some_and(|span| !span.contains(now))
    }

    /// Begins with the period of the first write; whether it had not begun.
    pub(crate) fn start(&mut self, schema: &Schema, now: i64) -> bool {
        let spec = self.spec;
        let Some(cycle) = self.cycle.as_deref_mut().filter(|cycle| cycle.span.is_none()) else {
            return false;
        };
        cycle.span = Span::at(&spec, schema, now);
        cycle.since = cycle.span.map_or(0, |span| span.period.start);
        cycle.share = spec.carry;
        true
    }

    /// Makes the period current that holds a moment.
    pub(crate) fn turn(&mut self, now: i64, board: &mut Turning) {
        let span = self.cycle.as_deref().and_then(|cycle| cycle.span);
        let Some((old, new)) = span.zip(Span::at(&self.spec, board.schema, now)) else { return };
        if new.period.start > old.period.start {
            self.go_on(old, new, board);
        } else {
            self.go_back(new, board);
        }
    }

    pub(super) fn go_on(&mut self, old: Span, new: Span, board: &mut Turning) {
        self.finish_packing(board.waste);
        let between = self.skipped(&old, &new, board);
        let ready = self.take_next(&new, board);
        // Where nothing else is left of the last period, what was prepared are the options.
        let begun = ready.is_some() && !self.has_buckets();
        let index = match ready {
            Some(index) => index,
            None => {
                let entries = self.entries_in(&new, board);
                self.build(&entries, board)
            }
        };
        let ended = mem::replace(&mut self.index, index);
        let Some(cycle) = &mut self.cycle else { return };
        mem::swap(&mut self.leaf, &mut cycle.other);
        board.waste.extend(mem::take(&mut cycle.retired).into_waste());
        let order = Order::Live { index: ended, leaf: cycle.other };
        cycle.past.push_front(Past { period: old.period, order });
        for past in between {
            cycle.past.push_front(past);
        }
        cycle.span = Some(new);
        cycle.fresh = true;
        cycle.retired.span = Some(old);
        cycle.retired.share = mem::replace(&mut cycle.share, self.spec.carry);
        self.retire(&new, board.schema);
        if !begun {
            self.enter_initials(board);
        }
        self.drop_own_points(&new, board.waste);
    }

    /// The orders of periods between two others, oldest first: of a view over several periods they
    /// hold those who have something left, though nobody wrote, and of a vote the options that start
    /// with something. Only those that are kept.
    fn skipped(&self, old: &Span, new: &Span, board: &Turning) -> Vec<Past> {
        let mut skipped = Vec::new();
        let (Some((_, count)), Some(kept)) = (self.spec.reach(), self.kept(new, board.schema)) else {
            return skipped;
        };
        let starts = self.starts_options(board);
        let mut next = old.period.end;
        let mut left = count;
        loop {
            if left <= 1 && !self.is_ahead_of(next) {
                if !starts {
                    break;
                }
                next = next.max(kept);
            }
            let Some(span) = Span::at(&self.spec, board.schema, next) else { break };
            if span.period.start >= new.period.start {
                break;
            }
            // Points that were set aside are left in as many periods as any others.
            left = if self.is_ahead_of(span.period.start) { count } else { left.saturating_sub(1) };
            next = span.period.end;
            if span.period.start >= kept {
                let mut entries = self.entries_in(&span, board);
                if starts {
                    self.add_initials(&mut entries, &span, board);
                }
                let order = if entries.is_empty() { None } else { Order::of(&entries) };
                skipped.extend(order.map(|order| Past { period: span.period, order }));
            }
        }
        skipped
    }

    /// The start of the oldest past period that stays readable.
    pub(crate) fn kept(&self, span: &Span, schema: &Schema) -> Option<i64> {
        let (unit, _) = self.spec.reach()?;
        Some(schema.calendar.back(unit, span.period.start, self.spec.retain).start)
    }

    /// Puts aside what no longer counts and is no longer kept.
    fn retire(&mut self, span: &Span, schema: &Schema) {
        let kept = self.kept(span, schema).unwrap_or(i64::MAX);
        let Some(cycle) = &mut self.cycle else { return };
        let gone = |past: &Past| past.period.start < kept || past.order.len() == 0;
        while cycle.past.back().is_some_and(gone) {
            cycle.retired.past.extend(cycle.past.pop_back());
        }
        while cycle.buckets.front().is_some_and(|(start, _)| *start < span.from) {
            cycle.retired.buckets.extend(cycle.buckets.pop_front());
        }
    }

    /// Changes the rules of the view. Where points of single periods are needed from now on, those of
    /// the current one are taken from its order.
    pub(crate) fn set_spec(
        &mut self,
        spec: Spec,
        schema: &Schema,
        members: &mut Members,
        waste: &mut Vec<Waste>,
    ) {
        if spec == self.spec {
            return;
        }
        self.forget_next(waste);
        self.spec = spec;
        let span = self.cycle.as_deref().and_then(|cycle| cycle.span);
        let span = span.and_then(|span| Span::at(&spec, schema, span.period.start));
        if let Some(span) = &span {
            self.retire(span, schema);
        }
        self.keep_buckets(schema, members);
        let Some(cycle) = self.cycle.as_deref_mut() else { return };
        cycle.span = span;
        cycle.fresh = false;
        waste.extend(std::mem::take(&mut cycle.retired).into_waste());
        if let Some((_, 1)) = spec.reach() {
            // Points of single periods are not needed any more.
            members.release(cycle.arrival.take().as_slice());
            if let Some(span) = span {
                self.drop_own_points(&span, waste);
            }
        }
    }

    fn keep_buckets(&mut self, schema: &Schema, members: &mut Members) {
        let Some((_, 2..)) = self.spec.reach() else { return };
        let Some(cycle) = self.cycle.as_deref_mut().filter(|cycle| cycle.arrival.is_none()) else { return };
        let column = members.add_arrival_column();
        cycle.arrival = Some(column);
        let Some(span) = cycle.span else { return };
        let count = self.index.len();
        for (before, (key, id)) in (0_u64..).zip(self.index.iter_from(0)) {
            // Nobody knows any more in which order they came: equals stay as they stand.
            let newest_first = schema.ties == Ties::Last;
            let arrival = if newest_first { count.saturating_sub(before) } else { before.saturating_add(1) };
            members.set_arrival(id, column, arrival);
            let units = schema.score(key.grade).units();
            cycle.peak = cycle.peak.max(units.unsigned_abs());
            if let Some(bucket) = cycle.bucket_mut(span.period.start) {
                bucket.set(id, Points { units, moment: 0 });
            }
        }
    }

    /// Those who are left when another period is current, in their order.
    fn entries_in(&self, span: &Span, board: &Turning) -> Entries {
        if self.is_ahead() {
            return self.recount(span, board);
        }
        if !self.has_buckets() {
            return Vec::new();
        }
        let facts = board.facts();
        let left = |(key, id)| self.remaining(&facts, id, key, span).map(|key| (key, id));
        let mut entries: Entries = self.index.iter_from(0).filter_map(left).collect();
        self.sort(&mut entries, &facts);
        entries
    }

    pub(super) fn sort(&self, entries: &mut Entries, facts: &Facts) {
        let seats = self.seats(facts.members);
        self.sort_by(entries, facts, |id| seats.arrival(id));
    }

    /// Puts entries in order. Most differ by their keys, so that no member has to be looked at; equals
    /// differ by the number of the write that brought them there. Where nobody knows that any more,
    /// names decide, so that every server comes to the same order.
    pub(super) fn sort_by(
        &self,
        entries: &mut Entries,
        facts: &Facts,
        arrival: impl Fn(MemberId) -> Option<u64>,
    ) {
        let ties = facts.schema.ties;
        let names = |id, other| facts.members.name(id).cmp(facts.members.name(other));
        entries.sort_unstable_by(|(a, id), (b, other)| {
            let arrivals = || match ties {
                Ties::First => arrival(*id).cmp(&arrival(*other)),
                Ties::Last => arrival(*other).cmp(&arrival(*id)),
                Ties::Lex => Ordering::Equal,
            };
            compare_keys(ties, *a, *b).then_with(arrivals).then_with(|| names(*id, *other))
        });
    }

    /// An index of these entries, whose leaves go to the column that is not in use.
    pub(super) fn build(&self, entries: &[(Key, MemberId)], board: &mut Turning) -> Index {
        let mut index = Self::empty(board.schema, self.index.is_tree());
        let Some(cycle) = &self.cycle else { return index };
        let mut seats = board.members.seats_mut(cycle.other, cycle.arrival);
        for (key, id) in entries {
            // Sorted as they are, none can be out of order.
            let _ = index.append(*key, *id, &mut seats);
        }
        index
    }

    /// Packs the last period to the end if its leaves are in the way of another index.
    pub(crate) fn finish_packing(&mut self, waste: &mut Vec<Waste>) {
        let Some(cycle) = &mut self.cycle else { return };
        let column = cycle.other;
        for past in cycle.past.iter_mut().filter(|past| past.order.occupies(column)) {
            while past.order.pack(waste) {}
        }
    }
}

/// What a boundary needs of the board.
pub(crate) struct Turning<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) members: &'a mut Members,
    pub(crate) events: Option<&'a std::collections::BTreeMap<MemberId, u64>>,
    /// The options that start periods with shown votes.
    pub(crate) choices: Option<&'a Choices>,
    pub(crate) waste: &'a mut Vec<Waste>,
}

impl Turning<'_> {
    pub(crate) fn facts(&self) -> Facts<'_> {
        Facts { schema: self.schema, members: self.members, events: self.events }
    }
}
