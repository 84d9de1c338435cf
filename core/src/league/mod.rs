//! A league: members play in groups of limited size within a tier. At the end of each period, the first members of
//! a group move up a tier and its last members move down.
//!
//! # Nothing happens at a boundary
//! The members, groups and scores of one period are a [`season`]. When a period ends, its season stays as it is:
//! its groups, in order, are the outcome. The next tier of a member is computed when the member joins again, from
//! its place in the season in which it was last active. This takes one lookup, however long the member was away. So
//! a boundary between periods costs nothing, and a read changes nothing. If a clock was ahead and is corrected, the
//! league is as it was before.
//!
//! # Open and closed
//! The season that was last written to is open: each of its [`groups`] has an order index. The first write in
//! another period closes the season. A closed season is packed between commands, to about nine bytes per member. If
//! a clock is corrected so that a closed period is current again, the first write in this period opens its season
//! again. A season that is then in the future is set aside. The first write in a period after that season makes the
//! season's members active in it, as if it had been written at its own time.
//!
//! # Out of reach
//! Seasons that are older than RETAIN allows are settled between commands: the outcomes of members that have not
//! joined since ([`settled`]) are kept separately, and the other data is freed. Replies and saved bytes do not
//! depend on whether this was done yet. Besides the open season, the last two seasons that were written to before
//! it are kept, since a clock that was ahead may have passed all periods that RETAIN keeps.

mod background;
mod check;
mod claims;
mod groups;
mod last;
mod membership;
mod native;
mod packed;
mod prizes;
mod read;
mod records;
mod rules;
mod season;
mod seasons;
mod settled;
mod snapshot;
mod write;
mod zone;

use crate::Error;
use crate::calendar::Period;
use crate::index::MemberId;
use crate::requests::{self, Requests};
use crate::time::{Clock, Millis, Stamp, TimeSource};
use prizes::LeaguePrizes;
use records::Records;
use seasons::Seasons;
use settled::Settled;
use snapshot::Loading;

pub use claims::GroupClaim;
pub use last::Last;
pub use prizes::{GroupPrize, PrizeChanges};
pub use read::{Group, Place, Reading, Row, Standing};
pub use rules::{Alter, LeagueTies, MAX_GROUP, MAX_TIERS, Rules, Tier, TierAmount};
pub use write::Joining;
pub use zone::GroupZone;

/// One league.
#[derive(Debug, Clone)]
pub struct League {
    rules: Rules,
    /// The league's time at its last write. On an event clock, this is the greatest `AT` of all writes.
    last: Millis,
    /// The current period, at the moment to which the league was last brought.
    period: Option<Period>,
    records: Records,
    seasons: Seasons,
    settled: Settled,
    requests: Option<Box<Requests>>,
    prizes: Option<Box<LeaguePrizes>>,
    /// Data of a saved league that is only needed while it is being loaded.
    loading: Option<Box<Loading>>,
}

impl League {
    /// Returns a league without members.
    ///
    /// # Errors
    /// The errors of [`Rules::check`].
    pub fn new(rules: Rules) -> Result<Self, Error> {
        rules.check()?;
        Ok(Self {
            rules,
            last: 0,
            period: None,
            records: Records::new(),
            seasons: Seasons::default(),
            settled: Settled::default(),
            requests: None,
            prizes: None,
            loading: None,
        })
    }

    /// Returns the league's rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the league's time at its last write.
    #[must_use]
    pub const fn last(&self) -> Millis {
        self.last
    }

    /// Returns the current period, at the moment to which the league was last brought; `None` before that.
    #[must_use]
    pub const fn period(&self) -> Option<Period> {
        self.period
    }

    /// Returns the league's present time, given the source of time of a command.
    #[must_use]
    pub fn now_of(&self, origin: TimeSource) -> Millis {
        match origin {
            TimeSource::Client { wall, max_future } => self.rules.clock.now(self.last, wall, max_future),
            TimeSource::Decided { now } => now.unwrap_or(self.last),
        }
    }

    const fn keep(&self) -> Millis {
        (self.rules.dedup as Millis).saturating_mul(1000)
    }

    /// Returns how many request ids are remembered at a moment of the league's clock.
    #[must_use]
    pub fn requests(&self, now: Millis) -> usize {
        let kept = |requests: &Requests| requests.count_kept(now.max(self.last), self.keep());
        self.requests.as_deref().filter(|_| self.rules.dedup > 0).map_or(0, kept)
    }

    /// Returns the period that contains a moment of the league's clock.
    fn period_at(&self, now: Millis) -> Period {
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        match self.period {
            Some(period) if period.holds(now) => period,
            _ => self.rules.calendar.period(self.rules.unit, now),
        }
    }

    /// Moves the clock to the time of a write.
    fn touch(&mut self, stamp: Stamp) {
        if let Some(requests) = &mut self.requests {
            requests.turn_back(self.last.saturating_sub(stamp.now));
        }
        // A clock that leapt and was put right without a write in between may have ended periods and set tables, too.
        self.prizes.iter_mut().for_each(|prizes| prizes.turn_back(stamp.now));
        self.last = stamp.now;
        self.period = Some(self.period_at(stamp.now));
    }

    /// Returns a member's name, by its number in a [`Row`].
    #[must_use]
    pub fn name(&self, id: MemberId) -> &[u8] {
        self.records.name(id)
    }

    /// Returns a member's meta, by its number in a [`Row`].
    #[must_use]
    pub fn meta_of(&self, id: MemberId) -> Option<&[u8]> {
        self.records.meta(id)
    }

    /// Returns a member's meta.
    #[must_use]
    pub fn meta(&self, member: &[u8]) -> Option<&[u8]> {
        self.records.meta(self.records.find(member)?)
    }

    /// Changes the rules: makes all requested changes, or none. `now` is the league's present time.
    ///
    /// # Errors
    /// The errors of [`Rules::check`] for the changed rules, and [`Error::AmountsForTiers`].
    pub fn alter(&mut self, alter: &Alter, now: Millis) -> Result<(), Error> {
        let rules = alter.applied_to(&self.rules)?;
        self.check_prizes(&alter.prizes)?;
        let (last, keep) = (self.last, self.keep());
        if alter.dedup.is_some() {
            requests::change_keep(
                &mut self.requests,
                last,
                (keep, Millis::from(rules.dedup).saturating_mul(1000)),
            );
        }
        let period = self.period_at(now);
        // A season that is out of reach by the old or the new rules stays out of reach.
        let oldest = self.oldest(period);
        self.rules = rules;
        self.set_prizes(&alter.prizes, now)?;
        self.seasons.set_zones(period.start, &self.rules);
        if alter.retain.is_some() {
            let oldest = oldest.max(self.oldest(period));
            self.settle_prizes(period, oldest);
            self.seasons.hide(oldest);
            self.seasons.drop_before(oldest);
        }
        Ok(())
    }

    /// Returns the start of the oldest period that can be read when `period` is the current period.
    fn oldest(&self, period: Period) -> i64 {
        self.rules.calendar.back(self.rules.unit, period.start, self.rules.retain).start
    }

    /// Returns whether the league uses the server's clock, which advances by itself.
    fn is_on_server_clock(&self) -> bool {
        self.rules.clock == Clock::Server
    }
}
