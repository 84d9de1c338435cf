//! Compares counters with the keys that do the same work today: a hash for each precision, with a field for each
//! slice.

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

/// The default precisions of a counter, in seconds.
pub const PRECISIONS: [u64; 7] = [1, 5, 60, 300, 3_600, 18_000, 86_400];
/// How many slices of each precision are stored.
pub const SAMPLES: usize = 120;
/// The number of counters in the measurements with many counters.
pub const PAGES: u64 = 10_000;
/// The number of counters that one request reads.
pub const DASHBOARD: u64 = 20;

/// The results of this part.
pub struct Counters {
    pub memory: Memory,
    pub speed: Speed,
}

/// Measures the memory, then the requests per second. The server is empty before and after.
pub fn measure(server: &Server, options: &Options) -> Result<Counters> {
    let memory = memory::measure(server)?;
    let speed = speed::measure(server, options)?;
    server.empty()?;
    Ok(Counters { memory, speed })
}
