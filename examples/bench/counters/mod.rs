//! Counters against what does the same today: a hash for each precision, with a field for each slice.

mod fill;
mod history;
mod memory;
pub mod report;
pub mod speed;
mod today;

use crate::Options;
use crate::contest::Speed;
use crate::server::Server;
use client::Result;
use memory::Memory;

/// The precisions of a counter that names none, in seconds.
pub const PRECISIONS: [u64; 7] = [1, 5, 60, 300, 3_600, 18_000, 86_400];
/// How many slices of each are kept.
pub const SAMPLES: usize = 120;
/// How many counters there are where many are asked.
pub const PAGES: u64 = 10_000;
/// How many counters are read at once.
pub const DASHBOARD: u64 = 20;

/// The results.
pub struct Counters {
    pub memory: Memory,
    pub speed: Speed,
}

/// Measures memory, then requests a second. Begins and ends on an empty server.
pub fn measure(server: &Server, options: &Options) -> Result<Counters> {
    let memory = memory::measure(server)?;
    let speed = speed::measure(server, options)?;
    server.empty()?;
    Ok(Counters { memory, speed })
}
