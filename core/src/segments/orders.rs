//! The orders of the segments of one dimension in the current period of one view.

use std::collections::VecDeque;

use super::SegmentId;
use super::ended::KeptSegments;
use super::members::SegmentMembers;
use super::spec::Metric;
use super::values::Values;
use crate::index::{Index, Key, MemberId, SMALL};
use crate::members::{Column, Members, Sequences};
use crate::mover::{Mover, Relocation};
use crate::order::Order;
use crate::schema::{Schema, Tally, Ties};
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::time::Millis;
use crate::view::{HiddenEntries, HiddenMembers, Kind, Ranking, Seen, View};

/// What tells the views of a board apart.
pub type ViewKey = (Tally, Kind);

/// The segments of an ended period, best first, with the moments of their last changes.
pub type Moments = Box<[(SegmentId, Millis)]>;

/// The order of the members of one segment.
#[derive(Debug, Clone)]
pub struct SegmentOrder {
    index: Index,
    hidden: HiddenEntries,
}

/// The segments of one dimension in one view.
#[derive(Debug, Clone)]
pub struct ViewSegments {
    pub view: ViewKey,
    /// The column of the members' leaves in the index of their segment.
    leaf: Column,
    /// The column of the segments' leaves in the ranking.
    place: Column,
    /// The orders of the segments that have members in the view.
    orders: Sorted<SegmentId, SegmentOrder>,
    /// The segments that have visible members in the view. The moment of a key is that of the segment's last change.
    ranking: Index,
    /// The moments of the segments in ended periods, oldest first: the start of each period, or of the first of several
    /// periods without a write.
    pub ended: VecDeque<(i64, Moments)>,
    /// Ended periods that a read has divided by segments.
    pub kept: KeptSegments,
    /// The segments that the present command has changed, and the moment of each change, in the order of the changes.
    touched: Vec<(SegmentId, Millis)>,
}

/// The data of a board and of a dimension that the orders need.
pub struct Scene<'a> {
    pub schema: &'a Schema,
    pub members: &'a mut Members,
    pub hidden: Option<&'a HiddenMembers>,
    pub values: &'a mut Values,
    pub metric: Metric,
    /// The column of the members' segments.
    pub column: Column,
    /// The board's present time.
    pub now: Millis,
}

impl Scene<'_> {
    /// Returns the segment of a member.
    fn segment(&self, id: MemberId) -> Option<SegmentId> {
        segment_in(self.members, self.column, id)
    }
}

/// Returns the segment of a member, from the column of a dimension.
pub fn segment_in(members: &Members, column: Column, id: MemberId) -> Option<SegmentId> {
    let segment = members.get(id, column)?;
    SegmentId::try_from(segment).ok().filter(|segment| *segment != SegmentId::MAX)
}

impl SegmentOrder {
    const fn new(ties: Ties) -> Self {
        Self { index: Index::small(ties), hidden: HiddenEntries::new() }
    }

    fn ranking<'a>(&'a self, schema: &'a Schema, members: &'a Members, leaf: Column) -> Ranking<'a> {
        Ranking::current(schema, &self.index, members.index_members(leaf, Sequences::Unknown))
    }

    fn seen<'a>(
        &'a self,
        schema: &'a Schema,
        (members, leaf): (&'a Members, Column),
        hidden: Option<&HiddenMembers>,
    ) -> Seen<'a> {
        let ranking = self.ranking(schema, members, leaf);
        Seen::new(ranking, self.hidden.of(&ranking, hidden))
    }
}

/// Returns the rank key of a segment whose members are ranked like this, and the moment of its best member if that is the
/// moment of the segment. `None` if it has no visible members.
pub fn standing(seen: &Seen, metric: Metric, schema: &Schema) -> Option<(u64, Option<Millis>)> {
    let count = seen.len();
    let best = || seen.select(0).map(|best| (best.rank_key(), seen.moment(&best)));
    match metric {
        _ if count == 0 => None,
        Metric::Count => Some((u64::MAX.saturating_sub(count), None)),
        Metric::Best => best(),
        Metric::Sum => Some((sum_key(schema, schema.sum_of_rank_keys(seen.sum_of_rank_keys(), count)), None)),
    }
}

/// Returns the rank key of a sum. Sums beyond 64 bits have the rank key of the last sum within them.
fn sum_key(schema: &Schema, sum: i128) -> u64 {
    let sum = i64::try_from(sum).unwrap_or(if sum < 0 { i64::MIN } else { i64::MAX });
    let ascending = sum.abs_diff(i64::MIN);
    if schema.order == Order::Desc { u64::MAX.saturating_sub(ascending) } else { ascending }
}

/// Makes room in a small index for one more entry.
fn make_room(index: &mut Index, members: &mut impl crate::index::MemberStore) {
    if !index.is_tree() && index.len() >= SMALL as u64 {
        index.enlarge(members);
    }
}

impl ViewSegments {
    /// Returns the orders for an empty view.
    pub fn new(view: ViewKey, ties: Ties, members: &mut Members, values: &mut Values) -> Self {
        Self {
            view,
            leaf: members.add_leaf_column(),
            place: values.names.add_leaf_column(),
            orders: Sorted::default(),
            ranking: Index::small(ties),
            ended: VecDeque::new(),
            kept: KeptSegments::new(),
            touched: Vec::new(),
        }
    }

    /// Removes the columns of the orders, when their view or dimension is dropped. Notes about the past are released.
    pub fn drop_columns(&mut self, members: &mut Members, values: &mut Values) {
        members.release(self.leaf);
        values.names.release(self.place);
        self.forget_after(i64::MIN, values);
    }

    /// Returns the order of a segment as readers see it; `None` if the segment has no members in the view.
    pub fn seen<'a>(
        &'a self,
        segment: SegmentId,
        schema: &'a Schema,
        members: &'a Members,
        hidden: Option<&HiddenMembers>,
    ) -> Option<Seen<'a>> {
        Some(self.orders.get(segment)?.seen(schema, (members, self.leaf), hidden))
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
        let place = self.ranking.find(segment, &values.names.index_members(self.place, None))?;
        Some(self.ranking.rank(place))
    }

    /// Returns the segments, best first, with the moments of their last changes.
    pub fn moments(&self) -> Moments {
        self.ranking.iter_from(0).map(|(key, segment)| (segment, key.moment)).collect()
    }

    /// Returns the moments as they were at the last write. `is_reversible` tells whether the view has gone on since then.
    pub fn written_moments(&self, is_reversible: bool) -> Moments {
        match self.ended.back().filter(|_| is_reversible) {
            Some((_, moments)) => moments.clone(),
            None => self.moments(),
        }
    }

    /// Follows a change of the view: a member of a segment has this key in it now, or is not in it any more. `moment` is
    /// the moment of the change.
    pub fn follow(
        &mut self,
        segment: SegmentId,
        (id, key): (MemberId, Option<Key>),
        moment: Millis,
        view: &View,
        scene: &mut Scene,
    ) {
        let ties = scene.schema.ties;
        if key.is_some() && self.orders.get(segment).is_none() {
            self.orders.insert(segment, SegmentOrder::new(ties));
        }
        let Some(order) = self.orders.get_mut(segment) else { return };
        let whole = (&view.index, view.leaf);
        let mut members = SegmentMembers { members: scene.members, leaf: self.leaf, whole, ties };
        match (order.index.find(id, &members), key) {
            (Some(place), Some(key)) if place.key == key => return,
            (Some(place), Some(key)) => _ = order.index.update(place, key, id, &mut members),
            (Some(place), None) => order.index.remove(place, id, &mut members),
            (None, Some(key)) => {
                make_room(&mut order.index, &mut members);
                order.index.insert(key, id, &mut members);
            }
            (None, None) => return,
        }
        if scene.hidden.is_some_and(|hidden| hidden.get(id).is_some()) {
            order.hidden.clear();
        }
        if order.index.len() == 0 {
            self.orders.remove(segment);
        }
        self.touched.push((segment, moment));
    }

    /// Gives the segments that the present command has changed their places in the ranking. A segment with the same number as
    /// before the command keeps its moment.
    pub fn settle(&mut self, scene: &mut Scene) {
        let mut touched = std::mem::take(&mut self.touched);
        if let [(segment, moment)] = *touched {
            self.rank(segment, moment, scene);
        } else {
            let mut last: Vec<_> =
                touched.iter().zip(0_usize..).map(|((segment, at), step)| (*segment, step, *at)).collect();
            last.sort_unstable_by_key(|(segment, step, _)| (*segment, std::cmp::Reverse(*step)));
            last.dedup_by_key(|(segment, ..)| *segment);
            last.sort_unstable_by_key(|(_, step, _)| *step);
            last.into_iter().for_each(|(segment, _, moment)| self.rank(segment, moment, scene));
        }
        touched.clear();
        self.touched = touched;
    }

    /// Notes that other members of a segment are hidden now.
    pub fn hidden_changed(&mut self, segment: SegmentId, scene: &mut Scene) {
        if let Some(order) = self.orders.get_mut(segment) {
            order.hidden.clear();
            self.touched.push((segment, scene.now));
        }
    }

    /// Returns the moment of the best member of a segment.
    fn first_moment(&self, segment: SegmentId, scene: &Scene) -> Option<Millis> {
        let seen = self.orders.get(segment)?.seen(scene.schema, (scene.members, self.leaf), scene.hidden);
        seen.moment(&seen.select(0)?)
    }

    /// Gives a segment its place in the ranking. If its number has changed, `moment` becomes its moment.
    fn rank(&mut self, segment: SegmentId, moment: Millis, scene: &mut Scene) {
        let standing = self.orders.get(segment).and_then(|order| {
            let seen = order.seen(scene.schema, (scene.members, self.leaf), scene.hidden);
            standing(&seen, scene.metric, scene.schema)
        });
        let mut names = scene.values.names.index_members_mut(self.place, None);
        let found = self.ranking.find(segment, &names);
        let key = standing.map(|(rank_key, best)| {
            let same = found.map(|place| place.key).filter(|key| key.rank_key == rank_key);
            Key { rank_key, moment: best.or(same.map(|key| key.moment)).unwrap_or(moment) }
        });
        match (found, key) {
            (Some(place), Some(key)) if place.key == key => {}
            (Some(place), Some(key)) => _ = self.ranking.update(place, key, segment, &mut names),
            (Some(place), None) => self.ranking.remove(place, segment, &mut names),
            (None, Some(key)) => {
                make_room(&mut self.ranking, &mut names);
                self.ranking.insert(key, segment, &mut names);
            }
            (None, None) => {}
        }
    }

    /// Builds all orders again from the order of the view. `moments` are the moments of the segments, best first. A segment
    /// that is not among them gets the moment of its best member.
    pub fn rebuild(&mut self, view: &View, moments: &[(SegmentId, Millis)], scene: &mut Scene) {
        let ties = scene.schema.ties;
        self.orders = Sorted::default();
        self.touched.clear();
        for (key, id) in view.index.iter_from(0) {
            let Some(segment) = scene.segment(id) else { continue };
            if self.orders.get(segment).is_none() {
                self.orders.insert(segment, SegmentOrder::new(ties));
            }
            let Some(order) = self.orders.get_mut(segment) else { continue };
            let whole = (&view.index, view.leaf);
            let mut members = SegmentMembers { members: scene.members, leaf: self.leaf, whole, ties };
            make_room(&mut order.index, &mut members);
            // The entries come in the order of the view, so the index accepts all of them.
            let _ = order.index.append(key, id, &mut members);
        }
        self.ranking = Index::small(ties);
        // Equal segments keep their order: with `TIES LAST`, a later one is put before an earlier one.
        let mut known: Vec<_> = moments.to_vec();
        if ties == Ties::Last {
            known.reverse();
        }
        known.into_iter().for_each(|(segment, moment)| self.rank(segment, moment, scene));
        let mut new: Vec<_> = self.orders.keys().collect();
        new.retain(|segment| self.before(*segment, scene.values).is_none());
        new.sort_unstable_by(|a, b| scene.values.name(*a).cmp(scene.values.name(*b)));
        for segment in new {
            let moment = self.first_moment(segment, scene).unwrap_or_default();
            self.rank(segment, moment, scene);
        }
    }

    /// Returns the moments of the segments in a period that has ended.
    pub fn ended_moments(&self, start: i64) -> &[(SegmentId, Millis)] {
        let after = self.ended.partition_point(|(first, _)| *first <= start);
        after.checked_sub(1).and_then(|at| self.ended.get(at)).map_or(&[], |(_, moments)| moments)
    }

    /// Follows a boundary: the view has gone from one period to another.
    pub fn roll_over(&mut self, (left, was_final): (i64, bool), oldest: i64, view: &View, scene: &mut Scene) {
        let start = view.periods().and_then(|periods| periods.span).map_or(left, |span| span.period.start);
        let moments = if start < left {
            self.ended_moments(start).into()
        } else if was_final {
            let moments = self.moments();
            moments.iter().for_each(|(segment, _)| scene.values.hold(*segment));
            self.ended.push_back((left, moments.clone()));
            moments
        } else {
            self.written_moments(true)
        };
        self.rebuild(view, &moments, scene);
        self.forget_after(start, scene.values);
        // The oldest kept period may be one of several periods without a write.
        while self.ended.get(1).is_some_and(|(first, _)| *first <= oldest) {
            self.pop_oldest(scene.values);
        }
    }

    /// Forgets the moments of a period that is current again, and of all later periods.
    fn forget_after(&mut self, start: i64, values: &mut Values) {
        while self.ended.back().is_some_and(|(first, _)| *first >= start) {
            let last = self.ended.pop_back();
            last.into_iter()
                .flat_map(|(_, moments)| moments)
                .for_each(|(segment, _)| values.release(segment));
        }
    }

    fn pop_oldest(&mut self, values: &mut Values) {
        let first = self.ended.pop_front();
        first.into_iter().flat_map(|(_, moments)| moments).for_each(|(segment, _)| values.release(segment));
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        let orders =
            self.orders.values().map(|order| order.index.memory().saturating_add(order.hidden.memory()));
        let ended = self.ended.iter().map(|(_, moments)| bytes_of::<(SegmentId, Millis)>(moments.len()));
        let lists = bytes_of::<(i64, Moments)>(self.ended.capacity());
        let own = [self.orders.memory(), self.ranking.memory(), lists, self.kept.memory()];
        orders.chain(ended).chain(own).fold(0, usize::saturating_add)
    }

    pub fn effort(&self) -> usize {
        let orders = self.orders.values().map(|order| order.index.effort());
        let own = [self.orders.allocations(), self.ranking.effort(), self.ended.len()];
        orders.chain(own).fold(1, usize::saturating_add)
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.orders.values_mut().for_each(|order| order.index.relocate(walk));
        self.ranking.relocate(walk);
    }
}
