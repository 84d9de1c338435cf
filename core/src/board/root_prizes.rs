//! The prizes of a board over parts.
//!
//! The root has the tables, and the winners of each period that was settled; the parts have the members. So a gateway
//! gathers the best members of an ended period from the parts, and gives them to the root. The first list of a period
//! stays. From then on the root alone answers for the period, and each claim is one write of one key.
//!
//! A root has no members, but it keeps the time as an empty board does: its periods begin and end.

use std::collections::BTreeSet;

use super::prizes::PrizeQuery;
use super::settle::Period;
use super::{Board, Claim, Claimed, Effect, Settled};
use crate::Error;
use crate::calendar::When;
use crate::catalog::State;
use crate::members::MAX_NAME;
use crate::prizes::{MAX_PAGE, PrizeTable, Prizes, WinnerList};
use crate::requests::{Fingerprint, Request};
use crate::score::Score;
use crate::snapshot::wire::{Reader, put_bytes, put_signed};
use crate::time::{Millis, Stamp, TimeSource};

const WRONG: Error = Error::Corrupt("a list of winners");

/// The name and the score of a member that may win.
type Candidate = (Box<[u8]>, Score);

/// A period with prizes, as a root knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootPeriod {
    /// The name of the view.
    pub view: String,
    /// The start of the period, in ms.
    pub start: i64,
    /// The prize table of the period, as text; empty if the winners are fixed.
    pub table: Vec<u8>,
    /// Whether the period is running.
    pub is_running: bool,
    /// Whether the winners are fixed.
    pub is_fixed: bool,
}

/// What a root knows about the prize of a member, before the member's part is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RootClaim {
    /// There is no prize to claim: the period is running, it has no prizes any more, or the member has won nothing.
    Nothing,
    /// The prize was claimed already.
    Claimed(Claim),
    /// The period whose prize the member may have won. If its winners are fixed, the member is one of them, and can claim,
    /// unless it was hidden or removed.
    Of(RootPeriod),
}

/// Returns the list of winners for [`Board::fix_winners`], from names and scores, best first.
pub fn pack_winners<'a>(winners: impl Iterator<Item = (&'a [u8], Score)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, score) in winners {
        put_bytes(&mut bytes, name);
        put_signed(&mut bytes, score.units());
    }
    bytes
}

/// Reads the list of winners that [`pack_winners`] has made.
fn read_winners(bytes: &[u8]) -> Result<Vec<Candidate>, Error> {
    let mut reader = Reader(bytes);
    let (mut winners, mut names) = (Vec::new(), BTreeSet::new());
    while !reader.is_empty() {
        let name = reader.bytes(1, MAX_NAME)?;
        let score = Score::from_units(reader.signed()?).ok_or(WRONG)?;
        if !names.insert(name) || names.len() as u64 > MAX_PAGE {
            return Err(WRONG);
        }
        winners.push((name.into(), score));
    }
    Ok(winners)
}

impl Board {
    /// Lets the periods of a root go on, up to the present time. Returns the present time.
    fn keep_time(&mut self, incarnation: u64, origin: TimeSource) -> Result<Millis, Error> {
        self.root_entry(incarnation)?;
        let now = self.now_of(origin);
        self.start(now);
        self.advance(now);
        Ok(now)
    }

    /// Returns the period that a client names; `None` if it has no prizes, or none any more. `now` is the present time.
    ///
    /// # Errors
    /// [`Error::NotARoot`], [`Error::Stale`], and the errors of [`Board::prize_rows`].
    pub fn root_period(
        &self,
        incarnation: u64,
        query: &PrizeQuery,
        now: Millis,
    ) -> Result<Option<RootPeriod>, Error> {
        self.root_entry(incarnation)?;
        Ok(self.known_period(query, now)?.map(|(known, ..)| known))
    }

    fn known_period(
        &self,
        query: &PrizeQuery,
        now: Millis,
    ) -> Result<Option<(RootPeriod, usize, Period)>, Error> {
        let found = self.table_and_period(query, now)?;
        let Some((number, period)) = found else { return Ok(None) };
        let tables = self.prizes().and_then(|prizes| prizes.tables().get(number));
        let (Some(tables), Some(view)) = (tables, self.views.get(period.view)) else { return Ok(None) };
        let payout = tables.payout_by(period.start, now);
        let table = if period.is_running { tables.current() } else { tables.in_force(period.end) };
        let is_known = match payout {
            Some(_) => !self.is_forgotten(number, period.start, now),
            // The parts have no order of a period beyond `RETAIN`.
            None => table.is_some() && (period.is_running || period.is_kept),
        };
        let known = RootPeriod {
            view: view.spec.kind.to_string(),
            start: period.start,
            table: table.filter(|_| payout.is_none()).map(PrizeTable::to_bytes).unwrap_or_default(),
            is_running: period.is_running,
            is_fixed: payout.is_some(),
        };
        Ok(is_known.then_some((known, number, period)))
    }

    /// Fixes the winners of an ended period, which a gateway has gathered from the parts: a list of [`pack_winners`] with as
    /// many of the best members as the table has places for. Changes nothing if the winners are fixed.
    ///
    /// # Errors
    /// The errors of [`Self::root_period`]; [`Error::Corrupt`] for a wrong list; [`Error::Stale`] if no period of the view
    /// begins at `start`.
    pub fn fix_winners(
        &mut self,
        incarnation: u64,
        view: &[u8],
        (start, best): (u64, &[u8]),
        origin: TimeSource,
    ) -> Result<Settled, Error> {
        let winners = read_winners(best)?;
        let now = self.keep_time(incarnation, origin)?;
        let query = PrizeQuery { view: Some(view), period: When::At(start), per: None };
        let unchanged = |winners| Ok(Settled { winners, effect: Effect::Repeated });
        let Some((known, number, period)) = self.known_period(&query, now)? else { return unchanged(None) };
        if known.start != start.cast_signed() {
            return Err(Error::Stale("start"));
        }
        if known.is_running {
            return unchanged(None);
        }
        let tables = self.prizes().and_then(|prizes| prizes.tables().get(number));
        let fixed = tables.and_then(|tables| tables.payout(start.cast_signed()));
        if let Some(fixed) = fixed {
            return unchanged(Some(fixed.winners().len() as u64));
        }
        let Some(table) = tables.and_then(|tables| tables.in_force(period.end)) else {
            return unchanged(None);
        };
        let mut list = WinnerList::default();
        for band in table.bands(winners.len() as u64, &self.schema, |_, _| (0, 0)) {
            let first = usize::try_from(band.first.saturating_sub(1)).unwrap_or(usize::MAX);
            let last = usize::try_from(band.last).unwrap_or(usize::MAX);
            let in_band = winners.get(first..last).unwrap_or_default();
            let rows = (band.first..).zip(in_band).map(|(rank, (name, score))| (rank, name.clone(), *score));
            list.add((table, band), 0, rows);
        }
        let won = list.len() as u64;
        let Some(payout) = list.payout(period.end, Box::default()) else { return unchanged(Some(0)) };
        self.finalize_views();
        if let Some(prizes) = self.prizes_mut() {
            prizes.fix(number, period.start, payout);
            prizes.settle(number, period.start);
        }
        let stamp = Stamp { now, at: now };
        self.touch(stamp);
        Ok(Settled { winners: Some(won), effect: Effect::Applied(stamp) })
    }

    /// Returns what the root knows about the prize of a member. It changes nothing.
    ///
    /// # Errors
    /// The errors of [`Self::root_period`] and [`Error::RequestReused`].
    pub fn root_claim(
        &self,
        incarnation: u64,
        (member, request): (&[u8], Option<&[u8]>),
        query: &PrizeQuery,
        now: Millis,
    ) -> Result<RootClaim, Error> {
        self.root_entry(incarnation)?;
        let request = request.map(|id| Request::new(id, Fingerprint::of(0)).hash);
        if let Some(claim) = self.claim_of(request, member, (query, self.table_name(query)?), now)? {
            return Ok(RootClaim::Claimed(claim));
        }
        let Some((known, number, period)) = self.known_period(query, now)? else {
            return Ok(RootClaim::Nothing);
        };
        if known.is_running {
            return Ok(RootClaim::Nothing);
        }
        if !known.is_fixed {
            return Ok(RootClaim::Of(known));
        }
        let Some(winner) = self.claimable(number, period, member, now) else { return Ok(RootClaim::Nothing) };
        let place = (number, period.start, winner);
        let is_claimed = self.winner_at(place).is_some_and(|winner| winner.claimed > 0);
        let claim = self.claim_at(place, false).filter(|_| is_claimed);
        Ok(claim.map_or(RootClaim::Of(known), RootClaim::Claimed))
    }

    /// Claims the prize of a member that may have it. See [`Board::claim_prize`].
    ///
    /// # Errors
    /// The errors of [`Self::root_claim`].
    pub fn claim_in_root(
        &mut self,
        incarnation: u64,
        (member, request): (&[u8], Option<&[u8]>),
        query: &PrizeQuery,
        origin: TimeSource,
    ) -> Result<Claimed, Error> {
        self.keep_time(incarnation, origin)?;
        self.claim_prize(member, query, request, origin)
    }

    /// Takes all unclaimed prizes of settled periods from members that were removed from their parts. Returns how many members
    /// had one.
    ///
    /// # Errors
    /// [`Error::NotARoot`], [`Error::Stale`].
    pub fn take_prizes<'n>(
        &mut self,
        incarnation: u64,
        members: impl Iterator<Item = &'n [u8]>,
    ) -> Result<u64, Error> {
        self.root_entry(incarnation)?;
        let Some(prizes) = self.prizes_mut() else { return Ok(0) };
        Ok(members.filter(|member| prizes.remove(member)).count() as u64)
    }

    /// Gives a root that is being restored the prizes of the root in a backup, from the bytes of [`Board::to_bytes`].
    ///
    /// # Errors
    /// [`Error::NotARoot`]; [`Error::Stale`] if the root is not being restored; [`Error::Corrupt`] if the bytes are not those of a
    /// root with the same views.
    pub fn restore_prizes(&mut self, incarnation: u64, bytes: &[u8]) -> Result<(), Error> {
        if self.root_entry(incarnation)?.state != State::Restoring {
            return Err(Error::Stale("state"));
        }
        let mut other = Self::from_bytes(bytes)?;
        if !other.is_root() || !self.specs().map(|spec| spec.kind).eq(other.specs().map(|spec| spec.kind)) {
            return Err(Error::Corrupt("the root of another board"));
        }
        other.give_prizes_to(self);
        Ok(())
    }

    /// Returns how many ended periods have winners that are fixed.
    #[must_use]
    pub fn payouts(&self) -> u64 {
        let tables = self.prizes().into_iter().flat_map(Prizes::tables);
        tables.map(|tables| tables.count_payouts() as u64).sum()
    }

    /// Checks that the tables of this board can be those of a root.
    ///
    /// # Errors
    /// [`Error::NotWithParts`].
    pub(super) fn check_root_prizes(&self) -> Result<(), Error> {
        for tables in self.prizes().into_iter().flat_map(Prizes::tables) {
            if tables.name.per.is_some() {
                return Err(Error::NotWithParts("PRIZES ... PER"));
            }
            tables.versions().iter().try_for_each(|(_, table)| table.check_over_parts())?;
        }
        Ok(())
    }

    /// Moves the prizes of a board to the root or the plain board that takes its place. Payouts of periods whose last boundary
    /// is not final are fixed first.
    pub(super) fn give_prizes_to(&mut self, other: &mut Self) {
        if self.prizes().is_none() {
            return;
        }
        self.finalize_views();
        let prizes = self.extras.as_mut().and_then(|extras| extras.campaign.as_mut()?.prizes.take());
        other.campaign_mut().prizes = prizes;
        other.rules_changed();
    }

    /// Returns a function that tells whether a member may get a prize of the period of a view that begins at `start`: a hidden
    /// member may not, and a member that was removed from a kept period may not.
    pub fn claimants(&self, view: Option<&[u8]>, start: i64) -> impl Fn(&[u8]) -> bool {
        let period = self.view(view).ok().and_then(|number| {
            let current = self.current_start(number, self.last)?;
            Some(self.prize_period(number, start, Some(current)))
        });
        let reading = period.filter(|period| period.is_kept).and_then(|period| self.prize_reading(period));
        move |member| {
            let is_there = || reading.as_ref().is_none_or(|reading| reading.find(member).is_some());
            !self.hides(member) && is_there()
        }
    }
}

#[cfg(test)]
mod tests;
