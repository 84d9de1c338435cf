//! One call of a command: the layer between the server and a handler. Panics and the server's pointers do not
//! leave it: handlers see bytes and call methods.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use leaderboard_core::Error;
use leaderboard_core::error::Quoted;
use leaderboard_core::time::{Millis, Stamp, TimeSource};
use redis_module::raw;
use smallvec::SmallVec;

use crate::argument::Argument;
use crate::arguments::{Args, Read, millis};
use crate::commit::{Commit, KeyChange, Sent};
use crate::keys::{self, KeyArgument};
use crate::options::reading::AT;
use crate::options::writing::NOW;
use crate::options::{Declared, List, Options};
use crate::refusal::Refusal;
use crate::stream::Stream;
use crate::{config, options, server, shared, stats};

/// What handlers return: `Ok` if they have replied, an error if nothing has been replied.
pub type Handled = Result<(), Refusal>;

/// A command that is being served.
pub struct Call<'a> {
    ctx: *mut raw::RedisModuleCtx,
    argv: &'a [Argument],
    name: &'static CStr,
    /// The options that the command accepts.
    accepted: List,
    /// The server's clock, once it is read.
    wall: Cell<Option<Millis>>,
}

/// Runs the handler of a command with this name, these options and these keys. Replies with the error if it
/// refuses.
///
/// # Safety
/// `ctx` is a live command context and `argv` holds `argc` strings, both for the duration of the call.
pub unsafe fn serve(
    ctx: *mut raw::RedisModuleCtx,
    argv: *mut *mut raw::RedisModuleString,
    argc: c_int,
    (name, accepted, keys): (&'static CStr, List, &[KeyArgument]),
    handler: fn(&Call) -> Handled,
) -> c_int {
    let len = usize::try_from(argc).unwrap_or(0);
    // SAFETY: Argument is a transparent pointer, and the caller guarantees the array.
    let argv = unsafe { std::slice::from_raw_parts(argv.cast::<Argument>(), len) };
    if keys::are_searched(keys) && keys::told(ctx, (keys, accepted), argv) {
        return raw::REDISMODULE_OK as c_int;
    }
    let call = Call { ctx, argv, name, accepted, wall: Cell::new(None) };
    match catch_unwind(AssertUnwindSafe(|| handler(&call))) {
        Ok(Ok(())) => {}
        Ok(Err(refusal)) => call.refuse(refusal),
        Err(_) => {
            server::log("warning", "a command failed inside the module; its key may be incomplete");
            call.error("ERR the command failed inside the module, see the server's log");
        }
    }
    raw::REDISMODULE_OK as c_int
}

impl<'a> Call<'a> {
    pub const fn ctx(&self) -> *mut raw::RedisModuleCtx {
        self.ctx
    }

    /// The arguments after the command's name.
    pub fn args(&self) -> Args<'a> {
        Args::new(self.argv.get(1..).unwrap_or_default())
    }

    /// Reads all remaining arguments as options of the command.
    ///
    /// # Errors
    /// Those of [`Options::read`].
    pub fn options(&self, args: Args<'a>) -> Read<Options<'a>> {
        Options::read(args, self.accepted)
    }

    /// Reads the command's options before a list.
    ///
    /// # Errors
    /// Those of [`Options::read_leading`].
    pub fn leading_options(&self, args: &mut Args<'a>) -> Read<Options<'a>> {
        Options::read_leading(args, self.accepted)
    }

    /// Whether the next argument is an option of the command.
    pub fn is_option_next(&self, args: &Args) -> bool {
        options::is_next(args, self.accepted)
    }

    /// The server's clock, read once: a command happens in one millisecond.
    pub fn wall(&self) -> Millis {
        let wall = self.wall.get().unwrap_or_else(server::clock);
        self.wall.set(Some(wall));
        wall
    }

    fn refuse(&self, refusal: Refusal) {
        match refusal.text() {
            Some(text) => self.error(&text),
            // SAFETY: a live context.
            None => _ = unsafe { raw::RedisModule_WrongArity.map(|arity| arity(self.ctx)) },
        }
    }

    fn error(&self, text: &str) {
        let text = CString::new(text).unwrap_or_default();
        // SAFETY: a live context; the server copies the text.
        unsafe { raw::RedisModule_ReplyWithError.map(|reply| reply(self.ctx, text.as_ptr())) };
    }

    /// The source of the command's time. A command with `AT` or `NOW` from the primary or the append-only
    /// file was decided there and is applied as it is. Clients may not send `NOW`.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] if a client sends `NOW`.
    pub fn time_source(&self, options: &Options) -> Result<TimeSource, Refusal> {
        let now = options.get(&NOW);
        if (now.is_some() || options.has(&AT)) && self.is_decided() {
            return Ok(TimeSource::Decided { now });
        }
        if now.is_some() {
            return Err(Error::UnknownOption(Quoted::new(b"NOW")).into());
        }
        Ok(self.client())
    }

    /// The time source of a command whose list takes the place of options. From the primary or the
    /// append-only file, `NOW ms` stands before the list; for clients, these are items.
    ///
    /// # Errors
    /// As [`millis`].
    pub fn time_source_before(&self, args: &mut Args) -> Read<TimeSource> {
        if self.is_decided() && args.takes("NOW") {
            let now = millis(args.next()?, "NOW")?;
            return Ok(TimeSource::Decided { now: Some(now) });
        }
        Ok(self.client())
    }

    /// The time source of a client's command.
    pub fn client(&self) -> TimeSource {
        TimeSource::Client { wall: self.wall(), max_future: config::max_future() }
    }

    /// Whether the command comes from the primary or the append-only file.
    pub fn is_decided(&self) -> bool {
        server::is_replayed(self.ctx)
    }

    /// Whether the command makes a board in an absent key. What was decided elsewhere is not asked.
    ///
    /// # Errors
    /// [`Error::NoSuchBoard`] if this server makes none.
    pub fn may_make_board(&self) -> Result<(), Refusal> {
        if config::auto_create() || self.is_decided() { Ok(()) } else { Err(Error::NoSuchBoard.into()) }
    }

    /// Carries out a commit: counts it, sends it to replicas and the append-only file, and notifies clients
    /// that watch the key or listen to its events.
    pub fn carry_out(&self, key: Argument, commit: &Commit) {
        if let Some(count) = commit.count {
            stats::count(count);
        }
        let Some(KeyChange { event, sent }) = &commit.change else { return };
        match sent {
            Sent::AsItIs => self.replicate_as_it_is(),
            Sent::Kept(options, now) => {
                let mut words = options.kept();
                if let Some(now) = now {
                    words.extend([NOW.shared(0), shared::NOW.get(*now)]);
                }
                self.replicate(&words);
            }
            Sent::Decided(options, stamp) => self.replicate(&decided(options, *stamp)),
            Sent::AsOf(now, list) => {
                let mut words = Words::from_slice(&[key, NOW.shared(0), shared::NOW.get(*now)]);
                words.extend_from_slice(list);
                self.replicate(&words);
            }
            Sent::Instead(send) => send(&Stream::of(self)),
        }
        // SAFETY: a live context and one of its arguments.
        unsafe { raw::RedisModule_SignalModifiedKey.map(|signal| signal(self.ctx, key.raw())) };
        server::notify(self.ctx, event, key);
    }

    fn replicate_as_it_is(&self) {
        // SAFETY: a live context.
        unsafe { raw::RedisModule_ReplicateVerbatim.map(|replicate| replicate(self.ctx)) };
    }

    /// Replicates the command with these words as its arguments.
    fn replicate(&self, words: &Words) {
        let (ctx, name) = (self.ctx, self.name.as_ptr());
        let string = Argument::raw;
        // SAFETY: a live context; the formats match five or seven strings, and an array with its length. An
        // argument is nothing but a pointer to a string.
        unsafe {
            let Some(send) = raw::RedisModule_Replicate else { return };
            // Nearly all writes have five or seven words. The server needs no list for these.
            match *words.as_slice() {
                [a, b, c, d, e] => {
                    send(ctx, name, c"sssss".as_ptr(), string(a), string(b), string(c), string(d), string(e))
                }
                [a, b, c, d, e, f, g] => {
                    let [a, b, c, d, e, f, g] = [a, b, c, d, e, f, g].map(string);
                    send(ctx, name, c"sssssss".as_ptr(), a, b, c, d, e, f, g)
                }
                ref all => send(ctx, name, c"v".as_ptr(), all.as_ptr(), all.len()),
            }
        };
    }
}

/// The words of a command for replicas. Few need no allocation.
pub type Words = SmallVec<[Argument; 16]>;

/// The command as it was decided. A replica's clock, remembered ids and settings do not affect it.
pub fn decided(options: &Options, stamp: Stamp) -> Words {
    let (before, behind) = options.around();
    let mut words = Words::from_slice(before);
    options.send(&mut words);
    words.extend([AT.shared(0), shared::AT.get(stamp.at)]);
    if stamp.at != stamp.now {
        words.extend([NOW.shared(0), shared::NOW.get(stamp.now)]);
    }
    words.extend_from_slice(behind);
    words
}
