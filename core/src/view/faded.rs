//! The order of a period that is derived from an older order by decay, for reads that do not need the whole order.
//!
//! Steps of decay keep the order of scores. So this order is the order of the base, except for members whose scores
//! have become equal: a *group*. Groups are found by binary search, and only the scores that the search reads are
//! stepped. Within a group, members are ordered by moments and names. Ranking a member needs one walk through its
//! group. A page sorts the groups that it contains.

use std::cell::OnceCell;

use super::decay::Decay;
use super::ended_points::EndedPoints;
use super::ranking::Spot;
use super::{BoardContext, Keyed, Past, PastOrder, Periods, Span};
use crate::index::{Index, Key, MemberId};
use crate::members::Members;
use crate::schema::Schema;
use crate::score::Score;

/// The number of places that are read together.
const RUN: u64 = 64;

/// Results about such an order that are kept for the next read.
#[derive(Debug, Clone)]
pub(super) struct Fading {
    pub(super) decay: Decay,
    /// The number of boundaries between the base and the period.
    pub(super) periods: u32,
    pub(super) base: Span,
    /// The entries of the base whose score has become 0 are next to each other. This is the range of their places:
    /// the first place, and the first place after the last one.
    gone: OnceCell<(u64, u64)>,
    /// The whole order, if a read needed it.
    whole: OnceCell<Box<PastOrder>>,
}

/// Such an order, for reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Faded<'a> {
    fading: &'a Fading,
    past: &'a Past,
    periods: &'a Periods,
    schema: &'a Schema,
    members: &'a Members,
}

impl Fading {
    pub(super) const fn new(decay: Decay, periods: u32, base: Span) -> Self {
        Self { decay, periods, base, gone: OnceCell::new(), whole: OnceCell::new() }
    }

    pub(super) fn memory(&self) -> usize {
        self.whole.get().map_or(0, |whole| whole.memory())
    }
}

impl<'a> Faded<'a> {
    pub(super) const fn new(
        fading: &'a Fading,
        past: &'a Past,
        periods: &'a Periods,
        schema: &'a Schema,
        members: &'a Members,
    ) -> Self {
        Self { fading, past, periods, schema, members }
    }

    fn index(&self) -> Option<&'a Index> {
        self.past.index()
    }

    /// Returns the rank key of a score after decay. `rank_key` is the rank key of the score in the base.
    fn left(&self, rank_key: u64) -> u64 {
        let units = self.fading.decay.after(self.schema.score(rank_key).units(), self.fading.periods);
        self.rank_key(units)
    }

    fn rank_key(&self, units: i64) -> u64 {
        self.schema.rank_key(Score::from_units(units).unwrap_or_default())
    }

    /// Returns the first place of the base, in a range of places, whose score does not fulfil the condition.
    fn partition(&self, (mut low, mut high): (u64, u64), holds: impl Fn(u64) -> bool) -> u64 {
        while low < high {
            let middle = low.midpoint(high);
            let place = self.index().and_then(|index| index.select(middle));
            if place.is_some_and(|place| holds(self.left(place.key.rank_key))) {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        low
    }

    fn gone(&self) -> (u64, u64) {
        *self.fading.gone.get_or_init(|| {
            let (all, zero) = (self.index().map_or(0, Index::len), self.rank_key(0));
            let first = self.partition((0, all), |left| left < zero);
            (first, self.partition((first, all), |left| left <= zero))
        })
    }

    /// Returns the place in the base of a place in this order.
    fn in_base(&self, place: u64) -> u64 {
        let (first, end) = self.gone();
        if place < first { place } else { place.saturating_add(end.saturating_sub(first)) }
    }

    /// Returns the place in this order of a place in the base. If the score of this entry has become 0, the place
    /// of the next entry whose score is not 0.
    fn place_of(&self, place: u64) -> u64 {
        let (first, end) = self.gone();
        if place < first { place } else { place.max(end).saturating_sub(end.saturating_sub(first)) }
    }

    pub(super) fn len(&self) -> u64 {
        self.place_of(self.index().map_or(0, Index::len))
    }

    /// Returns how many entries have a better rank key.
    pub(super) fn before_rank_key(&self, rank_key: u64) -> u64 {
        let all = self.index().map_or(0, Index::len);
        self.place_of(self.partition((0, all), |left| left < rank_key))
    }

    /// Returns the group of the entry at a place of the base: the places in this order from the group's first place
    /// to the first place after the group. `rank_key` is the rank key of the group.
    fn group(&self, place: u64, rank_key: u64) -> (u64, u64) {
        let all = self.index().map_or(0, Index::len);
        let first = self.partition((0, place), |left| left < rank_key);
        let end = self.partition((place, all), |left| left <= rank_key);
        (self.place_of(first), self.place_of(end))
    }

    /// Returns the entries in a range of places, in the order of the base, with their decayed scores.
    fn entries(&self, (from, to): (u64, u64)) -> Vec<Keyed> {
        let count = |from: u64, to: u64| usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX);
        let (gone, _) = self.gone();
        let (middle, later) = (to.min(gone), from.max(gone));
        let walk = |(from, to): (u64, u64)| {
            let index = self.index().into_iter();
            index.flat_map(move |index| index.iter_from(self.in_base(from)).take(count(from, to)))
        };
        let mut entries: Vec<Keyed> = walk((from, middle)).chain(walk((later, to))).collect();
        let units = |(key, _): &Keyed| self.schema.score(key.rank_key).units();
        let mut scores: Vec<i64> = entries.iter().map(units).collect();
        self.fading.decay.fade(&mut scores, self.fading.periods);
        for ((key, _), units) in entries.iter_mut().zip(scores) {
            key.rank_key = self.rank_key(units);
        }
        entries
    }

    fn order(&self) -> impl Fn(&Keyed, &Keyed) -> std::cmp::Ordering + 'a {
        let Self { fading, periods, schema, members, .. } = *self;
        let points = EndedPoints::new(periods, schema, fading.base);
        let context = BoardContext { schema, members, starting: None, hidden: None };
        context.order_by(move |id, moment| points.sequence(members, id, moment))
    }

    /// Returns the spot of a member.
    pub(super) fn find(&self, id: MemberId) -> Option<Spot> {
        let place = self.past.order.place(id, self.members)?;
        let key = self.index()?.select(place)?.key;
        let rank_key = self.left(key.rank_key);
        if rank_key == self.rank_key(0) {
            return None;
        }
        let (first, end) = self.group(place, rank_key);
        let (own, order) = ((Key { rank_key, ..key }, id), self.order());
        let (from, group) = (self.in_base(first), end.saturating_sub(first));
        let others = self.index()?.iter_from(from).take(usize::try_from(group).unwrap_or(usize::MAX));
        let is_better = |(key, id): &Keyed| order(&(Key { rank_key, ..*key }, *id), &own).is_lt();
        let better = others.filter(is_better).count() as u64;
        Some(Spot::of_key(own.0, first.saturating_add(better)))
    }

    /// Returns the entry that has `before` entries before it.
    pub(super) fn select(&self, before: u64) -> Option<Spot> {
        if before < self.dated() {
            let (key, _) = FadedWalk::new(*self, before).next()?;
            return Some(Spot::of_key(key, before));
        }
        let place = self.index()?.select(self.in_base(before))?;
        let rank_key = self.left(place.key.rank_key);
        Some(Spot::of_key(Key { rank_key, moment: 0 }, before))
    }

    /// Returns how many of the first places have known moments.
    pub(super) fn dated(&self) -> u64 {
        self.past.order.dated().min(self.len())
    }

    pub(super) const fn members(&self) -> &'a Members {
        self.members
    }

    /// Returns the whole order. It is derived if it was not derived before.
    pub(super) fn whole(&self) -> &'a PastOrder {
        let make = || {
            let Fading { decay, periods, .. } = self.fading;
            let keys = decay.new_keys(*periods, self.schema, self.order());
            let entries = self.index().map(|index| keys.entries_of(index));
            let order = PastOrder::of(&entries.unwrap_or_default(), self.past.order.dated());
            Box::new(order.unwrap_or_else(PastOrder::none))
        };
        self.fading.whole.get_or_init(make)
    }
}

/// A walk through such an order.
#[derive(Debug, Clone)]
pub struct FadedWalk<'a> {
    order: Faded<'a>,
    /// The place after the entries that were read. For a walk backwards: the place of the best entry that was read.
    place: u64,
    goes_back: bool,
    /// Entries that were read and not returned yet. The next entry is the last of the list.
    ready: Vec<Keyed>,
}

impl<'a> FadedWalk<'a> {
    /// Returns a walk that begins at a place.
    pub(super) fn new(order: Faded<'a>, place: u64) -> Self {
        let (first, _) = Self::group_at(&order, place).unwrap_or((place, place));
        Self::behind(order, first, place.saturating_sub(first), false)
    }

    /// Returns a walk backwards through the entries before a place, worst first.
    pub(super) fn back(order: Faded<'a>, place: u64) -> Self {
        let place = place.min(order.len());
        let group = place.checked_sub(1).and_then(|last| Self::group_at(&order, last));
        let (_, end) = group.unwrap_or((place, place));
        Self::behind(order, end, end.saturating_sub(place), true)
    }

    fn group_at(order: &Faded, place: u64) -> Option<(u64, u64)> {
        let base = order.in_base(place);
        let rank_key = order.left(order.index()?.select(base)?.key.rank_key);
        Some(order.group(base, rank_key))
    }

    /// Returns a walk that begins at the border of a group, and skips the first `skipped` entries of this group.
    fn behind(order: Faded<'a>, place: u64, skipped: u64, goes_back: bool) -> Self {
        let mut walk = Self { order, place, goes_back, ready: Vec::new() };
        if skipped > 0 {
            walk.look();
            let left = (walk.ready.len() as u64).saturating_sub(skipped);
            walk.ready.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        }
        walk
    }

    /// Reads the next groups.
    fn look(&mut self) {
        let all = self.order.len();
        let (mut from, mut to) = match self.goes_back {
            false => (self.place, self.place.saturating_add(RUN).min(all)),
            true => (self.place.saturating_sub(RUN), self.place),
        };
        let mut entries = self.order.entries((from, to));
        let far = if self.goes_back { entries.first() } else { entries.last() };
        let Some((Key { rank_key, .. }, _)) = far.copied() else { return };
        // The last group may continue after these entries.
        let is_cut = if self.goes_back { from > 0 } else { to < all };
        if is_cut && entries.iter().all(|(key, _)| key.rank_key == rank_key) {
            (from, to) = self.order.group(self.order.in_base(from), rank_key);
            entries = self.order.entries((from, to));
        } else if is_cut {
            let before = entries.len() as u64;
            entries.retain(|(key, _)| key.rank_key != rank_key);
            let cut = before.saturating_sub(entries.len() as u64);
            match self.goes_back {
                false => to = to.saturating_sub(cut),
                true => from = from.saturating_add(cut),
            }
        }
        entries.sort_by(self.order.order());
        if !self.goes_back {
            entries.reverse();
        }
        self.place = if self.goes_back { from } else { to };
        self.ready = entries;
    }
}

impl Iterator for FadedWalk<'_> {
    type Item = Keyed;

    fn next(&mut self) -> Option<Keyed> {
        if self.ready.is_empty() {
            self.look();
        }
        self.ready.pop()
    }
}
