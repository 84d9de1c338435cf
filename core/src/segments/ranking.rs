//! The ranking of the segments of one dimension in the current period of one view, and how it follows the changes of a
//! command.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::SegmentId;
use super::changes::Changes;
use super::hidden::HiddenBySegment;
use super::order_list::{Orders, SegmentOrder};
use super::orders::{Cause, Scene, ViewSegments, make_room};
use super::rank::{SegmentRank, key_of, number};
use super::values::Values;
use crate::dimensions::Metric;
use crate::index::{EntryPlace, Index, Key, LeafId, MemberLookup, MemberStore, SMALL};
use crate::members::{Column, Members, Sequences};
use crate::schema::{Schema, Ties};
use crate::secret::HashSet;
use crate::time::Millis;
use crate::view::View;

/// The segments, for the index that ranks them. Segments with the same rank key are compared by all that ranks them.
pub(super) struct RankedSegments<'a> {
    pub values: &'a mut Values,
    /// The column of the segments' leaves.
    pub leaf: Column,
    pub changes: Option<&'a Changes>,
    pub orders: &'a Orders,
    pub schema: &'a Schema,
    pub members: (&'a Members, Column),
    pub hidden: &'a HiddenBySegment,
    pub metric: Metric,
    /// The index of the whole view, and the column of its leaves.
    pub whole: (&'a Index, Column),
}

impl RankedSegments<'_> {
    /// Returns the key of a segment; `None` if it has no visible members.
    pub fn key(&self, segment: SegmentId) -> Option<Key> {
        let order = self.orders.get(segment)?;
        let seen = order.seen(self.schema, self.members, self.hidden.of(segment));
        number(&seen, self.metric, self.schema).map(key_of)
    }

    /// Checks that a ranking of these segments is in order, and panics if it is not.
    pub fn check(&self, ranking: &Index, segments: &[SegmentId]) {
        ranking.check(self);
        for pair in segments.windows(2) {
            let &[one, other] = pair else { continue };
            assert_eq!(self.compare(one, other), Ordering::Less, "segments out of order");
        }
        let key = |segment: SegmentId| ranking.find(segment, self).map(|place| place.key);
        assert!(segments.iter().all(|segment| key(*segment) == self.key(*segment)), "keys of segments");
    }

    fn rank(&self, segment: SegmentId) -> Option<SegmentRank<'_>> {
        self.rank_of(segment, self.orders.get(segment)?)
    }

    fn rank_of(&self, segment: SegmentId, order: &SegmentOrder) -> Option<SegmentRank<'_>> {
        let seen = order.seen(self.schema, self.members, self.hidden.of(segment));
        let (number, name) = (number(&seen, self.metric, self.schema)?, self.values.name(segment));
        if self.metric == Metric::Best {
            let (_, best) = seen.walk(0).next()?;
            let (whole, leaf) = self.whole;
            let place = whole.find(best, &self.members.0.index_members(leaf, Sequences::Unknown))?;
            let place = whole.rank(place);
            return Some(SegmentRank::of_best(number, place, name, self.schema.ties));
        }
        let change = self.changes.map(|changes| changes.get(segment, self.values)).unwrap_or_default();
        Some(SegmentRank { number, change, name })
    }
}

impl MemberLookup for RankedSegments<'_> {
    fn leaf(&self, id: SegmentId) -> LeafId {
        self.values.names.leaf(id, self.leaf)
    }

    fn compare(&self, a: SegmentId, b: SegmentId) -> Ordering {
        match (self.rank(a), self.rank(b)) {
            (Some(a), Some(b)) => a.compare(&b, self.schema.ties),
            (a, b) => a.is_none().cmp(&b.is_none()),
        }
    }

    fn sequence(&self, _: SegmentId, _: Millis) -> Option<u64> {
        None
    }
}

impl MemberStore for RankedSegments<'_> {
    fn set_leaf(&mut self, id: SegmentId, leaf: LeafId) {
        self.values.names.set_leaf(id, self.leaf, leaf);
    }
}

/// Returns an empty ranking for this number of segments.
pub(super) fn empty_ranking(segments: usize) -> Index {
    if segments > SMALL { Index::tree(Ties::Lex) } else { Index::small(Ties::Lex) }
}

/// Removes a segment from a ranking with this column of leaves, if it is there.
fn remove(ranking: &mut Index, segment: SegmentId, leaf: Column, values: &mut Values) {
    let mut names = values.names.index_members_mut(leaf, None);
    if let Some(place) = ranking.find(segment, &names) {
        ranking.remove(place, segment, &mut names);
    }
}

/// Returns the segments of a list of changes, in the order of their last changes, with the moment of each: that of the first
/// move of a member, or else that of the write.
fn last_changes(touched: &[(SegmentId, Cause)]) -> Vec<(SegmentId, Millis)> {
    let mut last: BTreeMap<SegmentId, (usize, Cause)> = BTreeMap::new();
    for (step, (segment, cause)) in touched.iter().enumerate() {
        let (latest, present) = last.entry(*segment).or_insert((step, *cause));
        *latest = step;
        if matches!(present, Cause::Score(_)) {
            *present = *cause;
        }
    }
    let mut last: Vec<_> = last.into_iter().collect();
    last.sort_unstable_by_key(|(_, (step, _))| *step);
    last.into_iter()
        .map(|(segment, (_, Cause::Score(moment) | Cause::Move(moment)))| (segment, moment))
        .collect()
}

impl ViewSegments {
    /// Gives the segments that the present command has changed their places in the ranking, in the order of their last changes. A
    /// segment with the same number as before the command keeps its moment. If a member has moved, this is the moment; otherwise
    /// it is the moment of the write.
    pub fn settle(&mut self, view: &View, scene: &mut Scene) {
        let mut touched = std::mem::take(&mut self.touched);
        if let [(segment, Cause::Score(moment) | Cause::Move(moment))] = *touched {
            self.rank_again(segment, moment, view, scene);
        } else {
            // While one segment is ranked, no other one may stand where it stood before it changed.
            let take_out = |(segment, moment)| {
                let keyed = (segment, self.key(segment, scene));
                self.take_out(keyed, scene).then_some((keyed, moment))
            };
            let changed: Vec<_> = last_changes(&touched).into_iter().filter_map(take_out).collect();
            changed.into_iter().for_each(|(keyed, moment)| self.rank(keyed, moment, view, scene));
        }
        touched.clear();
        self.touched = touched;
        self.settle_next(view, scene);
    }

    /// Returns the key of a segment in the ranking; `None` if it has no visible members.
    pub(super) fn key(&self, segment: SegmentId, scene: &Scene) -> Option<Key> {
        let (members, hidden) = ((&*scene.members, self.leaf), scene.hidden_of.of(segment));
        let seen = self.orders.get(segment)?.seen(scene.schema, members, hidden);
        number(&seen, scene.metric, scene.schema).map(key_of)
    }

    /// Takes a segment out of the ranking, if it may have to be at another place there with this key. Returns whether it may.
    fn take_out(&mut self, (segment, key): (SegmentId, Option<Key>), scene: &mut Scene) -> bool {
        let mut names = scene.values.names.index_members_mut(self.segment_leaf, None);
        let found = self.ranking.find(segment, &names);
        // The place of a best member may change although its score stays.
        if found.map(|place| place.key) == key && scene.metric != Metric::Best {
            return false;
        }
        if let Some(place) = found {
            self.ranking.remove(place, segment, &mut names);
        }
        true
    }

    /// Does the same as [`Self::take_out`] and [`Self::rank`], for the only segment that the present command has changed. It
    /// mostly stays in its leaf of the ranking.
    fn rank_again(&mut self, segment: SegmentId, moment: Millis, view: &View, scene: &mut Scene) {
        let key = self.key(segment, scene);
        let mut names = scene.values.names.index_members_mut(self.segment_leaf, None);
        match (self.ranking.find(segment, &names), key) {
            (Some(place), Some(key)) if place.key == key && scene.metric != Metric::Best => {}
            (found, Some(key)) => self.put(segment, (found, key), moment, view, scene),
            (Some(place), None) => {
                self.ranking.remove(place, segment, &mut names);
                self.forget(segment, scene);
            }
            (None, None) => {}
        }
    }

    /// Gives a segment that is not in the ranking its place there, if it has a key. Its last change was at this moment.
    pub(super) fn rank(
        &mut self,
        (segment, key): (SegmentId, Option<Key>),
        moment: Millis,
        view: &View,
        scene: &mut Scene,
    ) {
        match key {
            Some(key) => self.put(segment, (None, key), moment, view, scene),
            None => self.forget(segment, scene),
        }
    }

    /// Forgets a segment that is about to be dropped, while its leaves are still known. Its number may be given to another one.
    pub fn drop_segment(&mut self, segment: SegmentId, values: &mut Values) {
        if let Some(changes) = &self.changes {
            changes.drop_segment(segment, values);
        }
        remove(&mut self.ranking, segment, self.segment_leaf, values);
        if let (Some(next), Some(leaf)) = (&mut self.next, self.spare_segment) {
            remove(&mut next.ranking.ranking, segment, leaf, values);
        }
    }

    /// Notes that a segment is not in the ranking any more. It may have been dropped.
    fn forget(&mut self, segment: SegmentId, scene: &mut Scene) {
        if let Some(changes) = self.changes.as_mut().filter(|_| scene.values.has(segment)) {
            changes.forget(segment, scene.values);
            self.next.iter_mut().for_each(|next| next.touch(segment));
        }
    }

    /// Gives a segment its place in the ranking, where it has been at the place `found`.
    fn put(
        &mut self,
        segment: SegmentId,
        (found, key): (Option<EntryPlace>, Key),
        moment: Millis,
        view: &View,
        scene: &mut Scene,
    ) {
        let Self { ranking, orders, leaf, segment_leaf, changes, next, .. } = self;
        if let Some(changes) = changes {
            changes.note(segment, moment, scene.values);
            next.iter_mut().for_each(|next| next.touch(segment));
        }
        let mut names = RankedSegments {
            values: scene.values,
            leaf: *segment_leaf,
            changes: changes.as_ref(),
            orders,
            schema: scene.schema,
            members: (scene.members, *leaf),
            hidden: scene.hidden_of,
            metric: scene.metric,
            whole: (&view.index, view.leaf),
        };
        match found {
            Some(place) if place.key.rank_key != key.rank_key => {
                ranking.update(place, key, segment, &mut names);
            }
            _ => {
                // A small index must not compare the segment with itself.
                found.into_iter().for_each(|place| ranking.remove(place, segment, &mut names));
                make_room(ranking, &mut names);
                ranking.insert(key, segment, &mut names);
            }
        }
    }

    /// Ranks all segments again, after their orders were built. Segments that were ranked before keep their last changes. The
    /// others get the moment of their best member.
    pub(super) fn rank_all(&mut self, view: &View, scene: &mut Scene) {
        self.bring_changes_up_to_date(view, scene);
        let Self { orders, leaf, segment_leaf, changes, .. } = self;
        let (orders, schema, hidden, metric) = (&*orders, scene.schema, scene.hidden_of, scene.metric);
        let (members, leaf, changes) = ((&*scene.members, *leaf), *segment_leaf, changes.as_ref());
        let values = &mut *scene.values;
        let whole = (&view.index, view.leaf);
        let mut names =
            RankedSegments { values, leaf, changes, orders, schema, members, hidden, metric, whole };
        let ranked = orders.iter();
        let ranked = ranked.filter_map(|(segment, order)| Some((names.rank_of(segment, order)?, segment)));
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_unstable_by(|(one, _), (other, _)| one.compare(other, schema.ties));
        let ranked: Vec<_> =
            ranked.into_iter().map(|(rank, segment)| (key_of(rank.number), segment)).collect();
        self.ranking = empty_ranking(ranked.len());
        self.ranking.append_all(&ranked, &mut names);
    }

    /// Gives the segments that are ranked now, and were not ranked before, their first changes, in the order of their names.
    /// Forgets the changes of the segments that are not ranked now.
    pub(super) fn bring_changes_up_to_date(&mut self, view: &View, scene: &mut Scene) {
        let Some(changes) = &self.changes else { return };
        let (mut new, mut ranked) = (Vec::new(), 0_usize);
        for (segment, order) in self.orders.iter() {
            let seen = order.seen(scene.schema, (scene.members, self.leaf), scene.hidden_of.of(segment));
            let Some((_, best)) = seen.walk(0).next() else { continue };
            if changes.is_ranked(segment, scene.values) {
                ranked = ranked.saturating_add(1);
            } else {
                new.extend(view.find(best, scene.members).map(|place| (segment, place.key.moment)));
            }
        }
        new.sort_unstable_by(|(one, _), (other, _)| scene.values.name(*one).cmp(scene.values.name(*other)));
        let was_ranked = |segment: &SegmentId| changes.is_ranked(*segment, scene.values);
        let is_gone = |segment: &SegmentId| was_ranked(segment) && self.key(*segment, scene).is_none();
        let has_gone = scene.values.names.ids().filter(was_ranked).nth(ranked).is_some();
        let gone = has_gone.then(|| scene.values.names.ids().filter(is_gone));
        let gone: Vec<_> = gone.into_iter().flatten().collect();
        let Some(changes) = &mut self.changes else { return };
        gone.into_iter().for_each(|segment| changes.forget(segment, scene.values));
        new.into_iter().for_each(|(segment, moment)| changes.note(segment, moment, scene.values));
    }

    /// Checks that the ranking is in order, and panics if it is not.
    pub fn check_ranking(
        &self,
        view: &View,
        values: &Values,
        metric: Metric,
        (schema, members, hidden): (&Schema, &Members, &HiddenBySegment),
    ) {
        let mut values = values.clone();
        let (changes, members) = (self.changes.as_ref(), (members, self.leaf));
        let ranked = RankedSegments {
            values: &mut values,
            leaf: self.segment_leaf,
            changes,
            orders: &self.orders,
            schema,
            members,
            hidden,
            metric,
            whole: (&view.index, view.leaf),
        };
        let ids: Vec<_> = self.walk(0).collect();
        ranked.check(&self.ranking, &ids);
        if let Some(changes) = changes {
            let noted: HashSet<_> = changes.ranked(ranked.values).collect();
            assert_eq!(noted, ids.into_iter().collect(), "the changes of segments that are ranked");
        }
    }
}
