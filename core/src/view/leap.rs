//! The way back: a clock that had leapt ahead is put right, or one that was right is put back. What
//! was written counts in the period of its own time, whenever that comes: points of periods that lie
//! ahead are set aside in buckets, and are there when the clock reaches them.

use std::cmp::Ordering;
use std::mem;

use super::boundary::Anchor;
use super::period::{Periods, clamped};
use super::span::{Span, signed, unsigned};
use super::turn::{Entries, Turning};
use super::{Facts, Garbage, Order, Past, View, is_sum, key_of};
use crate::bucket::{Bucket, Points};
use crate::calendar::{Calendar, Period, Unit};
use crate::index::{Index, Key, MemberId};
use crate::schema::Schema;
use crate::score::Score;
use crate::time::Millis;

impl View {
    /// Whether points were set aside for periods behind a moment.
    pub(super) fn is_ahead_of(&self, moment: i64) -> bool {
        let last = self.timeline.periods().and_then(|periods| periods.buckets.back());
        last.is_some_and(|(start, _)| *start >= moment)
    }

    /// Whether points were set aside for periods to come.
    pub(super) fn is_ahead(&self) -> bool {
        let span = self.timeline.periods().and_then(|periods| periods.span);
        span.is_some_and(|span| self.is_ahead_of(span.period.end))
    }

    /// Makes an earlier period current.
    pub(super) fn go_back(&mut self, new: Span, board: &mut Turning) {
        if let Some(old) = self.take_back(board) {
            match new.period.start.cmp(&old.period.start) {
                Ordering::Less => self.go_back(new, board),
                Ordering::Equal => {}
                Ordering::Greater => self.go_on(old, new, board),
            }
            return;
        }
        self.set_aside(&new, board);
        let was_kept = self.keeps_order(&new);
        let entries = self.recount(&new, board);
        let index = self.build(&entries, board);
        let old = mem::replace(&mut self.index, index);
        board.garbage.push(Garbage::Index(old));
        let Some(periods) = self.timeline.periods_mut() else { return };
        let other = periods.other;
        periods
            .past
            .iter_mut()
            .filter(|past| past.order.occupies(other))
            .for_each(|past| past.order.detach());
        mem::swap(&mut self.leaf, &mut periods.other);
        periods.cut_past(new.period, &board.schema.calendar, self.spec.reach(), board.garbage);
        board.garbage.extend(periods.next.take().map(|next| Garbage::Index(next.index)));
        periods.span = Some(new);
        periods.share = self.spec.carry;
        periods.since = periods.since.min(new.period.start);
        // Points do not tell what options started with; orders that were kept do.
        if self.has_buckets() {
            self.enter_initials(board);
        } else if !was_kept {
            self.enter_initials_given(unsigned(new.period.start), board);
        }
        self.drop_own_points(&new, board.garbage);
    }

    /// Goes back to the last period in which something was written, as if no other had come since; its
    /// span, unless something was written in the current one.
    fn take_back(&mut self, board: &mut Turning) -> Option<Span> {
        // What options start with was entered into the later order, and would be once more.
        let starts = self.starts_options(&board.facts());
        let periods = self.timeline.periods_mut()?;
        let Anchor { span, share, sequences } = periods.boundary.take()?;
        if let Some(column) = periods.contributions.column() {
            sequences.iter().for_each(|(id, last)| board.members.set_sequence(id, column, *last));
        }
        periods.share = share;
        let later = periods.span.replace(span);
        let Past { order, base, worked, .. } = periods.past.pop_front()?;
        drop(worked);
        if order.occupies(periods.other) {
            mem::swap(&mut self.leaf, &mut periods.other);
            let Order::Live(live) = order else { return self.take_back_packing(order, base, span, board) };
            let unused = mem::replace(&mut self.index, live.index);
            let has_buckets = periods.has_buckets();
            let is_next = |later: &Span| has_buckets && later.period.start == span.period.end;
            board.garbage.extend(periods.next.take().map(|next| Garbage::Index(next.index)));
            match later.filter(|later| is_next(later) && !starts) {
                Some(later) => periods.next = Some(super::prepare::Next::complete(unused, later)),
                None => board.garbage.push(Garbage::Index(unused)),
            }
            return Some(span);
        }
        board.garbage.extend(periods.next.take().map(|next| Garbage::Index(next.index)));
        self.take_back_packing(order, base, span, board)
    }

    /// The same where the order lost its column: its members are told their leaves anew.
    fn take_back_packing(
        &mut self,
        order: Order,
        base: Option<Index>,
        span: Span,
        board: &mut Turning,
    ) -> Option<Span> {
        let index = match (base, order) {
            (Some(base), order) => {
                board.garbage.push(Garbage::Order(order));
                base
            }
            (None, order) => {
                order.into_index().unwrap_or_else(|| Self::empty(board.schema, self.index.is_tree()))
            }
        };
        let unused = mem::replace(&mut self.index, index);
        self.index.store_leaves(&mut board.members.index_members_mut(self.leaf, None));
        board.garbage.push(Garbage::Index(unused));
        Some(span)
    }

    /// Sets aside what periods later than a span brought. Views of one period have no points but
    /// their order.
    fn set_aside(&mut self, span: &Span, board: &mut Turning) {
        let keeps = self.has_buckets();
        let Some(periods) = self.timeline.periods_mut() else { return };
        while periods.past.front().is_some_and(|past| past.period.start > span.period.start) {
            let Some(past) = periods.past.pop_front() else { break };
            if !keeps {
                let entries = past.entries(&board.facts());
                periods.keep_points(past.period.start, entries, board.schema);
            }
            board.garbage.extend(past.into_waste());
        }
        if let Some(current) = periods.span.filter(|_| !keeps) {
            periods.keep_points(current.period.start, self.index.iter_from(0), board.schema);
        }
    }

    /// A view of one period needs no points beside its order once that is there.
    pub(super) fn drop_own_points(&mut self, span: &Span, garbage: &mut Vec<Garbage>) {
        if self.has_buckets() {
            return;
        }
        let Some(periods) = self.timeline.periods_mut() else { return };
        while periods.buckets.front().is_some_and(|(start, _)| *start <= span.period.start) {
            garbage.extend(periods.buckets.pop_front().map(|(_, bucket)| Garbage::Bucket(bucket)));
        }
    }

    /// Everybody's entry in a period, from what each period brought, or as the order of it was kept.
    pub(super) fn recount(&self, span: &Span, board: &Turning) -> Entries {
        let facts = board.facts();
        let past = self.timeline.periods().and_then(|periods| periods.past.front());
        if let Some(past) = past.filter(|_| self.keeps_order(span)) {
            return past.entries(&facts);
        }
        let moment = |id| self.find(id, facts.members).map(|place| place.key.moment);
        self.recount_by(span, &facts, moment, &self.order(&facts))
    }

    /// Whether the order of a period that comes back is all that is known of it.
    fn keeps_order(&self, span: &Span) -> bool {
        let past = self.timeline.periods().and_then(|periods| periods.past.front());
        !self.has_buckets() && past.is_some_and(|past| past.period.start == span.period.start)
    }

    /// The same from points alone, given when members got their present scores.
    pub(super) fn recount_by(
        &self,
        span: &Span,
        facts: &Facts,
        moment: impl Fn(MemberId) -> Option<Millis>,
        order: &impl Fn(&(Key, MemberId), &(Key, MemberId)) -> Ordering,
    ) -> Entries {
        let Some(periods) = self.timeline.periods() else { return Vec::new() };
        let counted = |(start, _): &&(i64, Bucket)| span.from <= *start && *start <= span.period.start;
        let buckets = periods.buckets.iter().filter(counted);
        let mut ids: Vec<MemberId> =
            buckets.flat_map(|(_, bucket)| bucket.iter().map(|(id, _)| id)).collect();
        ids.sort_unstable();
        ids.dedup();
        let key = |id| self.recounted(facts.schema, id, span, moment(id)).map(|key| (key, id));
        let mut entries: Entries = ids.into_iter().filter_map(key).collect();
        entries.sort_unstable_by(order);
        entries
    }

    /// A member's key by what it got in the periods that count in a span.
    fn recounted(&self, schema: &Schema, id: MemberId, span: &Span, moment: Option<Millis>) -> Option<Key> {
        let periods = self.timeline.periods()?;
        if !self.has_buckets() {
            let points = periods.bucket(span.period.start)?.get(id)?;
            return Some(key_of(schema, Score::from_units(points.units)?, points.moment));
        }
        if !is_sum(schema) {
            return periods.best(schema, id, span);
        }
        let units = match self.spec.carry {
            Some(share) => periods.carried(share, id, span)?,
            None => periods.points(id, span).next().map(|_| periods.total(id, span))?,
        };
        let counted = |(start, _): &&(i64, Bucket)| span.from <= *start && *start <= span.period.start;
        let mut newest = periods.buckets.iter().rev().filter(counted);
        let newest = newest.find(|(_, bucket)| bucket.contains(id)).map(|(start, _)| *start)?;
        // The moment of its entry, if that is of a write that counts; sums have no moments of their own.
        let own = moment.filter(|moment| (newest..span.period.end).contains(&signed(*moment)));
        Some(key_of(schema, clamped(units), own.unwrap_or(unsigned(newest))))
    }
}

impl Periods {
    /// Takes the order of a period that is current again off the ended ones.
    fn cut_past(
        &mut self,
        period: Period,
        calendar: &Calendar,
        reach: Option<(Unit, u16)>,
        garbage: &mut Vec<Garbage>,
    ) {
        match (self.past.front_mut(), reach) {
            (Some(past), _) if past.period.start == period.start => {
                garbage.extend(self.past.pop_front().into_iter().flat_map(Past::into_waste));
            }
            (Some(past), Some((unit, _))) if past.last >= period.start => {
                past.last = calendar.back(unit, period.start, 1).start;
            }
            _ => {}
        }
    }

    /// Keeps the entries of a period as its points.
    fn keep_points(
        &mut self,
        start: i64,
        entries: impl IntoIterator<Item = (Key, MemberId)>,
        schema: &Schema,
    ) {
        let Some(bucket) = self.bucket_mut(start) else { return };
        for (key, id) in entries {
            let units = schema.score(key.rank_key).units();
            bucket.set(id, Points { units, moment: key.moment, sequence: 0 });
        }
        self.buckets.retain(|(_, bucket)| !bucket.is_empty());
    }

    /// What a member has in a span with what it carried in; nothing where it has neither.
    fn carried(&self, share: super::Share, id: MemberId, span: &Span) -> Option<i128> {
        let units = |start| self.bucket(start).and_then(|bucket| bucket.get(id)).map(|points| points.units);
        let own = units(span.period.start);
        let carried = units(span.from).map_or(0, |units| share.of(units));
        if own.is_none() && carried == 0 {
            return None;
        }
        Some(i128::from(carried).saturating_add(own.map_or(0, i128::from)))
    }
}

impl Past {
    /// Its entries, best first. When they got their scores is not kept: as if at its start.
    fn entries(&self, facts: &Facts) -> Entries {
        let moment = unsigned(self.period.start);
        let walk = self.order.ranking(facts.schema, facts.members).walk(0);
        walk.map(|(rank_key, id)| (Key { rank_key, moment }, id)).collect()
    }
}
