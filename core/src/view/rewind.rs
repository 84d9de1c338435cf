//! Goes back to an earlier period, when a clock is put back, for example because it was ahead. Writes count in the
//! period of their own time. Points of future periods are set aside in buckets, and count when the clock reaches
//! these periods.

use std::cmp::Ordering;
use std::mem;

use super::contributions::numbers_of_equals;
use super::trend::NumberedEntry;
use super::{
    Anchor, BoardContext, BoardContextMut, Contributions, Garbage, Keyed, NextOrder, Past, PastOrder,
    PeriodView, Periods, Span, View, clamped, key_of, signed, unsigned,
};
use crate::bucket::{Bucket, Points};
use crate::calendar::{Calendar, Period};
use crate::index::{Index, Key, MemberId};
use crate::schema::{Aggregate, Schema, Ties};
use crate::score::Score;

impl PeriodView<'_> {
    /// Makes an earlier period current.
    pub(super) fn go_back(&mut self, new: Span, board: &mut BoardContextMut) {
        if self.go_back_to_last_write(board) {
            match new.period.start.cmp(&self.span.period.start) {
                Ordering::Less => self.go_back(new, board),
                Ordering::Equal => {}
                Ordering::Greater => self.go_on(new, board),
            }
            return;
        }
        self.set_aside(&new, board);
        let was_kept = self.keeps_order(&new);
        let entries = self.recount(&new, board);
        self.number_anew(&entries, &new, board);
        let index = self.build(&entries, board);
        board.garbage.push(Garbage::Index(self.swap_in(index)));
        self.periods.cut_past(new.period, &board.schema.calendar, board.garbage);
        self.periods.forget_next(board.garbage);
        self.set_span(new);
        self.periods.share = self.periods.rules.carry;
        self.periods.since = self.periods.since.min(new.period.start);
        self.periods.last_written.take_if(|start| *start >= new.period.start);
        // Points do not include starting entries, but orders that were kept do.
        if self.periods.has_buckets() {
            self.enter_starting(board);
        } else if !was_kept {
            self.enter_starting_before(unsigned(new.period.start), board);
        }
        self.periods.drop_own_points(&new, board.garbage);
    }

    /// Goes back to the last period with a write, as if no later period had become current. Returns whether a later
    /// period was current.
    pub(super) fn go_back_to_last_write(&mut self, board: &mut BoardContextMut) -> bool {
        let anchor = self.periods.boundary.settle();
        anchor.map(|anchor| self.go_back_to_anchor(anchor, board)).is_some()
    }

    fn go_back_to_anchor(&mut self, anchor: Anchor, board: &mut BoardContextMut) {
        if let Some(column) = self.periods.contributions.column() {
            anchor.sequences.iter().for_each(|(id, last)| board.members.set_sequence(id, column, *last));
        }
        let later = self.span;
        if let Some(history) = &mut self.periods.history {
            history.turn_back(anchor.span.period.start);
        }
        self.set_span(anchor.span);
        self.periods.set_kept(&board.schema.calendar);
        self.periods.share = anchor.share;
        self.periods.forget_next(board.garbage);
        if let Some(Past { order, base, .. }) = self.periods.past.pop_front() {
            self.restore(order, base, later, board);
        }
    }

    /// Makes an ended order current again.
    fn restore(&mut self, order: PastOrder, base: Option<Index>, later: Span, board: &mut BoardContextMut) {
        let keeps_column = order.occupies(self.periods.spare);
        if keeps_column {
            mem::swap(self.leaf, &mut self.periods.spare);
        }
        let index = match (order, base) {
            (PastOrder::Index(ended), _) if keeps_column => {
                let unused = mem::replace(self.index, ended.index);
                // Starting entries are already in the later order, and would be added twice.
                let is_next = self.periods.rules.passes_on()
                    && !self.is_ahead()
                    && later.period.start == self.span.period.end
                    && !self.periods.starts_with_entries(&board.context());
                if is_next {
                    let number = self.periods.next_number();
                    self.periods.next = Some(NextOrder::complete(number, unused, later));
                } else {
                    board.garbage.push(Garbage::Index(unused));
                }
                return;
            }
            (order, Some(base)) => {
                board.garbage.push(Garbage::Order(order));
                base
            }
            (mut order, None) => {
                order.take_index().unwrap_or_else(|| View::empty(board.schema, self.index.is_tree()))
            }
        };
        let unused = mem::replace(self.index, index);
        // Another index has used the column in the meantime.
        self.index.store_leaves(&mut board.members.index_members_mut(*self.leaf, None));
        board.garbage.push(Garbage::Index(unused));
    }

    /// Sets aside the points of periods after a span.
    fn set_aside(&mut self, span: &Span, board: &mut BoardContextMut) {
        let order_only = !self.periods.has_buckets();
        let column = self.periods.contributions.column();
        while let Some(past) = self.periods.past.front().filter(|past| past.period.start > span.period.start)
        {
            let is_kept = self.periods.is_kept(past.period.start);
            let Some(past) = self.periods.past.pop_front() else { break };
            if order_only && is_kept {
                let entries = past.order.entries(past.period.start, &board.context());
                let numbers = numbers_of_equals(board.schema.ties, past.order.len());
                let numbers = numbers.map(|number| column.map_or(0, |_| number));
                self.periods.keep_points(past.period.start, entries.into_iter().zip(numbers), board.schema);
            }
            board.garbage.extend(past.into_garbage());
        }
        if order_only {
            let number = |id| column.map_or(0, |column| board.members.sequence(id, column));
            let entries = self.index.iter_from(0).map(|(key, id)| ((key, id), number(id)));
            self.periods.keep_points(self.span.period.start, entries, board.schema);
        }
    }

    /// Returns the entries of a period, computed from the points of each period, or from the period's order if it
    /// was kept.
    pub(super) fn recount(&self, span: &Span, board: &BoardContextMut) -> Vec<Keyed> {
        let context = board.context();
        if self.periods.rules.decay.is_some() {
            // This includes periods without a write.
            let order = self.periods.ended_or_kept(span.period.start, &context, || ());
            return order.map_or_else(Vec::new, |ended| ended.order().entries(span.period.start, &context));
        }
        if let Some(past) = self.periods.past.front().filter(|_| self.keeps_order(span)) {
            return past.order.entries(past.period.start, &context);
        }
        let known = |id| self.find(id, context.members).map(|place| place.key);
        self.periods.recount_by(span, context.schema, (self.span, known), &self.order(&context))
    }

    /// Gives new numbers to the entries of a period that becomes current again, in their order, if later orders are
    /// built from them.
    fn number_anew(&mut self, entries: &[Keyed], span: &Span, board: &mut BoardContextMut) {
        let Contributions::NumberedOrder(column) = self.periods.contributions else { return };
        let start = span.period.start;
        if let Some(history) = &mut self.periods.history {
            history.turn_back(start);
        }
        let numbers = numbers_of_equals(board.schema.ties, entries.len() as u64);
        for ((_, id), number) in entries.iter().zip(numbers) {
            if let Some(history) = &mut self.periods.history {
                history.note_sequence(*id, start, board.members.sequence(*id, column));
            }
            board.members.set_sequence(*id, column, number);
        }
    }

    /// Returns whether a period that becomes current again has only its order, without points.
    fn keeps_order(&self, span: &Span) -> bool {
        let past = self.periods.past.front();
        !self.periods.has_buckets() && past.is_some_and(|past| past.period.start == span.period.start)
    }
}

impl Periods {
    /// Returns whether the order of an ended period is kept. The last period with a write is always kept, even if it
    /// cannot be read. So are the periods that are derived only from it, and the newest period after it with points
    /// that were set aside.
    pub(super) fn is_kept(&self, start: i64) -> bool {
        let is_own = |past: &Past| past.period.start == start && self.rules.decay.is_none();
        let follows = || {
            let at = self.past.partition_point(|past| past.period.start > start);
            self.past.get(at).is_some_and(|past| past.expires_from.is_some() || is_own(past))
        };
        self.oldest() <= start
            || self.last_written.is_some_and(|last| last == start || last < start && follows())
    }

    /// Returns whether RETAIN does not matter to a run of ended periods, from its first to its last one: it has the last
    /// write, or comes after it with points that were set aside.
    pub(super) fn is_kept_in_any_case(&self, (first, last): (i64, i64)) -> bool {
        let has_own = self.rules.decay.is_none();
        self.last_written.is_some_and(|written| written <= last && (first <= written || has_own))
    }

    /// Returns the start of the newest period after a base and before an end whose points were set aside.
    pub(super) fn newest_ahead(&self, base: &Span, end: i64) -> Option<i64> {
        self.starts_within(base, end).last()
    }

    /// Computes the entries of one span from the entries of another span.
    pub(super) fn recount_by(
        &self,
        span: &Span,
        schema: &Schema,
        (other, known): (Span, impl Fn(MemberId) -> Option<Key>),
        order: &impl Fn(&Keyed, &Keyed) -> Ordering,
    ) -> Vec<Keyed> {
        let buckets = self.buckets.iter().filter(|(start, _)| span.counts(*start));
        let mut ids: Vec<MemberId> =
            buckets.flat_map(|(_, bucket)| bucket.iter().map(|(id, _)| id)).collect();
        ids.sort_unstable();
        ids.dedup();
        let key = |id| Some((self.recounted(schema, id, span, (other, known(id)))?, id));
        let mut entries: Vec<Keyed> = ids.into_iter().filter_map(key).collect();
        entries.sort_unstable_by(order);
        entries
    }

    /// Returns a member's key in a span, computed from the member's points in the periods of the span. `known` is
    /// the member's key in the span `other`.
    fn recounted(
        &self,
        schema: &Schema,
        id: MemberId,
        span: &Span,
        (other, known): (Span, Option<Key>),
    ) -> Option<Key> {
        if !self.has_buckets() {
            let points = self.bucket(span.period.start)?.get(id)?;
            return Some(key_of(schema, Score::from_units(points.units)?, points.moment));
        }
        let mut newest = self.buckets.iter().rev().filter(|(start, _)| span.counts(*start));
        let newest = newest.find(|(_, bucket)| bucket.contains(id)).map(|(start, _)| *start)?;
        let key = match schema.aggregate {
            // Points that are added up have no moments.
            Aggregate::Sum => key_of(schema, clamped(self.sum(id, span)?), unsigned(newest)),
            _ => self.best(schema, id, span)?,
        };
        // A write that does not change a score adds points, but the score keeps its moment. So the known entry has
        // the correct moment if it includes all these points and has the same score.
        let is_same = |known: &Key| match schema.aggregate {
            Aggregate::Sum => true,
            Aggregate::Last => known.rank_key == key.rank_key,
            Aggregate::Max | Aggregate::Min => {
                known.rank_key == key.rank_key && span.from <= signed(known.moment)
            }
        };
        let counts = |known: &Key| newest <= other.period.start && signed(known.moment) < span.period.end;
        let known = known.filter(|known| counts(known) && is_same(known));
        Some(Key { moment: known.map_or(key.moment, |known| known.moment), ..key })
    }

    /// Returns the sum of a member's points in the periods of a span. `None` if the member has no entry in the
    /// span.
    fn sum(&self, id: MemberId, span: &Span) -> Option<i128> {
        match self.rules.carry {
            Some(_) => self.with_carried(id, span),
            None => self.points(id, span).next().map(|_| self.total(id, span)),
        }
    }

    /// Returns a member's points in the period of a span, with the share that was carried into the period. `None`
    /// if the member has neither points nor a carried share.
    fn with_carried(&self, id: MemberId, span: &Span) -> Option<i128> {
        let units = |start| self.bucket(start).and_then(|bucket| bucket.get(id)).map(|points| points.units);
        let own = units(span.period.start);
        let carried = units(span.from).zip(self.rules.carry).map_or(0, |(units, share)| share.of(units));
        if own.is_none() && carried == 0 {
            return None;
        }
        Some(i128::from(carried).saturating_add(own.map_or(0, i128::from)))
    }

    /// Removes the order of a period that is current again from the ended orders.
    fn cut_past(&mut self, period: Period, calendar: &Calendar, garbage: &mut Vec<Garbage>) {
        match self.past.front_mut() {
            Some(past) if past.period.start == period.start => {
                garbage.extend(self.past.pop_front().into_iter().flat_map(Past::into_garbage));
            }
            Some(past) if past.last >= period.start => {
                // A loaded board may have a period that has another start by the present rules of its time zone.
                past.last = self.rules.back(calendar, period.start, 1).max(past.period.start);
            }
            _ => {}
        }
    }

    /// Stores the entries of a period as its points.
    fn keep_points(&mut self, start: i64, entries: impl Iterator<Item = NumberedEntry>, schema: &Schema) {
        if let Some(bucket) = self.bucket_mut(start) {
            for ((key, id), sequence) in entries {
                let units = schema.score(key.rank_key).units();
                bucket.set(id, Points { units, moment: key.moment, sequence });
            }
        }
        self.buckets.retain(|(_, bucket)| !bucket.is_empty());
    }

    /// Drops the points of the current period and of earlier periods, if only the order is needed.
    pub(super) fn drop_own_points(&mut self, span: &Span, garbage: &mut Vec<Garbage>) {
        let is_past = |(start, _): &(i64, Bucket)| *start <= span.period.start;
        while !self.has_buckets() && self.buckets.front().is_some_and(is_past) {
            garbage.extend(self.buckets.pop_front().map(|(_, bucket)| Garbage::Bucket(bucket)));
        }
    }
}

impl PastOrder {
    /// Returns the entries of a period, best first. An entry with an unknown moment gets the period's start as its
    /// moment, unless another entry with the same score makes this impossible.
    fn entries(&self, start: i64, context: &BoardContext) -> Vec<Keyed> {
        let (dated, start) = (self.dated(), unsigned(start));
        let mut last = None;
        let entry = |((key, id), place): (Keyed, u64)| {
            if place < dated {
                last = Some(key);
                return (key, id);
            }
            let last = last.filter(|last: &Key| last.rank_key == key.rank_key).map(|last| last.moment);
            let moment = match context.schema.ties {
                Ties::Last => last.map_or(start, |last| last.min(start)),
                _ => last.map_or(start, |last| last.max(start)),
            };
            (Key { moment, ..key }, id)
        };
        self.ranking(context.schema, context.members).walk_dated(0).zip(0..).map(entry).collect()
    }
}
