//! A slice of time for work between commands.

use std::time::{Duration, Instant};

use leaderboard_core::time::Millis;

use crate::{config, server};

/// A limited time to work in.
pub struct Slice {
    begin: Instant,
    length: Duration,
    /// The server's clock at its beginning.
    pub wall: Millis,
}

impl Slice {
    /// A slice that begins now.
    pub fn begin() -> Self {
        let length = Duration::from_micros(config::tick());
        Self { begin: Instant::now(), length, wall: server::clock() }
    }

    /// The time since its beginning.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    pub fn is_over(&self) -> bool {
        self.begin.elapsed() >= self.length
    }
}
