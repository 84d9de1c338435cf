//! Bytes of a member in a league.

use super::fill;
use super::today::Today;
use crate::memory::{self, Bytes};
use crate::server::Server;
use crate::week::{DAYS, day};
use crate::{fill as names, idle, leagues};
use client::Result;

/// The league. Everybody plays in two weeks, of which the first one is packed.
pub const LEAGUE: &str = "weeks";

/// Bytes for each member, beside name and meta.
pub struct Memory {
    pub members: u64,
    /// In a week that goes on.
    pub running: Bytes,
    /// In a week that is over, in addition.
    pub packed: Bytes,
    /// The same with today's keys.
    pub today: Today,
}

/// The start of a week.
pub fn week(number: u64) -> u64 {
    day(number.saturating_mul(DAYS))
}

/// The bytes of a member's name and meta.
pub fn texts() -> f64 {
    names::member(0).len().saturating_add(leagues::meta("000000000000").len()) as f64
}

/// Fills the league, and keeps it.
pub fn measure(server: &Server, members: u64, today: Today) -> Result<Memory> {
    fill::create(server, LEAGUE, "CLOCK EVENT RETAIN 1")?;
    let mut client = server.client()?;
    let (first, ()) = memory::grown(&mut client, &[LEAGUE], members, || {
        fill::metas(server, LEAGUE, members)?;
        fill::scores(server, LEAGUE, members, Some(week(0)))
    })?;
    let (second, ()) = memory::grown(&mut client, &[LEAGUE], members, || {
        fill::scores(server, LEAGUE, members, Some(week(1)))?;
        idle::wait(&mut server.client()?)
    })?;
    let beside = |bytes: Bytes| Bytes { used: bytes.used - texts(), usage: bytes.usage - texts() };
    let packed = Bytes { used: second.used, usage: second.usage - first.usage };
    let today = Today { running: beside(today.running), ..today };
    Ok(Memory { members, running: beside(first), packed, today })
}
