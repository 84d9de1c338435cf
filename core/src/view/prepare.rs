//! Work in small steps: it prepares the order of the next period before it is needed, and packs the order of the
//! last period after it is not current any more.

use super::{BoardContextMut, Garbage, NextOrder, PeriodView, Span, View, walked};
use crate::index::{Index, Key, MemberId};
use crate::members::Column;
use crate::native::Work;

/// The number of entries that one step prepares. Each may have points in hundreds of periods.
const STEP: usize = 16;
/// The longest time before a boundary at which preparation begins, in milliseconds.
const LEAD: i64 = 15 * 60 * 1000;
/// The number of entries that can be prepared in a millisecond of this time, if a twentieth of it is used for
/// preparation.
const PACE: i64 = 50;
/// A prepared order is used if at most this number of entries are missing in it.
const MISSING: u64 = 2_000;

/// The order that a view has prepared for its next period, as far as writes have not changed it.
#[derive(Clone, Copy)]
pub(crate) struct PreparedOrder<'a> {
    /// A number that no other order has that the view has prepared before.
    pub(crate) number: u32,
    pub(crate) index: &'a Index,
    /// The column of its leaves.
    pub(crate) leaf: Column,
    /// The start of the period.
    pub(crate) start: i64,
}

impl View {
    /// Returns the order of the next period, if all entries that stay are prepared.
    pub(crate) fn prepared(&self) -> Option<PreparedOrder<'_>> {
        let periods = self.periods().filter(|periods| periods.rules.passes_on())?;
        let next = periods.next.as_ref().filter(|next| next.complete)?;
        let start = next.span.period.start;
        Some(PreparedOrder { number: next.number, index: &next.index, leaf: periods.spare, start })
    }
}

impl PeriodView<'_> {
    /// Does a limited part of the work. The result says whether there is more work now, or from which moment on.
    pub(crate) fn work(&mut self, now: i64, board: &mut BoardContextMut) -> Work {
        if !self.index.is_tree() {
            return Work::Later(i64::MAX);
        }
        if now >= self.span.period.end {
            return self.work_when_due(now, board);
        }
        if self.pack(board.garbage) { Work::Now } else { self.prepare_in_time(now, board) }
    }

    /// After a boundary, completes an order that was prepared for the present period, and makes it current. All
    /// other work is left to the next command.
    fn work_when_due(&mut self, now: i64, board: &mut BoardContextMut) -> Work {
        // Starting entries are added to carried points only when the view goes to another period, so the prepared
        // order is not complete.
        let is_whole = !(self.periods.has_buckets() && self.periods.starts_with_entries(&board.context()));
        match &self.periods.next {
            Some(next) if !next.span.contains(now) || !is_whole => return Work::Later(i64::MAX),
            Some(next) if next.complete => self.roll_over(now, board),
            Some(_) => self.prepare(board),
            None => return Work::Later(i64::MAX),
        }
        Work::Now
    }

    /// Packs a few entries of an ended order. Returns false when there is nothing to pack. While the boundary is
    /// reversible, the order of the last period is not packed, unless its column is needed.
    fn pack(&mut self, garbage: &mut Vec<Garbage>) -> bool {
        if !self.periods.unpacked {
            return false;
        }
        let skipped = usize::from(self.periods.boundary.is_reversible());
        match self.periods.past.iter_mut().skip(skipped).find(|past| past.order.is_unpacked()) {
            Some(past) => past.pack(garbage, false),
            None => {
                self.periods.unpacked = skipped > 0;
                return false;
            }
        }
        true
    }

    fn prepare_in_time(&mut self, now: i64, board: &mut BoardContextMut) -> Work {
        let period = self.span.period;
        let lead = period.end.saturating_sub(period.start).saturating_div(2).min(LEAD);
        let begin = period.end.saturating_sub(lead);
        if !self.can_prepare(lead, board) {
            return Work::Later(period.end);
        }
        if now < begin {
            return Work::Later(begin);
        }
        let spare = self.periods.spare;
        match self.periods.past.iter_mut().find(|past| past.order.occupies(spare)) {
            Some(past) => past.pack(board.garbage, true),
            None => self.prepare(board),
        }
        Work::Now
    }

    /// Returns whether the order of the next period can be prepared and is not completely prepared yet.
    fn can_prepare(&self, lead: i64, board: &BoardContextMut) -> bool {
        // If there are points of future periods, an order is built only when its period becomes current.
        let has_source = self.periods.rules.passes_on() || self.periods.starts_with_entries(&board.context());
        let is_complete = self.periods.next.as_ref().is_some_and(|next| next.complete);
        let in_time = i64::try_from(self.index.len()).unwrap_or(i64::MAX) <= lead.saturating_mul(PACE);
        !self.is_ahead() && has_source && !is_complete && in_time
    }

    /// Prepares a few more entries of the next period.
    fn prepare(&mut self, board: &mut BoardContextMut) {
        if self.periods.next.is_some() && !self.periods.rules.passes_on() {
            return self.prepare_starting(STEP, board);
        }
        let Some(next) = &mut self.periods.next else {
            let span = self.periods.rules.span(&board.schema.calendar, self.span.period.end);
            let empty = NextOrder::complete(self.periods.next_number(), Index::tree(board.schema.ties), span);
            self.periods.next = Some(NextOrder { complete: false, ..empty });
            return;
        };
        let from = walked(next.cursor, self.index, &board.members.index_members(*self.leaf, None));
        let some: Vec<_> = self.index.iter_from(from).take(STEP).collect();
        match some.last() {
            Some(last) => next.cursor = Some(*last),
            None => next.complete = true,
        }
        for (key, id) in some {
            let index_members = board.members.index_members(self.periods.spare, None);
            let next = self.periods.next.as_ref();
            if next.is_some_and(|next| next.index.find(id, &index_members).is_none()) {
                self.prepare_member(id, Some(key), board);
            }
        }
    }

    /// Updates a member's entry of the next period. `now` is the key of the present entry.
    fn prepare_member(&mut self, id: MemberId, now: Option<Key>, board: &mut BoardContextMut) {
        let Some(next) = &self.periods.next else { return };
        let key = now.and_then(|key| self.remaining((key, id), &next.span, &board.context()));
        let sequences = self.periods.contributions.sequences(&self.periods.buckets);
        let mut index_members = board.members.index_members_mut(self.periods.spare, sequences);
        if let Some(next) = &mut self.periods.next {
            next.put(id, key, &mut index_members);
        }
    }

    /// Updates the prepared order after a write to a member.
    pub(crate) fn follow(&mut self, id: MemberId, board: &mut BoardContextMut) {
        if self.periods.next.is_some() && self.periods.rules.passes_on() {
            let now = self.find(id, board.members).map(|place| place.key);
            self.prepare_member(id, now, board);
        }
    }

    /// Returns the order that was prepared for a span, if few entries are missing in it. Any other prepared order
    /// is dropped.
    pub(super) fn take_next(&mut self, span: &Span, board: &mut BoardContextMut) -> Option<Index> {
        let next = self.periods.next.as_ref()?;
        let is_near = next.index.len().saturating_add(MISSING) >= self.index.len();
        if next.span == *span && is_near && !self.is_ahead() {
            while self.periods.next.as_ref().is_some_and(|next| !next.complete) {
                self.prepare(board);
            }
        }
        let next = self.periods.next.take_if(|next| next.span == *span && next.complete);
        self.periods.forget_next(board.garbage);
        next.map(|next| next.index)
    }
}
