//! The ranking of the segments in the next period of a view. It is prepared in small steps, after the orders of the segments,
//! and follows their changes.

use super::SegmentId;
use super::garbage::Garbage;
use super::next::{NextOrders, STEP};
use super::orders::{Scene, ViewSegments, make_room};
use super::ranking::{RankedSegments, empty_ranking};
use crate::index::Index;
use crate::members::Column;
use crate::size_class::bytes_of;
use crate::view::{PreparedOrder, View};

/// The ranking of the next period, as far as it is prepared.
#[derive(Debug, Clone)]
pub struct NextRanking {
    pub(super) ranking: Index,
    /// The first segment that was not ranked yet; `None` if all of them were.
    pub(super) cursor: Option<SegmentId>,
    /// The segments that may have another place, since they were ranked or their last changes are others now.
    pub(super) touched: Vec<SegmentId>,
}

impl NextRanking {
    pub fn new() -> Self {
        Self { ranking: empty_ranking(0), cursor: Some(0), touched: Vec::new() }
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        self.ranking.memory().saturating_add(bytes_of::<SegmentId>(self.touched.capacity()))
    }
}

impl ViewSegments {
    /// Ranks a few more segments of the next period. Returns false when all of them are ranked. `whole` is the order of the
    /// whole view in that period, and the column of its leaves.
    pub(super) fn rank_some(&mut self, whole: (&Index, Column), scene: &mut Scene) -> bool {
        let Some(next) = &mut self.next else { return false };
        let Some(from) = next.ranking.cursor else { return false };
        let some: Vec<_> = next.orders.segments_from(from).take(STEP).collect();
        next.ranking.cursor = some.get(STEP.saturating_sub(1)).and_then(|last| last.checked_add(1));
        self.place_next(&some, whole, scene);
        true
    }

    /// Gives the segments that the present command has changed their places in the next ranking.
    pub(super) fn settle_next(&mut self, view: &View, scene: &mut Scene) {
        let Some(next) = self.next.as_ref().filter(|next| !next.ranking.touched.is_empty()) else { return };
        match view.prepared() {
            Some(PreparedOrder { number, index, leaf, .. }) if number == next.number => {
                self.place_touched((index, leaf), scene);
            }
            _ => self.drop_next(scene.hidden_of, scene.garbage),
        }
    }

    fn place_touched(&mut self, whole: (&Index, Column), scene: &mut Scene) {
        let Some(next) = &mut self.next else { return };
        let mut touched = std::mem::take(&mut next.ranking.touched);
        touched.sort_unstable();
        touched.dedup();
        self.place_next(&touched, whole, scene);
        touched.clear();
        self.next.iter_mut().for_each(|next| next.ranking.touched = std::mem::take(&mut touched));
    }

    /// Gives different segments their places in the next ranking.
    fn place_next(&mut self, segments: &[SegmentId], whole: (&Index, Column), scene: &mut Scene) {
        let (members_leaf, leaf) = (self.spare(scene), self.spare_segment(scene));
        let changes = self.changes.as_ref();
        let Some(NextOrders { orders, ranking, .. }) = self.next.as_deref_mut() else { return };
        let ranking = &mut ranking.ranking;
        let mut names = RankedSegments {
            values: scene.values,
            leaf,
            changes,
            orders,
            schema: scene.schema,
            members: (scene.members, members_leaf),
            hidden: scene.hidden_of,
            metric: scene.metric,
            whole,
        };
        // While one segment is ranked, no other one may stand where it stood before it changed.
        for segment in segments.iter().copied() {
            if let Some(place) = ranking.find(segment, &names) {
                ranking.remove(place, segment, &mut names);
            }
        }
        for segment in segments.iter().copied() {
            let Some(key) = names.key(segment) else { continue };
            // A segment without a last change gets its first one when the next period has begun.
            if changes.is_none_or(|changes| changes.is_ranked(segment, names.values)) {
                make_room(ranking, &mut names);
                ranking.insert(key, segment, &mut names);
            }
        }
    }

    /// Brings the next ranking up to date when the view has gone to the next period. `altered` are the segments whose last changes are
    /// others now. Segments that are not ranked any more lose their last changes.
    pub(super) fn finish_ranking(
        &mut self,
        altered: &[SegmentId],
        whole: (&Index, Column),
        scene: &mut Scene,
    ) {
        let members = self.spare(scene);
        let Some(next) = self.next.as_deref_mut().filter(|next| next.ranking.cursor.is_none()) else {
            return;
        };
        next.ranking.touched.extend_from_slice(altered);
        self.place_touched(whole, scene);
        let (Some(next), Some(changes)) = (self.next.as_deref(), &mut self.changes) else { return };
        let left = without(self.orders.segments_from(0), next.orders.segments_from(0));
        let hidden = scene.hidden_of.segments();
        let is_gone = |segment: &SegmentId| {
            let order = next.orders.get(*segment);
            let hidden = scene.hidden_of.of(*segment);
            let seen = order.map(|order| order.seen(scene.schema, (scene.members, members), hidden));
            changes.is_ranked(*segment, scene.values) && seen.is_none_or(|seen| seen.len() == 0)
        };
        let gone: Vec<_> = left.chain(altered.iter().copied()).chain(hidden).filter(is_gone).collect();
        gone.into_iter().for_each(|segment| changes.forget(segment, scene.values));
    }

    /// Makes the ranking that was prepared the present one. If it is not complete, all segments are sorted, which is faster than to
    /// complete it. Segments that have no last change any more get their first one, in the order of their names.
    pub(super) fn take_ranking(
        &mut self,
        next: NextRanking,
        altered: &[SegmentId],
        view: &View,
        scene: &mut Scene,
    ) {
        let NextRanking { ranking, cursor, .. } = next;
        if cursor.is_some() {
            scene.garbage.extend(ranking.is_tree().then_some(Garbage::Ranking(ranking)));
            return self.rank_all(view, scene);
        }
        let spare = self.spare_segment(scene);
        self.spare_segment = Some(std::mem::replace(&mut self.segment_leaf, spare));
        self.ranking = ranking;
        let Some(changes) = &self.changes else { return };
        let has_none = |segment: &SegmentId| {
            self.orders.get(*segment).is_some() && !changes.is_ranked(*segment, scene.values)
        };
        let mut new: Vec<_> = altered.iter().copied().filter(has_none).collect();
        new.sort_unstable_by(|one, other| scene.values.name(*one).cmp(scene.values.name(*other)));
        for segment in new {
            let seen = self.seen(segment, scene.schema, scene.members, scene.hidden_of);
            let best = seen.and_then(|seen| seen.walk(0).next().map(|(_, best)| best));
            let place = best.and_then(|best| view.find(best, scene.members));
            let keyed = (segment, self.key(segment, scene));
            place.into_iter().for_each(|place| self.rank(keyed, place.key.moment, view, scene));
        }
    }

    /// Returns the column of the segments' leaves in a ranking that is being prepared.
    fn spare_segment(&mut self, scene: &mut Scene) -> Column {
        *self.spare_segment.get_or_insert_with(|| scene.values.names.add_leaf_column())
    }
}

/// Returns the segments of one ascending list that are not in another one.
fn without(
    all: impl Iterator<Item = SegmentId>,
    others: impl Iterator<Item = SegmentId>,
) -> impl Iterator<Item = SegmentId> {
    let mut others = others.peekable();
    all.filter(move |segment| {
        while others.next_if(|other| other < segment).is_some() {}
        others.next_if_eq(segment).is_none()
    })
}
