//! The native types in a running server: the server's handles of the types, and the numbers of keys and members.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

use leaderboard_commands::figures::Figure;
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
    /// Returns a type that is not registered yet.
    const fn new() -> Self {
        Self { kind: AtomicPtr::new(null_mut()), population: Population::new() }
    }
}

static BOARDS: Registration = Registration::new();
static LEAGUES: Registration = Registration::new();
static COUNTERS: Registration = Registration::new();

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

/// Returns how many keys of each type there are, and how many members of each type that has members.
pub fn populations() -> impl Iterator<Item = (Figure, &'static AtomicU64)> {
    let figures = |kind: Kind| kind.figures().iter().copied().zip(registration(kind).population.counts());
    Kind::ALL.into_iter().flat_map(figures)
}

/// Returns the address of a value, which timers and threads use to identify the value.
pub fn address<T>(value: &Value<T>) -> usize {
    std::ptr::from_ref(value).expose_provenance()
}
