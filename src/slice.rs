//! A slice of time for work between commands.

use std::time::{Duration, Instant};

use leaderboard_core::time::Millis;

use crate::{config, server};

/// A limited time for work.
pub struct Slice {
    begin: Instant,
    length: Duration,
    /// The time of the server's clock at the beginning of the slice.
    pub wall: Millis,
}

impl Slice {
    /// Returns a slice that begins now.
    pub fn begin() -> Self {
        let length = Duration::from_micros(config::tick());
        Self { begin: Instant::now(), length, wall: server::clock() }
    }

    /// Returns the time since the beginning of the slice.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    pub fn is_over(&self) -> bool {
        self.begin.elapsed() >= self.length
    }
}
