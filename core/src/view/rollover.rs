//! Boundaries: a view goes from one period to the next, or to a much later period. [`super::rewind`] goes back
//! after a clock was put back; [`super::finalize`] handles the first write after a boundary.
//!
//! The cost of a boundary depends on the points that expire at it, not on the number of periods that are skipped or
//! kept. The ended order is set aside as it is, or as a copy, and the current order is updated. If few members
//! stay, the new order is built from these members. If many members expire and many stay, it is built again, in 0.1 to
//! 0.3 microseconds per member. Decay keeps the order, so most members of such an order stay in their leaves
//! ([`Index::refilled`]). The first read after the boundary cannot cost much less: each member whose
//! points expire may move before or behind the requested member, so each of them must be read. So big boards
//! prepare the next order ahead ([`super::prepare`]).

use std::mem;

use super::decay::Decay;
use super::ended_points::{FEW, TOGETHER, count};
use super::{
    Anchor, BoardContextMut, Boundary, EndedIndex, EndedPoints, Garbage, Keyed, Past, PastOrder, PeriodView,
    Span, View, key_of,
};
use crate::bucket::Bucket;
use crate::index::{Index, Key, MemberId, MovedEntry, store_moved};
use crate::members::Members;
use crate::prefetch::prefetch;
use crate::schema::Schema;
use crate::score::Score;
use crate::share::Share;

/// The way in which the order changes at a boundary.
enum NewOrder {
    /// A new order, in the spare column, replaces the last order.
    Built(Index),
    /// A new index in which members have other numbers than in the last order. The pairs are the members and their
    /// numbers in the last order.
    Numbered(Index, Vec<(MemberId, u64)>),
    /// A new order with the column and the numbers of leaves of the last order, and the members that are in other leaves than
    /// before.
    Refilled(Index, Vec<MovedEntry>),
    /// The order is changed in place.
    Changed(Vec<(MemberId, Option<Key>)>),
}

impl PeriodView<'_> {
    /// Returns whether another period is current at a moment.
    pub(crate) const fn is_due(&self, now: i64) -> bool {
        !self.span.contains(now)
    }

    /// Makes the period that contains a moment the current period.
    pub(crate) fn roll_over(&mut self, now: i64, board: &mut BoardContextMut) {
        let new = self.periods.rules.span(&board.schema.calendar, now);
        if new.period.start > self.span.period.start {
            self.go_on(new, board);
        } else {
            self.go_back(new, board);
        }
        self.periods.set_kept(&board.schema.calendar);
    }

    /// Makes a later period current.
    pub(super) fn go_on(&mut self, new: Span, board: &mut BoardContextMut) {
        if self.has_lost_numbers(&new) {
            self.go_back_to_last_write(board);
        }
        let ready = self.take_next(&new, board);
        // If no points of the last period count, only starting entries were prepared.
        let has_starting = ready.is_some() && !self.periods.rules.passes_on();
        let mut numbers = Vec::new();
        match ready.map_or_else(|| self.new_order(&new, board), NewOrder::Built) {
            NewOrder::Built(index) => self.replace(index, board),
            NewOrder::Numbered(index, old) => {
                self.replace(index, board);
                numbers = old;
            }
            NewOrder::Refilled(index, moved) => {
                let ended = mem::replace(self.index, index);
                self.set_old_aside(EndedIndex::new(ended, *self.leaf, false), board);
                let mut index_members = board.members.index_members_mut(*self.leaf, None);
                store_moved(&moved, &mut index_members);
            }
            NewOrder::Changed(left) => {
                self.set_copy_aside(board.schema);
                self.change_all(left, board);
            }
        }
        let share = mem::replace(&mut self.periods.share, self.periods.rules.carry);
        if !self.periods.boundary.is_reversible() {
            let anchor = Anchor { span: self.span, share, sequences: Default::default() };
            self.periods.boundary = Boundary::Reversible(Box::new(anchor));
        }
        self.set_span(new);
        for (id, old) in numbers {
            self.periods.remember_sequence(id, old);
            self.periods.keep_sequence(id, old);
        }
        if !has_starting {
            self.enter_starting(board);
        }
    }

    /// Returns whether starting entries of the periods since the last write have replaced numbers that the order of
    /// a later period needs. A later order needs them if points count in it. Such points were set aside, since
    /// there was no write in these periods.
    fn has_lost_numbers(&self, new: &Span) -> bool {
        let anchor = self.periods.boundary.anchor();
        anchor.is_some_and(|anchor| !anchor.sequences.is_empty())
            && self.periods.has_buckets()
            && self.periods.buckets.iter().any(|(start, _)| new.counts(*start))
    }

    fn new_order(&self, new: &Span, board: &mut BoardContextMut) -> NewOrder {
        if let Some(decay) = self.periods.rules.decay {
            return if self.is_ahead() {
                self.order_ahead(decay, new, board)
            } else {
                self.decayed(decay, new, board)
            };
        }
        if !self.periods.rules.is_rolling() || self.is_ahead() {
            let entries = self.entries_in(new, board);
            return NewOrder::Built(self.build(&entries, board));
        }
        let points = EndedPoints::new(self.periods, board.schema, self.span);
        let few = self.index.len() / FEW;
        if count(points.expired(new)) <= few {
            let ids = points.members(points.expired(new));
            return NewOrder::Changed(self.left(points, ids, new, board.members));
        }
        let context = board.context();
        let entries = if count(points.kept(new)) <= few {
            let left = self.left(points, points.members(points.kept(new)), new, board.members);
            let mut entries: Vec<Keyed> = left.into_iter().filter_map(|(id, key)| Some((key?, id))).collect();
            entries.sort_by(self.order(&context));
            entries
        } else {
            points.entries_after(self.index, new, board.members, self.order(&context))
        };
        NewOrder::Built(self.build(&entries, board))
    }

    /// Returns the order of a decaying view in a later span. Decay keeps the order of the scores, but they may become equal.
    /// Scores that are closer together take fewer bytes, so now and then the order is built again in fewer leaves.
    fn decayed(&self, decay: Decay, new: &Span, board: &mut BoardContextMut) -> NewOrder {
        let context = board.context();
        let periods = self.periods.boundaries_to(self.span.period.start, new, board.schema);
        let (index, moved) = self.index.refilled(decay.new_keys(periods, board.schema, self.order(&context)));
        if index.is_loose() {
            let entries: Vec<_> = index.iter_from(0).collect();
            return NewOrder::Built(self.build(&entries, board));
        }
        NewOrder::Refilled(index, moved)
    }

    /// Returns the order of a decaying view with entries that were set aside for future periods. The members of
    /// these entries get their old numbers back.
    fn order_ahead(&self, decay: Decay, new: &Span, board: &mut BoardContextMut) -> NewOrder {
        let Some(column) = self.periods.contributions.column() else {
            return NewOrder::Built(View::empty(board.schema, self.index.is_tree()));
        };
        let context = board.context();
        let number = |(key, id): Keyed| ((key, id), context.members.sequence(id, column));
        let entries = self.index.iter_from(0).map(number);
        let entries = self.periods.entries_ahead(decay, entries, (&self.span, new), &context);
        let mut old = Vec::new();
        for ((_, id), number) in &entries {
            let before = board.members.sequence(*id, column);
            if before != *number {
                old.push((*id, before));
                board.members.set_sequence(*id, column, *number);
            }
        }
        let entries: Vec<Keyed> = entries.into_iter().map(|(entry, _)| entry).collect();
        NewOrder::Numbered(self.build(&entries, board), old)
    }

    /// Returns the keys of given members' entries in a later span; `None` for a member without an entry in that
    /// span.
    fn left(
        &self,
        points: EndedPoints,
        ids: Vec<MemberId>,
        new: &Span,
        members: &Members,
    ) -> Vec<(MemberId, Option<Key>)> {
        let found = |id| self.find(id, members).map(|place| (id, place.key));
        let entries: Vec<_> = ids.into_iter().filter_map(found).collect();
        points.left(&entries, new)
    }

    /// Returns the entries of the order as they are when the period of another span is current, in order.
    fn entries_in(&self, span: &Span, board: &BoardContextMut) -> Vec<Keyed> {
        if self.is_ahead() {
            return self.recount(span, board);
        }
        let context = board.context();
        let mut entries = match (self.periods.rules.carry, self.periods.bucket(span.from)) {
            (Some(share), Some(points)) => self.carried(share, points, board),
            _ => Vec::new(),
        };
        entries.sort_unstable_by(self.order(&context));
        entries
    }

    /// Returns the entries that members carry over from their points in the last period, in no particular order.
    fn carried(&self, share: Share, points: &Bucket, board: &BoardContextMut) -> Vec<Keyed> {
        // A member whose only points would be a carried 0 does not enter the period.
        let carried = |units, moment| {
            let units = Score::from_units(share.of(units)).filter(|score| *score != Score::ZERO)?;
            Some(key_of(board.schema, units, moment))
        };
        if points.len() as u64 <= self.index.len() / FEW {
            let left = points.iter().filter_map(|(id, points)| {
                let place = self.find(id, board.members)?;
                Some((carried(points.units, place.key.moment)?, id))
            });
            return left.collect();
        }
        // The points are read in the order of the members, and the index in the order of the scores.
        let slot = |id| board.members.slot(id);
        let mut units: Vec<i64> = Vec::new();
        for (id, points) in points.iter() {
            debug_assert!(units.len() <= slot(id), "ids ascend");
            units.resize(slot(id), 0);
            units.push(points.units);
        }
        let (mut walk, mut some, mut left) = (self.index.iter_from(0), Vec::new(), Vec::new());
        loop {
            some.clear();
            walk.read(TOGETHER, &mut some);
            if some.is_empty() {
                return left;
            }
            some.iter().filter_map(|(_, id)| units.get(slot(*id))).for_each(prefetch);
            let units_of = |id: MemberId| units.get(slot(id)).copied().unwrap_or(0);
            left.extend(some.iter().filter_map(|(key, id)| Some((carried(units_of(*id), key.moment)?, *id))));
        }
    }

    /// Makes an index the current index. The previous index becomes an ended order, unless its period had no write.
    fn replace(&mut self, index: Index, board: &mut BoardContextMut) {
        let ended = self.swap_in(index);
        self.set_old_aside(EndedIndex::new(ended, self.periods.spare, true), board);
    }

    fn set_old_aside(&mut self, ended: EndedIndex, board: &mut BoardContextMut) {
        if self.periods.boundary.is_reversible() {
            board.garbage.push(Garbage::Index(ended.index));
        } else {
            self.push_past(ended, board.schema);
        }
    }

    /// Sets a copy of the current order aside. This takes 5 nanoseconds per member.
    fn set_copy_aside(&mut self, schema: &Schema) {
        if !self.periods.boundary.is_reversible() {
            self.push_past(EndedIndex::new(self.index.clone(), *self.leaf, false), schema);
        }
    }

    fn push_past(&mut self, ended: EndedIndex, schema: &Schema) {
        let period = self.span.period;
        self.periods.unpacked = true;
        self.periods.past.push_front(Past::new(period, period.start, PastOrder::Index(ended.of(schema))));
    }

    /// Changes the keys of members' entries. Members without a new key leave the order.
    fn change_all(&mut self, left: Vec<(MemberId, Option<Key>)>, board: &mut BoardContextMut) {
        for (id, key) in left {
            let mut index_members = board.members.index_members_mut(*self.leaf, self.periods.sequences());
            match (self.index.find(id, &index_members), key) {
                (Some(place), Some(key)) if place.key != key => {
                    self.index.update(place, key, id, &mut index_members);
                }
                (Some(place), None) => self.index.remove(place, id, &mut index_members),
                _ => {}
            }
        }
    }
}
