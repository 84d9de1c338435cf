//! The prizes of a board or a league: the tables, as they were when each kept period ended, and the payouts of periods:
//! winners and claims. A board has a table for each view, or for each view and dimension; a league has one for each tier.
//!
//! A table applies to all periods that end after it was set. So nothing happens at a boundary. The winners of a period are
//! written down by the first claim, or when the period leaves `RETAIN` (see [`crate::board`] and [`crate::league`]).

mod payout;
mod table;

pub use table::{MAX_PLACES, MAX_PRIZE, MAX_TABLE, PrizeTable};

pub(crate) use payout::{Payout, Winner, WinnerList};
pub(crate) use table::Band;

use crate::dimensions::MAX_DIMENSIONS;
use crate::requests::RequestHash;
use crate::short_name::ShortName;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::time::Millis;
use crate::view::{Kind, MAX_VIEWS};

/// For how many days unclaimed prizes are kept beyond `RETAIN`, unless `PRIZEDAYS` says otherwise.
pub const DEFAULT_DAYS: u32 = 30;
/// The maximum of `PRIZEDAYS`.
pub const MAX_DAYS: u32 = 3_660;
/// The maximum number of places that one page of winners looks at.
pub(crate) const MAX_PAGE: u64 = 1_000;
/// The maximum number of periods of a table whose winners are kept beyond `RETAIN`.
pub(crate) const MAX_PERIODS: usize = 10_000;
/// The maximum number of tables of a board: one for each view, and one for each view and dimension.
pub const MAX_TABLES: usize = MAX_VIEWS * (1 + MAX_DIMENSIONS);
const DAY: i64 = 86_400_000;

/// The name of a table of a board: its view, and the dimension of a table for each segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableName {
    /// The view whose periods have prizes.
    pub view: Kind,
    /// The dimension, if the places are those in each of its segments.
    pub per: Option<ShortName>,
}

/// A change of a table of a board. An empty table ends the prizes of later periods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableChange {
    /// Which table.
    pub name: TableName,
    /// The new table.
    pub table: PrizeTable,
}

/// A table with the name `N` in the course of time, and the payouts of its periods.
#[derive(Debug, Clone)]
pub(crate) struct Tables<N> {
    pub name: N,
    /// The number by which claims know the table.
    serial: u32,
    /// The tables, and the moments at which they were set. A table applies to the periods that end after its moment.
    versions: Vec<(Millis, PrizeTable)>,
    /// By the start of the period.
    payouts: Sorted<i64, Payout>,
}

/// The place of a claim: the table, the start of the period, and the number of the winner.
type ClaimPlace = (u32, i64, u32);

/// The prizes of a board or a league, whose tables have the names `N`.
#[derive(Debug, Clone)]
pub(crate) struct Prizes<N> {
    tables: Vec<Tables<N>>,
    claims: Sorted<RequestHash, ClaimPlace>,
    days: u32,
    serials: u32,
    /// The bounds of the current periods of a board whose last boundaries are not final, if the winners of all periods that left
    /// `RETAIN` with these boundaries are fixed.
    pub settled: Option<(i64, i64)>,
}

impl<N> Default for Prizes<N> {
    fn default() -> Self {
        Self { tables: Vec::new(), claims: Sorted::default(), days: DEFAULT_DAYS, serials: 0, settled: None }
    }
}

impl<N> Tables<N> {
    /// Returns the table of a period, by the period's end.
    pub(crate) fn in_force(&self, end: i64) -> Option<&PrizeTable> {
        let before = self.versions.partition_point(|(from, _)| from.cast_signed() < end);
        let (_, table) = self.versions.get(before.checked_sub(1)?)?;
        Some(table).filter(|table| !table.is_empty())
    }

    /// Returns the table of the running period.
    pub(crate) fn current(&self) -> Option<&PrizeTable> {
        self.versions.last().map(|(_, table)| table).filter(|table| !table.is_empty())
    }

    /// Returns the tables and the moments at which they were set.
    pub(crate) fn versions(&self) -> &[(Millis, PrizeTable)] {
        &self.versions
    }

    pub(crate) fn payout(&self, start: i64) -> Option<&Payout> {
        self.payouts.get(start)
    }

    /// Returns the payout of a period, by the period's start, as of a moment. If the period has not ended by then, because the
    /// clock was put back, there is one only if somebody has claimed a prize or settled the period.
    pub(crate) fn payout_by(&self, start: i64, now: Millis) -> Option<&Payout> {
        self.payouts.get(start).filter(|payout| payout.end <= now.cast_signed() || !payout.is_untouched())
    }

    /// Returns all payouts, oldest first.
    pub(crate) fn payouts(&self) -> impl DoubleEndedIterator<Item = (i64, &Payout)> {
        self.payouts.iter()
    }

    /// Returns the number of payouts.
    pub(crate) const fn count_payouts(&self) -> usize {
        self.payouts.len()
    }

    /// Sets the table of periods that end after `now`. `ended` returns whether a period has ended between a moment and now.
    fn set(&mut self, now: Millis, table: PrizeTable, ended: impl Fn(Millis) -> bool) {
        self.versions.retain(|(from, _)| *from < now);
        // No period was paid by a table that was replaced before a period ended.
        if self.versions.last().is_some_and(|(from, _)| !ended(*from)) {
            self.versions.pop();
        }
        self.versions.push((now, table));
    }

    /// Forgets the tables of periods that were all settled. `end` is the end of the oldest period that was not.
    fn forget_before(&mut self, end: i64) {
        let needed = self.versions.partition_point(|(from, _)| from.cast_signed() < end).saturating_sub(1);
        self.versions.drain(..needed);
    }

    fn memory(&self) -> usize {
        let versions = self.versions.iter().map(|(_, table)| table.memory());
        let payouts = self.payouts.values().map(Payout::memory);
        let own = bytes_of::<(Millis, PrizeTable)>(self.versions.capacity());
        versions.chain(payouts).fold(own.saturating_add(self.payouts.memory()), usize::saturating_add)
    }
}

impl<N: Copy + PartialEq> Prizes<N> {
    pub(crate) const fn days(&self) -> u32 {
        self.days
    }

    pub(crate) const fn set_days(&mut self, days: u32) {
        self.days = days;
    }

    pub(crate) fn tables(&self) -> &[Tables<N>] {
        &self.tables
    }

    /// Returns the tables of the running periods, with their names.
    pub(crate) fn current(&self) -> impl Iterator<Item = (N, &PrizeTable)> {
        self.tables.iter().filter_map(|tables| Some((tables.name, tables.current()?)))
    }

    /// Returns the number of a table in the list.
    pub(crate) fn find(&self, name: N) -> Option<usize> {
        self.tables.iter().position(|tables| tables.name == name)
    }

    /// Sets a table. `ended` returns whether a period has ended between a moment and now.
    pub(crate) fn set(&mut self, name: N, table: PrizeTable, now: Millis, ended: impl Fn(Millis) -> bool) {
        match self.find(name).and_then(|at| self.tables.get_mut(at)) {
            Some(tables) => tables.set(now, table, ended),
            None if table.is_empty() => {}
            None => {
                self.add(name, vec![(now, table)]);
            }
        }
    }

    /// Adds a table with its course. Returns its number in the list.
    pub(crate) fn add(&mut self, name: N, versions: Vec<(Millis, PrizeTable)>) -> usize {
        self.serials = self.serials.saturating_add(1);
        self.tables.push(Tables { name, serial: self.serials, versions, payouts: Sorted::default() });
        self.tables.len().saturating_sub(1)
    }

    /// Keeps the tables that `keeps` names, and forgets the payouts and claims of all others.
    pub(crate) fn keep(&mut self, keeps: impl Fn(N) -> bool) {
        let gone: Vec<_> = (0_usize..)
            .zip(&self.tables)
            .filter(|(_, tables)| !keeps(tables.name))
            .map(|(number, tables)| (number, tables.payouts.keys().collect::<Vec<_>>()))
            .collect();
        for (number, starts) in gone {
            starts.into_iter().for_each(|start| self.forget(number, start));
        }
        self.tables.retain(|tables| keeps(tables.name));
    }

    /// Stores the payout of a period.
    pub(crate) fn fix(&mut self, number: usize, start: i64, payout: Payout) {
        let Some(tables) = self.tables.get_mut(number) else { return };
        for (winner, request) in payout.requests() {
            self.claims.insert(request, (tables.serial, start, winner));
        }
        tables.payouts.insert(start, payout);
    }

    /// Forgets the payout of a period, and its claims.
    pub(crate) fn forget(&mut self, number: usize, start: i64) {
        let Some(tables) = self.tables.get_mut(number) else { return };
        let payout = tables.payouts.remove(start);
        for (_, request) in payout.iter().flat_map(Payout::requests) {
            self.claims.remove(request);
        }
    }

    /// Returns the claim of a request: the number of the table, the start of the period, and the winner.
    pub(crate) fn claimed(&self, request: RequestHash) -> Option<(usize, i64, u32)> {
        let (serial, start, winner) = *self.claims.get(request)?;
        let number = self.tables.iter().position(|tables| tables.serial == serial)?;
        Some((number, start, winner))
    }

    /// Notes that somebody has settled a period.
    pub(crate) fn settle(&mut self, number: usize, start: i64) {
        let payouts = self.tables.get_mut(number).map(|tables| &mut tables.payouts);
        if let Some(payout) = payouts.and_then(|payouts| payouts.get_mut(start)) {
            payout.settle();
        }
    }

    /// Notes the claim of a winner.
    pub(crate) fn claim(
        &mut self,
        (number, start, winner): (usize, i64, u32),
        now: Millis,
        request: Option<RequestHash>,
    ) {
        request.into_iter().for_each(|request| self.forget_request(request));
        let Some(tables) = self.tables.get_mut(number) else { return };
        let Some(payout) = tables.payouts.get_mut(start) else { return };
        payout.claim(winner, now, request);
        if let Some(request) = request {
            self.claims.insert(request, (tables.serial, start, winner));
        }
    }

    /// Forgets what a request claimed: a payout of which too many days have passed can still have it until the next boundary.
    fn forget_request(&mut self, request: RequestHash) {
        let Some((serial, start, winner)) = self.claims.remove(request) else { return };
        let tables = self.tables.iter_mut().find(|tables| tables.serial == serial);
        if let Some(payout) = tables.and_then(|tables| tables.payouts.get_mut(start)) {
            payout.forget_request(winner);
        }
    }

    /// Takes all unclaimed prizes of fixed periods from a member. Returns whether it had any.
    pub(crate) fn remove(&mut self, member: &[u8]) -> bool {
        let payouts = self.tables.iter_mut().flat_map(|tables| tables.payouts.values_mut());
        // Most payouts are done, and have nothing to take.
        let open = payouts.filter(|payout| !payout.is_done());
        open.filter_map(|payout| payout.remove(member).then_some(())).count() > 0
    }

    /// Returns whether a payout is over at a moment: all prizes are claimed, or too many days have passed.
    pub(crate) fn is_over(&self, payout: &Payout, now: i64) -> bool {
        let days = i64::from(self.days).saturating_mul(DAY);
        payout.is_done() || payout.end.saturating_add(days) <= now
    }

    /// Returns the end of the last period whose unclaimed prizes are over at a moment.
    pub(crate) fn over_until(&self, now: i64) -> i64 {
        now.saturating_sub(i64::from(self.days).saturating_mul(DAY))
    }

    /// Forgets payouts of which too many days have passed. Those that were all claimed stay as long as the others: a claim that is
    /// repeated with its ID finds itself, and a clock that is put right pays nobody else. Their periods start before `kept`.
    /// `unsettled` is the end of the oldest period whose winners are not fixed.
    pub(crate) fn prune(&mut self, number: usize, (kept, unsettled): (i64, i64), now: i64) {
        let over = self.over_until(now);
        let Some(tables) = self.tables.get_mut(number) else { return };
        tables.forget_before(unsettled);
        let old: Vec<(i64, i64)> = tables
            .payouts
            .iter()
            .take_while(|(start, _)| *start < kept)
            .map(|(start, payout)| (start, payout.end))
            .collect();
        let too_many = old.len().saturating_sub(MAX_PERIODS);
        for (place, (start, end)) in old.into_iter().enumerate() {
            if place < too_many || end <= over {
                self.forget(number, start);
            }
        }
    }

    /// Forgets the tables that have ended, and of which nothing is left to claim.
    pub(crate) fn drop_ended(&mut self) {
        let is_over = |tables: &Tables<N>| {
            tables.versions.len() == 1 && tables.current().is_none() && tables.payouts.is_empty()
        };
        self.tables.retain(|tables| !is_over(tables));
    }

    /// Follows a clock that is put back: tables that were set later apply from now on, and periods that have not ended by
    /// now have no payout, unless somebody has claimed a prize or settled them.
    pub(crate) fn turn_back(&mut self, now: Millis) {
        self.settled = None;
        for number in 0..self.tables.len() {
            let Some(tables) = self.tables.get_mut(number) else { continue };
            let later = tables.versions.partition_point(|(from, _)| *from <= now);
            let current = tables.versions.drain(later..).next_back();
            if let Some((_, table)) = current {
                tables.versions.push((now, table));
            }
            let is_early = |(_, payout): &(i64, &Payout)| payout.end > now.cast_signed();
            let early = tables.payouts.iter().rev().take_while(is_early);
            let early: Vec<_> =
                early.filter(|(_, payout)| payout.is_untouched()).map(|(start, _)| start).collect();
            early.into_iter().for_each(|start| self.forget(number, start));
        }
    }

    /// Returns the number of bytes, including this struct.
    pub(crate) fn memory(&self) -> usize {
        let tables = self.tables.iter().map(Tables::memory);
        let own = bytes_of::<Tables<N>>(self.tables.capacity()).saturating_add(bytes_of::<Self>(1));
        tables.fold(own.saturating_add(self.claims.memory()), usize::saturating_add)
    }

    /// Returns about how many allocations must be freed.
    pub(crate) fn effort(&self) -> usize {
        let payouts = self.tables.iter().flat_map(|tables| tables.payouts.values());
        payouts.map(Payout::effort).fold(self.claims.allocations(), usize::saturating_add)
    }
}

impl From<(TableName, &PrizeTable)> for TableChange {
    fn from((name, table): (TableName, &PrizeTable)) -> Self {
        Self { name, table: table.clone() }
    }
}

impl TableChange {
    /// Returns the view, the table and the dimension as a client writes them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let TableName { view, per } = self.name;
        let per = per.map_or_else(String::new, |per| format!(" PER {per}"));
        [view.to_string().as_bytes(), b" ", &self.table.to_bytes(), per.as_bytes()].concat()
    }
}
