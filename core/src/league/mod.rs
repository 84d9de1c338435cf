//! A league: members play in groups of limited size within a tier, and at the end of each period the top of a
//! group moves up a tier and its end moves down.
//!
//! # Nothing happens at a boundary
//! What is played in a period is a [`season`]. When a period ends, its season stays as it is: the groups, in order,
//! are the outcome. The next tier of a member is computed when the member joins again, from its place in the season
//! that it was last active in: one lookup, however long it was away. So a boundary costs nothing, reading changes
//! nothing, and after a clock was ahead and is corrected, everything is as it was.
//!
//! # Open and closed
//! The season that was last written to is open: its [`groups`] are order indexes, one each. The first write in
//! another period closes it. A closed season is packed between commands, in about nine bytes a member. If a clock is
//! corrected and a closed period goes on, the first write to it opens its season again. A season that then lies in
//! the future is set aside. The first write in a period after that season makes the season's members active in it, as
//! if it had been written at its own time.
//!
//! # Out of reach
//! Seasons that RETAIN no longer reaches are settled between commands: the outcomes of members that have not joined
//! since ([`settled`]) are kept separately, and the rest is freed. Answers and saved bytes do not depend on whether
//! this was done yet. Before the open season, the two seasons that were last written to stay, since a clock that was
//! ahead may have passed all periods that RETAIN reaches.

mod background;
mod check;
mod groups;
mod last;
mod membership;
mod native;
mod packed;
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
use records::Records;
use seasons::Seasons;
use settled::Settled;
use snapshot::Loading;

pub use last::Last;
pub use read::{Group, Place, Reading, Row, Standing};
pub use rules::{Alter, MAX_GROUP, MAX_TIERS, Rules, Tier, TierAmount};
pub use write::Joining;
pub use zone::GroupZone;

/// One league.
#[derive(Debug, Clone)]
pub struct League {
    rules: Rules,
    /// The league's time at its last write. On an event clock, this is the greatest `AT` of all writes.
    last: Millis,
    /// The period of the moment that the league was last brought to.
    period: Option<Period>,
    records: Records,
    seasons: Seasons,
    settled: Settled,
    requests: Option<Box<Requests>>,
    /// What is known of a saved league while it is being loaded.
    loading: Option<Box<Loading>>,
}

impl League {
    /// A league without members.
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
            loading: None,
        })
    }

    /// The league's rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The league's time at its last write.
    #[must_use]
    pub const fn last(&self) -> Millis {
        self.last
    }

    /// The current period, at the moment that the league was last brought to; `None` before that.
    #[must_use]
    pub const fn period(&self) -> Option<Period> {
        self.period
    }

    /// The league's present time, if this is the source of time.
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

    /// How many request ids are remembered at a moment of the league's clock.
    #[must_use]
    pub fn requests(&self, now: Millis) -> usize {
        let kept = |requests: &Requests| requests.count_kept(now.max(self.last), self.keep());
        self.requests.as_deref().filter(|_| self.rules.dedup > 0).map_or(0, kept)
    }

    /// The period that holds a moment of the league's clock.
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
        self.last = stamp.now;
        self.period = Some(self.period_at(stamp.now));
    }

    /// A member's name, by its number in a [`Row`].
    #[must_use]
    pub fn name(&self, id: MemberId) -> &[u8] {
        self.records.name(id)
    }

    /// A member's meta, by its number in a [`Row`].
    #[must_use]
    pub fn meta_of(&self, id: MemberId) -> Option<&[u8]> {
        self.records.meta(id)
    }

    /// A member's meta.
    #[must_use]
    pub fn meta(&self, member: &[u8]) -> Option<&[u8]> {
        self.records.meta(self.records.find(member)?)
    }

    /// Changes rules: all requested changes, or none. `now` is the league's now.
    ///
    /// # Errors
    /// The errors of [`Rules::check`] with such rules, and [`Error::AmountsForTiers`].
    pub fn alter(&mut self, alter: &Alter, now: Millis) -> Result<(), Error> {
        let rules = alter.applied_to(&self.rules)?;
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
        self.seasons.set_zones(period.start, &self.rules);
        if alter.retain.is_some() {
            let oldest = oldest.max(self.oldest(period));
            self.seasons.hide(oldest);
            self.seasons.drop_before(oldest);
        }
        Ok(())
    }

    /// The start of the oldest period that can be read while a period is current.
    fn oldest(&self, period: Period) -> i64 {
        self.rules.calendar.back(self.rules.unit, period.start, self.rules.retain).start
    }

    /// Whether the clock of the league moves by itself.
    fn is_on_server_clock(&self) -> bool {
        self.rules.clock == Clock::Server
    }
}
