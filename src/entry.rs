//! The way of a command from the server to its handler. Panics and the server's pointers end here.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use leaderboard_commands::argument::Argument;
use leaderboard_commands::command::Command;
use leaderboard_commands::host::Client as _;
use leaderboard_commands::keys::{self, Access};
use leaderboard_commands::table::{Row, serve};
use redis_module::raw;

use crate::host::Server;
use crate::server;
use crate::strings::{self, Raw};

/// Words of a command that need no allocation.
const FEW: usize = 8;

/// The function that the server calls for a command.
///
/// # Safety
/// `ctx` is a live command context and `argv` holds `argc` strings, both for the duration of the call.
pub unsafe extern "C" fn entry<R: Row>(
    ctx: *mut raw::RedisModuleCtx,
    argv: *mut *mut raw::RedisModuleString,
    argc: c_int,
) -> c_int {
    // SAFETY: the caller guarantees the array.
    let argv = unsafe { std::slice::from_raw_parts(argv, usize::try_from(argc).unwrap_or(0)) };
    run(&Server::new(ctx, argv), R::command(), |host, words| serve::<R, Server>(host, words));
    raw::REDISMODULE_OK as c_int
}

fn run(host: &Server, command: &'static Command, serve: fn(&Server, &[Argument])) {
    // SAFETY: the server does not change the arguments of the command while it runs.
    let argument = |(place, string): (usize, &Raw)| Argument::new(unsafe { strings::bytes(*string) }, place);
    let words = host.argv().iter().enumerate().map(argument);
    // Nearly all commands have few words and need no allocation.
    let mut few = [Argument::new(b"", 0); FEW];
    if let Some(few) = few.get_mut(..host.argv().len()) {
        few.iter_mut().zip(words).for_each(|(to, word)| *to = word);
        run_words(host, command, few, serve);
    } else {
        run_words(host, command, &words.collect::<Vec<_>>(), serve);
    }
}

fn run_words(host: &Server, command: &'static Command, words: &[Argument], serve: fn(&Server, &[Argument])) {
    if keys::are_searched(command.keys) && tell_keys(host.ctx(), command, words) {
        return;
    }
    if catch_unwind(AssertUnwindSafe(|| serve(host, words))).is_err() {
        server::log("warning", "a command failed inside the module; its key may be incomplete");
        host.error("ERR the command failed inside the module, see the server's log");
    }
}

/// What a command does to a key, in the server's flags.
pub const fn access_flags(access: Access) -> c_int {
    let flags = match access {
        Access::Read => raw::REDISMODULE_CMD_KEY_RO | raw::REDISMODULE_CMD_KEY_ACCESS,
        Access::Write => {
            raw::REDISMODULE_CMD_KEY_RW | raw::REDISMODULE_CMD_KEY_ACCESS | raw::REDISMODULE_CMD_KEY_UPDATE
        }
        Access::Replace => raw::REDISMODULE_CMD_KEY_OW | raw::REDISMODULE_CMD_KEY_UPDATE,
        Access::Alter => raw::REDISMODULE_CMD_KEY_RW | raw::REDISMODULE_CMD_KEY_UPDATE,
        Access::Remove => raw::REDISMODULE_CMD_KEY_RW | raw::REDISMODULE_CMD_KEY_DELETE,
    };
    flags as c_int
}

/// Tells a server where the keys of a call are, if it asks for that instead of running the command. Servers
/// before 7.0 ask, and others where a word alone does not show a key.
fn tell_keys(ctx: *mut raw::RedisModuleCtx, command: &Command, words: &[Argument]) -> bool {
    // SAFETY: a live context.
    let asked = unsafe { raw::RedisModule_IsKeysPositionRequest.is_some_and(|asks| asks(ctx) != 0) };
    if asked {
        command.key_places(words).for_each(|(place, access)| tell_key(ctx, place as c_int, access));
    }
    asked
}

fn tell_key(ctx: *mut raw::RedisModuleCtx, place: c_int, access: Access) {
    // SAFETY: a live context that asks for places.
    unsafe {
        match raw::RedisModule_KeyAtPosWithFlags {
            Some(tell) => tell(ctx, place, access_flags(access)),
            None => _ = raw::RedisModule_KeyAtPos.map(|tell| tell(ctx, place)),
        }
    }
}
