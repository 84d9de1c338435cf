//! Leaderboards as a native type of Redis and Valkey. This crate connects the crates `leaderboard-core` and
//! `leaderboard-commands` with a server.
//!
//! * [`entry`] calls the handler of a command, [`host`] is the server for the handler, [`key`] opens keys,
//!   [`register`] registers the rows of the table.
//! * [`native`] registers the native types and saves, loads, copies and frees their values.
//! * [`background`] works on values between commands, [`periods`] publishes the ends of periods.
//! * [`mod@caught`] catches panics, and [`fault`] makes them in tests.

mod alloc;
mod background;
mod caught;
mod config;
mod due;
mod entry;
mod fault;
mod host;
mod info;
mod key;
mod native;
mod periods;
mod register;
mod registration;
mod server;
mod slice;
mod sorted_sets;
mod stats;
mod strings;
#[cfg(test)]
mod threads;
mod unnamed;
mod watched;

use std::ffi::c_int;
use std::hash::{BuildHasher, RandomState};

use caught::caught;
use leaderboard_core::secret;
use redis_module::raw;

#[global_allocator]
static ALLOCATOR: alloc::ServerAlloc = alloc::ServerAlloc;

/// The module's name: the name of its section in `INFO`, and the prefix of its settings.
const NAME: &std::ffi::CStr = c"leaderboard";
/// The version in `MODULE LIST`: the major version times 10,000, plus the minor version times 100.
const VERSION: c_int = 100;
/// An option of Valkey that is not in the bindings: the module supports `CLUSTER MIGRATESLOTS`. Commands of another
/// node rebuild the keys, which stay hidden until this node owns their slots. Boards support this: they have no
/// references to other keys, and `LB.RESTORE` and decided writes rebuild them.
const HANDLE_ATOMIC_SLOT_MIGRATION: c_int = 1 << 5;

/// Returns the entry point: the server calls it when it loads the module.
///
/// # Safety
/// Only the server may call this function, with its context and `argc` arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RedisModule_OnLoad(
    ctx: *mut raw::RedisModuleCtx,
    argv: *mut *mut raw::RedisModuleString,
    argc: c_int,
) -> c_int {
    let api = raw::REDISMODULE_APIVER_1 as c_int;
    // SAFETY: this is the server's context. This call must come before the first allocation, see alloc.
    if unsafe { raw::Export_RedisModule_Init(ctx, NAME.as_ptr(), VERSION, api) }
        != raw::REDISMODULE_OK as c_int
    {
        return raw::REDISMODULE_ERR as c_int;
    }
    // SAFETY: these are the server's arguments.
    let loaded = caught("loading the module", || unsafe { load(ctx, argv, argc) }).unwrap_or(false);
    (if loaded { raw::REDISMODULE_OK } else { raw::REDISMODULE_ERR }) as c_int
}

/// Registers the types, commands and settings. Returns whether the server accepted them.
///
/// # Safety
/// The conditions are the same as for `RedisModule_OnLoad`.
unsafe fn load(ctx: *mut raw::RedisModuleCtx, argv: *mut *mut raw::RedisModuleString, argc: c_int) -> bool {
    caught::log_places();
    server::learn();
    let random = RandomState::new();
    secret::seed([random.hash_one(0), random.hash_one(1)]);
    // SAFETY: these are the server's arguments.
    let arguments = unsafe { server::texts(argv, argc) };
    if let Err(problem) = config::take_arguments(&arguments) {
        server::log("warning", &problem);
        return false;
    }
    let options = raw::REDISMODULE_OPTIONS_HANDLE_IO_ERRORS
        | raw::REDISMODULE_OPTION_NO_IMPLICIT_SIGNAL_MODIFIED
        | raw::REDISMODULE_OPTIONS_HANDLE_REPL_ASYNC_LOAD;
    // SAFETY: this is the context of OnLoad.
    unsafe {
        if let Some(set) = raw::RedisModule_SetModuleOptions {
            set(ctx, options as c_int | (HANDLE_ATOMIC_SLOT_MIGRATION & server::valkey_options()));
        }
        raw::RedisModule_RegisterInfoFunc.map(|register| register(ctx, Some(info::info)));
    }
    let registered = native::register(ctx) && register::register(ctx);
    if registered {
        config::register(ctx);
        periods::listen(ctx);
        background::start(ctx);
    }
    registered
}
