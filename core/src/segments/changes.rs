//! The last change of each segment in a view: now, and at the end of each kept period. Segments with equal numbers are
//! ranked by their last changes.
//!
//! Only the present changes are stored for all segments. When a segment changes for the first time after a period has
//! ended, the change that it had before is stored with this period. So a boundary costs nothing, and an ended period takes
//! memory for the segments that have changed since.

use std::collections::VecDeque;

use super::SegmentId;
use super::values::Values;
use crate::members::Column;
use crate::secret::{HashMap, HashSet};
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::time::Millis;

/// The last change of a segment in a view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Change {
    /// The number of the change, from 1. A later change has a greater number. 0 means that the segment has not changed.
    pub number: u64,
    /// The moment of the change.
    pub moment: Millis,
}

/// The range of the numbers of changes of a period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangeRange {
    /// A segment is ranked in the period if the number of its last change is greater than this.
    pub floor: u64,
    /// The number of the last change.
    pub last: u64,
}

impl ChangeRange {
    /// Returns whether a segment with this last change was ranked at the end of the period.
    pub const fn has(self, change: Change) -> bool {
        self.floor < change.number && change.number <= self.last
    }
}

/// The changes before the end of a period.
#[derive(Debug, Clone)]
pub struct EndedChanges {
    /// The start of the period, or of the first of several periods without a write.
    pub start: i64,
    pub range: ChangeRange,
    /// The last changes of the segments that have changed since. If a segment has changed only after the next period
    /// of the list, its change is stored there.
    pub old: Sorted<SegmentId, Change>,
}

/// The periods of a view whose changes are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needed {
    /// The start of the oldest kept period.
    pub oldest: i64,
    /// The start of the oldest period whose points count in it.
    pub counting: i64,
}

impl Needed {
    /// No period that has ended can be read. A clock that is put back can still make one the present period again. Then equal
    /// segments are ranked by their present changes, as far as they had members.
    pub const NONE: Self = Self { oldest: i64::MAX, counting: i64::MAX };
}

/// The changes of the segments of one dimension in one view.
#[derive(Debug, Clone)]
pub struct Changes {
    /// The columns of the numbers and of the moments, which belong to the names of the segments.
    columns: [Column; 2],
    range: ChangeRange,
    /// The kept periods that have ended, oldest first.
    ended: VecDeque<EndedChanges>,
}

impl Changes {
    pub fn new(values: &mut Values) -> Self {
        let columns = [values.names.add_sequence_column(), values.names.add_sequence_column()];
        Self { columns, range: ChangeRange::default(), ended: VecDeque::new() }
    }

    /// Returns the last change of a segment.
    pub fn get(&self, segment: SegmentId, values: &Values) -> Change {
        let [number, moment] = self.columns.map(|column| values.names.sequence(segment, column));
        Change { number, moment }
    }

    pub const fn ended(&self) -> &VecDeque<EndedChanges> {
        &self.ended
    }

    /// Returns whether a segment is ranked in the present period.
    pub fn is_ranked(&self, segment: SegmentId, values: &Values) -> bool {
        self.range.has(self.get(segment, values))
    }

    /// Returns the segments that are ranked in the present period.
    pub fn ranked(&self, values: &Values) -> impl Iterator<Item = SegmentId> {
        values.names.ids().filter(|segment| self.is_ranked(*segment, values))
    }

    /// Notes that a segment changes at a moment.
    pub fn note(&mut self, segment: SegmentId, moment: Millis, values: &mut Values) {
        self.range.last = self.range.last.saturating_add(1);
        self.replace(segment, Change { number: self.range.last, moment }, values);
    }

    /// Notes that a segment is not ranked any more.
    pub fn forget(&mut self, segment: SegmentId, values: &mut Values) {
        self.replace(segment, Change::default(), values);
    }

    /// Forgets a segment to which nothing refers. Nobody was in it at the end of a kept period, so its change is not stored
    /// with one.
    pub fn drop_segment(&self, segment: SegmentId, values: &mut Values) {
        self.set(segment, Change::default(), values);
    }

    /// Notes that no segment is ranked any more.
    pub const fn forget_all(&mut self) {
        self.range.floor = self.range.last;
    }

    /// Stores a change. The change before it is stored with the last ended period, if a period that is stored needs it.
    fn replace(&mut self, segment: SegmentId, change: Change, values: &mut Values) {
        let (before, floor) = (self.get(segment, values), self.floor());
        if let Some(ended) = self.ended.back_mut()
            && floor < before.number
            && before.number <= ended.range.last
            && values.is_used(segment)
            && ended.old.get(segment).is_none()
        {
            ended.old.insert(segment, before);
            values.hold(segment);
        }
        self.set(segment, change, values);
    }

    fn set(&self, segment: SegmentId, change: Change, values: &mut Values) {
        let [number, moment] = self.columns;
        values.names.set_sequence(segment, number, change.number);
        values.names.set_sequence(segment, moment, change.moment);
    }

    /// Notes that a period ends.
    pub fn end(&mut self, start: i64) {
        self.ended.push_back(EndedChanges { start, range: self.range, old: Sorted::default() });
    }

    /// Adds an ended period that was saved. Returns false if it is not later than the last one.
    pub fn load(
        &mut self,
        start: i64,
        range: ChangeRange,
        old: &[(SegmentId, Change)],
        values: &mut Values,
    ) -> bool {
        let last = self.ended.back();
        let is_same = last.is_some_and(|last| (last.start, last.range) == (start, range));
        let follows = |last: &EndedChanges| last.start < start && last.range.last <= range.last;
        if !is_same && !last.is_none_or(follows) {
            return false;
        }
        if !is_same {
            self.ended.push_back(EndedChanges { start, range, old: Sorted::default() });
        }
        let Some(ended) = self.ended.back_mut() else { return false };
        for (segment, change) in old {
            if ended.old.insert(*segment, *change).is_some() {
                return false;
            }
            values.hold(*segment);
        }
        true
    }

    /// Sets the present changes of a saved board.
    pub fn load_present(&mut self, range: ChangeRange, changes: &[(SegmentId, Change)], values: &mut Values) {
        self.range = range;
        changes.iter().for_each(|(segment, change)| self.set(*segment, *change, values));
    }

    /// Returns whether changes that were loaded are as they are saved: each has a number of its own, from 1 without a gap,
    /// and no period ends with an earlier change than the one before it.
    pub fn are_sound(&self, values: &Values) -> bool {
        let present = values.names.ids().map(|segment| self.get(segment, values).number);
        let old = self.ended.iter().flat_map(|ended| ended.old.iter().map(|(_, change)| change.number));
        let mut numbers: Vec<_> = present.filter(|number| *number > 0).chain(old).collect();
        numbers.sort_unstable();
        let ranges = || self.ended.iter().map(|ended| ended.range).chain([self.range]);
        self.floor() == 0
            && numbers.iter().copied().eq(1..=numbers.len() as u64)
            && ranges().all(|range| range.floor <= range.last && range.last <= numbers.len() as u64)
            && ranges().is_sorted_by_key(|range| range.last)
    }

    /// Restores the changes of an earlier period, which becomes the present one again. If nothing was written in it, these are
    /// the changes of the last period before it with a write.
    pub fn go_back(&mut self, start: i64, values: &mut Values) {
        let mut is_found = false;
        while self.ended.back().is_some_and(|ended| ended.start >= start) {
            if let Some(ended) = self.ended.pop_back() {
                is_found = ended.start == start;
                self.restore(ended.range, ended.old, values);
            }
        }
        if !is_found {
            self.undo(values);
        }
    }

    /// Undoes all changes since the end of the last period that is stored. Returns the segments with members that have other last changes now.
    pub fn undo(&mut self, values: &mut Values) -> Vec<SegmentId> {
        let Some(ended) = self.ended.back_mut() else { return Vec::new() };
        let (range, old) = (ended.range, std::mem::take(&mut ended.old));
        self.restore(range, old, values)
    }

    fn restore(
        &mut self,
        range: ChangeRange,
        old: Sorted<SegmentId, Change>,
        values: &mut Values,
    ) -> Vec<SegmentId> {
        self.range = range;
        let mut altered = Vec::new();
        for (segment, change) in old.iter() {
            self.set(segment, *change, values);
            // A segment without members may be dropped now.
            altered.extend(values.has_members(segment).then_some(segment));
            values.release(segment);
        }
        // A segment that was new since then has no older change.
        let is_new = |segment: &SegmentId| self.get(*segment, values).number > range.last;
        let new: Vec<_> = values.names.ids().filter(is_new).collect();
        new.iter().for_each(|segment| self.set(*segment, Change::default(), values));
        altered.extend(new);
        altered
    }

    /// Returns the number of the last change before the oldest period that is stored. A segment with an older change is ranked in
    /// none of these periods.
    pub fn floor(&self) -> u64 {
        self.ended.front().map_or(self.range, |first| first.range).floor
    }

    /// Returns the last changes that some segments had at the end of a period, as far as they were ranked in it.
    pub fn at(&self, start: i64, segments: &[SegmentId], values: &Values) -> HashMap<SegmentId, Change> {
        let after = self.ended.partition_point(|ended| ended.start <= start);
        let Some(range) = after.checked_sub(1).and_then(|at| Some(self.ended.get(at)?.range)) else {
            return HashMap::default();
        };
        let mut found: HashMap<SegmentId, Change> = HashMap::default();
        let mut left: HashSet<SegmentId> = segments.iter().copied().collect();
        for ended in self.ended.iter().skip(after.saturating_sub(1)) {
            if ended.old.len() < left.len() {
                let own = ended.old.iter().filter(|(segment, _)| left.remove(segment));
                found.extend(own.map(|(segment, change)| (segment, *change)));
            } else {
                left.retain(|segment| match ended.old.get(*segment) {
                    Some(change) => found.insert(*segment, *change).is_some(),
                    None => true,
                });
            }
        }
        found.extend(left.into_iter().map(|segment| (segment, self.get(segment, values))));
        found.retain(|_, change| range.has(*change));
        found
    }

    /// Returns the changes at the last write: their numbers, the changes that were undone to get there, and how many of the ended
    /// periods had ended. `is_reversible` tells whether the view has gone on since then.
    pub fn written(&self, is_reversible: bool) -> (ChangeRange, Option<&Sorted<SegmentId, Change>>, usize) {
        match self.ended.back().filter(|_| is_reversible) {
            Some(last) => (last.range, Some(&last.old), self.ended.len().saturating_sub(1)),
            None => (self.range, None, self.ended.len()),
        }
    }

    /// Forgets the changes of periods that no kept period needs. The oldest kept period may be one of several periods without a
    /// write, which has the changes of the last period before it with a write, if points of that period count in it.
    pub fn prune(&mut self, Needed { oldest, counting }: Needed, values: &mut Values) {
        let is_gone = |ended: &VecDeque<EndedChanges>| {
            ended.front().is_some_and(|first| first.start < counting)
                || ended.get(1).is_some_and(|next| next.start <= oldest)
        };
        while is_gone(&self.ended) {
            let first = self.ended.pop_front();
            first.iter().flat_map(|first| first.old.keys()).for_each(|segment| values.release(segment));
        }
    }

    /// Forgets all changes, before they are dropped.
    pub fn clear(&mut self, values: &mut Values) {
        for ended in std::mem::take(&mut self.ended) {
            ended.old.keys().for_each(|segment| values.release(segment));
        }
        self.columns.into_iter().for_each(|column| _ = values.names.release(column));
    }

    /// Returns the number of bytes on the heap, without the columns.
    pub fn memory(&self) -> usize {
        let old = self.ended.iter().map(|ended| ended.old.memory());
        old.fold(bytes_of::<EndedChanges>(self.ended.capacity()), usize::saturating_add)
    }

    pub fn effort(&self) -> usize {
        self.ended.iter().map(|ended| ended.old.allocations()).fold(1, usize::saturating_add)
    }
}
