//! Counters for `INFO leaderboard`. They are atomic because other threads can free values.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use leaderboard_commands::figures;
use leaderboard_commands::host::Count;

/// The counters of commands, in the order of [`Count`].
static COUNTS: [AtomicU64; Count::ALL.len()] = [const { AtomicU64::new(0) }; Count::ALL.len()];
/// The work between commands in microseconds: the sum of all slices, and the longest slice.
static PREPARING: AtomicU64 = AtomicU64::new(0);
static LONGEST: AtomicU64 = AtomicU64::new(0);
/// The number of slices that took longer than each limit.
static OVER: [AtomicU64; figures::OVER.len()] = [const { AtomicU64::new(0) }; figures::OVER.len()];

/// The number of keys of a native type, and the total number of their members.
pub struct Population {
    keys: AtomicU64,
    members: AtomicU64,
}

impl Population {
    pub const fn new() -> Self {
        Self { keys: AtomicU64::new(0), members: AtomicU64::new(0) }
    }

    /// Counts a new value that has this number of members.
    pub fn came(&self, members: u64) {
        self.keys.fetch_add(1, Relaxed);
        self.members.fetch_add(members, Relaxed);
    }

    /// Removes a freed value and its members from the counts.
    pub fn went(&self, members: u64) {
        self.keys.fetch_sub(1, Relaxed);
        self.members.fetch_sub(members, Relaxed);
    }

    /// Updates the number of members of a value.
    pub fn changed(&self, before: u64, after: u64) {
        if before != after {
            self.members.fetch_add(after.wrapping_sub(before), Relaxed);
        }
    }

    /// Returns both counts, the keys first.
    pub const fn counts(&self) -> [&AtomicU64; 2] {
        [&self.keys, &self.members]
    }
}

/// Increases a counter.
pub fn count(count: Count) {
    if let Some(count) = COUNTS.get(count as usize) {
        count.fetch_add(1, Relaxed);
    }
}

/// Counts a slice of work between commands.
pub fn prepared(time: Duration) {
    let time = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    PREPARING.fetch_add(time, Relaxed);
    LONGEST.fetch_max(time, Relaxed);
    for (_, count) in figures::OVER.iter().zip(&OVER).filter(|((limit, _), _)| time > *limit) {
        count.fetch_add(1, Relaxed);
    }
}

/// Returns the counters of commands and of the work between commands, in the order of [`figures::of_commands`].
pub fn counts() -> impl Iterator<Item = &'static AtomicU64> {
    COUNTS.iter().chain([&PREPARING, &LONGEST]).chain(&OVER)
}
