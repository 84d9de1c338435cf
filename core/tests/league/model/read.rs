//! Reading a league: which periods are in reach, and what they show.

use leaderboard_core::calendar::Period;
use leaderboard_core::league::Place;

use super::season::Season;
use super::table::{Shares, Table};
use super::{Model, Name};

impl Model {
    /// The period so many before the current one.
    pub fn back(&self, now: u64, count: u32) -> Period {
        self.rules.calendar.back(self.rules.unit, self.period(now).start, count)
    }

    /// Whether RETAIN lets a period be read, given its start.
    pub fn is_in_reach(&self, now: u64, start: i64) -> bool {
        self.back(now, self.rules.retain).start <= start && start <= self.period(now).start
    }

    /// Whether a period can be read no more, although it is in reach.
    pub fn is_lost(&self, now: u64, start: i64) -> bool {
        start != self.period(now).start
            && self.seasons.get(&start).is_some_and(|season| season.is_lost || season.is_dropped)
    }

    /// Whether the current period is one that a clock had left too far behind.
    pub fn is_dropped(&self, now: u64) -> bool {
        self.seasons.get(&self.period(now).start).is_some_and(|season| season.is_dropped)
    }

    /// The same league, which shows who is to be out of the current period when that is written to; if
    /// there is anybody.
    pub fn showing_gone(&self, now: u64) -> Option<Self> {
        let season = self.seasons.get(&self.period(now).start)?;
        season.has_gone().then(|| Self { shows_gone: true, ..self.clone() })
    }

    /// The period of this start, as it is read now.
    pub fn read(&self, now: u64, start: i64) -> Table {
        let is_kept = self.is_in_reach(now, start);
        if is_kept && !self.is_lost(now, start) {
            self.table(start, self.shows_gone || self.period(now).start != start)
        } else {
            Table {
                tiers: vec![Vec::new(); self.rules.tiers.len()],
                shares: Shares::of(&self.rules),
                is_kept,
            }
        }
    }

    /// The period that is current at a moment, as it is shown.
    pub(super) fn current(&self, now: u64) -> Table {
        self.table(self.period(now).start, self.shows_gone)
    }

    /// A period, in reach or not.
    pub(super) fn table(&self, start: i64, with_gone: bool) -> Table {
        let none = Season::new(self.rules.tiers.len(), 0);
        let season = self.seasons.get(&start).unwrap_or(&none);
        let shares = season.shares.clone().unwrap_or_else(|| Shares::of(&self.rules));
        Table { tiers: season.lines(with_gone), shares, is_kept: true }
    }

    /// Members and groups of each tier in the current period.
    pub fn sizes(&self, now: u64) -> Vec<(u64, u64)> {
        self.current(now).sizes()
    }

    /// Starts of all periods that anybody joined.
    pub fn played(&self) -> Vec<i64> {
        self.seasons.keys().copied().collect()
    }

    /// The place of one who is in the current period.
    pub(super) fn entry(&self, name: &Name, now: u64) -> Option<Place> {
        self.table(self.period(now).start, false).place(name)
    }

    pub fn is_in(&self, name: &Name, now: u64) -> bool {
        self.entry(name, now).is_some()
    }
}
