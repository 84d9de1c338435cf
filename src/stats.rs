//! Counts for `INFO leaderboard`. Values can be freed by other threads, so they are atomic.

use std::ffi::CStr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What commands are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Writes that were applied.
    Written,
    /// Repetitions of requests.
    Repeated,
    /// Writes whose condition did not hold.
    HeldBack,
    /// Votes that a rule held back.
    VoteHeldBack,
}

/// The names of counts, in their order.
const NAMES: [&CStr; 4] = [c"writes", c"repeated_requests", c"writes_held_back", c"votes_held_back"];
static COUNTS: [AtomicU64; NAMES.len()] = [const { AtomicU64::new(0) }; NAMES.len()];
/// Microseconds of work between commands, and of its longest slice.
static PREPARING: AtomicU64 = AtomicU64::new(0);
static LONGEST: AtomicU64 = AtomicU64::new(0);

/// How many keys of a native type there are, and how many members in all of them.
pub struct Population {
    /// The names of the two in `INFO`.
    names: [&'static CStr; 2],
    keys: AtomicU64,
    members: AtomicU64,
}

impl Population {
    /// None yet.
    pub const fn new(keys: &'static CStr, members: &'static CStr) -> Self {
        Self { names: [keys, members], keys: AtomicU64::new(0), members: AtomicU64::new(0) }
    }

    /// A value with so many members has come to the keyspace.
    pub fn came(&self, members: u64) {
        self.keys.fetch_add(1, Relaxed);
        self.members.fetch_add(members, Relaxed);
    }

    /// A value with so many members has gone.
    pub fn went(&self, members: u64) {
        self.keys.fetch_sub(1, Relaxed);
        self.members.fetch_sub(members, Relaxed);
    }

    /// A value in the keyspace has another number of members.
    pub fn changed(&self, before: u64, after: u64) {
        if before != after {
            self.members.fetch_add(after.wrapping_sub(before), Relaxed);
        }
    }

    /// Both counts, with their names.
    pub fn fields(&self) -> [(&'static CStr, &AtomicU64); 2] {
        let [keys, members] = self.names;
        [(keys, &self.keys), (members, &self.members)]
    }
}

/// A command has come to an end.
pub fn count(count: Count) {
    if let Some(count) = COUNTS.get(count as usize) {
        count.fetch_add(1, Relaxed);
    }
}

/// A slice of work between commands has come to an end.
pub fn prepared(time: Duration) {
    let time = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    PREPARING.fetch_add(time, Relaxed);
    LONGEST.fetch_max(time, Relaxed);
}

/// The counts of commands and of work between them, with their names.
pub fn fields() -> impl Iterator<Item = (&'static CStr, &'static AtomicU64)> {
    let work = [(c"preparing_usec", &PREPARING), (c"longest_slice_usec", &LONGEST)];
    NAMES.into_iter().zip(&COUNTS).chain(work)
}
