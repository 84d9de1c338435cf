//! Counters for `INFO leaderboard`. They are atomic because other threads can free values.

use std::ffi::CStr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use leaderboard_commands::host::Count;

/// The names in `INFO`, in the order of [`Count`].
const NAMES: [&CStr; 4] = [c"writes", c"repeated_requests", c"writes_held_back", c"votes_held_back"];
static COUNTS: [AtomicU64; NAMES.len()] = [const { AtomicU64::new(0) }; NAMES.len()];
/// The work between commands in microseconds: the sum of all slices, and the longest slice.
static PREPARING: AtomicU64 = AtomicU64::new(0);
static LONGEST: AtomicU64 = AtomicU64::new(0);
/// For two limits in microseconds: the number of slices that took longer.
static OVER: [(&CStr, u64, AtomicU64); 2] =
    [(c"slices_over_1ms", 1_000, AtomicU64::new(0)), (c"slices_over_5ms", 5_000, AtomicU64::new(0))];

/// The number of keys of a native type, and the total number of their members.
pub struct Population {
    /// The names of both counts in `INFO`. There is a name for members only if the type has members.
    names: (&'static CStr, Option<&'static CStr>),
    keys: AtomicU64,
    members: AtomicU64,
}

impl Population {
    pub const fn new(keys: &'static CStr, members: Option<&'static CStr>) -> Self {
        Self { names: (keys, members), keys: AtomicU64::new(0), members: AtomicU64::new(0) }
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

    /// Returns the counts with their names.
    pub fn fields(&self) -> impl Iterator<Item = (&'static CStr, &AtomicU64)> {
        let (keys, members) = self.names;
        std::iter::once((keys, &self.keys)).chain(members.map(|name| (name, &self.members)))
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
    for (_, _, count) in OVER.iter().filter(|(_, limit, _)| time > *limit) {
        count.fetch_add(1, Relaxed);
    }
}

/// Returns the counters of commands and of the work between commands, with their names.
pub fn fields() -> impl Iterator<Item = (&'static CStr, &'static AtomicU64)> {
    let work = [(c"preparing_usec", &PREPARING), (c"longest_slice_usec", &LONGEST)];
    let over = OVER.iter().map(|(name, _, count)| (*name, count));
    NAMES.into_iter().zip(&COUNTS).chain(work).chain(over)
}
