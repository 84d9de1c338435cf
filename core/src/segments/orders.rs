//! The orders of the segments of one dimension in the current period of one view.

use std::collections::BTreeMap;

use super::SegmentId;
use super::changes::Changes;
use super::ended::KeptSegments;
use super::garbage::Garbage;
use super::hidden::{HiddenBySegment, HiddenMember};
use super::members::{NewScore, SegmentMembers, undated};
use super::next::{NextOrders, Prepared};
use super::order_list::Orders;
use super::ranking::empty_ranking;
use super::values::Values;
use crate::dimensions::Metric;
use crate::index::{Index, Key, MemberId, MemberStore, SMALL};
use crate::members::{Column, Members, Sequences};
use crate::mover::{Mover, Relocation};
use crate::schema::{Schema, Tally};
use crate::size_class::bytes_of;
use crate::time::Millis;
use crate::view::{HiddenMembers, Kind, Seen, View};

/// An entry of the index of a segment.
type Undated = (Key, MemberId);

/// What tells the views of a board apart.
pub type ViewKey = (Tally, Kind);

/// The period that a view has left.
#[derive(Debug, Clone, Copy)]
pub struct LeftPeriod {
    pub start: i64,
    /// Whether no boundary before that could be undone.
    pub is_final: bool,
    /// What the view had prepared.
    pub prepared: Option<Prepared>,
}

/// Why a segment changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A member gets a score, or falls out because others are better, by a write with this `AT`.
    Score(Millis),
    /// A member enters or leaves the segment, is removed, hidden or visible again, at this time of the board.
    Move(Millis),
}

/// The segments of one dimension in one view.
#[derive(Debug, Clone)]
pub struct ViewSegments {
    pub view: ViewKey,
    /// The column of the members' leaves in the index of their segment.
    pub(super) leaf: Column,
    /// The column of the members' leaves in the orders that are being prepared.
    pub(super) spare: Option<Column>,
    /// The column of the segments' leaves in the ranking that is being prepared.
    pub(super) spare_segment: Option<Column>,
    /// The orders of the next period, while they are being prepared.
    pub(super) next: Option<Box<NextOrders>>,
    /// The column of the segments' leaves in the ranking.
    pub(super) segment_leaf: Column,
    /// The last changes of the segments, if segments with equal numbers are ranked by them.
    pub changes: Option<Changes>,
    /// The orders of the segments that have members in the view.
    pub(super) orders: Orders,
    /// The segments that have visible members in the view. The keys are those of [`key_of`].
    pub(super) ranking: Index,
    /// Ended periods that a read has divided by segments.
    pub kept: KeptSegments,
    /// The segments that the present command has changed, in the order of the changes.
    pub(super) touched: Vec<(SegmentId, Cause)>,
}

/// The data of a board and of a dimension that the orders need.
pub struct Scene<'a> {
    pub schema: &'a Schema,
    pub members: &'a mut Members,
    pub hidden: Option<&'a HiddenMembers>,
    pub hidden_of: &'a HiddenBySegment,
    pub values: &'a mut Values,
    pub metric: Metric,
    /// The column of the members' segments.
    pub column: Column,
    /// The board's present time.
    pub now: Millis,
    pub garbage: &'a mut Vec<Garbage>,
}

impl Scene<'_> {
    /// Returns the segment of a member.
    pub(super) fn segment(&self, id: MemberId) -> Option<SegmentId> {
        segment_in(self.members, self.column, id)
    }
}

impl Scene<'_> {
    /// Returns whether a segment has another number after the key of a visible member has changed from `old` to `new`. `left` is
    /// the number of its visible members after that.
    fn changes_number(&self, (old, new): (Option<Key>, Option<Key>), left: u64) -> bool {
        let comes_or_goes = old.is_none() && left == 1 || new.is_none() && left == 0;
        let score = |key: Option<Key>| key.map_or(0, |key| self.schema.score(key.rank_key).units());
        match self.metric {
            Metric::Count => old.is_none() || new.is_none(),
            Metric::Sum => comes_or_goes || score(old) != score(new),
            Metric::Best => true,
        }
    }
}

/// Returns the segment of a member, from the column of a dimension.
pub fn segment_in(members: &Members, column: Column, id: MemberId) -> Option<SegmentId> {
    SegmentId::try_from(members.get(id, column)?).ok()
}

/// Makes room in a small index for one more entry.
pub(super) fn make_room(index: &mut Index, members: &mut impl MemberStore) {
    if !index.is_tree() && index.len() >= SMALL as u64 && members.has_leaves() {
        index.enlarge(members);
    }
}

impl ViewSegments {
    /// Returns the orders for an empty view.
    pub fn new(view: ViewKey, ranks_by_changes: bool, members: &mut Members, values: &mut Values) -> Self {
        let is_rolling = view.1.is_rolling();
        Self {
            view,
            leaf: members.add_short_column(),
            spare: is_rolling.then(|| members.add_short_column()),
            spare_segment: is_rolling.then(|| values.names.add_leaf_column()),
            next: None,
            segment_leaf: values.names.add_leaf_column(),
            changes: ranks_by_changes.then(|| Changes::new(values)),
            orders: Orders::default(),
            ranking: empty_ranking(0),
            kept: KeptSegments::new(),
            touched: Vec::new(),
        }
    }

    /// Removes the columns and the data of the orders, when their view or dimension is dropped.
    pub fn drop_all(
        &mut self,
        hidden: &HiddenBySegment,
        members: &mut Members,
        values: &mut Values,
        garbage: &mut Vec<Garbage>,
    ) {
        self.discard(hidden, garbage);
        self.drop_next(hidden, garbage);
        members.release(self.leaf);
        self.spare.into_iter().for_each(|spare| _ = members.release(spare));
        values.names.release(self.segment_leaf);
        self.spare_segment.into_iter().for_each(|spare| _ = values.names.release(spare));
        if let Some(mut changes) = self.changes.take() {
            changes.clear(values);
        }
    }

    /// Leaves all orders to be freed later.
    pub(super) fn discard(&mut self, hidden: &HiddenBySegment, garbage: &mut Vec<Garbage>) {
        self.orders.forget_hidden(hidden);
        if !self.orders.is_empty() {
            garbage.push(Garbage::Orders(std::mem::take(&mut self.orders)));
        }
        if self.ranking.is_tree() {
            garbage.push(Garbage::Ranking(std::mem::replace(&mut self.ranking, empty_ranking(0))));
        }
    }

    /// Returns the order of a segment as readers see it; `None` if the segment has no members in the view.
    pub fn seen<'a>(
        &'a self,
        segment: SegmentId,
        schema: &'a Schema,
        members: &'a Members,
        hidden: &HiddenBySegment,
    ) -> Option<Seen<'a>> {
        Some(self.orders.get(segment)?.seen(schema, (members, self.leaf), hidden.of(segment)))
    }

    /// Returns how many segments have visible members.
    pub fn len(&self) -> u64 {
        self.ranking.len()
    }

    /// Returns the segments from a place on, best first.
    pub fn walk(&self, before: u64) -> impl Iterator<Item = SegmentId> {
        self.ranking.iter_from(before).map(|(_, segment)| segment)
    }

    /// Returns how many segments are before a segment; `None` if it has no visible members.
    pub fn before(&self, segment: SegmentId, values: &Values) -> Option<u64> {
        let place = self.ranking.find(segment, &values.names.index_members(self.segment_leaf, None))?;
        Some(self.ranking.rank(place))
    }

    /// Prefetches the memory that [`Self::follow`] reads for a member of a segment. Segments are small, but together they are
    /// as big as the view.
    pub fn prefetch(&self, segment: SegmentId, id: MemberId, view: &View, members: &Members) {
        if view.index.is_far()
            && let Some(order) = self.orders.get(segment)
        {
            order.index.prefetch_part(id, &members.index_members(self.leaf, None));
        }
    }

    /// Prefetches the memory that the member's entry moves to with a new key.
    pub fn prefetch_target(
        &self,
        segment: SegmentId,
        (id, key): (MemberId, Key),
        view: &View,
        members: &Members,
    ) {
        if view.index.is_far()
            && let Some(order) = self.orders.get(segment)
        {
            let members = NewScore { members, leaf: self.leaf, ties: view.index.ties() };
            order.index.prefetch_target_in_part(order.index.find(id, &members), undated(key), id, &members);
        }
    }

    /// Follows a change of the view: a member of a segment has this key in it now, or is not in it any more. `cause`
    /// tells why.
    pub fn follow(
        &mut self,
        segment: SegmentId,
        (id, key): (MemberId, Option<Key>),
        cause: Cause,
        view: &View,
        scene: &mut Scene,
    ) {
        let (ties, leaf, key) = (scene.schema.ties, self.leaf, key.map(undated));
        if key.is_some() {
            self.orders.add(segment, ties);
        }
        let is_changed = self.orders.change(segment, |order| {
            let whole = (&view.index, view.leaf);
            let mut members = SegmentMembers::new(scene.members, leaf, whole);
            let place = order.index.find(id, &members);
            match (place, key) {
                (Some(place), Some(key)) => _ = order.index.update(place, key, id, &mut members),
                (Some(place), None) => order.index.remove(place, id, &mut members),
                (None, Some(key)) => {
                    make_room(&mut order.index, &mut members);
                    order.index.insert(key, id, &mut members);
                }
                (None, None) => return false,
            }
            let is_hidden = scene.hidden.is_some_and(|hidden| hidden.get(id).is_some());
            if is_hidden {
                order.hidden.clear();
                return false;
            }
            let left = order.seen(scene.schema, (scene.members, leaf), scene.hidden_of.of(segment)).len();
            scene.changes_number((place.map(|place| place.key), key), left)
        });
        if is_changed == Some(true) {
            self.touched.push((segment, cause));
        }
    }

    /// Notes that these members are hidden now, or that all of them are visible again. They are counted one after the other, so
    /// that the last one that changes a number decides when it changed.
    pub fn hidden_changed(&mut self, listed: &[HiddenMember], scene: &mut Scene) {
        let found = self.forget_places_of_hidden(listed, scene.members);
        // From the last one back: how many members of a segment are visible after all of them is known.
        let mut following: BTreeMap<SegmentId, u64> = BTreeMap::new();
        let mut touched = Vec::new();
        for (segment, id, key) in found.into_iter().rev() {
            // Only a sum may stay the same, so only there it matters whether the segment comes or goes.
            let seen = || self.seen(segment, scene.schema, scene.members, scene.hidden_of);
            let after_all = if scene.metric == Metric::Sum { seen().map_or(0, |seen| seen.len()) } else { 0 };
            let following = following.entry(segment).or_default();
            let (keys, left) = match scene.hidden.and_then(|hidden| hidden.get(id)) {
                Some(()) => ((Some(key), None), after_all.saturating_add(*following)),
                None => ((None, Some(key)), after_all.saturating_sub(*following)),
            };
            if scene.changes_number(keys, left) {
                touched.push((segment, Cause::Move(scene.now)));
            }
            *following = following.saturating_add(1);
        }
        self.touched.extend(touched.into_iter().rev());
    }

    /// Forgets the places of hidden members in the orders of the segments of these members. Returns the members that are in the
    /// view, with their keys.
    fn forget_places_of_hidden(
        &mut self,
        listed: &[HiddenMember],
        members: &Members,
    ) -> Vec<(SegmentId, MemberId, Key)> {
        let index_members = members.index_members(self.leaf, Sequences::Unknown);
        let mut found = Vec::with_capacity(listed.len());
        for (segment, id) in listed {
            let place = self.orders.change(*segment, |order| {
                order.hidden.clear();
                order.index.find(*id, &index_members)
            });
            found.extend(place.flatten().map(|place| (*segment, *id, place.key)));
            if let Some(next) = &mut self.next {
                next.orders.change(*segment, |order| order.hidden.clear());
                next.touch(*segment);
            }
        }
        found
    }

    /// Builds all orders again from the order of the view.
    pub fn rebuild(&mut self, view: &View, scene: &mut Scene) {
        let ties = scene.schema.ties;
        self.discard(scene.hidden_of, scene.garbage);
        self.drop_next(scene.hidden_of, scene.garbage);
        self.ranking = empty_ranking(0);
        self.touched.clear();
        if view.index.len() == 0 {
            return;
        }
        let in_segment = |(key, id)| Some((scene.segment(id)?, (undated(key), id)));
        let mut all: Vec<(SegmentId, Undated)> = view.index.iter_from(0).filter_map(in_segment).collect();
        // The sort is stable, so the members of a segment keep the order of the view.
        all.sort_by_key(|(segment, _)| *segment);
        for members_of in all.chunk_by(|(one, _), (other, _)| one == other) {
            let Some((segment, _)) = members_of.first() else { continue };
            let entries: Vec<_> = members_of.iter().map(|(_, entry)| *entry).collect();
            let mut members = SegmentMembers::new(scene.members, self.leaf, (&view.index, view.leaf));
            self.orders.add(*segment, ties);
            self.orders.change(*segment, |order| {
                if entries.len() > SMALL && members.has_leaves() {
                    order.index.enlarge(&mut members);
                }
                order.index.append_all(&entries, &mut members);
            });
        }
        self.rank_all(view, scene);
    }

    /// Follows a boundary: the view has gone from one period to another.
    pub fn roll_over(
        &mut self,
        LeftPeriod { start: left, is_final, prepared }: LeftPeriod,
        view: &View,
        scene: &mut Scene,
    ) {
        let start = view.periods().and_then(|periods| periods.span).map_or(left, |span| span.period.start);
        // These periods do not end again, and what has ended stays.
        self.kept.retain(|kept| kept < left.min(start));
        let mut altered = Vec::new();
        if let Some(changes) = &mut self.changes {
            if start < left {
                changes.go_back(start, scene.values);
            }
            if start > left && is_final {
                changes.end(left);
            } else if start > left {
                altered = changes.undo(scene.values);
            }
            // A clock can be put back to a period of which nothing is kept.
            if view.index.len() == 0 {
                changes.forget_all();
            }
        }
        match self.take_next(prepared, &altered, view, scene) {
            Some(ranking) => {
                self.touched.clear();
                self.take_ranking(ranking, &altered, view, scene);
            }
            None => self.rebuild(view, scene),
        }
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self, hidden: &HiddenBySegment) -> usize {
        [
            self.orders.memory(hidden),
            self.next.as_ref().map_or(0, |next| next.memory(hidden)),
            self.ranking.memory(),
            self.changes.as_ref().map_or(0, Changes::memory),
            self.kept.memory(),
            bytes_of::<(SegmentId, Cause)>(self.touched.capacity()),
        ]
        .into_iter()
        .fold(0, usize::saturating_add)
    }

    pub fn effort(&self) -> usize {
        let next = self.next.as_ref().map_or(0, |next| next.effort());
        let changes = self.changes.as_ref().map_or(0, Changes::effort);
        [self.orders.effort(), next, self.ranking.effort(), changes]
            .into_iter()
            .fold(1, usize::saturating_add)
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.orders.relocate(walk);
        self.next.iter_mut().for_each(|next| next.relocate(walk));
        self.ranking.relocate(walk);
    }
}
