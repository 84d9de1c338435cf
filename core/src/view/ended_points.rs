//! The points of members at the end of a period, and the points that still count in a later span.

use std::cmp::Ordering;

use super::{Keyed, Periods, Span, clamped, is_at_end, key_of, signed};
use crate::bucket::{Bucket, Points};
use crate::index::{Index, Key, MemberId};
use crate::members::Members;
use crate::prefetch::prefetch;
use crate::schema::{Aggregate, Schema};
use crate::score::Score;
use crate::secret::HashMap;
use crate::time::Millis;

/// If the points of at most one in this number of members expire, these members are looked at one by one.
pub(super) const FEW: u64 = 4;
/// The number of members whose points are prefetched together.
pub(super) const TOGETHER: usize = 64;

/// The points of a view as they were when a period ended.
#[derive(Clone, Copy)]
pub(super) struct EndedPoints<'a> {
    periods: &'a Periods,
    schema: &'a Schema,
    /// The period that ended, and the moment from which points counted in it.
    ended: Span,
}

impl<'a> EndedPoints<'a> {
    pub(super) const fn new(periods: &'a Periods, schema: &'a Schema, ended: Span) -> Self {
        Self { periods, schema, ended }
    }

    /// Returns the buckets that counted, oldest first.
    fn buckets(self) -> impl Iterator<Item = (i64, &'a Bucket)> + Clone {
        let all = self.periods.all_buckets().map(|(start, bucket)| (*start, bucket));
        all.filter(move |(start, _)| self.ended.counts(*start))
    }

    /// Returns the buckets that no longer count in a later span.
    pub(super) fn expired(self, later: &Span) -> impl Iterator<Item = (i64, &'a Bucket)> + Clone {
        let from = later.from;
        self.buckets().filter(move |(start, _)| *start < from)
    }

    /// Returns the buckets that still count in a later span.
    pub(super) fn kept(self, later: &Span) -> impl Iterator<Item = (i64, &'a Bucket)> + Clone {
        let from = later.from;
        self.buckets().filter(move |(start, _)| *start >= from)
    }

    fn get(self, (start, bucket): (i64, &Bucket), id: MemberId) -> Option<Points> {
        let history = self.periods.history.as_ref();
        let old = history.and_then(|history| history.points_at((start, id), self.ended.period.start));
        old.unwrap_or_else(|| bucket.get(id))
    }

    /// Returns the members whose points in a period have changed since the ended period.
    fn changed(self, start: i64) -> impl Iterator<Item = MemberId> + 'a {
        self.periods.history.iter().flat_map(move |history| history.changed(start))
    }

    /// Calls `found` for each of the given members with points in a bucket, with the member's index in `ids`, and
    /// the points.
    fn join(self, bucket: (i64, &Bucket), ids: &[MemberId], mut found: impl FnMut(usize, Points)) {
        if ids.len() <= bucket.1.len() / 8 || self.changed(bucket.0).next().is_some() {
            for (at, id) in ids.iter().enumerate() {
                if let Some(points) = self.get(bucket, *id) {
                    found(at, points);
                }
            }
            return;
        }
        let mut ids = ids.iter().enumerate().peekable();
        for (id, points) in bucket.1.iter() {
            while ids.next_if(|(_, other)| **other < id).is_some() {}
            if let Some((at, _)) = ids.next_if(|(_, other)| **other == id) {
                found(at, points);
            }
        }
    }

    /// Returns whether a member has points that still count in a later span.
    pub(super) fn stays(self, id: MemberId, later: &Span) -> bool {
        self.kept(later).any(|bucket| self.get(bucket, id).is_some())
    }

    /// Returns the members that had points in these buckets, by ascending id.
    pub(super) fn members(self, buckets: impl Iterator<Item = (i64, &'a Bucket)>) -> Vec<MemberId> {
        let mut ids: Vec<_> = self.all_members(buckets).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Returns the members that had points in these buckets, bucket by bucket.
    fn all_members(self, buckets: impl Iterator<Item = (i64, &'a Bucket)>) -> impl Iterator<Item = MemberId> {
        buckets.flat_map(move |(start, bucket)| bucket.iter().map(|(id, _)| id).chain(self.changed(start)))
    }

    /// Returns the keys of members' entries in a later span; `None` for a member without an entry in that span. The
    /// members must be in ascending order of their ids.
    pub(super) fn left(self, entries: &[(MemberId, Key)], later: &Span) -> Vec<(MemberId, Option<Key>)> {
        let ids: Vec<_> = entries.iter().map(|(id, _)| *id).collect();
        let mut expired = vec![0_i128; entries.len()];
        if self.schema.aggregate == Aggregate::Sum {
            for bucket in self.expired(later) {
                self.join(bucket, &ids, |at, points| {
                    if let Some(sum) = expired.get_mut(at) {
                        *sum = sum.saturating_add(i128::from(points.units));
                    }
                });
            }
        }
        let sure = |key: Key| self.is_sure(key, later);
        let unsure: Vec<_> = entries.iter().filter(|(_, key)| !sure(*key)).map(|(id, _)| *id).collect();
        let mut rest = self.rest(&unsure, later).into_iter();
        let left = entries.iter().zip(expired).map(|((id, key), expired)| match sure(*key) {
            true => (*id, self.key_of(*key, expired, None)),
            false => (*id, rest.next().flatten().and_then(|rest| self.key_of(*key, expired, Some(rest)))),
        });
        left.collect()
    }

    /// Returns the entries of an index in a later span, in order. Members whose points expire get other scores or
    /// leave. All other members keep their order, and are not sorted.
    pub(super) fn entries_after(
        self,
        index: &Index,
        later: &Span,
        members: &Members,
        compare: impl Fn(&Keyed, &Keyed) -> Ordering,
    ) -> Vec<Keyed> {
        let expiring: IdSet = self.all_members(self.expired(later)).collect();
        let sums = self.sums(index.len(), later, members);
        let (mut same, mut changed, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let (mut walk, mut some) = (index.iter_from(0), Vec::new());
        loop {
            some.clear();
            walk.read(TOGETHER, &mut some);
            if some.is_empty() {
                break;
            }
            if let Some(sums) = &sums {
                some.iter().for_each(|(_, id)| sums.prefetch(members.slot(*id)));
            }
            for (key, id) in some.iter().copied() {
                match &sums {
                    _ if !expiring.contains(id) => same.push((key, id)),
                    Some(sums) if !is_at_end(self.schema.score(key.rank_key)) => {
                        let stays = signed(key.moment) >= later.from || sums.kept.contains(id);
                        let left = || self.key_of(key, sums.expired(members.slot(id)), None);
                        changed.extend(stays.then(left).flatten().map(|key| (key, id)));
                    }
                    _ => others.push((id, key)),
                }
            }
        }
        others.sort_unstable_by_key(|(id, _)| *id);
        let left = self.left(&others, later).into_iter();
        changed.extend(left.filter_map(|(id, key)| Some((key?, id))));
        changed.sort_unstable_by(&compare);
        merge(same, changed, compare)
    }

    /// Returns the sums of the points that expire, if they decide the scores that are left, and if many points of an order of
    /// `len` members expire. They decide them on SUM boards, unless points have changed since the ended period.
    fn sums(self, len: u64, later: &Span, members: &Members) -> Option<ExpiredSums> {
        let has_changed = |(start, _): (i64, &Bucket)| self.changed(start).next().is_some();
        let is_sum = self.schema.aggregate == Aggregate::Sum;
        if !is_sum || count(self.expired(later)) <= len / FEW || self.buckets().any(has_changed) {
            return None;
        }
        let mut sums: Vec<i64> = Vec::new();
        for (_, bucket) in self.expired(later) {
            for (id, points) in bucket.iter() {
                let slot = members.slot(id);
                if sums.len() <= slot {
                    sums.resize(slot.saturating_add(1), 0);
                }
                if let Some(sum) = sums.get_mut(slot) {
                    *sum = sum.checked_add(points.units)?;
                }
            }
        }
        Some(ExpiredSums { sums, kept: self.all_members(self.kept(later)).collect() })
    }

    /// Returns whether an entry stays, and its new key depends only on the expired points.
    fn is_sure(self, key: Key, later: &Span) -> bool {
        let is_cut = self.schema.aggregate == Aggregate::Sum && is_at_end(self.schema.score(key.rank_key));
        signed(key.moment) >= later.from && self.schema.aggregate != Aggregate::Last && !is_cut
    }

    /// Returns the points of members in the periods that still count: their sum, and the best points.
    fn rest(self, ids: &[MemberId], later: &Span) -> Vec<Option<(i128, Points)>> {
        let mut all = vec![None; ids.len()];
        if ids.is_empty() {
            return all;
        }
        let better = |new: Points, old: Points| match self.schema.aggregate {
            Aggregate::Min if new.units < old.units => new,
            Aggregate::Min => old,
            _ if new.units > old.units => new,
            _ => old,
        };
        for bucket in self.kept(later) {
            self.join(bucket, ids, |at, points| {
                if let Some(rest) = all.get_mut(at) {
                    let (sum, best) = rest.map_or((0, points), |(sum, best)| (sum, better(points, best)));
                    *rest = Some((i128::saturating_add(sum, points.units.into()), best));
                }
            });
        }
        all
    }

    fn key_of(self, key: Key, expired: i128, rest: Option<(i128, Points)>) -> Option<Key> {
        let score = self.schema.score(key.rank_key);
        match (self.schema.aggregate, rest) {
            (Aggregate::Sum, Some((sum, _))) if is_at_end(score) => {
                Some(key_of(self.schema, clamped(sum), key.moment))
            }
            (Aggregate::Sum, _) => {
                let units = i128::from(score.units()).saturating_sub(expired);
                Some(key_of(self.schema, clamped(units), key.moment))
            }
            (Aggregate::Max | Aggregate::Min, Some((_, best))) => {
                Some(key_of(self.schema, Score::from_units(best.units)?, best.moment))
            }
            _ => Some(key),
        }
    }

    /// Returns the number of the write that set a member's key in the period that ended.
    pub(super) fn sequence(self, members: &Members, id: MemberId, moment: Millis) -> Option<u64> {
        if self.periods.numbers_are_with_points() {
            let (start, bucket) = self.buckets().take_while(|(start, _)| *start <= signed(moment)).last()?;
            let points = self.get((start, bucket), id).filter(|points| points.moment == moment)?;
            return Some(points.sequence);
        }
        let start = self.ended.period.start;
        // There was no write since the last period with a write, so its numbers are those of all periods after it.
        let anchor = self.periods.boundary.anchor().filter(|anchor| anchor.span.period.start <= start);
        let begun = anchor.and_then(|anchor| anchor.sequences.get(id).copied());
        let history = self.periods.history.as_ref();
        let old = begun.or_else(|| history?.sequence_at(id, start));
        old.or_else(|| Some(members.sequence(id, self.periods.contributions.column()?)))
    }

    /// Returns the newest period in which each counted member has points, by its start, oldest first.
    pub(super) fn newest(self, counts: impl Fn(MemberId) -> bool) -> Vec<i64> {
        let mut newest: HashMap<MemberId, i64> = HashMap::default();
        for (start, bucket) in self.buckets() {
            for id in bucket.iter().map(|(id, _)| id).chain(self.changed(start)) {
                if counts(id) && self.get((start, bucket), id).is_some() {
                    newest.insert(id, start);
                }
            }
        }
        let mut starts: Vec<_> = newest.into_values().collect();
        starts.sort_unstable();
        starts
    }
}

/// Returns how many points are in these buckets.
pub(super) fn count<'a>(buckets: impl Iterator<Item = (i64, &'a Bucket)>) -> u64 {
    buckets.map(|(_, bucket)| bucket.len() as u64).sum()
}

/// Merges two lists that are in order to one list that is in order.
fn merge(a: Vec<Keyed>, b: Vec<Keyed>, compare: impl Fn(&Keyed, &Keyed) -> Ordering) -> Vec<Keyed> {
    let mut all = Vec::with_capacity(a.len().saturating_add(b.len()));
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    while let (Some(first), Some(second)) = (a.peek(), b.peek()) {
        let next = if compare(first, second).is_le() { a.next() } else { b.next() };
        all.extend(next);
    }
    all.extend(a.chain(b));
    all
}

/// The sums of the points of all members that expire, by the slots of the members.
struct ExpiredSums {
    sums: Vec<i64>,
    /// The members with points that still count.
    kept: IdSet,
}

impl ExpiredSums {
    fn prefetch(&self, slot: usize) {
        self.sums.get(slot).into_iter().for_each(prefetch);
    }

    fn expired(&self, slot: usize) -> i128 {
        self.sums.get(slot).copied().unwrap_or_default().into()
    }
}

/// A set of members: a bit for each id.
pub(super) struct IdSet(Vec<u64>);

impl FromIterator<MemberId> for IdSet {
    fn from_iter<I: IntoIterator<Item = MemberId>>(ids: I) -> Self {
        let mut words: Vec<u64> = Vec::new();
        for id in ids {
            let at = id as usize / 64;
            if words.len() <= at {
                words.resize(at.saturating_add(1), 0);
            }
            if let Some(word) = words.get_mut(at) {
                *word |= 1 << (id % 64);
            }
        }
        Self(words)
    }
}

impl IdSet {
    pub(super) fn contains(&self, id: MemberId) -> bool {
        self.0.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }
}
