//! The native types in a running server: the server's handles of the types, and the numbers of keys and members.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use leaderboard_commands::host::Value;
use leaderboard_commands::native::{Kind, Native};
use redis_module::raw;

use crate::stats::Population;

/// A native type in a running server.
struct Registration {
    kind: AtomicPtr<raw::RedisModuleType>,
    population: Population,
}

impl Registration {
    /// Returns a type that is not registered yet. `keys` and `members` are the names of the counts in `INFO`.
    const fn new(keys: &'static CStr, members: Option<&'static CStr>) -> Self {
        Self { kind: AtomicPtr::new(null_mut()), population: Population::new(keys, members) }
    }
}

static BOARDS: Registration = Registration::new(c"boards", Some(c"members"));
static LEAGUES: Registration = Registration::new(c"leagues", Some(c"league_members"));
static COUNTERS: Registration = Registration::new(c"counters", None);

const fn registration(kind: Kind) -> &'static Registration {
    match kind {
        Kind::Board => &BOARDS,
        Kind::League => &LEAGUES,
        Kind::Counter => &COUNTERS,
    }
}

/// Returns the server's handle of a type.
pub fn registered<T: Native>() -> *mut raw::RedisModuleType {
    registration(T::KIND).kind.load(Relaxed)
}

/// Returns how many keys and members of a type there are.
pub const fn population<T: Native>() -> &'static Population {
    &registration(T::KIND).population
}

/// Stores the server's handle of a type. Returns whether the server returned a handle.
pub fn set_registered<T: Native>(kind: *mut raw::RedisModuleType) -> bool {
    registration(T::KIND).kind.store(kind, Relaxed);
    !kind.is_null()
}

/// Returns how many keys and members of each type there are.
pub fn populations() -> impl Iterator<Item = &'static Population> {
    Kind::ALL.into_iter().map(|kind| &registration(kind).population)
}

/// Returns the address of a value, which timers and threads use to identify the value.
pub fn address<T>(value: &Value<T>) -> usize {
    std::ptr::from_ref(value).expose_provenance()
}
