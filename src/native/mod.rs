//! The native types and their callbacks: save, load, copy, free, measure. All callbacks are generic over
//! [`Native`]. A new type implements `Native` and gets a row in [`TYPES`].
//!
//! Some callbacks exist twice. The newer one ends in `2` and also gets the key and the database. We need
//! neither, and all servers know the older one.

mod callbacks;
mod defrag;
mod saving;

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use leaderboard_commands::native::{Kind, Native};
use leaderboard_commands::value::Value;
use leaderboard_core::native::Work;
use leaderboard_core::{Board, Counter, League};
use redis_module::raw;

use crate::background::Slice;
use crate::config;
use crate::stats::Population;

/// A native type in a running server.
struct Registration {
    kind: AtomicPtr<raw::RedisModuleType>,
    population: Population,
}

impl Registration {
    /// Not registered yet. `keys` and `members` are the names of the counts in `INFO`.
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

/// The server's handle of a type.
pub fn registered<T: Native>() -> *mut raw::RedisModuleType {
    registration(T::KIND).kind.load(Relaxed)
}

/// How many keys and members of a type there are.
pub const fn population<T: Native>() -> &'static Population {
    &registration(T::KIND).population
}

/// A row of [`TYPES`].
pub struct Type {
    register: fn(*mut raw::RedisModuleCtx) -> bool,
    pub population: fn() -> &'static Population,
}

impl Type {
    const fn of<T: Native>() -> Self {
        Self { register: register_one::<T>, population: population::<T> }
    }
}

pub static TYPES: [Type; 3] = [Type::of::<Board>(), Type::of::<League>(), Type::of::<Counter>()];

/// Registers all types. Returns whether the server accepted them.
pub fn register(ctx: *mut raw::RedisModuleCtx) -> bool {
    TYPES.iter().all(|kind| (kind.register)(ctx))
}

fn register_one<T: Native>(ctx: *mut raw::RedisModuleCtx) -> bool {
    let mut methods = raw::RedisModuleTypeMethods {
        version: u64::from(raw::REDISMODULE_TYPE_METHOD_VERSION),
        rdb_load: Some(saving::rdb_load::<T>),
        rdb_save: Some(saving::rdb_save::<T>),
        aof_rewrite: Some(saving::aof_rewrite::<T>),
        mem_usage: Some(callbacks::mem_usage::<T>),
        digest: Some(saving::digest::<T>),
        free: Some(callbacks::free::<T>),
        aux_load: None,
        aux_save: None,
        aux_save_triggers: 0,
        free_effort: Some(callbacks::free_effort::<T>),
        unlink: None,
        copy: Some(callbacks::copy::<T>),
        defrag: Some(defrag::defrag::<T>),
        mem_usage2: None,
        free_effort2: None,
        unlink2: None,
        copy2: None,
        aux_save2: None,
    };
    let (name, encoding) = (T::NAME.as_ptr(), T::ENCODING);
    // SAFETY: the context of OnLoad; the server copies the methods.
    let kind = unsafe {
        raw::RedisModule_CreateDataType.map(|create| create(ctx, name, encoding, &raw mut methods))
    };
    registration(T::KIND).kind.store(kind.unwrap_or(null_mut()), Relaxed);
    !registered::<T>().is_null()
}

/// The address of a value, by which timers and threads know it.
pub fn address<T>(value: &Value<T>) -> usize {
    std::ptr::from_ref(value).expose_provenance()
}

/// Works on one value until the slice ends. Returns whether there was work.
///
/// # Safety
/// The address holds a value of this type, and nothing else refers to it.
pub unsafe fn work<T: Native>(value: usize, slice: &Slice) -> bool {
    // SAFETY: the caller guarantees the value.
    let value = unsafe { &mut *std::ptr::with_exposed_provenance_mut::<Value<T>>(value) };
    let data = &mut value.data;
    let (now, members) = (data.now(slice.wall, config::max_future()), data.members());
    let mut worked = false;
    while data.has_work() && data.work(now) == Work::Now {
        worked = true;
        if slice.is_over() {
            break;
        }
    }
    population::<T>().changed(members, data.members());
    worked
}
