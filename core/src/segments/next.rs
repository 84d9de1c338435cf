//! The orders of segments in the next period of a view. They are prepared in small steps, after the view has prepared its
//! order of this period, and follow the changes of that order. Then the ranking of the segments is prepared
//! ([`super::next_ranking`]).

use super::SegmentId;
use super::garbage::Garbage;
use super::hidden::HiddenBySegment;
use super::members::{SegmentMembers, undated};
use super::next_ranking::NextRanking;
use super::order_list::Orders;
use super::orders::{Scene, ViewSegments, make_room};
use crate::index::{Index, Key, MemberId, MemberStore};
use crate::members::{Column, Sequences};
use crate::mover::{Mover, Relocation};
use crate::size_class::bytes_of;
use crate::view::{PreparedOrder, View, walked};

/// The number of entries, or of segments, that one step prepares.
pub(super) const STEP: usize = 16;

/// The orders of the segments in the next period, as far as they are prepared.
#[derive(Debug, Clone)]
pub struct NextOrders {
    /// The number of the view's order that these orders follow.
    pub(super) number: u32,
    pub(super) orders: Orders,
    /// The last entry of the view's order that was prepared.
    cursor: Option<(Key, MemberId)>,
    /// Whether all entries of the view's order were prepared.
    pub(super) is_complete: bool,
    pub(super) ranking: NextRanking,
}

impl NextOrders {
    /// Returns what is to follow the view's order with this number.
    fn new(number: u32) -> Self {
        let (orders, ranking) = (Orders::default(), NextRanking::new());
        Self { number, orders, cursor: None, is_complete: false, ranking }
    }

    /// Notes that a segment may have another place in the ranking.
    pub fn touch(&mut self, segment: SegmentId) {
        if self.is_complete {
            self.ranking.touched.push(segment);
        }
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self, hidden: &HiddenBySegment) -> usize {
        let parts = [bytes_of::<Self>(1), self.orders.memory(hidden), self.ranking.memory()];
        parts.into_iter().fold(0, usize::saturating_add)
    }

    pub fn effort(&self) -> usize {
        self.orders.effort().saturating_add(self.ranking.ranking.effort())
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.orders.relocate(walk);
        self.ranking.ranking.relocate(walk);
    }
}

/// What a view had prepared when it left a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepared {
    number: u32,
    /// The start of the next period.
    start: i64,
    /// The number of members in it.
    len: u64,
}

impl Prepared {
    /// Returns what a view has prepared; `None` if it has not finished.
    pub fn of(view: &View) -> Option<Self> {
        let PreparedOrder { number, index, start, .. } = view.prepared()?;
        Some(Self { number, start, len: index.len() })
    }
}

impl ViewSegments {
    /// Prepares a few more entries of the next period. Returns false when there is nothing to prepare.
    pub fn prepare(&mut self, view: &View, scene: &mut Scene) -> bool {
        let Some(PreparedOrder { number, index, leaf, .. }) = view.prepared() else {
            self.drop_next(scene.hidden_of, scene.garbage);
            return false;
        };
        if self.next.as_ref().is_some_and(|next| next.number != number) {
            self.drop_next(scene.hidden_of, scene.garbage);
        }
        if self.next.get_or_insert_with(|| Box::new(NextOrders::new(number))).is_complete {
            return self.rank_some((index, leaf), scene);
        }
        self.prepare_some(STEP, (index, leaf), scene);
        true
    }

    fn prepare_some(&mut self, most: usize, whole: (&Index, Column), scene: &mut Scene) {
        let Some(next) = &mut self.next else { return };
        let (index, leaf) = whole;
        let from = walked(next.cursor, index, &scene.members.index_members(leaf, Sequences::Unknown));
        let some: Vec<_> = index.iter_from(from).take(most).collect();
        match some.last() {
            Some(last) => next.cursor = Some(*last),
            None => next.is_complete = true,
        }
        for (key, id) in some {
            if let Some(segment) = scene.segment(id) {
                self.put_next(segment, (id, Some(key)), whole, scene);
            }
        }
    }

    /// Follows a change of a member of a segment in the order that the view has prepared. `None` stands for a member that
    /// leaves the segment.
    pub fn follow_next(
        &mut self,
        segment: SegmentId,
        (id, is_in): (MemberId, bool),
        view: &View,
        scene: &mut Scene,
    ) {
        let Some(next) = &self.next else { return };
        match view.prepared() {
            Some(PreparedOrder { number, index, leaf, .. }) if number == next.number => {
                let place = index.find(id, &scene.members.index_members(leaf, Sequences::Unknown));
                let key = place.filter(|_| is_in).map(|place| place.key);
                self.put_next(segment, (id, key), (index, leaf), scene);
            }
            _ => self.drop_next(scene.hidden_of, scene.garbage),
        }
    }

    fn put_next(
        &mut self,
        segment: SegmentId,
        (id, key): (MemberId, Option<Key>),
        whole: (&Index, Column),
        scene: &mut Scene,
    ) {
        let (ties, spare) = (scene.schema.ties, self.spare(scene));
        let Some(next) = &mut self.next else { return };
        if key.is_some() {
            next.orders.add(segment, ties);
        }
        let is_hidden = scene.hidden.is_some_and(|hidden| hidden.get(id).is_some());
        let mut members = SegmentMembers::new(scene.members, spare, whole);
        next.orders.change(segment, |order| {
            put_again(&mut order.index, (id, key.map(undated)), &mut members);
            if is_hidden {
                order.hidden.clear();
            }
        });
        next.touch(segment);
    }

    /// Returns the column of the leaves in orders that are being prepared.
    pub(super) fn spare(&mut self, scene: &mut Scene) -> Column {
        *self.spare.get_or_insert_with(|| scene.members.add_short_column())
    }

    /// Makes the prepared orders the present ones, if the view has left its period with what they follow. Returns the ranking
    /// that was prepared with them, or else `None`. Entries that are missing are added. `view` is in the next period by now.
    /// `altered` are the segments whose last changes are others since the view has left its period.
    pub(super) fn take_next(
        &mut self,
        prepared: Option<Prepared>,
        altered: &[SegmentId],
        view: &View,
        scene: &mut Scene,
    ) -> Option<NextRanking> {
        let start = view.periods().and_then(|periods| periods.span).map(|span| span.period.start);
        let is_own = prepared.is_some_and(|prepared| {
            self.next.as_ref().is_some_and(|next| next.number == prepared.number)
                && Some(prepared.start) == start
                && prepared.len == view.index.len()
        });
        if !is_own {
            self.drop_next(scene.hidden_of, scene.garbage);
            return None;
        }
        while self.next.as_ref().is_some_and(|next| !next.is_complete) {
            self.prepare_some(usize::MAX, (&view.index, view.leaf), scene);
        }
        self.finish_ranking(altered, (&view.index, view.leaf), scene);
        self.discard(scene.hidden_of, scene.garbage);
        let spare = self.spare(scene);
        self.spare = Some(std::mem::replace(&mut self.leaf, spare));
        let next = *self.next.take()?;
        self.orders = next.orders;
        Some(next.ranking)
    }

    /// Drops the orders that were prepared, and their ranking.
    pub fn drop_next(&mut self, hidden: &HiddenBySegment, garbage: &mut Vec<Garbage>) {
        let Some(NextOrders { mut orders, ranking, .. }) = self.next.take().map(|next| *next) else { return };
        orders.forget_hidden(hidden);
        if !orders.is_empty() {
            garbage.push(Garbage::Orders(orders));
        }
        if ranking.ranking.is_tree() {
            garbage.push(Garbage::Ranking(ranking.ranking));
        }
    }
}

/// Sets or removes a member's entry. An entry with the same key may have another place now among entries with equal keys.
fn put_again(index: &mut Index, (id, key): (MemberId, Option<Key>), members: &mut impl MemberStore) {
    if let Some(place) = index.find(id, members) {
        index.remove(place, id, members);
    }
    if let Some(key) = key {
        make_room(index, members);
        index.insert(key, id, members);
    }
}
