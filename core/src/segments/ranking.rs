//! The ranking of the segments of one dimension in the current period of one view, and how it follows the changes of a
//! command.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::SegmentId;
use super::orders::{Cause, Scene, SegmentOrder, ViewSegments, make_room};
use super::rank::{SegmentRank, key_of, number};
use super::values::Values;
use crate::dimensions::Metric;
use crate::index::{EntryPlace, Index, Key, LeafId, MemberLookup, MemberStore, NO_LEAF, SMALL};
use crate::members::{Column, Members};
use crate::schema::{Schema, Ties};
use crate::sorted::Sorted;
use crate::time::Millis;
use crate::view::{HiddenMembers, View};

/// The numbers that a view stores for each segment.
#[derive(Debug, Clone, Copy)]
pub(super) struct SegmentColumns {
    /// The segment's leaf in the ranking.
    pub leaf: Column,
    /// The number of its last change.
    pub change: Column,
    /// The moment of its last change.
    pub moment: Column,
}

/// The segments, for the index that ranks them. Segments with the same rank key are compared by all that ranks them.
struct RankedSegments<'a> {
    names: &'a mut Members,
    columns: SegmentColumns,
    orders: &'a Sorted<SegmentId, SegmentOrder>,
    schema: &'a Schema,
    members: (&'a Members, Column),
    hidden: Option<&'a HiddenMembers>,
    metric: Metric,
    view: &'a View,
}

impl RankedSegments<'_> {
    fn rank(&self, segment: SegmentId) -> Option<SegmentRank<'_>> {
        let seen = self.orders.get(segment)?.seen(self.schema, self.members, self.hidden);
        let (number, name) = (number(&seen, self.metric, self.schema)?, self.names.name(segment));
        if self.metric == Metric::Best {
            let (_, best) = seen.walk(0).next()?;
            let place = self.view.index.rank(self.view.find(best, self.members.0)?);
            return Some(SegmentRank::of_best(number, place, name, self.schema.ties));
        }
        let SegmentColumns { change, moment, .. } = self.columns;
        let (change, moment) = (self.names.sequence(segment, change), self.names.sequence(segment, moment));
        Some(SegmentRank { number, moment, change, name })
    }
}

impl MemberLookup for RankedSegments<'_> {
    fn leaf(&self, id: SegmentId) -> LeafId {
        self.names.get(id, self.columns.leaf).map_or(NO_LEAF, |leaf| leaf as LeafId)
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
        self.names.set(id, self.columns.leaf, u64::from(leaf));
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
            let mut changed = last_changes(&touched);
            // While one segment is ranked, no other one may stand where it stood before it changed.
            changed.retain(|(segment, _)| self.take_out(*segment, scene));
            changed.into_iter().for_each(|(segment, moment)| self.rank(segment, moment, view, scene));
        }
        touched.clear();
        self.touched = touched;
    }

    /// Returns the moment of the best member of a segment.
    pub(super) fn first_moment(&self, segment: SegmentId, scene: &Scene) -> Option<Millis> {
        let seen = self.orders.get(segment)?.seen(scene.schema, (scene.members, self.leaf), scene.hidden);
        seen.moment(&seen.select(0)?)
    }

    /// Returns the key of a segment in the ranking; `None` if it has no visible members.
    fn key(&self, segment: SegmentId, scene: &Scene) -> Option<Key> {
        let seen = self.orders.get(segment)?.seen(scene.schema, (scene.members, self.leaf), scene.hidden);
        number(&seen, scene.metric, scene.schema).map(key_of)
    }

    /// Takes a segment out of the ranking, if it may have to be at another place there. Returns whether it may.
    fn take_out(&mut self, segment: SegmentId, scene: &mut Scene) -> bool {
        let key = self.key(segment, scene);
        let mut names = scene.values.names.index_members_mut(self.columns.leaf, None);
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
        let mut names = scene.values.names.index_members_mut(self.columns.leaf, None);
        match (self.ranking.find(segment, &names), key) {
            (Some(place), Some(key)) if place.key == key && scene.metric != Metric::Best => {}
            (found, Some(key)) => self.put(segment, (found, key), moment, view, scene),
            (Some(place), None) => self.ranking.remove(place, segment, &mut names),
            (None, None) => {}
        }
    }

    /// Gives a segment that is not in the ranking its place there. Its last change was at this moment.
    pub(super) fn rank(&mut self, segment: SegmentId, moment: Millis, view: &View, scene: &mut Scene) {
        if let Some(key) = self.key(segment, scene) {
            self.put(segment, (None, key), moment, view, scene);
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
        let Self { ranking, orders, leaf, columns, changes, .. } = self;
        *changes = changes.saturating_add(1);
        let names = &mut scene.values.names;
        names.set_sequence(segment, columns.change, *changes);
        names.set_sequence(segment, columns.moment, moment);
        let mut names = RankedSegments {
            names,
            columns: *columns,
            orders,
            schema: scene.schema,
            members: (scene.members, *leaf),
            hidden: scene.hidden,
            metric: scene.metric,
            view,
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

    /// Ranks all segments again. `changes` are all segments of the view, in the order of their last changes, with the moments of
    /// these changes.
    pub(super) fn rank_all(&mut self, changes: &[(SegmentId, Millis)], view: &View, scene: &mut Scene) {
        let columns = self.columns;
        let names = &mut scene.values.names;
        for (number, (segment, moment)) in (1..).zip(changes) {
            names.set_sequence(*segment, columns.change, number);
            names.set_sequence(*segment, columns.moment, *moment);
        }
        self.changes = changes.len() as u64;
        let (orders, schema, hidden, metric) = (&self.orders, scene.schema, scene.hidden, scene.metric);
        let members = (&*scene.members, self.leaf);
        let mut names = RankedSegments { names, columns, orders, schema, members, hidden, metric, view };
        let mut ranked: Vec<_> =
            orders.keys().filter_map(|segment| Some((names.rank(segment)?, segment))).collect();
        ranked.sort_unstable_by(|(one, _), (other, _)| one.compare(other, schema.ties));
        let ranked: Vec<_> =
            ranked.into_iter().map(|(rank, segment)| (key_of(rank.number), segment)).collect();
        self.ranking = if ranked.len() > SMALL { Index::tree(Ties::Lex) } else { Index::small(Ties::Lex) };
        for (key, segment) in ranked {
            // The segments come in order, so the index accepts all of them.
            let _ = self.ranking.append(key, segment, &mut names);
        }
    }

    /// Checks that the ranking is in order, and panics if it is not.
    pub fn check_ranking(
        &self,
        view: &View,
        values: &Values,
        metric: Metric,
        (schema, members, hidden): (&Schema, &Members, Option<&HiddenMembers>),
    ) {
        let mut names = values.names.clone();
        let (columns, members) = (self.columns, (members, self.leaf));
        let ranked = RankedSegments {
            names: &mut names,
            columns,
            orders: &self.orders,
            schema,
            members,
            hidden,
            metric,
            view,
        };
        self.ranking.check(&ranked);
        let ids: Vec<_> = self.walk(0).collect();
        for pair in ids.windows(2) {
            let &[one, other] = pair else { continue };
            assert_eq!(ranked.compare(one, other), Ordering::Less, "segments out of order");
        }
    }
}
