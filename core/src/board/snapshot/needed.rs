//! Which moves and which last changes of segments are saved: those that a reader of the present or of a kept period can see.
//!
//! A server can have kept others, too: for instance, a member was removed from an ended period, and nobody else was in its
//! segment then. Its replica may have dropped the segment, and have forgotten them. The saved bytes must not differ.

use std::cell::OnceCell;
use std::ops::Range;

use super::places::MemberPlaces;
use crate::board::Board;
use crate::board::segment_reads::end_of;
use crate::index::MemberId;
use crate::secret::{HashMap, HashSet};
use crate::segments::{Change, ChangeRange, Dimension, EndedChanges, SegmentId, ViewSegments};
use crate::time::Millis;
use crate::view::{Past, Periods, View};

/// A member's place, the moment at which it left a segment, and this segment.
pub(super) type Move = (u64, Millis, Option<SegmentId>);

/// The last changes of segments as they are saved: those of the present period if `start` is `None`, or those that are stored
/// with an ended period.
pub(super) struct SavedChanges {
    pub(super) start: Option<i64>,
    pub(super) range: ChangeRange,
    pub(super) changes: Vec<(SegmentId, Change)>,
}

/// What is saved of a dimension.
pub(super) struct Needed<'a> {
    board: &'a Board,
    dimension: &'a Dimension,
    /// Each segment with each member that is in it, or has left it. They are collected when they are needed.
    members: OnceCell<Vec<(SegmentId, MemberId)>>,
}

/// Up to this number of a segment's members are searched for in a period. If none of them is there, the whole period is walked
/// through, once for all segments.
const FEW: usize = 16;
/// Up to this number of periods are searched. In a view that carries over or decays, a change counts in all later periods: it is
/// saved if it counts in more of them.
const MOST: usize = 64;

/// An ended period that is kept, with the periods after it that have the same order.
struct Kept<'a> {
    view: &'a View,
    past: &'a Past,
    /// The ends of the first and of the last of these periods, after they were needed.
    ends: OnceCell<[Millis; 2]>,
    /// All segments that were ranked in it, after they were needed.
    segments: OnceCell<HashSet<SegmentId>>,
}

impl<'a> Needed<'a> {
    pub(super) const fn new(board: &'a Board, dimension: &'a Dimension) -> Self {
        Self { board, dimension, members: OnceCell::new() }
    }

    /// Returns the moves that a kept period needs: those of members that were in a period which had ended by then.
    pub(super) fn moves(&self, places: &MemberPlaces) -> Vec<Move> {
        let is_needed = |id, moment| {
            let mut views = self.board.views.iter();
            views
                .any(|view| view.had_ended_with(id, moment, &self.board.schema.calendar, &self.board.members))
        };
        let needed = self.dimension.moves.iter().filter(|((id, moment), _)| is_needed(*id, *moment));
        needed.filter_map(|((id, moment), old)| Some((places.find(id)?, moment, old))).collect()
    }

    /// Returns the changes of a view at the last write of the board.
    pub(super) fn changes(&self, view: &View, segments: &ViewSegments) -> Vec<SavedChanges> {
        let Some(changes) = &segments.changes else { return Vec::new() };
        let values = &self.dimension.values;
        let (range, undone, count) = changes.written(view.is_reversible());
        let ended: Vec<_> = changes.ended().iter().take(count).collect();
        let kept = kept_of(view);
        // The first of the ended periods in which the next change of a segment counts.
        let mut next: HashMap<SegmentId, usize> = HashMap::default();
        let mut all = vec![SavedChanges { start: None, range, changes: Vec::new() }];
        for (at, period) in ended.iter().enumerate() {
            let is_needed = |changed: &(SegmentId, Change)| {
                let first = next.insert(changed.0, at.saturating_add(1)).unwrap_or(0);
                self.is_needed(&kept, *changed, &ended, first..at.saturating_add(1))
            };
            let old = period.old.iter().map(|(segment, change)| (segment, *change));
            let changes = old.filter(is_needed).collect();
            all.push(SavedChanges { start: Some(period.start), range: period.range, changes });
        }
        let present = |segment| {
            let undone = undone.and_then(|undone| undone.get(segment).copied());
            (segment, undone.unwrap_or_else(|| changes.get(segment, values)))
        };
        let is_needed = |changed: &(SegmentId, Change)| {
            let first = next.get(&changed.0).copied().unwrap_or(0);
            range.has(changed.1) || self.is_needed(&kept, *changed, &ended, first..count)
        };
        if let Some(first) = all.first_mut() {
            first.changes = values.names.ids().map(present).filter(is_needed).collect();
        }
        renumber(&mut all);
        all
    }

    /// Returns whether one of these ended periods needs a change: by this change, its segment was ranked in the period.
    fn is_needed(
        &self,
        kept: &[Kept],
        (segment, change): (SegmentId, Change),
        ended: &[&EndedChanges],
        Range { start, end }: Range<usize>,
    ) -> bool {
        // The limits of the ranges ascend from period to period.
        let start = start.max(ended.partition_point(|period| period.range.last < change.number));
        let end = end.min(ended.partition_point(|period| period.range.floor < change.number));
        let Some([first, ..]) = ended.get(start..end) else { return false };
        let until = ended.get(end).map_or(i64::MAX, |next| next.start);
        let from = kept.partition_point(|kept| kept.past.last < first.start);
        let to = kept.partition_point(|kept| kept.past.period.start < until);
        if self.members_of(segment).next().is_none() {
            return false;
        }
        let mut kept = kept.get(from..to).unwrap_or_default().iter();
        kept.by_ref().take(MOST).any(|kept| self.was_ranked(kept, segment)) || kept.next().is_some()
    }

    /// Returns whether anybody was in a segment in a period. It mostly is one of the first members.
    fn was_ranked(&self, kept: &Kept, segment: SegmentId) -> bool {
        let mut members = self.members_of(segment);
        let was_in = |id: MemberId| {
            kept.past.contains(id, &self.board.members)
                && self.segments_of(kept, id).any(|other| other == segment)
        };
        let all = || kept.past.order.ids().flat_map(|id| self.segments_of(kept, id)).collect();
        members.by_ref().take(FEW).any(was_in)
            || members.next().is_some() && kept.segments.get_or_init(all).contains(&segment)
    }

    /// Returns the members that are in a segment, or have left it.
    fn members_of(&self, segment: SegmentId) -> impl Iterator<Item = MemberId> {
        let all = self.members.get_or_init(|| {
            let Self { board, dimension, .. } = self;
            let present = |id| Some((dimension.segment(id, &board.members)?, id));
            let left = dimension.moves.iter().filter_map(|((id, _), old)| Some((old?, id)));
            let mut all: Vec<_> = board.members.ids().filter_map(present).chain(left).collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        let first = all.partition_point(|(other, _)| *other < segment);
        all.iter().skip(first).take_while(move |(other, _)| *other == segment).map(|(_, id)| *id)
    }

    /// Returns the segments in which a member was at the ends of the periods that have the same order.
    fn segments_of(&self, kept: &Kept, id: MemberId) -> impl Iterator<Item = SegmentId> {
        let Self { board, .. } = self;
        let ends = || {
            [kept.past.period.start, kept.past.last]
                .map(|start| end_of(&board.schema.calendar, kept.view, start))
        };
        let [first, last] = *kept.ends.get_or_init(ends);
        let at = |moment| self.dimension.segment_before(id, moment, &self.board.members);
        let later = if first < last { at(last) } else { None };
        at(first).into_iter().chain(later).chain(self.dimension.moves.left(id, first..last))
    }
}

/// Returns the ended periods of a view that are saved, oldest first.
fn kept_of(view: &View) -> Vec<Kept<'_>> {
    let new = |past| Kept { view, past, ends: OnceCell::new(), segments: OnceCell::new() };
    let mut kept: Vec<_> = view.periods().into_iter().flat_map(Periods::written_past).map(new).collect();
    kept.reverse();
    kept
}

/// Numbers the changes from 1, in their order. A server can have used up numbers that a replica has not, because only its
/// clients have read: the saved bytes must not differ.
fn renumber(all: &mut [SavedChanges]) {
    let mut numbers: Vec<_> =
        all.iter().flat_map(|saved| &saved.changes).map(|(_, change)| change.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let count = |number: u64| numbers.partition_point(|other| *other <= number) as u64;
    for SavedChanges { range, changes, .. } in all {
        *range = ChangeRange { floor: count(range.floor), last: count(range.last) };
        changes.iter_mut().for_each(|(_, change)| change.number = count(change.number));
    }
}
