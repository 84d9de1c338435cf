//! The native types and their callbacks: save, load, copy, free, measure. All callbacks are generic over
//! [`Native`]. A new type implements `Native` and gets a row in [`TYPES`].
//!
//! Some callbacks exist twice. The newer one ends in `2` and also gets the key and the database. We need
//! neither, and all servers know the older one.

mod board;
mod callbacks;
mod counter;
mod defrag;
mod league;
mod saving;
mod value;

use std::ffi::{CStr, c_int};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use leaderboard_core::{Board, Counter, League, NativeType};
use redis_module::raw;

use crate::stats::Population;
pub use value::{Value, new_value};

/// What the shell needs to know about a native type.
pub trait Native: NativeType {
    /// Nine characters that identify the type in every RDB file. Never change them.
    const NAME: &CStr;
    /// The version of the encoding in RDB files. Raise it only if the frame around the content changes:
    /// `snapshot::FORMAT` is the version of the content.
    const ENCODING: c_int;
    /// The command that rebuilds values from an append-only file, chunk by chunk.
    const RESTORE: &CStr;
    /// The event of that command.
    const RESTORED: &CStr;

    fn registration() -> &'static Registration;
}

/// A native type in a running server.
pub struct Registration {
    kind: AtomicPtr<raw::RedisModuleType>,
    pub population: Population,
}

impl Registration {
    /// Not registered yet. `keys` and `members` are the names of the counts in `INFO`.
    pub const fn new(keys: &'static CStr, members: Option<&'static CStr>) -> Self {
        Self { kind: AtomicPtr::new(null_mut()), population: Population::new(keys, members) }
    }

    /// The server's handle of the type.
    pub fn kind(&self) -> *mut raw::RedisModuleType {
        self.kind.load(Relaxed)
    }
}

/// A row of [`TYPES`].
pub struct Type {
    register: fn(*mut raw::RedisModuleCtx) -> bool,
    pub population: fn() -> &'static Population,
}

impl Type {
    const fn of<T: Native>() -> Self {
        Self { register: register_one::<T>, population: || &T::registration().population }
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
    let registration = T::registration();
    registration.kind.store(kind.unwrap_or(null_mut()), Relaxed);
    !registration.kind().is_null()
}
