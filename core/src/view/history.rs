//! The data from which a view derives orders of ended periods ([`super::ended`]). A later write may change points
//! of their *base*. The old points and numbers of writes are stored here, so that a derived order is the same at
//! every later read.

use std::collections::VecDeque;

use super::Garbage;
use super::periods::bucket_of;
use crate::bucket::{Bucket, Points};
use crate::effort;
use crate::index::MemberId;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;

/// With fewer numbers than this, no numbers are swept.
const FEW: usize = 64;

/// A change of points: the start of the points' period, the member, and the start of the period in which the points
/// changed.
pub(crate) type ChangeOf = (i64, MemberId, i64);

/// A change, and the points before the change, if there were any.
pub(crate) type Changed = (ChangeOf, Option<Points>);

/// Old points and old numbers of writes.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// Points that no longer count, by the start of their period, oldest first.
    pub(crate) buckets: VecDeque<(i64, Bucket)>,
    /// For each change of points: the points before the change.
    points: Sorted<ChangeOf, Option<Points>>,
    /// For each change of the number of a member's last write: the number before the change. The key is the member,
    /// and the start of the period in which the number changed.
    sequences: Sorted<(MemberId, i64), u64>,
    /// How many numbers were left after the last sweep.
    swept: usize,
    /// The starts of the oldest and the newest period whose points are needed.
    pub(super) needed: (i64, i64),
}

impl History {
    /// Returns whether points of the period with this start are needed.
    pub(crate) const fn needs(&self, start: i64) -> bool {
        self.needed.0 <= start && start <= self.needed.1
    }

    /// Stores a member's points in a period before they change. `now` is the start of the period in which they
    /// change.
    pub(super) fn note_points(&mut self, (start, id): (i64, MemberId), now: i64, old: Option<Points>) {
        // If the points have already changed since the newest base, the points before that change are already
        // stored, and only these are needed.
        if self.points_at((start, id), self.needed.1).is_none() {
            self.points.insert((start, id, now), old);
        }
    }

    /// Stores the number of a member's last write before it changes.
    pub(super) fn note_sequence(&mut self, id: MemberId, now: i64, old: u64) {
        // If the clock was put back, this period may be the newest base or a period before it.
        let before = self.needed.1.min(now.saturating_sub(1));
        if self.sequence_at(id, before).is_none() {
            self.sequences.insert((id, now), old);
        }
    }

    /// Stores the number of a member's last write in an ended period. `ended` is the start of that period.
    pub(super) fn restore_sequence(&mut self, id: MemberId, ended: i64, number: u64) {
        self.sequences.insert((id, ended.saturating_add(1)), number);
    }

    /// Returns the changes of points.
    pub(crate) fn changed_points(&self) -> impl Iterator<Item = Changed> {
        self.points.iter().map(|(key, points)| (key, *points))
    }

    /// Returns whether a member's points in an ended period are stored.
    pub(crate) fn has_points_of(&self, (start, id, ended): ChangeOf) -> bool {
        self.points.get((start, id, ended.saturating_add(1))).is_some()
    }

    /// Returns the old points of a period.
    pub(super) fn bucket(&self, start: i64) -> Option<&Bucket> {
        bucket_of(&self.buckets, start)
    }

    /// Stores the points of a period. If points of this period are stored already, because the clock was put back
    /// and the period counted again, the older points are kept.
    pub(super) fn keep_bucket(&mut self, start: i64, bucket: Bucket) {
        match self.buckets.binary_search_by_key(&start, |(start, _)| *start) {
            Err(at) => self.buckets.insert(at, (start, bucket)),
            Ok(at) => {
                let Some((_, kept)) = self.buckets.get_mut(at) else { return };
                for (id, points) in bucket.iter() {
                    if !kept.contains(id) {
                        kept.set(id, points);
                    }
                }
            }
        }
    }

    /// Stores points of members that have no points in the period yet.
    pub(crate) fn add_points(&mut self, start: i64, mut points: Vec<(MemberId, Points)>) {
        points.sort_unstable_by_key(|(id, _)| *id);
        self.keep_bucket(start, Bucket::of(&points));
    }

    /// After a load, stores points of a period as they were in an ended period. `ended` is the start of the ended
    /// period.
    pub(crate) fn restore_points(&mut self, (start, id, ended): ChangeOf, points: Option<Points>) {
        self.points.insert((start, id, ended.saturating_add(1)), points);
    }

    /// Moves changes of later periods to the period that starts at `now`, since the clock was put back to this
    /// period.
    pub(super) fn turn_back(&mut self, now: i64) {
        let later: Vec<_> = self.sequences.iter().filter(|((_, until), _)| *until > now).collect();
        let later: Vec<_> = later.into_iter().map(|(key, sequence)| (key, *sequence)).collect();
        for ((id, until), sequence) in later {
            self.sequences.remove((id, until));
            if self.sequences.get((id, now)).is_none() {
                self.sequences.insert((id, now), sequence);
            }
        }
    }

    /// Returns a member's points in a period at the time when another period ended; `None` if they have not changed
    /// since then.
    pub(super) fn points_at(&self, (start, id): (i64, MemberId), ended: i64) -> Option<Option<Points>> {
        let mut later = self.points.range_from((start, id, ended.saturating_add(1)));
        later.next().filter(|(key, _)| (key.0, key.1) == (start, id)).map(|(_, points)| *points)
    }

    /// Returns the number of a member's last write when a period ended; `None` if the number has not changed since
    /// then.
    pub(super) fn sequence_at(&self, id: MemberId, ended: i64) -> Option<u64> {
        let mut later = self.sequences.range_from((id, ended.saturating_add(1)));
        later.next().filter(|(key, _)| key.0 == id).map(|(_, sequence)| *sequence)
    }

    /// Returns the members whose points in a period have changed.
    pub(super) fn changed(&self, start: i64) -> impl Iterator<Item = MemberId> + '_ {
        let all = self.points.range_from((start, MemberId::MIN, i64::MIN));
        all.map(|(key, _)| key).take_while(move |key| key.0 == start).map(|key| key.1)
    }

    /// Drops data from which no order is derived any more. Returns whether no data is needed any more.
    pub(super) fn prune(&mut self, garbage: &mut Vec<Garbage>) -> bool {
        let oldest = self.needed.0;
        while self.buckets.front().is_some_and(|(start, _)| *start < oldest) {
            garbage.extend(self.buckets.pop_front().map(|(_, bucket)| Garbage::Bucket(bucket)));
        }
        let gone: Vec<_> = self.points.keys().take_while(|(start, ..)| *start < oldest).collect();
        gone.into_iter().for_each(|key| _ = self.points.remove(key));
        self.sweep();
        self.needed.0 > self.needed.1
    }

    /// Drops numbers that changed before the oldest base, if they may be half of all numbers.
    fn sweep(&mut self) {
        if self.sequences.len() < self.swept.saturating_mul(2).saturating_add(FEW) {
            return;
        }
        let mut kept = Sorted::default();
        for (key, sequence) in self.sequences.iter().filter(|((_, until), _)| *until > self.needed.0) {
            kept.insert(key, *sequence);
        }
        (self.swept, self.sequences) = (kept.len(), kept);
    }

    /// Removes a member from this history. `starts` are the starts of the periods whose buckets are not in this
    /// history. The member's points in these periods are removed, too.
    pub(super) fn remove(&mut self, id: MemberId, starts: impl Iterator<Item = i64>) {
        let own = self.sequences.range_from((id, i64::MIN)).map(|(key, _)| key);
        let own: Vec<_> = own.take_while(|key| key.0 == id).collect();
        own.into_iter().for_each(|key| _ = self.sequences.remove(key));
        let old: Vec<_> = self.buckets.iter().map(|(start, _)| *start).collect();
        for start in old.into_iter().chain(starts) {
            let own = self.points.range_from((start, id, i64::MIN)).map(|(key, _)| key);
            let own: Vec<_> = own.take_while(|key| (key.0, key.1) == (start, id)).collect();
            own.into_iter().for_each(|key| _ = self.points.remove(key));
        }
        for (_, bucket) in &mut self.buckets {
            bucket.remove(id);
        }
    }

    /// Changes the numbers of members, except for members in buckets.
    pub(super) fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        self.points.rekey(|(start, id, until)| (start, renumbered(id), until));
        self.sequences.rekey(|(id, until)| (renumbered(id), until));
    }

    /// Returns the number of bytes, including this struct.
    pub(super) fn memory(&self) -> usize {
        let lists = [
            bytes_of::<Self>(1),
            bytes_of::<(i64, Bucket)>(self.buckets.capacity()),
            self.points.memory(),
            self.sequences.memory(),
        ];
        let buckets = self.buckets.iter().map(|(_, bucket)| bucket.memory());
        lists.into_iter().chain(buckets).fold(0, usize::saturating_add)
    }

    pub(super) fn effort(&self) -> usize {
        let lists = self.points.allocations().saturating_add(self.sequences.allocations());
        effort::sum(std::iter::once(lists).chain(self.buckets.iter().map(|(_, bucket)| bucket.effort())))
    }
}
