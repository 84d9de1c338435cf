//! What is done in small steps, before it is needed or when it no longer is: the next period's order,
//! packing the last one, freeing what has gone.

use super::span::Span;
use super::turn::Turning;
use super::{Order, View};
use crate::bucket::Bucket;
use crate::index::{Index, Key, MemberId, MemberLookup};
use crate::members::Members;
use crate::native::Work;

/// Entries that one step prepares: each may have points in some hundred periods.
const STEP: usize = 16;
/// The longest time before a boundary at which preparing begins, in milliseconds.
const LEAD: i64 = 15 * 60 * 1000;
/// Entries that can be prepared in a millisecond of that time, with a twentieth of it for the work.
const PACE: i64 = 50;
/// So many entries may be missing from an order that is needed now and was not finished.
const MISSING: u64 = 2_000;

/// What is of no use any more but takes long to free, and members that perhaps only this still knew.
#[derive(Debug, Clone)]
pub(crate) enum Garbage {
    Index(Index),
    Bucket(Bucket),
    Order(Order),
}

impl Garbage {
    /// Frees a part; the members that were in it. False when nothing is left.
    pub(crate) fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        match self {
            Self::Index(index) => index.drain_some(into),
            Self::Order(Order::Live(live)) => live.index.drain_some(into),
            Self::Bucket(bucket) => bucket.drain_some(into),
            Self::Order(Order::Packed(packed)) => packed.drain_some(into),
            Self::Order(Order::Packing(packing)) => packing.drain_some(into),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Index(index) => index.memory(),
            Self::Bucket(bucket) => bucket.memory(),
            Self::Order(order) => order.memory(),
        }
    }
}

/// The order of the next period, as far as it is prepared.
#[derive(Debug, Clone)]
pub(crate) struct Next {
    pub(crate) index: Index,
    pub(super) span: Span,
    /// The last entry of the current order that has been looked at.
    cursor: Option<(Key, MemberId)>,
    /// The number of the write behind those that gave the options votes which have been looked at.
    pub(super) sequence: u64,
    pub(super) complete: bool,
}

impl Next {
    pub(crate) const fn complete(index: Index, span: Span) -> Self {
        Self { index, span, cursor: None, sequence: 0, complete: true }
    }
}

impl View {
    /// Does a bounded piece of what there is to do, if there is anything.
    pub(crate) fn work(&mut self, now: i64, board: &mut Turning) -> Work {
        let span = self.timeline.periods().and_then(|periods| periods.span);
        let Some(span) = span.filter(|_| self.index.is_tree()) else { return Work::Later(i64::MAX) };
        if now >= span.period.end {
            return self.work_when_due(now, board);
        }
        if self.pack(board.garbage) { Work::Now } else { self.prepare_in_time(now, span, board) }
    }

    /// Behind a boundary, an order that was prepared for the present takes over. Anything else is for
    /// the next command: perhaps nobody comes, or much later.
    fn work_when_due(&mut self, now: i64, board: &mut Turning) -> Work {
        let next = self.timeline.periods().and_then(|periods| periods.next.as_ref());
        // Options come into an order with what is carried over one by one.
        let is_whole = !(self.has_buckets() && self.starts_options(&board.facts()));
        match next.filter(|next| next.span.contains(now) && is_whole) {
            Some(next) if next.complete => self.turn(now, board),
            Some(_) => self.prepare(board),
            None => return Work::Later(i64::MAX),
        }
        Work::Now
    }

    /// Packs a little of an ended order; false when there is nothing to pack. The order of the last
    /// period stays as it is while it may have to come back, unless its column is needed.
    fn pack(&mut self, garbage: &mut Vec<Garbage>) -> bool {
        let Some(periods) = self.timeline.periods_mut().filter(|periods| periods.unpacked) else {
            return false;
        };
        let skipped = usize::from(periods.boundary.is_reversible());
        match periods.past.iter_mut().skip(skipped).find(|past| past.order.is_unpacked()) {
            Some(past) => past.pack(garbage, false),
            None => {
                periods.unpacked = skipped > 0;
                return false;
            }
        }
        true
    }

    fn prepare_in_time(&mut self, now: i64, span: Span, board: &mut Turning) -> Work {
        let end = Work::Later(span.period.end);
        let length = span.period.end.saturating_sub(span.period.start);
        let lead = length.saturating_div(2).min(LEAD);
        let begin = span.period.end.saturating_sub(lead);
        // With points of periods to come, an order is built when their period does come.
        if self.is_ahead() || !(self.has_buckets() || self.starts_options(&board.facts())) {
            return end;
        }
        let Some(periods) = self.timeline.periods_mut() else { return end };
        if periods.next.as_ref().is_some_and(|next| next.complete) {
            return end;
        }
        // What cannot be ready in time is not begun.
        if i64::try_from(self.index.len()).unwrap_or(i64::MAX) > lead.saturating_mul(PACE) {
            return end;
        }
        if now < begin {
            return Work::Later(begin);
        }
        let other = periods.other;
        match periods.past.iter_mut().find(|past| past.order.occupies(other)) {
            Some(past) => past.pack(board.garbage, true),
            None => self.prepare(board),
        }
        Work::Now
    }

    /// Prepares a few entries more of the next period.
    fn prepare(&mut self, board: &mut Turning) {
        let Some(periods) = self.timeline.periods_mut() else { return };
        let Some(span) = periods.span else { return };
        let Some(next) = &mut periods.next else {
            let span = Span::at(&self.spec, board.schema, span.period.end);
            let index = Index::tree(board.schema.ties);
            periods.next = span.map(|span| Next { index, span, cursor: None, sequence: 0, complete: false });
            return;
        };
        if !periods.contributions.has_buckets() {
            return self.prepare_options(STEP, board);
        }
        let from = next
            .cursor
            .map_or(0, |cursor| self.index.after(cursor, &board.members.index_members(self.leaf, None)));
        let some: Vec<_> = self.index.iter_from(from).take(STEP).collect();
        match some.last() {
            Some(last) => next.cursor = Some(*last),
            None => next.complete = true,
        }
        for (key, id) in some {
            if !self.is_prepared(id, board.members) {
                self.prepare_member(id, Some(key), board);
            }
        }
    }

    fn is_prepared(&self, id: MemberId, members: &Members) -> bool {
        self.timeline.periods().is_some_and(|periods| {
            let index_members = members.index_members(periods.other, None);
            periods.next.as_ref().is_some_and(|next| next.index.find(id, &index_members).is_some())
        })
    }

    /// Brings a member's entry of the next period up to date, whose present one is this.
    fn prepare_member(&mut self, id: MemberId, now: Option<Key>, board: &mut Turning) {
        let Some(span) = self.timeline.periods().and_then(|periods| Some(periods.next.as_ref()?.span)) else {
            return;
        };
        let key = now.and_then(|key| self.remaining(&board.facts(), id, key, &span));
        let Some(periods) = self.timeline.periods_mut() else { return };
        let sequences = periods.contributions.sequences(&periods.buckets);
        let Some(next) = &mut periods.next else { return };
        let mut index_members = board.members.index_members_mut(periods.other, sequences);
        match (next.index.find(id, &index_members), key) {
            (None, None) => {}
            (None, Some(key)) => {
                next.index.insert(key, id, &mut index_members);
            }
            (Some(place), None) => next.index.remove(place, id, &mut index_members),
            // Even an entry with the same key may have another place among its equals now.
            (Some(place), Some(key)) => {
                next.index.update(place, key, id, &mut index_members);
            }
        }
    }

    /// The same after a write.
    pub(crate) fn follow(&mut self, id: MemberId, board: &mut Turning) {
        if self.is_preparing() && self.has_buckets() {
            let now = self.find(id, board.members).map(|place| place.key);
            self.prepare_member(id, now, board);
        }
    }

    /// Whether there is an order of the next period, in part or whole.
    pub(crate) fn is_preparing(&self) -> bool {
        self.timeline.periods().is_some_and(|periods| periods.next.is_some())
    }

    /// The order that was prepared for a span, if hardly anything is missing; what was prepared for
    /// another one goes.
    pub(crate) fn take_next(&mut self, span: &Span, board: &mut Turning) -> Option<Index> {
        let next = self.timeline.periods()?.next.as_ref()?;
        let is_near = next.index.len().saturating_add(MISSING) >= self.index.len();
        if next.span == *span && is_near && !self.is_ahead() {
            while self.timeline.periods()?.next.as_ref().is_some_and(|next| !next.complete) {
                self.prepare(board);
            }
        }
        let next = self.timeline.periods_mut()?.next.take()?;
        if next.span == *span && next.complete {
            return Some(next.index);
        }
        board.garbage.push(Garbage::Index(next.index));
        None
    }

    /// Forgets what was prepared.
    pub(crate) fn forget_next(&mut self, garbage: &mut Vec<Garbage>) {
        if let Some(periods) = self.timeline.periods_mut() {
            garbage.extend(periods.next.take().map(|next| Garbage::Index(next.index)));
        }
    }

    /// Whether there may be work between commands.
    pub(crate) fn is_big(&self) -> bool {
        self.timeline.periods().is_some() && self.index.is_tree()
    }
}

impl Index {
    /// How many entries are before those that have not been looked at, when this one was the last
    /// that was. If it has left its place since, all that have its key are taken to be new.
    fn after(&self, (key, id): (Key, MemberId), index_members: &impl MemberLookup) -> u64 {
        match self.find(id, index_members).filter(|place| place.key == key) {
            Some(place) => self.rank(place).saturating_add(1),
            None => self.before_key(key),
        }
    }
}
