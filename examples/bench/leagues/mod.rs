//! Compares leagues with the keys that do the same work today: they store the members and their groups.
//!
//! Names and metas are stored before the members join, and members join in another order. So the members of a group
//! are scattered over the memory, as in the second week of a league.

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

/// The number of members in a group.
pub const GROUP: u64 = 100;

/// The results of this part.
pub struct Leagues {
    pub memory: Memory,
    pub boundary: Boundary,
    pub speed: Speed,
}

/// Measures the memory, the ends of weeks, and the requests per second. The server is empty at the start.
pub fn measure(server: &Server, options: &Options) -> Result<Leagues> {
    let today = today::memory(server, options.members())?;
    server.empty()?;
    let memory = memory::measure(server, options.members(), today)?;
    let boundary = boundary::measure(server, options.members())?;
    server.empty()?;
    let speed = speed::measure(server, options)?;
    Ok(Leagues { memory, boundary, speed })
}

/// Returns the number of the member on a seat. Seats are numbered in the order of joining.
pub fn player(seat: u64, members: u64) -> u64 {
    seat.wrapping_mul(STEP).checked_rem(members).unwrap_or(0)
}

/// Returns the group that contains a seat.
pub const fn group(seat: u64) -> u64 {
    seat / GROUP
}

/// Returns the first seat of the group that contains a seat.
pub const fn first_seat(seat: u64) -> u64 {
    seat.saturating_sub(seat % GROUP)
}

/// Returns the name and the picture of a member with these digits: 61 bytes.
pub fn meta(digits: &str) -> String {
    format!("Player {digits}, https://cdn.example.com/avatars/0007.png")
}
