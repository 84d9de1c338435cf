//! What time alone makes of a rolling view: points expire, and nobody writes.
//!
//! The order of such a period follows from the last one in which somebody wrote, its *base*: whoever
//! has points that expired has another score or is gone, all others stand as they did. So a clock that
//! goes on over a thousand periods works nothing out but the current order. The others are worked out
//! when somebody reads them, and until then cost nothing but the points they follow from, which stay.
//!
//! A write behind the base changes none of that: points that it changes are remembered as they were
//! ([`History`]), so an order of an ended period comes out the same whenever it is asked for.

use std::collections::VecDeque;

use super::period::{Periods, clamped};
use super::span::{Span, signed};
use super::turn::Entries;
use super::{View, key_of};
use crate::bucket::{Bucket, Points};
use crate::index::{Index, Key, MemberId};
use crate::schema::{Aggregate, Schema};
use crate::score::Score;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::time::Millis;

/// So many remembered numbers are not worth a sweep.
const FEW: usize = 64;

/// What orders of ended periods follow from that no longer is as it was.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// Points that count no more, by the start of their period, oldest first.
    pub(super) buckets: VecDeque<(i64, Bucket)>,
    /// Points that late writes have changed: those of a member in a period, by both and by the start of
    /// the period until which they were so.
    pub(super) points: Sorted<(i64, MemberId, i64), Option<Points>>,
    /// Numbers of last writes that later ones have replaced, by member and the same start.
    sequences: Sorted<(MemberId, i64), u64>,
    /// How many of those there were when they were last swept.
    swept: usize,
    /// The starts of the oldest and the newest period whose points are needed.
    pub(super) reach: (i64, i64),
}

impl History {
    /// Whether points of a period are needed, by its start.
    pub(super) const fn needs(&self, start: i64) -> bool {
        self.reach.0 <= start && start <= self.reach.1
    }

    pub(super) fn keep(&mut self, start: i64, bucket: Bucket) {
        let at = self.buckets.partition_point(|(other, _)| *other < start);
        self.buckets.insert(at, (start, bucket));
    }

    /// Notes that a period's points change for a member, in the period that starts `now`.
    pub(super) fn note_points(&mut self, (start, id): (i64, MemberId), now: i64, old: Option<Points>) {
        // One that has changed since the newest base is remembered already.
        if self.needs(start) && self.points_at((start, id), self.reach.1).is_none() {
            self.points.insert((start, id, now), old);
        }
    }

    /// Notes that the number of a member's last write changes.
    pub(super) fn note_sequence(&mut self, id: MemberId, now: i64, old: u64) {
        if self.sequence_at(id, self.reach.1).is_none() {
            self.sequences.insert((id, now), old);
        }
    }

    /// Forgets numbers that were replaced before the oldest base, once half of all may be such.
    pub(super) fn sweep(&mut self) {
        if self.sequences.len() < self.swept.saturating_mul(2).saturating_add(FEW) {
            return;
        }
        let mut kept = Sorted::default();
        for ((id, until), sequence) in self.sequences.iter().filter(|((_, until), _)| *until > self.reach.0) {
            kept.insert((id, until), *sequence);
        }
        (self.swept, self.sequences) = (kept.len(), kept);
    }

    /// A member's points in a period as they were at the end of another one, if they have changed since.
    fn points_at(&self, (start, id): (i64, MemberId), ended: i64) -> Option<Option<Points>> {
        let mut later = self.points.range_from((start, id, ended.saturating_add(1)));
        later.next().filter(|(key, _)| (key.0, key.1) == (start, id)).map(|(_, points)| *points)
    }

    /// The number of a member's last write then, if there is a later one.
    fn sequence_at(&self, id: MemberId, ended: i64) -> Option<u64> {
        let mut later = self.sequences.range_from((id, ended.saturating_add(1)));
        later.next().filter(|(key, _)| key.0 == id).map(|(_, sequence)| *sequence)
    }

    /// Who has had other points in a period.
    fn changed(&self, start: i64) -> impl Iterator<Item = MemberId> + '_ {
        let all = self.points.range_from((start, MemberId::MIN, i64::MIN));
        all.map(|(key, _)| key).take_while(move |key| key.0 == start).map(|key| key.1)
    }

    pub(super) fn remove(&mut self, id: MemberId, starts: impl Iterator<Item = i64>) {
        let own = self.sequences.range_from((id, i64::MIN)).map(|(key, _)| key);
        let own: Vec<_> = own.take_while(|key| key.0 == id).collect();
        own.into_iter().for_each(|key| _ = self.sequences.remove(key));
        let faded: Vec<_> = self.buckets.iter().map(|(start, _)| *start).collect();
        for start in faded.into_iter().chain(starts) {
            let own = self.points.range_from((start, id, i64::MIN)).map(|(key, _)| key);
            let own: Vec<_> = own.take_while(|key| (key.0, key.1) == (start, id)).collect();
            own.into_iter().for_each(|key| _ = self.points.remove(key));
        }
        for (_, bucket) in &mut self.buckets {
            bucket.remove(id);
        }
    }

    pub(super) fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        self.points.rekey(|(start, id, until)| (start, renumbered(id), until));
        self.sequences.rekey(|(id, until)| (renumbered(id), until));
    }

    /// The points that are to be freed.
    pub(crate) fn into_buckets(self) -> impl Iterator<Item = Bucket> {
        self.buckets.into_iter().map(|(_, bucket)| bucket)
    }

    /// Bytes, its own struct included.
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
        self.buckets.iter().map(|(_, bucket)| bucket.effort()).fold(lists, usize::saturating_add)
    }
}

/// The points of a view as they were when a period ended.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    periods: &'a Periods,
    schema: &'a Schema,
    /// Since when points counted in that period.
    from: i64,
    /// The start of the period.
    ended: i64,
}

impl<'a> Rows<'a> {
    pub(super) const fn new(periods: &'a Periods, schema: &'a Schema, from: i64, ended: i64) -> Self {
        Self { periods, schema, from, ended }
    }

    /// The periods that counted, oldest first.
    fn buckets(self) -> impl Iterator<Item = (i64, &'a Bucket)> + Clone {
        let faded = self.periods.history.iter().flat_map(|faded| &faded.buckets);
        let all = faded.chain(&self.periods.buckets).map(|(start, bucket)| (*start, bucket));
        all.filter(move |(start, _)| self.from <= *start && *start <= self.ended)
    }

    fn get(self, (start, bucket): (i64, &Bucket), id: MemberId) -> Option<Points> {
        let faded = self.periods.history.as_ref();
        let old = faded.and_then(|faded| faded.points_at((start, id), self.ended));
        old.unwrap_or_else(|| bucket.get(id))
    }

    /// Who has other points in a period now.
    fn changed(self, start: i64) -> impl Iterator<Item = MemberId> + 'a {
        self.periods.history.iter().flat_map(move |faded| faded.changed(start))
    }

    /// Tells the points that members have in a period, who come by ascending id, by their place among
    /// them. Whichever of the two lists is the shorter one is gone through.
    fn join(self, bucket: (i64, &Bucket), ids: &[MemberId], mut tell: impl FnMut(usize, Points)) {
        if ids.len() <= bucket.1.len() / 8 || self.changed(bucket.0).next().is_some() {
            for (at, id) in ids.iter().enumerate() {
                if let Some(points) = self.get(bucket, *id) {
                    tell(at, points);
                }
            }
            return;
        }
        let mut from = 0;
        for (id, points) in bucket.1.iter() {
            let rest = ids.get(from..).unwrap_or_default();
            from = from.saturating_add(rest.partition_point(|other| *other < id));
            if ids.get(from) == Some(&id) {
                tell(from, points);
            }
        }
    }

    /// Who has points that no longer count in a later period, by ascending id.
    pub(super) fn expiring(self, later: &Span) -> Vec<MemberId> {
        self.members(|start| start < later.from)
    }

    /// How many members, at the most, those are.
    pub(super) fn count_expiring(self, later: &Span) -> usize {
        self.count(|start| start < later.from)
    }

    /// Who has points that still count in a later period, by ascending id.
    pub(super) fn staying(self, later: &Span) -> Vec<MemberId> {
        self.members(|start| start >= later.from)
    }

    /// How many members, at the most, those are.
    pub(super) fn count_left(self, later: &Span) -> usize {
        self.count(|start| start >= later.from)
    }

    /// Whether a member has points that still count in a later period.
    pub(super) fn has_left(self, id: MemberId, later: &Span) -> bool {
        self.buckets().any(|bucket| bucket.0 >= later.from && self.get(bucket, id).is_some())
    }

    fn members(self, wanted: impl Fn(i64) -> bool) -> Vec<MemberId> {
        let buckets = self.buckets().filter(|(start, _)| wanted(*start));
        let mut ids: Vec<_> = buckets
            .flat_map(|(start, bucket)| bucket.iter().map(|(id, _)| id).chain(self.changed(start)))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn count(self, wanted: impl Fn(i64) -> bool) -> usize {
        let buckets = self.buckets().filter(|(start, _)| wanted(*start));
        buckets.map(|(_, bucket)| bucket.len()).fold(0, usize::saturating_add)
    }

    /// What is left of entries in a later period, of members by ascending id.
    pub(super) fn left(self, entries: &[(MemberId, Key)], later: &Span) -> Vec<Option<Key>> {
        let ids: Vec<_> = entries.iter().map(|(id, _)| *id).collect();
        let mut expired = vec![0_i128; entries.len()];
        if self.schema.aggregate == Aggregate::Sum {
            for bucket in self.buckets().filter(|(start, _)| *start < later.from) {
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
        let left = entries.iter().zip(expired).map(|((_, key), expired)| {
            let rest = if sure(*key) { None } else { Some(rest.next()??) };
            self.key_of(*key, expired, rest)
        });
        left.collect()
    }

    /// Whether an entry stays, and what it becomes follows from what expired.
    fn is_sure(self, key: Key, later: &Span) -> bool {
        let score = self.schema.score(key.rank_key);
        // A sum at the end of the range may have been cut off.
        let is_cut = self.schema.aggregate == Aggregate::Sum && (score == Score::MAX || score == Score::MIN);
        signed(key.moment) >= later.from && self.schema.aggregate != Aggregate::Last && !is_cut
    }

    /// What members have in the periods that still count: their sum and their best.
    fn rest(self, ids: &[MemberId], later: &Span) -> Vec<Option<Rest>> {
        let mut all: Vec<Option<Rest>> = vec![None; ids.len()];
        if ids.is_empty() {
            return all;
        }
        for bucket in self.buckets().filter(|(start, _)| *start >= later.from) {
            self.join(bucket, ids, |at, points| {
                if let Some(rest) = all.get_mut(at) {
                    *rest = Some(Rest::with(*rest, points, self.schema.aggregate));
                }
            });
        }
        all
    }

    fn key_of(self, key: Key, expired: i128, rest: Option<Rest>) -> Option<Key> {
        let score = self.schema.score(key.rank_key);
        match (self.schema.aggregate, rest) {
            (Aggregate::Sum, Some(rest)) if score == Score::MAX || score == Score::MIN => {
                Some(key_of(self.schema, clamped(rest.sum), key.moment))
            }
            (Aggregate::Sum, _) => {
                let units = i128::from(score.units()).saturating_sub(expired);
                Some(key_of(self.schema, clamped(units), key.moment))
            }
            (Aggregate::Max | Aggregate::Min, Some(rest)) => {
                Some(key_of(self.schema, Score::from_units(rest.best.units)?, rest.best.moment))
            }
            _ => Some(key),
        }
    }

    /// The number of the write that gave a member its key in the period.
    pub(super) fn sequence(
        self,
        view: &View,
        members: &crate::members::Members,
        id: MemberId,
        moment: Millis,
    ) -> Option<u64> {
        let Some(column) = view.sequence() else {
            let (start, bucket) = self.buckets().take_while(|(start, _)| *start <= signed(moment)).last()?;
            let points = self.get((start, bucket), id).filter(|points| points.moment == moment)?;
            return Some(points.sequence);
        };
        let anchor = self.periods.boundary.anchor().filter(|anchor| anchor.span.period.start == self.ended);
        let begun = anchor.and_then(|anchor| anchor.sequences.get(id).copied());
        let faded = self.periods.history.as_ref();
        let old = begun.or_else(|| faded?.sequence_at(id, self.ended));
        Some(old.unwrap_or_else(|| members.sequence(id, column)))
    }

    /// The starts of the periods from which on members are gone, each with its member's number: for
    /// counts of many periods at once. Oldest first.
    pub(super) fn newest(self) -> Vec<i64> {
        let mut newest: std::collections::HashMap<MemberId, i64> = std::collections::HashMap::new();
        for (start, bucket) in self.buckets() {
            let changed = self.changed(start).collect::<Vec<_>>();
            for id in bucket.iter().map(|(id, _)| id).chain(changed) {
                if self.get((start, bucket), id).is_some() {
                    newest.insert(id, start);
                }
            }
        }
        let mut starts: Vec<_> = newest.into_values().collect();
        starts.sort_unstable();
        starts
    }
}

/// What a member has in the periods that still count.
#[derive(Debug, Clone, Copy)]
struct Rest {
    sum: i128,
    best: Points,
}

impl Rest {
    fn with(rest: Option<Self>, points: Points, aggregate: Aggregate) -> Self {
        let Some(rest) = rest else { return Self { sum: points.units.into(), best: points } };
        let is_better = match aggregate {
            Aggregate::Min => points.units < rest.best.units,
            _ => points.units > rest.best.units,
        };
        let best = if is_better { points } else { rest.best };
        Self { sum: rest.sum.saturating_add(points.units.into()), best }
    }
}

/// A set of members: a bit for each number, which are places in one memory.
struct Ids(Vec<u64>);

impl Ids {
    fn of(ids: &[MemberId]) -> Self {
        let words = ids.iter().max().map_or(0, |most| (*most as usize / 64).saturating_add(1));
        let mut set = vec![0; words];
        for id in ids {
            if let Some(word) = set.get_mut(*id as usize / 64) {
                *word |= 1 << (id % 64);
            }
        }
        Self(set)
    }

    fn contains(&self, id: MemberId) -> bool {
        self.0.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }
}

/// The entries of an index in a later period, given what is left of those whose points expire. The
/// result is in order: the others are so already.
pub(super) fn merged(
    base: &Index,
    rows: Rows,
    later: &Span,
    compare: impl Fn(&(Key, MemberId), &(Key, MemberId)) -> std::cmp::Ordering,
) -> Entries {
    let expiring = Ids::of(&rows.expiring(later));
    let (mut same, mut touched) = (Entries::new(), Vec::new());
    for (key, id) in base.iter_from(0) {
        if expiring.contains(id) {
            touched.push((id, key));
        } else {
            same.push((key, id));
        }
    }
    touched.sort_unstable_by_key(|(id, _)| *id);
    let left = rows.left(&touched, later);
    let mut changed: Entries =
        touched.iter().zip(left).filter_map(|((id, _), key)| Some((key?, *id))).collect();
    changed.sort_unstable_by(&compare);
    let mut all = Entries::with_capacity(same.len().saturating_add(changed.len()));
    let (mut same, mut changed) = (same.into_iter().peekable(), changed.into_iter().peekable());
    while let (Some(a), Some(b)) = (same.peek(), changed.peek()) {
        let next = if compare(a, b).is_le() { same.next() } else { changed.next() };
        all.extend(next);
    }
    all.extend(same.chain(changed));
    all
}
