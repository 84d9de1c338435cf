//! Claims of the prizes of a board, and periods that are settled without a claim.

use super::prizes::PrizeQuery;
use super::settle::Period;
use super::{Board, Effect, Written};
use crate::Error;
use crate::prizes::{Payout, TableName, Tables, Winner};
use crate::requests::{Fingerprint, Request, RequestHash};
use crate::schema::Ranks;
use crate::short_name::ShortName;
use crate::time::{Millis, Stamp, TimeSource};

/// The answer to a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The prize.
    pub prize: Box<[u8]>,
    /// The ordinal rank, from 1.
    pub rank: u64,
    /// Whether this is the first claim of the prize, or the same request again.
    pub is_first: bool,
    /// The segment, for a table of segments.
    pub segment: Option<Box<[u8]>>,
}

/// The answer to a claim, and what the claim changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// The prize; `None` if the member has none in the period.
    pub claim: Option<Claim>,
    /// The effect.
    pub effect: Effect,
}

impl Written for Claimed {
    fn effect(&self) -> Effect {
        self.effect
    }
}

/// The answer to a settlement, and what it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The number of winners; `None` if the period is running, or has no prizes any more.
    pub winners: Option<u64>,
    /// The effect.
    pub effect: Effect,
}

impl Written for Settled {
    fn effect(&self) -> Effect {
        self.effect
    }
}

impl Board {
    /// Fixes the winners of an ended period, as the first claim does, at the board's now.
    ///
    /// # Errors
    /// The errors of [`Self::prize_rows`].
    pub fn settle_period(&mut self, query: &PrizeQuery, origin: TimeSource) -> Result<Settled, Error> {
        let now = self.now_of(origin);
        self.advance(now);
        let unchanged = |winners| Ok(Settled { winners, effect: Effect::Repeated });
        let Some((number, period)) = self.table_and_period(query, now)? else { return unchanged(None) };
        let Some(tables) = self.prizes().and_then(|prizes| prizes.tables().get(number)) else {
            return unchanged(None);
        };
        let name = tables.name;
        let count = |payout: &Payout| payout.winners().len() as u64;
        let (winners, payout) = match tables.payout_by(period.start, now) {
            Some(_) if self.is_forgotten(number, period.start, now) => {
                return unchanged(None);
            }
            Some(payout) if !payout.is_untouched() => return unchanged(Some(count(payout))),
            Some(payout) => (count(payout), None),
            None if !self.can_be_fixed(period, now) || tables.in_force(period.end).is_none() => {
                return unchanged(None);
            }
            None => match self.payout_of(number, period) {
                Some(payout) => (count(&payout), Some(payout)),
                None => return unchanged(Some(0)),
            },
        };
        self.finalize_views();
        if let Some(prizes) = self.prizes_mut()
            && let Some(number) = prizes.find(name)
        {
            payout.into_iter().for_each(|payout| prizes.fix(number, period.start, payout));
            prizes.settle(number, period.start);
        }
        let stamp = Stamp { now, at: now };
        self.touch(stamp);
        self.tidy();
        Ok(Settled { winners: Some(winners), effect: Effect::Applied(stamp) })
    }

    /// Returns whether the winners of a period can still be fixed, if they are not.
    fn can_be_fixed(&self, period: Period, now: Millis) -> bool {
        let over = self.prizes().map_or(i64::MAX, |prizes| prizes.over_until(now.cast_signed()));
        !period.is_running && (period.is_kept || period.end > over)
    }

    /// Claims the prize of a member, at the board's now.
    ///
    /// # Errors
    /// The errors of [`Self::prize_rows`]; [`Error::RequestReused`] if the request claimed another prize.
    pub fn claim_prize(
        &mut self,
        member: &[u8],
        query: &PrizeQuery,
        request: Option<&[u8]>,
        origin: TimeSource,
    ) -> Result<Claimed, Error> {
        let now = self.now_of(origin);
        self.advance(now);
        let request = request.map(|id| Request::new(id, Fingerprint::of(0)).hash);
        let unchanged = |claim| Ok(Claimed { claim, effect: Effect::Repeated });
        let name = self.table_name(query)?;
        if let Some(claim) = self.claim_of(request, member, (query, name), now)? {
            return unchanged(Some(claim));
        }
        let Some((number, period)) = self.table_and_period(query, now)? else { return unchanged(None) };
        // A period that had a claim, and runs again because the clock was put right, has its winners. It pays them when it ends again.
        if period.is_running {
            return unchanged(None);
        }
        let Some(tables) = self.prizes().and_then(|prizes| prizes.tables().get(number)) else {
            return unchanged(None);
        };
        let name = tables.name;
        if tables.payout_by(period.start, now).is_none() {
            if !self.can_be_fixed(period, now) || !self.wins(tables, period, member) {
                return unchanged(None);
            }
        } else {
            let Some(winner) = self.claimable(number, period, member, now) else {
                return unchanged(None);
            };
            let place = (number, period.start, winner);
            if self.winner_at(place).is_some_and(|winner| winner.claimed > 0) {
                return unchanged(self.claim_at(place, false));
            }
        }
        self.finalize_views();
        // A final boundary drops the tables that have ended. The numbers of the others change.
        let Some(number) = self.prizes().and_then(|prizes| prizes.find(name)) else { return unchanged(None) };
        self.fix_period(number, period);
        let Some(winner) = self.claimable(number, period, member, now) else { return unchanged(None) };
        let place = (number, period.start, winner);
        if let Some(prizes) = self.prizes_mut() {
            prizes.claim(place, now, request);
        }
        let stamp = Stamp { now, at: now };
        self.touch(stamp);
        self.tidy();
        Ok(Claimed { claim: self.claim_at(place, true), effect: Effect::Applied(stamp) })
    }

    /// Returns the claim that a request made. `name` is the table that the query names. Without a view in the query, the claim may
    /// be of any view: another one may be the default by now.
    pub(super) fn claim_of(
        &self,
        request: Option<RequestHash>,
        member: &[u8],
        (query, name): (&PrizeQuery, Option<TableName>),
        now: Millis,
    ) -> Result<Option<Claim>, Error> {
        let Some(prizes) = self.prizes() else { return Ok(None) };
        let Some(place) = request.and_then(|request| prizes.claimed(request)) else { return Ok(None) };
        if self.is_forgotten(place.0, place.1, now) {
            return Ok(None);
        }
        let is_named = |own: TableName| match query.view {
            Some(_) => Some(own) == name,
            None => own.per.as_ref().map(ShortName::as_bytes) == query.per,
        };
        let is_same_table = prizes.tables().get(place.0).is_some_and(|tables| is_named(tables.name));
        let is_same_member = self.winner_at(place).is_some_and(|winner| *winner.member == *member);
        if is_same_table && is_same_member {
            Ok(self.claim_at(place, true))
        } else {
            Err(Error::RequestReused)
        }
    }

    /// Returns whether the days of a payout have passed. Its rows can still be there until the next boundary.
    pub(super) fn is_forgotten(&self, number: usize, start: i64, now: Millis) -> bool {
        let Some(prizes) = self.prizes() else { return true };
        let Some(tables) = prizes.tables().get(number) else { return true };
        let has_passed =
            tables.payout(start).is_none_or(|payout| payout.end <= prizes.over_until(now.cast_signed()));
        let is_kept = || {
            let view = self.view_of(tables.name.view);
            view.is_some_and(|view| self.prize_period(view, start, self.current_start(view, now)).is_kept)
        };
        has_passed && !is_kept()
    }

    pub(super) fn winner_at(&self, (number, start, winner): (usize, i64, u32)) -> Option<&Winner> {
        self.prizes()?.tables().get(number)?.payout(start)?.winner(winner)
    }

    pub(super) fn claim_at(
        &self,
        (number, start, winner): (usize, i64, u32),
        is_first: bool,
    ) -> Option<Claim> {
        let payout = self.prizes()?.tables().get(number)?.payout(start)?;
        let winner = payout.winner(winner)?;
        Some(Claim {
            prize: payout.prize(winner).into(),
            rank: winner.rank.into(),
            is_first,
            segment: payout.segment(winner).map(Into::into),
        })
    }

    /// Returns the number of a winner whose prize can be claimed, or was claimed.
    pub(super) fn claimable(&self, number: usize, period: Period, member: &[u8], now: Millis) -> Option<u32> {
        let prizes = self.prizes()?;
        let payout = prizes.tables().get(number)?.payout(period.start)?;
        if !period.is_kept && prizes.is_over(payout, now.cast_signed()) {
            return None;
        }
        let found = payout.find(member)?;
        let winner = payout.winner(found)?;
        let is_nobodys = winner.is_removed || self.hides(member);
        (winner.claimed > 0 || !is_nobodys).then_some(found)
    }

    /// Returns whether a member wins a prize of a period whose winners are not fixed.
    fn wins(&self, tables: &Tables<TableName>, period: Period, member: &[u8]) -> bool {
        let wins = || {
            let table = tables.in_force(period.end)?;
            let reading = self.prize_reading(period)?;
            let reading = match tables.name.per {
                None => reading,
                Some(per) => reading.within(self.schema.segments.find(per.as_bytes()).ok()?, member)?,
            };
            let at = reading.find(member).filter(|at| !at.is_hidden)?;
            let rank = reading.seen.rank(&at, Ranks::Ordinal);
            let bands = table.bands(reading.len(), &self.schema, |low, high| reading.span(low, high));
            Some(bands.iter().any(|band| (band.first..=band.last).contains(&rank)))
        };
        wins().unwrap_or(false)
    }
}
