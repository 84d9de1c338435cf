//! All seasons of a league: the open season, the closed seasons, and the seasons out of reach of RETAIN.

use std::collections::VecDeque;
use std::mem;

use super::groups::Groups;
use super::packed::PackedSeason;
use super::records::{Active, GroupId, Records, SeasonNumber};
use super::rules::{LeagueTies, Rules};
use super::season::{Body, Live, Season, SeasonHead};
use super::settled::Settled;
use super::zone::Zones;
use crate::effort;
use crate::index::{Key, MemberId};
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::time::Millis;

/// How many of the last written seasons, in addition to the open season, are kept for every RETAIN. A clock that
/// jumps ahead within a period passes at most one boundary before the period is over. So two seasons are enough to
/// find the season again that was written before the jump.
const LAST_WRITTEN: usize = 2;

/// Data of seasons that is to be freed.
#[derive(Debug, Clone)]
pub enum SeasonGarbage {
    Groups(Groups),
    Packed(Box<PackedSeason>),
    Moved(Sorted<MemberId, u32>),
}

#[derive(Debug, Clone, Default)]
pub struct Seasons {
    /// The season that was last written to. Its body is live.
    pub open: Option<Box<Season>>,
    /// The other seasons, by their starts. Some may be in the future, if a clock was ahead.
    pub closed: VecDeque<Season>,
    /// Seasons that are out of reach of RETAIN and will be settled. They cannot be found by their periods any more.
    pub dropped: VecDeque<Season>,
    /// How many members of the first dropped season are settled.
    pub done: u64,
    /// How many of the closed seasons are not packed yet.
    pub unpacked: usize,
    pub garbage: Vec<SeasonGarbage>,
    next: SeasonNumber,
}

impl Seasons {
    /// Returns the number for a new season. Each call returns another number.
    pub fn number(&mut self) -> SeasonNumber {
        let number = self.next;
        // The two greatest numbers have other meanings.
        self.next = number.wrapping_add(1) % (SeasonNumber::MAX - 1);
        number
    }

    /// Makes the next number greater than the number of a saved season.
    pub fn take_number(&mut self, number: SeasonNumber) {
        self.next = self.next.max(number.saturating_add(1));
    }

    /// Returns the season of the period that begins at `start`, in any form.
    pub fn at(&self, start: i64) -> Option<&Season> {
        let open = self.open.as_deref().filter(|open| open.head.start == start);
        open.or_else(|| {
            let at = self.closed.binary_search_by_key(&start, |season| season.head.start).ok()?;
            self.closed.get(at)
        })
    }

    /// Returns the season with a number.
    pub fn numbered(&self, number: SeasonNumber) -> Option<&Season> {
        let all = self.open.as_deref().into_iter().chain(self.closed.iter().rev()).chain(&self.dropped);
        all.into_iter().find(|season| season.head.number == number)
    }

    fn numbered_mut(&mut self, number: SeasonNumber) -> Option<&mut Season> {
        let all = self.open.as_deref_mut().into_iter().chain(self.closed.iter_mut().rev());
        all.chain(&mut self.dropped).find(|season| season.head.number == number)
    }

    /// Returns all seasons that were not dropped, latest first.
    pub fn kept(&self) -> impl Iterator<Item = &Season> {
        let (later, earlier) =
            (self.closed.range(self.before_open()..), self.closed.range(..self.before_open()));
        later.rev().chain(self.open.as_deref()).chain(earlier.rev())
    }

    /// Returns how many closed seasons begin before the open season.
    fn before_open(&self) -> usize {
        let start = self.open.as_ref().map_or(i64::MAX, |open| open.head.start);
        self.closed.partition_point(|season| season.head.start < start)
    }

    /// Stores the present group of a member in its season, before the member's record is changed to another season.
    pub fn leave(&mut self, id: MemberId, records: &Records) {
        if let Active::In(number) = records.active(id) {
            let group = records.group(id);
            if let Some(season) = self.numbered_mut(number) {
                season.leave(id, group);
            }
        }
    }

    /// Marks a member as removed in all seasons that contain it. The member must not be in the current period any
    /// more.
    pub fn mark_removed(&mut self, id: MemberId, records: &Records) {
        let all = self.open.as_deref_mut().into_iter().chain(&mut self.closed);
        for season in all.filter(|season| season.names(id, records)) {
            season.removed.insert(id, ());
        }
    }

    /// Sets the zones and rewards of these rules in all seasons that begin at `start` or later.
    pub fn set_zones(&mut self, start: i64, rules: &Rules) {
        let all = self.open.as_deref_mut().into_iter().chain(&mut self.closed);
        for season in all.filter(|season| season.head.start >= start) {
            season.head.zones = Zones::of(rules);
        }
    }

    /// Opens the season of a period. Seasons that were set aside for earlier periods are used again: their members
    /// become active in them.
    pub fn open(&mut self, start: i64, rules: &Rules, records: &mut Records, settled: &mut Settled) {
        if let Some(open) = self.open.as_mut().filter(|open| open.head.start == start) {
            open.go_on(records);
            return;
        }
        self.pass(start, records, settled);
        self.close();
        let found = self.closed.binary_search_by_key(&start, |season| season.head.start).ok();
        let season = match found.and_then(|at| self.closed.remove(at)) {
            Some(closed) => self.reopen(closed, rules.ties, records, settled),
            None => {
                let (number, zones) = (self.number(), Zones::of(rules));
                let head = SeasonHead { start, number, zones, joined: 0, hidden: false };
                Season { head, body: Body::Live(Live::new(rules.tiers.len())), removed: Sorted::default() }
            }
        };
        self.open = Some(Box::new(season));
    }

    /// Makes the members of the closed seasons between the open season and a later start active in these seasons.
    fn pass(&mut self, start: i64, records: &mut Records, settled: &mut Settled) {
        let to = self.closed.partition_point(|season| season.head.start < start);
        for at in self.before_open()..to {
            let Some(season) = self.closed.get(at) else { return };
            let number = season.head.number;
            let mut entries = Vec::new();
            season.each(&mut |_, id| {
                if season.removed.get(id).is_none() && records.active(id) != Active::In(number) {
                    let group = season.live().and_then(|live| live.moved.get(id)).copied();
                    entries.push((id, group.unwrap_or(GroupId::MAX)));
                }
            });
            for (id, group) in entries {
                self.take_over(id, (number, group), records, settled);
            }
        }
    }

    /// Makes a member active in a season, in this group.
    fn take_over(
        &mut self,
        id: MemberId,
        (number, group): (SeasonNumber, GroupId),
        records: &mut Records,
        settled: &mut Settled,
    ) {
        self.leave(id, records);
        settled.remove(id);
        records.set_active(id, Active::In(number));
        records.set_group(id, group);
    }

    /// Removes a member from the open season.
    pub fn remove(&mut self, id: MemberId, records: &mut Records) {
        let group = records.group(id);
        if let Some(live) = self.open.as_mut().and_then(|open| open.live_mut()) {
            live.groups.remove(group, id, records);
        }
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.insert(*open);
        }
    }

    /// Adds a season to the closed seasons, in the order of their starts.
    pub fn insert(&mut self, season: Season) {
        let at = self.closed.partition_point(|other| other.head.start < season.head.start);
        self.unpacked = self.unpacked.saturating_add(usize::from(season.live().is_some()));
        self.closed.insert(at, season);
    }

    /// Makes a closed season live again. The moments of its entries are not known any more: the start of the season
    /// is used as each moment. Where equal scores are in the order of joining, 0 stands for the numbers that are not known any
    /// more, so that who joins from now on is behind the others. Members that were removed after the season was closed are not in it.
    fn reopen(
        &mut self,
        closed: Season,
        ties: LeagueTies,
        records: &mut Records,
        settled: &mut Settled,
    ) -> Season {
        self.unpacked = self.unpacked.saturating_sub(usize::from(closed.live().is_some()));
        let number = self.number();
        let moment = match ties {
            LeagueTies::Scored => Millis::try_from(closed.head.start).unwrap_or(0),
            LeagueTies::Joined => 0,
        };
        let mut live = Live::new(closed.tiers());
        let mut entries = Vec::new();
        for tier in 0..closed.tiers() {
            for group in 0..closed.count(tier) {
                let id_of_group = live.groups.open(tier, closed.size(tier));
                closed.each_entry(tier, group, &mut |rank_key, id| {
                    entries.push((Key { rank_key, moment }, id));
                    true
                });
                for (key, id) in entries.drain(..) {
                    if closed.removed.get(id).is_some() {
                        continue;
                    }
                    self.take_over(id, (number, id_of_group), records, settled);
                    live.groups.insert(id_of_group, key, id, records);
                }
            }
            live.groups.set_size(tier, closed.size(tier));
        }
        let head = SeasonHead { number, hidden: false, ..closed.head.clone() };
        self.discard(closed);
        Season { head, body: Body::Live(live), removed: Sorted::default() }
    }

    /// Frees a season in small steps between commands.
    pub fn discard(&mut self, season: Season) {
        match season.body {
            Body::Live(live) => self.discard_live(live),
            Body::Packing(packing) => self.discard_live(packing.live),
            Body::Packed(packed) => self.garbage.push(SeasonGarbage::Packed(packed)),
        }
    }

    pub fn discard_live(&mut self, live: Live) {
        self.garbage.push(SeasonGarbage::Groups(live.groups));
        if !live.moved.is_empty() {
            self.garbage.push(SeasonGarbage::Moved(live.moved));
        }
    }

    /// Hides the seasons that begin before a moment, so that they cannot be read, even if more periods are kept
    /// later.
    pub fn hide(&mut self, oldest: i64) {
        let all = self.open.as_deref_mut().into_iter().chain(&mut self.closed);
        all.filter(|season| season.head.start < oldest).for_each(|season| season.head.hidden = true);
    }

    /// Drops the seasons that begin before a moment. The open season, all later seasons and the seasons that were
    /// written last are kept.
    pub fn drop_before(&mut self, oldest: i64) {
        let before = self.before_open();
        let mut numbers: Vec<_> = self.closed.range(..before).map(|season| season.head.number).collect();
        numbers.sort_unstable();
        let last = numbers.len().checked_sub(LAST_WRITTEN).and_then(|at| numbers.get(at));
        let Some(last) = last else { return };
        let out = self.closed.partition_point(|season| season.head.start < oldest).min(before);
        let later = self.closed.split_off(out);
        for season in mem::take(&mut self.closed) {
            if season.head.number >= *last {
                self.closed.push_back(season);
            } else {
                self.unpacked = self.unpacked.saturating_sub(usize::from(season.live().is_some()));
                self.dropped.push_back(season);
            }
        }
        self.closed.extend(later);
    }

    pub fn memory(&self) -> usize {
        let lists = [self.closed.capacity(), self.dropped.capacity()].map(bytes_of::<Season>);
        let garbage = self.garbage.iter().map(|garbage| match garbage {
            SeasonGarbage::Groups(groups) => groups.memory(),
            SeasonGarbage::Packed(packed) => packed.memory(),
            SeasonGarbage::Moved(moved) => moved.memory(),
        });
        let open = self.open.as_ref().map_or(0, |_| bytes_of::<Season>(1));
        let list = bytes_of::<SeasonGarbage>(self.garbage.capacity());
        let seasons = self.open.as_deref().into_iter().chain(&self.closed).chain(&self.dropped);
        seasons
            .map(Season::memory)
            .chain(garbage)
            .chain(lists)
            .fold(open.saturating_add(list), usize::saturating_add)
    }

    pub fn effort(&self) -> usize {
        let seasons = self.open.as_deref().into_iter().chain(&self.closed).chain(&self.dropped);
        let garbage = self.garbage.iter().map(|garbage| match garbage {
            SeasonGarbage::Groups(groups) => groups.effort(),
            SeasonGarbage::Packed(packed) => packed.effort(),
            SeasonGarbage::Moved(moved) => moved.allocations(),
        });
        effort::sum(seasons.map(Season::effort).chain(garbage))
    }
}
