//! Claims of the prizes of a league, and the writing down of its winners: at the first claim of a period in a tier, and when a
//! period leaves `RETAIN`.

use super::League;
use super::prizes::{GroupPrize, PrizePeriod, Standings, prize_of};
use crate::Error;
use crate::board::{Effect, Written};
use crate::calendar::{Period, When};
use crate::prizes::{Payout, WinnerList};
use crate::requests::{Fingerprint, Request, RequestHash};
use crate::time::{Millis, Stamp, TimeSource};

/// The answer to a claim, and what the claim changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupClaim {
    /// The prize; `None` if the member has none in the period.
    pub prize: Option<GroupPrize>,
    /// Whether this is the first claim of the prize, or the same request again.
    pub is_first: bool,
    /// The effect.
    pub effect: Effect,
}

impl Written for GroupClaim {
    fn effect(&self) -> Effect {
        self.effect
    }
}

impl League {
    /// Claims the prize of a member, at the league's now.
    ///
    /// # Errors
    /// [`Error::BadPeriod`]; [`Error::RequestReused`] if the request claimed another prize.
    pub fn claim_prize(
        &mut self,
        member: &[u8],
        when: When,
        request: Option<&[u8]>,
        origin: TimeSource,
    ) -> Result<GroupClaim, Error> {
        let now = self.now_of(origin);
        // A league that was loaded has no period yet.
        self.period = Some(self.period_at(now));
        let request = request.map(|id| Request::new(id, Fingerprint::of(0)).hash);
        let nothing = GroupClaim { prize: None, is_first: false, effect: Effect::Repeated };
        if let Some(prize) = self.claim_of(request, member)? {
            return Ok(GroupClaim { prize: Some(prize), is_first: true, ..nothing });
        }
        let Some(period) = self.prize_period(when)? else { return Ok(nothing) };
        let tables = self.prizes.as_ref().map_or(0, |prizes| prizes.tables().len());
        let won = (0..tables).find_map(|number| Some((number, self.wins(number, period, member, now)?)));
        let Some((number, fixed)) = won else { return Ok(nothing) };
        let winner = match fixed {
            Some(winner) => winner,
            None => {
                self.fix_tier(number, period.period);
                let payout = self
                    .prizes
                    .as_ref()
                    .and_then(|prizes| prizes.tables().get(number)?.payout(period.period.start));
                let Some(winner) = payout.and_then(|payout| payout.find(member)) else { return Ok(nothing) };
                winner
            }
        };
        let place = (number, period.period.start, winner);
        if self.claimed_at(place).is_some_and(|prize| prize.claimed.is_some()) {
            return Ok(GroupClaim { prize: self.claimed_at(place), ..nothing });
        }
        if let Some(prizes) = &mut self.prizes {
            prizes.claim(place, now, request);
        }
        let stamp = Stamp { now, at: now };
        self.touch(stamp);
        Ok(GroupClaim { prize: self.claimed_at(place), is_first: true, effect: Effect::Applied(stamp) })
    }

    /// Returns whether a member wins a prize of a table in a period: the number of the winner if the winners are fixed.
    #[expect(clippy::option_option, reason = "the inner option tells whether the winners are fixed")]
    fn wins(&self, number: usize, period: PrizePeriod, member: &[u8], now: Millis) -> Option<Option<u32>> {
        if period.is_running {
            return None;
        }
        let tables = self.prizes.as_ref()?.tables().get(number)?;
        if let Some(payout) = tables.payout_by(period.period.start, now) {
            let found = payout.find(member).filter(|_| !self.is_over(payout, period, now))?;
            return payout.winner(found).filter(|winner| !winner.is_removed).map(|_| Some(found));
        }
        let table = self.open_table(tables, period, now)?;
        let season = self.prize_season(period)?;
        let id = self.records.find(member)?;
        let spot = season.spot(id, &self.records).filter(|spot| spot.tier == usize::from(tables.name))?;
        let standings = Standings::of(season, spot.tier, spot.group);
        let at = standings.0.iter().position(|(_, other)| *other == id)?;
        let rank = (at as u64).saturating_add(1);
        let bands = standings.bands(table, &self.prize_schema());
        bands.iter().any(|band| (band.first..=band.last).contains(&rank)).then_some(None)
    }

    fn claim_of(&self, request: Option<RequestHash>, member: &[u8]) -> Result<Option<GroupPrize>, Error> {
        let place = request.and_then(|request| self.prizes.as_ref()?.claimed(request));
        let Some(prize) = place.and_then(|place| self.claimed_at(place)) else { return Ok(None) };
        if *prize.member == *member { Ok(Some(prize)) } else { Err(Error::RequestReused) }
    }

    fn claimed_at(&self, (number, start, winner): (usize, i64, u32)) -> Option<GroupPrize> {
        let tables = self.prizes.as_ref()?.tables().get(number)?;
        let payout = tables.payout(start)?;
        Some(prize_of(usize::from(tables.name), payout, payout.winner(winner)?))
    }

    /// Fixes the winners of all periods that a period at the time of a write puts out of reach, and forgets payouts that are
    /// over. `oldest` is the start of the oldest period that stays readable.
    pub(super) fn settle_prizes(&mut self, current: Period, oldest: i64) {
        let Some(prizes) = &self.prizes else { return };
        let over = prizes.over_until(current.start);
        let (calendar, unit) = (self.rules.calendar, self.rules.unit);
        let out = self.seasons.kept().filter(|season| season.head.start < oldest && !season.head.hidden);
        let out: Vec<Period> = out.map(|season| calendar.period(unit, season.head.start)).collect();
        for number in 0..self.prizes.as_ref().map_or(0, |prizes| prizes.tables().len()) {
            out.iter().filter(|period| period.end > over).for_each(|period| self.fix_tier(number, *period));
            let unsettled = calendar.period(unit, oldest).end;
            if let Some(prizes) = &mut self.prizes {
                prizes.prune(number, (oldest, unsettled), current.start);
            }
        }
        if let Some(prizes) = &mut self.prizes {
            prizes.drop_ended();
        }
    }

    /// Fixes the winners of an ended period in a tier, if there are any and they are not fixed.
    fn fix_tier(&mut self, number: usize, period: Period) {
        if let (Some(payout), Some(prizes)) = (self.payout_of(number, period), &mut self.prizes) {
            prizes.fix(number, period.start, payout);
        }
    }

    fn payout_of(&self, number: usize, period: Period) -> Option<Payout> {
        let tables = self.prizes.as_ref()?.tables().get(number)?;
        let table = tables.in_force(period.end).filter(|_| tables.payout(period.start).is_none())?;
        let (season, tier, schema) =
            (self.seasons.at(period.start)?, usize::from(tables.name), self.prize_schema());
        let mut list = WinnerList::default();
        for group in 0..season.count(tier) {
            let standings = Standings::of(season, tier, group);
            for band in standings.bands(table, &schema) {
                let places = (band.first..=band.last).filter_map(|rank| Some((rank, standings.at(rank)?)));
                let rows = places.map(|(rank, (id, score))| (rank, self.name(id).into(), score));
                list.add((table, band), u32::try_from(group).unwrap_or(u32::MAX), rows);
            }
        }
        list.payout(period.end, Box::default())
    }
}
