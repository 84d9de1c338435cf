//! A model of a league, written from the contract in the simplest way. It keeps every period as it was played, and
//! each read works out places, zones and tiers from these facts again. The model shares only the calendar, scores and
//! plain data with the league.

mod alter;
mod read;
mod requests;
mod season;
mod table;
mod write;

use std::collections::BTreeMap;

use leaderboard_core::Error;
use leaderboard_core::calendar::Period;
use leaderboard_core::league::Rules;
use leaderboard_core::time::{Clock, Stamp};
pub use leaderboard_testkit::name::Name;

use crate::MAX_FUTURE;
use requests::Requests;
use season::Season;
pub use table::{Asked, Line, Table};
pub use write::{Op, Told};

/// The data of a member outside its entries in periods.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Member {
    /// The start of the period in which it was last active.
    active: Option<i64>,
    /// The tier that it was given for its next join.
    tier: Option<usize>,
    meta: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
pub struct Model {
    pub rules: Rules,
    /// The moment of the last applied write, in milliseconds.
    pub last: u64,
    /// All periods that have been joined, by their starts.
    seasons: BTreeMap<i64, Season>,
    members: BTreeMap<Name, Member>,
    requests: Requests,
    arrivals: u64,
    /// The start of the period that was written to last.
    open: Option<i64>,
    /// The number of times that a write came to another period than the write before it.
    turns: u64,
    /// Whether reads of the current period show members that were removed while another period was current. A league
    /// may show them until the period is written to, but its decisions ignore them.
    shows_gone: bool,
}

impl Model {
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: rules.clone(),
            last: 0,
            seasons: BTreeMap::new(),
            members: BTreeMap::new(),
            requests: Requests::default(),
            arrivals: 0,
            open: None,
            turns: 0,
            shows_gone: false,
        }
    }

    /// Returns the current moment of the league. If the server's clock is a little behind the last write, the
    /// league's clock stands still. If it is far behind, it was corrected, and the league follows it.
    pub fn now(&self, wall: u64) -> u64 {
        let behind = self.last.saturating_sub(wall);
        match self.rules.clock {
            Clock::Event => self.last,
            Clock::Server if behind > 0 && behind <= MAX_FUTURE => self.last,
            Clock::Server => wall,
        }
    }

    fn stamp(&self, at: Option<u64>, wall: u64) -> Result<Stamp, Error> {
        if self.rules.clock == Clock::Event {
            let at = at.ok_or(Error::MissingAt)?;
            return Ok(Stamp { now: at.max(self.last), at });
        }
        let now = self.now(wall);
        match at {
            Some(at) if at > now + MAX_FUTURE => Err(Error::AtInFuture),
            at => Ok(Stamp { now, at: at.unwrap_or(now).min(now) }),
        }
    }

    /// Returns the period that is current at a moment.
    pub fn period(&self, now: u64) -> Period {
        self.rules.calendar.period(self.rules.unit, now as i64)
    }

    /// Returns the moment of a period from which on new members wait for the next period.
    pub fn deadline(&self, period: Period) -> i64 {
        period.start + self.rules.join_until.of(period.end - period.start)
    }

    pub fn requests(&self, now: u64) -> usize {
        self.requests.count(self.rules.dedup, now.max(self.last))
    }

    pub fn meta(&self, name: &Name) -> Option<&[u8]> {
        self.members.get(name)?.meta.as_deref()
    }

    fn tier(&self, name: &[u8]) -> Option<usize> {
        self.rules.tiers.iter().position(|tier| *tier.name == *name)
    }
}
