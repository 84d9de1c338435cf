//! Leagues against the keys that do the same today: who plays, and in which group.
//!
//! Names and metas are there before anybody joins, and members join in another order. So the members of a group lie all
//! over the memory, as in the second week of a league.

mod boundary;
mod fill;
mod memory;
pub mod report;
pub mod speed;
mod today;

use crate::Options;
use crate::contest::Speed;
use crate::fill::STEP;
use crate::server::Server;
use boundary::Boundary;
use client::Result;
use memory::Memory;

/// Members of a group.
pub const GROUP: u64 = 100;

/// The results.
pub struct Leagues {
    pub memory: Memory,
    pub boundary: Boundary,
    pub speed: Speed,
}

/// Measures memory, the ends of weeks, and requests a second. Begins on an empty server.
pub fn measure(server: &Server, options: &Options) -> Result<Leagues> {
    let today = today::memory(server, options.members())?;
    server.empty()?;
    let memory = memory::measure(server, options.members(), today)?;
    let boundary = boundary::measure(server, options.members())?;
    server.empty()?;
    let speed = speed::measure(server, options)?;
    Ok(Leagues { memory, boundary, speed })
}

/// The number of the member on a seat. Seats are numbered in the order of joining.
pub fn player(seat: u64, members: u64) -> u64 {
    seat.wrapping_mul(STEP).checked_rem(members).unwrap_or(0)
}

/// The group that has a seat.
pub const fn group(seat: u64) -> u64 {
    seat / GROUP
}

/// The first seat of a group.
pub const fn first_seat(seat: u64) -> u64 {
    seat.saturating_sub(seat % GROUP)
}

/// Name and picture of a member with these digits: 61 bytes.
pub fn meta(digits: &str) -> String {
    format!("Player {digits}, https://cdn.example.com/avatars/0007.png")
}
