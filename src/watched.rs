//! The values on which the module works between commands.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use leaderboard_commands::native::Kind;

/// The values that have work between commands, now or at the end of their periods, by address. A thread that frees
/// one of these values waits until the slice ends.
pub struct Watched {
    values: BTreeMap<usize, Kind>,
    /// The address of the value that was worked on last.
    last: usize,
}

static WATCHED: Mutex<Watched> = Mutex::new(Watched { values: BTreeMap::new(), last: 0 });

/// Locks the list. Another thread that frees a value waits until the list is unlocked.
pub fn lock() -> MutexGuard<'static, Watched> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the value at this address to the values with work.
pub fn watch(value: usize, kind: Kind) {
    lock().values.insert(value, kind);
}

/// Stops the work on the value at this address.
pub fn forget(value: usize) {
    lock().stop(value);
}

/// Changes the stored address of a value that was moved.
pub fn moved(from: usize, to: usize) {
    let mut watched = lock();
    if let Some(kind) = watched.values.remove(&from) {
        watched.values.insert(to, kind);
    }
}

impl Watched {
    /// Stops the work on the value at this address.
    pub fn stop(&mut self, value: usize) {
        self.values.remove(&value);
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the next value in turn.
    pub fn next(&mut self) -> Option<(usize, Kind)> {
        let after = (Bound::Excluded(self.last), Bound::Unbounded);
        let next = self.values.range(after).next().or_else(|| self.values.first_key_value());
        let (value, kind) = next.map(|(value, kind)| (*value, *kind))?;
        self.last = value;
        Some((value, kind))
    }
}
