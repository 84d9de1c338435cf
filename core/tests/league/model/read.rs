//! Reads of the model: which periods are in reach, and what reads of them return.

use leaderboard_core::calendar::Period;
use leaderboard_core::league::Place;

use super::season::Season;
use super::table::{Shares, Table};
use super::{Model, Name};

impl Model {
    /// Returns the period this number of periods before the current one.
    pub fn back(&self, now: u64, count: u32) -> Period {
        self.rules.calendar.back(self.rules.unit, self.period(now).start, count)
    }

    /// Returns whether RETAIN allows reads of the period with this start.
    pub fn is_in_reach(&self, now: u64, start: i64) -> bool {
        self.back(now, self.rules.retain).start <= start && start <= self.period(now).start
    }

    /// Returns whether a period is in reach, but cannot be read any more.
    pub fn is_lost(&self, now: u64, start: i64) -> bool {
        start != self.period(now).start
            && self.seasons.get(&start).is_some_and(|season| season.is_lost || season.is_dropped)
    }

    /// Returns whether the current period is one that was dropped before a clock came back to it.
    pub fn is_dropped(&self, now: u64) -> bool {
        self.seasons.get(&self.period(now).start).is_some_and(|season| season.is_dropped)
    }

    /// Returns a copy of the model that shows the members who leave the current period at its next write. Returns
    /// nothing if there are none.
    pub fn showing_gone(&self, now: u64) -> Option<Self> {
        let season = self.seasons.get(&self.period(now).start)?;
        season.has_gone().then(|| Self { shows_gone: true, ..self.clone() })
    }

    /// Returns the period with this start, as a read returns it now.
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

    /// Returns the period that is current at a moment, as reads show it.
    pub(super) fn current(&self, now: u64) -> Table {
        self.table(self.period(now).start, self.shows_gone)
    }

    /// Returns a period, in reach or not.
    pub(super) fn table(&self, start: i64, with_gone: bool) -> Table {
        let none = Season::new(self.rules.tiers.len(), 0);
        let season = self.seasons.get(&start).unwrap_or(&none);
        let shares = season.shares.clone().unwrap_or_else(|| Shares::of(&self.rules));
        Table { tiers: season.lines(with_gone), shares, is_kept: true }
    }

    /// Returns the numbers of members and groups of each tier in the current period.
    pub fn sizes(&self, now: u64) -> Vec<(u64, u64)> {
        self.current(now).sizes()
    }

    /// Returns the starts of all periods that have been joined.
    pub fn played(&self) -> Vec<i64> {
        self.seasons.keys().copied().collect()
    }

    /// Returns the place of a member, or nothing if it is not in the current period.
    pub(super) fn entry(&self, name: &Name, now: u64) -> Option<Place> {
        self.table(self.period(now).start, false).place(name)
    }

    pub fn is_in(&self, name: &Name, now: u64) -> bool {
        self.entry(name, now).is_some()
    }
}
