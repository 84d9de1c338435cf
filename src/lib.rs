//! Leaderboards as a native type of Redis and Valkey: a thin shell around `leaderboard-core`.
//!
//! * [`table`] lists the commands, [`options`] declares their options, [`commands`] are their handlers:
//!   parse, one call of the core, reply.
//! * [`call`], [`arguments`], [`keyspace`], [`commit`] and [`reply`] are all that handlers see of the server.
//! * [`native`] registers the native types: it saves, loads, copies and frees their values for the server.

mod alloc;
mod argument;
mod arguments;
mod background;
mod call;
mod commands;
mod commit;
mod config;
mod info;
mod keyspace;
mod native;
mod options;
mod refusal;
mod register;
mod reply;
mod server;
mod shared;
mod stats;
mod syntax;
mod table;

use std::ffi::c_int;
use std::panic::catch_unwind;

use redis_module::raw;

#[global_allocator]
static ALLOCATOR: alloc::ServerAlloc = alloc::ServerAlloc;

/// The module's name: the section of `INFO` and the prefix of its settings.
const NAME: &std::ffi::CStr = c"leaderboard";
/// The version as `MODULE LIST` shows it: 10,000 a major, 100 a minor.
const VERSION: c_int = 100;
/// Valkey's option, which the bindings do not have: keys may come with `CLUSTER MIGRATESLOTS`, by commands of
/// another node, and stay out of sight until their slots are owned. Boards refer to nothing but themselves,
/// and are rebuilt by `LB.RESTORE` and by writes that are taken as they were decided, so they can.
const HANDLE_ATOMIC_SLOT_MIGRATION: c_int = 1 << 5;

/// Where the server enters when it loads the module.
///
/// # Safety
/// Called by the server, with its context and `argc` arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RedisModule_OnLoad(
    ctx: *mut raw::RedisModuleCtx,
    argv: *mut *mut raw::RedisModuleString,
    argc: c_int,
) -> c_int {
    let api = raw::REDISMODULE_APIVER_1 as c_int;
    // SAFETY: the server's context. This comes before anything that allocates: see alloc.
    if unsafe { raw::Export_RedisModule_Init(ctx, NAME.as_ptr(), VERSION, api) }
        != raw::REDISMODULE_OK as c_int
    {
        return raw::REDISMODULE_ERR as c_int;
    }
    // SAFETY: the server's arguments.
    let loaded = catch_unwind(|| unsafe { load(ctx, argv, argc) }).unwrap_or(false);
    (if loaded { raw::REDISMODULE_OK } else { raw::REDISMODULE_ERR }) as c_int
}

/// Registers everything; whether the server took it.
///
/// # Safety
/// As for `RedisModule_OnLoad`.
unsafe fn load(ctx: *mut raw::RedisModuleCtx, argv: *mut *mut raw::RedisModuleString, argc: c_int) -> bool {
    server::learn();
    // SAFETY: the server's arguments.
    let arguments = unsafe { server::texts(argv, argc) };
    if let Err(problem) = config::take_arguments(&arguments) {
        server::log("warning", &problem);
        return false;
    }
    let options = raw::REDISMODULE_OPTIONS_HANDLE_IO_ERRORS
        | raw::REDISMODULE_OPTION_NO_IMPLICIT_SIGNAL_MODIFIED
        | raw::REDISMODULE_OPTIONS_HANDLE_REPL_ASYNC_LOAD;
    // SAFETY: the context of OnLoad.
    unsafe {
        if let Some(set) = raw::RedisModule_SetModuleOptions {
            set(ctx, options as c_int | (HANDLE_ATOMIC_SLOT_MIGRATION & server::valkey_options()));
        }
        raw::RedisModule_RegisterInfoFunc.map(|register| register(ctx, Some(info::info)));
    }
    let registered = native::register(ctx) && register::register(ctx);
    if registered {
        config::register(ctx);
        background::start(ctx);
    }
    registered
}
