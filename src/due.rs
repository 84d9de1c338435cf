//! The values whose periods end by time, and the moments at which their next periods end.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

use leaderboard_commands::host::Value;
use leaderboard_commands::native::{Kind, Native};
use leaderboard_core::size_class::round_up;
use leaderboard_core::time::Millis;
use redis_module::raw;

use crate::registration::address;
use crate::server;

/// The time in milliseconds after which the timer searches again for a key that it did not find. The key may be
/// created in this time.
const RETRY: i64 = 1_000;
/// About how many bytes an entry takes here, without the name.
const ENTRY: usize = 136;

/// The place of a key.
#[derive(Debug, Clone)]
pub struct Place {
    /// The database, if it is known.
    pub database: Option<c_int>,
    pub name: Box<[u8]>,
}

impl Place {
    /// Returns the place of a key in the selected database.
    pub fn of(ctx: *mut raw::RedisModuleCtx, name: &[u8]) -> Self {
        Self { database: server::database(ctx), name: name.into() }
    }
}

struct Entry {
    due: i64,
    place: Place,
    kind: Kind,
}

/// The values whose periods end by time, by address, and in the order in which they are due.
struct Noted {
    entries: BTreeMap<usize, Entry>,
    order: BTreeSet<(i64, usize)>,
}

static NOTED: Mutex<Noted> = Mutex::new(Noted { entries: BTreeMap::new(), order: BTreeSet::new() });

fn noted() -> MutexGuard<'static, Noted> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stores the moment at which a period of the value at this address ends.
fn note<T: Native>(value: usize, due: i64, place: Place) {
    let mut noted = noted();
    noted.remove(value);
    noted.order.insert((due, value));
    noted.entries.insert(value, Entry { due, place, kind: T::KIND });
}

/// Stores the end of a value's next period, if time ends it, so that the timer checks the value at that moment.
/// Otherwise forgets the value.
pub fn follow<T: Native>(value: &Value<T>, place: impl FnOnce() -> Place) {
    let address = address(value);
    if value.ends_by_time() { note::<T>(address, value.due, place()) } else { forget(address) }
}

/// Forgets the value at this address.
pub fn forget(value: usize) {
    noted().remove(value);
}

/// Changes the stored address of a value that was moved.
pub fn moved(from: usize, to: usize) {
    let mut noted = noted();
    if let Some(entry) = noted.remove(from) {
        noted.order.insert((entry.due, to));
        noted.entries.insert(to, entry);
    }
}

/// Returns the number of bytes that are used here for the value at this address.
pub fn memory(value: usize) -> usize {
    let entry = |entry: &Entry| round_up(entry.place.name.len()).saturating_add(ENTRY);
    noted().entries.get(&value).map_or(0, entry)
}

impl Noted {
    fn remove(&mut self, value: usize) -> Option<Entry> {
        let entry = self.entries.remove(&value)?;
        self.order.remove(&(entry.due, value));
        Some(entry)
    }

    /// Changes the moment at which an entry is due.
    fn put_off(&mut self, value: usize, due: i64) {
        let Some(entry) = self.entries.get_mut(&value) else { return };
        self.order.remove(&(entry.due, value));
        entry.due = due;
        self.order.insert((due, value));
    }
}

/// Changes the stored place of the value at an address.
pub fn renamed(value: usize, place: Place) {
    if let Some(entry) = noted().entries.get_mut(&value) {
        entry.place = place;
    }
}

/// Returns the value that is due first, if it is due now. It is due again after a second, unless its next end is
/// stored before.
pub fn next(wall: Millis) -> Option<(usize, Place, Kind)> {
    let wall = i64::try_from(wall).unwrap_or(i64::MAX);
    let mut noted = noted();
    let (_, value) = noted.order.first().copied().filter(|(due, _)| *due <= wall)?;
    noted.put_off(value, wall.saturating_add(RETRY));
    noted.entries.get(&value).map(|entry| (value, entry.place.clone(), entry.kind))
}
