//! One command as it comes in: the way between the server and a handler. Panics end here, and so
//! do the server's pointers: handlers see bytes and call methods.

use std::ffi::{CStr, CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use leaderboard_core::Error;
use leaderboard_core::time::{Millis, TimeSource};
use redis_module::raw;

use crate::argument::Argument;
use crate::arguments::Args;
use crate::refusal::Refusal;
use crate::{config, server};

/// What handlers return: their reply is out by then, or nothing has been replied.
pub type Handled = Result<(), Refusal>;

/// A command being served.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    ctx: *mut raw::RedisModuleCtx,
    argv: &'a [Argument],
}

/// A table entry's door: turns a handler into what the server calls.
macro_rules! entry {
    ($handler:path) => {{
        unsafe extern "C" fn entry(
            ctx: *mut redis_module::raw::RedisModuleCtx,
            argv: *mut *mut redis_module::raw::RedisModuleString,
            argc: std::ffi::c_int,
        ) -> std::ffi::c_int {
            // SAFETY: the server calls with a live context and argc arguments.
            unsafe { $crate::call::serve(ctx, argv, argc, $handler) }
        }
        entry
    }};
}
pub(crate) use entry;

/// Runs a handler and replies with what it was refused for.
///
/// # Safety
/// `ctx` is a live command context, `argv` holds `argc` strings, both for the time of the call.
pub unsafe fn serve(
    ctx: *mut raw::RedisModuleCtx,
    argv: *mut *mut raw::RedisModuleString,
    argc: c_int,
    handler: fn(&Call) -> Handled,
) -> c_int {
    let len = usize::try_from(argc).unwrap_or(0);
    // SAFETY: Argument is a transparent pointer, and the caller vouches for the array.
    let argv = unsafe { std::slice::from_raw_parts(argv.cast::<Argument>(), len) };
    let call = Call { ctx, argv };
    match catch_unwind(AssertUnwindSafe(|| handler(&call))) {
        Ok(Ok(())) => {}
        Ok(Err(refusal)) => call.refuse(refusal),
        Err(_) => {
            server::log("warning", "a command failed inside the module; its board may be incomplete");
            call.error("ERR the command failed inside the module, see the server's log");
        }
    }
    raw::REDISMODULE_OK as c_int
}

impl<'a> Call<'a> {
    /// The server's context.
    pub const fn ctx(&self) -> *mut raw::RedisModuleCtx {
        self.ctx
    }

    /// The arguments behind the command's name.
    pub fn args(&self) -> Args<'a> {
        Args::new(self.argv.get(1..).unwrap_or_default())
    }

    fn refuse(&self, refusal: Refusal) {
        match refusal {
            Refusal::Invalid(error) => self.error(&format!("ERR {error}")),
            Refusal::WrongType => {
                self.error("WRONGTYPE Operation against a key holding the wrong kind of value");
            }
            Refusal::Arity => {
                // SAFETY: a live context.
                unsafe { raw::RedisModule_WrongArity.map(|arity| arity(self.ctx)) };
            }
        }
    }

    fn error(&self, text: &str) {
        let text = CString::new(text).unwrap_or_default();
        // SAFETY: a live context; the server copies the text.
        unsafe { raw::RedisModule_ReplyWithError.map(|reply| reply(self.ctx, text.as_ptr())) };
    }

    /// Who says what time it is. Only what the primary or the append-only file sends carries both an
    /// `AT` and the right to be taken at its word; `now` is nothing but theirs.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] where a client sends `NOW`.
    pub fn origin(&self, at: Option<Millis>, now: Option<Millis>) -> Result<TimeSource, Refusal> {
        if (at.is_some() || now.is_some()) && self.is_decided() {
            return Ok(TimeSource::Decided { now });
        }
        if now.is_some() {
            return Err(Error::UnknownOption(leaderboard_core::error::Quoted::new(b"NOW")).into());
        }
        Ok(self.client())
    }

    /// The same for a read.
    pub fn client(&self) -> TimeSource {
        TimeSource::Client { wall: server::clock(), max_future: config::max_future() }
    }

    fn is_decided(&self) -> bool {
        const DECIDED: u32 = raw::REDISMODULE_CTX_FLAGS_REPLICATED | raw::REDISMODULE_CTX_FLAGS_LOADING;
        // SAFETY: a live context.
        let flags = unsafe { raw::RedisModule_GetContextFlags.map_or(0, |flags| flags(self.ctx)) };
        flags as u32 & DECIDED != 0 || server::must_obey(self.ctx)
    }

    /// Sends a command of these words on to replicas and the append-only file.
    pub fn replicate(&self, command: &CStr, words: &[Argument]) {
        // SAFETY: a live context; the format takes an array of strings with its length.
        unsafe {
            if let Some(send) = raw::RedisModule_Replicate {
                send(self.ctx, command.as_ptr(), c"v".as_ptr(), words.as_ptr(), words.len());
            }
        }
    }

    /// The same for five words, which the server takes without growing a list.
    pub fn replicate_five(&self, command: &CStr, [a, b, c, d, e]: [Argument; 5]) {
        // SAFETY: a live context; the format takes five strings.
        unsafe {
            if let Some(send) = raw::RedisModule_Replicate {
                send(
                    self.ctx,
                    command.as_ptr(),
                    c"sssss".as_ptr(),
                    a.raw(),
                    b.raw(),
                    c.raw(),
                    d.raw(),
                    e.raw(),
                );
            }
        }
    }

    /// The same for seven.
    pub fn replicate_seven(&self, command: &CStr, [a, b, c, d, e, f, g]: [Argument; 7]) {
        // SAFETY: a live context; the format takes seven strings.
        unsafe {
            if let Some(send) = raw::RedisModule_Replicate {
                let (name, format) = (command.as_ptr(), c"sssssss".as_ptr());
                send(self.ctx, name, format, a.raw(), b.raw(), c.raw(), d.raw(), e.raw(), f.raw(), g.raw());
            }
        }
    }

    /// Sends the command on as it is to replicas and the append-only file.
    pub fn replicate_as_is(&self) {
        // SAFETY: a live context.
        unsafe { raw::RedisModule_ReplicateVerbatim.map(|replicate| replicate(self.ctx)) };
    }

    /// Tells who watches the key, or listens to its events, that it has changed.
    pub fn changed(&self, key: Argument, event: &CStr) {
        // SAFETY: a live context and one of its arguments.
        unsafe {
            raw::RedisModule_SignalModifiedKey.map(|signal| signal(self.ctx, key.raw()));
            raw::RedisModule_NotifyKeyspaceEvent
                .map(|notify| notify(self.ctx, server::event_class(), event.as_ptr(), key.raw()));
        }
    }
}
