//! The counts of the gateway about its clients, for `INFO`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts since the start.
#[derive(Default)]
pub struct Counters {
    pub connections: Counter,
    /// Connections that were refused because there were already too many.
    pub turned_away: Counter,
    pub commands: Counter,
    /// Connections that sent something that is not a command.
    pub protocol_errors: Counter,
}

/// A number that only grows.
#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds to the number, and returns the new number.
    pub fn add(&self, number: usize) -> u64 {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        self.0.fetch_add(number, Relaxed).wrapping_add(number)
    }

    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}
