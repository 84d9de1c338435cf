//! Bytes of a member in a league.

use super::fill;
use super::today::Today;
use crate::memory::{self, Bytes};
use crate::server::Server;
use crate::week::{DAYS, day};
use crate::{fill as names, idle, leagues};
use client::Result;

/// The key of the league. All members play in two weeks, and the first week is packed.
pub const LEAGUE: &str = "weeks";

/// Bytes per member, without name and meta.
pub struct Memory {
    pub members: u64,
    /// Bytes in the week that is not over.
    pub running: Bytes,
    /// Additional bytes of a week that is over.
    pub packed: Bytes,
    /// The same data in today's keys.
    pub today: Today,
}

/// Returns the start of a week, in ms.
pub fn week(number: u64) -> u64 {
    day(number.saturating_mul(DAYS))
}

/// Returns the bytes of a member's name and meta.
pub fn texts() -> f64 {
    names::member(0).len().saturating_add(leagues::meta("000000000000").len()) as f64
}

/// Fills the league and measures it. The league remains for the next measurement.
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
