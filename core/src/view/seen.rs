//! A ranking as a reader sees it: without hidden members, and from the end that the reader has chosen.
//!
//! Hidden members are in the order itself. There are few hidden members, so their places are found by binary search
//! at each count or lookup.

use arrayvec::ArrayVec;

use super::hidden::HiddenEntry;
use super::{Point, Ranking, Spot, Walk};
use crate::index::{Key, MemberId};
use crate::schema::{Ranks, Schema};
use crate::time::Millis;

/// A ranking as a reader sees it.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    ranking: Ranking<'a>,
    /// The hidden members of the ranking, best first.
    hidden: &'a [HiddenEntry],
    /// Whether ranks are counted from the last place.
    from_last: bool,
}

/// The place of a member in a [`Seen`] ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standpoint {
    spot: Spot,
    /// How many visible members are before the member.
    pub(crate) before: u64,
    /// Whether the member is hidden.
    pub(crate) is_hidden: bool,
}

impl Standpoint {
    /// Returns the rank key of the entry's score.
    pub(crate) const fn rank_key(&self) -> u64 {
        self.spot.rank_key()
    }
}

impl<'a> Seen<'a> {
    pub(crate) const fn new(ranking: Ranking<'a>, hidden: &'a [HiddenEntry]) -> Self {
        Self { ranking, hidden, from_last: false }
    }

    /// Returns the same ranking, counted from the other end.
    pub(crate) const fn reversed(self) -> Self {
        Self { from_last: !self.from_last, ..self }
    }

    pub(crate) const fn schema(&self) -> &'a Schema {
        self.ranking.schema()
    }

    /// Returns how many members are visible.
    pub(crate) fn len(&self) -> u64 {
        self.ranking.len().saturating_sub(self.hidden.len() as u64)
    }

    /// Returns the sum of the rank keys of visible members.
    pub(crate) fn sum_of_rank_keys(&self) -> u128 {
        let hidden = self.hidden.iter().map(|(rank_key, _)| u128::from(*rank_key)).sum();
        self.ranking.sum_of_rank_keys().saturating_sub(hidden)
    }

    /// Prefetches the memory that [`find`](Self::find) reads for a member.
    pub(crate) fn prefetch(&self, id: MemberId) {
        self.ranking.prefetch(id);
    }

    /// Returns the standpoint of a member, whether it is hidden or not.
    pub(crate) fn find(&self, id: MemberId) -> Option<Standpoint> {
        let spot = self.ranking.find(id)?;
        let place = self.ranking.before(spot);
        let hidden = self.hidden_before(place);
        let is_hidden = self.hidden.get(hidden).is_some_and(|(_, other)| *other == id);
        let better = place.saturating_sub(hidden as u64);
        let before = match self.from_last {
            false => better,
            true => self.len().saturating_sub(better).saturating_sub(u64::from(!is_hidden)),
        };
        Some(Standpoint { spot, before, is_hidden })
    }

    /// Returns the visible member that has `before` visible members before it.
    pub(crate) fn select(&self, before: u64) -> Option<Standpoint> {
        let spot = self.ranking.select(self.place(before)?.0)?;
        Some(Standpoint { spot, before, is_hidden: false })
    }

    /// Returns the rank of a member, from 1.
    pub(crate) fn rank(&self, at: &Standpoint, ranks: Ranks) -> u64 {
        let ahead = match ranks {
            Ranks::Ordinal => at.before,
            Ranks::Competition => self.ahead_of(at.rank_key()),
            Ranks::Dense => self.groups_ahead(at),
        };
        ahead.saturating_add(1)
    }

    /// Returns how many visible members have a better score than this rank key.
    pub(crate) fn ahead_of(&self, rank_key: u64) -> u64 {
        match self.from_last {
            false => self.better_than(rank_key),
            true => self.len().saturating_sub(self.better_than(rank_key.saturating_add(1))),
        }
    }

    /// Returns how many visible members have a better rank key.
    pub(crate) fn better_than(&self, rank_key: u64) -> u64 {
        let hidden = self.hidden.partition_point(|(other, _)| *other < rank_key);
        self.ranking.before_rank_key(rank_key).saturating_sub(hidden as u64)
    }

    /// Returns a walk through the visible members and their rank keys, without the first `before` members.
    pub(crate) fn walk(&self, before: u64) -> SeenWalk<'a> {
        let (from_last, hidden) = (self.from_last, self.hidden);
        let Some((place, skipped)) = self.place(before) else {
            return SeenWalk::nowhere();
        };
        if from_last {
            let walk = self.ranking.walk_back(place.saturating_add(1));
            return SeenWalk { walk, place, hidden: hidden.get(..skipped).unwrap_or_default(), from_last };
        }
        let hidden = hidden.get(skipped..).unwrap_or_default();
        SeenWalk { walk: self.ranking.walk(place), place, hidden, from_last }
    }

    /// Returns the key at a standpoint, with its moment or [`Ranking`]'s substitute for an unknown moment.
    pub(crate) fn dated_key(&self, at: &Standpoint) -> Key {
        self.ranking.key_at(at.spot)
    }

    /// Returns how many visible members are before a point.
    pub(crate) fn before_point(&self, point: Point) -> u64 {
        let better = |point| {
            let place = self.ranking.before_point(point);
            place.saturating_sub(self.hidden_before(place) as u64)
        };
        match self.from_last {
            false => better(point),
            true => self.len().saturating_sub(better(Point { is_behind: !point.is_behind, ..point })),
        }
    }

    /// Returns the visible members of a current order, best first: rank key, member and moment. `None` for ended
    /// periods.
    pub(crate) fn dated(&self) -> Option<impl Iterator<Item = (u64, MemberId, Millis)> + 'a> {
        let mut hidden = self.hidden;
        let dated = self.ranking.dated()?.filter(move |(_, id)| is_seen(&mut hidden, *id, false));
        Some(dated.map(|(key, id)| (key.rank_key, id, key.moment)))
    }

    /// Returns whether this is the order of a current period.
    pub(crate) const fn is_current(&self) -> bool {
        self.ranking.knows_moments()
    }

    /// Returns the moment at which a member got its score; `None` for ended periods.
    pub(crate) const fn moment(&self, at: &Standpoint) -> Option<Millis> {
        self.ranking.moment(at.spot)
    }

    /// Returns the place in the order of the visible member that has `before` visible members before it, and how
    /// many hidden members are before that place.
    fn place(&self, before: u64) -> Option<(u64, usize)> {
        let last = self.len().checked_sub(1)?;
        let better = if self.from_last { last.checked_sub(before)? } else { before };
        if better > last {
            return None;
        }
        let hidden = self.hidden_by(|number, place| place.saturating_sub(number) <= better);
        Some((better.saturating_add(hidden as u64), hidden))
    }

    /// Returns how many hidden members are before a place in the order.
    fn hidden_before(&self, place: u64) -> usize {
        self.hidden_by(|_, other| other < place)
    }

    /// Returns the number of hidden members that fulfil a condition on their index and their place. If a hidden
    /// member fulfils the condition, all hidden members before it must fulfil it too.
    fn hidden_by(&self, holds: impl Fn(u64, u64) -> bool) -> usize {
        let place = |id| self.ranking.find(id).map_or(u64::MAX, |spot| self.ranking.before(spot));
        let (mut low, mut high) = (0, self.hidden.len());
        while low < high {
            let middle = low.midpoint(high);
            let Some((_, id)) = self.hidden.get(middle) else { break };
            if holds(middle as u64, place(*id)) {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the number of distinct scores of visible members that are ahead of a standpoint.
    fn groups_ahead(&self, at: &Standpoint) -> u64 {
        let up_to = self.ranking.dense(at.spot);
        let is_better = |(rank_key, _): &HiddenEntry| *rank_key < at.rank_key();
        let is_equal = |(rank_key, _): &HiddenEntry| *rank_key == at.rank_key();
        let (better, others) = self.hidden.split_at(self.hidden.partition_point(is_better));
        if !self.from_last {
            return up_to.saturating_sub(1).saturating_sub(self.groups_hidden(better));
        }
        let worse = others.get(others.partition_point(is_equal)..).unwrap_or_default();
        let last = self.ranking.len().checked_sub(1).and_then(|last| self.ranking.select(last));
        let all = last.map_or(0, |last| self.ranking.dense(last));
        all.saturating_sub(up_to).saturating_sub(self.groups_hidden(worse))
    }

    /// Returns the number of distinct scores that only hidden members have.
    fn groups_hidden(&self, hidden: &[HiddenEntry]) -> u64 {
        let groups = hidden.chunk_by(|(a, _), (b, _)| a == b);
        let is_hidden = |group: &&[HiddenEntry]| {
            let Some((rank_key, _)) = group.first() else { return false };
            let up_to = self.ranking.before_rank_key(rank_key.saturating_add(1));
            up_to.saturating_sub(self.ranking.before_rank_key(*rank_key)) == group.len() as u64
        };
        groups.filter(is_hidden).count() as u64
    }
}

/// Returns whether a member of a walk is visible. `hidden` contains the hidden members that the walk has not
/// reached yet. If the member is hidden, it is removed from `hidden`.
fn is_seen(hidden: &mut &[HiddenEntry], id: MemberId, from_last: bool) -> bool {
    let split = if from_last { hidden.split_last() } else { hidden.split_first() };
    match split {
        Some(((_, next), rest)) if *next == id => {
            *hidden = rest;
            false
        }
        _ => true,
    }
}

/// The maximum number of entries in a group.
pub(crate) const GROUP: usize = 16;
/// Entries that are read together.
pub(crate) type EntryGroup = ArrayVec<(Key, MemberId), GROUP>;

/// A walk through rank keys and members in order, from [`Seen::walk`].
#[derive(Debug, Clone)]
pub struct SeenWalk<'a> {
    walk: Walk<'a>,
    /// The place in the order of the next entry of the walk.
    place: u64,
    /// The hidden members that the walk has not reached yet, best first.
    hidden: &'a [HiddenEntry],
    from_last: bool,
}

impl SeenWalk<'_> {
    pub(crate) const fn nowhere() -> Self {
        Self { walk: Walk::Few(&[]), place: 0, hidden: &[], from_last: false }
    }

    /// Fills an empty group with up to `most` of the next visible entries, with their moments in the ranking or the
    /// substitutes for unknown moments.
    pub(crate) fn read(&mut self, seen: &Seen, most: usize, group: &mut EntryGroup) {
        let most = most.min(GROUP);
        if self.hidden.is_empty() && seen.ranking.knows_moments() {
            return self.walk.read(most, group);
        }
        while group.len() < most
            && let Some((place, key, id)) = self.next_placed()
        {
            group.push((seen.ranking.dated_key(place, key), id));
        }
    }

    /// Returns the next visible entry, with its place in the order.
    fn next_placed(&mut self) -> Option<(u64, Key, MemberId)> {
        loop {
            let (key, id) = self.walk.next()?;
            let place = self.place;
            self.place = if self.from_last { place.wrapping_sub(1) } else { place.wrapping_add(1) };
            if is_seen(&mut self.hidden, id, self.from_last) {
                return Some((place, key, id));
            }
        }
    }
}

impl Iterator for SeenWalk<'_> {
    type Item = (u64, MemberId);

    fn next(&mut self) -> Option<Self::Item> {
        self.next_placed().map(|(_, key, id)| (key.rank_key, id))
    }
}
