//! The module's work between commands: waits for its end and measures its slices.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::server::Client;
use client::Result;

/// If the module's counter does not grow for this time, there is no work: work runs at least ten times per second.
const QUIET: Duration = Duration::from_millis(300);
/// The time between two readings of the counter.
pub const LOOK: Duration = Duration::from_millis(100);
/// The maximum time to wait. Ten million members take some minutes.
const LIMIT: Duration = Duration::from_secs(1_800);

/// Observes the module's work until it ends.
pub struct Watch {
    micros: f64,
    since: Instant,
    started: Instant,
}

impl Watch {
    pub fn new() -> Self {
        Self { micros: -1.0, since: Instant::now(), started: Instant::now() }
    }

    /// Checks that no work was done for a while.
    pub fn is_quiet(&mut self, client: &mut Client) -> Result<bool> {
        let micros = micros(client)?;
        if micros > self.micros {
            (self.micros, self.since) = (micros, Instant::now());
        }
        if self.started.elapsed() > LIMIT {
            return Err("the module does not come to rest".to_owned());
        }
        Ok(self.since.elapsed() > QUIET)
    }
}

/// Waits until there is no more work.
pub fn wait(client: &mut Client) -> Result<()> {
    let mut watch = Watch::new();
    while !watch.is_quiet(client)? {
        sleep(LOOK);
    }
    Ok(())
}

/// Returns the microseconds of work between commands so far.
pub fn micros(client: &mut Client) -> Result<f64> {
    client.info("leaderboard")?.number("leaderboard_preparing_usec")
}

/// Returns the longest slice so far, in milliseconds.
pub fn longest_slice(client: &mut Client) -> Result<f64> {
    Ok(client.info("leaderboard")?.number("leaderboard_longest_slice_usec")? / 1_000.0)
}
