//! Calls the handler of a command when the server calls the module. The server's strings are converted to slices of
//! bytes here.

use std::ffi::c_int;

use leaderboard_commands::argument::Argument;
use leaderboard_commands::command::Command;
use leaderboard_commands::keys::{self, Access};
use leaderboard_commands::table::{Row, serve};
use redis_module::raw;

use crate::caught::caught;
use crate::host::Server;
use crate::strings::{self, Raw};

/// The number of words of a command that need no allocation.
const FEW: usize = 8;

/// Returns the function that the server calls for a command. It runs the command.
///
/// # Safety
/// `ctx` must be a live command context and `argv` must contain `argc` strings, both for the duration of the call.
pub unsafe extern "C" fn entry<R: Row>(
    ctx: *mut raw::RedisModuleCtx,
    argv: *mut *mut raw::RedisModuleString,
    argc: c_int,
) -> c_int {
    // SAFETY: the caller guarantees that the array is valid.
    let argv = unsafe { std::slice::from_raw_parts(argv, usize::try_from(argc).unwrap_or(0)) };
    run(&Server::new(ctx, argv), R::command(), |host, words| serve::<R, Server>(host, words));
    raw::REDISMODULE_OK as c_int
}

fn run(host: &Server, command: &'static Command, serve: fn(&Server, &[Argument])) {
    // SAFETY: the server does not change the arguments of a command while the command runs.
    let argument = |(place, string): (usize, &Raw)| Argument::new(unsafe { strings::bytes(*string) }, place);
    let words = host.argv().iter().enumerate().map(argument);
    // Nearly all commands have few words, so they need no allocation here.
    let mut few = [Argument::new(b"", 0); FEW];
    if let Some(few) = few.get_mut(..host.argv().len()) {
        few.iter_mut().zip(words).for_each(|(to, word)| *to = word);
        run_words(host, command, few, serve);
    } else {
        run_words(host, command, &words.collect::<Vec<_>>(), serve);
    }
}

fn run_words(host: &Server, command: &'static Command, words: &[Argument], serve: fn(&Server, &[Argument])) {
    // If the search fails, the call counts as one that requests keys: it runs nothing.
    let tell = || tell_keys(host.ctx(), command, words);
    if keys::are_searched(command.keys) && caught("the search for keys", tell).unwrap_or(true) {
        return;
    }
    if caught("a command", || serve(host, words)).is_none() {
        host.fail("ERR the command failed inside the module, see the server's log");
    }
}

/// Returns the server's flags for the access of a command to a key.
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

/// Reports the positions of the keys of a call to the server, if the server requests them instead of running the
/// command. Returns whether it did. Servers before 7.0 request them, and later servers if a word alone does not
/// determine a key.
fn tell_keys(ctx: *mut raw::RedisModuleCtx, command: &Command, words: &[Argument]) -> bool {
    // SAFETY: the context is live.
    let asked = unsafe { raw::RedisModule_IsKeysPositionRequest.is_some_and(|asks| asks(ctx) != 0) };
    if asked {
        command.key_places(words).for_each(|(place, access)| tell_key(ctx, place as c_int, access));
    }
    asked
}

fn tell_key(ctx: *mut raw::RedisModuleCtx, place: c_int, access: Access) {
    // SAFETY: the context is live and requests the positions of keys.
    unsafe {
        match raw::RedisModule_KeyAtPosWithFlags {
            Some(tell) => tell(ctx, place, access_flags(access)),
            None => _ = raw::RedisModule_KeyAtPos.map(|tell| tell(ctx, place)),
        }
    }
}
