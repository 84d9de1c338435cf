//! The real server as the host of commands.

use std::cell::{Cell, OnceCell};
use std::ffi::{CStr, c_char, c_long, c_longlong};
use std::ops::ControlFlow;

use leaderboard_commands::argument::Argument;
use leaderboard_commands::host::{Client, Count, Direction, Host, Mode, Refusal, Value};
use leaderboard_commands::native::Native;
use leaderboard_commands::word::Word;
use leaderboard_core::counter::Rules;
use leaderboard_core::time::Millis;
use redis_module::raw;
use smallvec::SmallVec;

use crate::due::Place;
use crate::key::Key;
use crate::registration::{address, population};
use crate::sorted_sets;
use crate::strings::{self, Owned, Raw};
use crate::unnamed::Reader;
use crate::{config, due, fault, server, stats, watched};

/// The server during one command, or while it works between commands.
pub struct Server<'a> {
    ctx: *mut raw::RedisModuleCtx,
    /// The words of the command.
    argv: &'a [Raw],
    /// Whether the command was decided by another server; `None` until this was determined.
    decided: Cell<Option<bool>>,
    /// The number of parts of the reply that are still missing.
    missing: Cell<usize>,
    /// The client, as the reader of keys that the command does not name; empty until the first such key.
    reader: OnceCell<Result<Reader, Refusal>>,
}

impl<'a> Server<'a> {
    /// Returns the server for a live context and these strings.
    pub const fn new(ctx: *mut raw::RedisModuleCtx, argv: &'a [Raw]) -> Self {
        Self { ctx, argv, decided: Cell::new(None), missing: Cell::new(1), reader: OnceCell::new() }
    }

    /// Returns the words of the command.
    pub const fn argv(&self) -> &'a [Raw] {
        self.argv
    }

    pub const fn ctx(&self) -> *mut raw::RedisModuleCtx {
        self.ctx
    }

    /// Returns the server's string of an argument.
    pub fn string(&self, argument: Argument) -> Raw {
        self.argv.get(argument.place()).copied().unwrap_or(std::ptr::null_mut())
    }

    /// Notes that a part of the reply was sent, which has this number of parts.
    fn replied(&self, parts: usize) {
        self.missing.set(self.missing.get().wrapping_sub(1).wrapping_add(parts));
    }

    /// Completes the reply of a command that has failed, so that the client does not take the next reply for a part of
    /// this one. The first missing part is the error, each other one is nil. A complete reply stays what it is.
    pub fn fail(&self, error: &str) {
        let missing = self.missing.get();
        if missing > 0 {
            self.error(error);
        }
        (1..missing).for_each(|_| self.nil());
    }
}

impl Client for Server<'_> {
    fn array(&self, len: usize) {
        // SAFETY: the context is live.
        unsafe { raw::RedisModule_ReplyWithArray.map(|reply| reply(self.ctx, len as c_long)) };
        self.replied(len);
    }

    fn map(&self, len: usize) {
        // SAFETY: the context is live.
        unsafe {
            match raw::RedisModule_ReplyWithMap {
                Some(reply) => {
                    reply(self.ctx, len as c_long);
                    self.replied(len.saturating_mul(2));
                }
                None => self.array(len.saturating_mul(2)),
            }
        }
    }

    fn integer(&self, value: i64) {
        // SAFETY: the context is live.
        unsafe { raw::RedisModule_ReplyWithLongLong.map(|reply| reply(self.ctx, value)) };
        self.replied(0);
        fault::point("a part of a reply");
    }

    fn bulk(&self, bytes: &[u8]) {
        // SAFETY: the context is live; the server copies the bytes.
        unsafe {
            raw::RedisModule_ReplyWithStringBuffer
                .map(|reply| reply(self.ctx, bytes.as_ptr().cast::<c_char>(), bytes.len()))
        };
        self.replied(0);
        fault::point("a part of a reply");
    }

    fn nil(&self) {
        // SAFETY: the context is live.
        unsafe { raw::RedisModule_ReplyWithNull.map(|reply| reply(self.ctx)) };
        self.replied(0);
    }

    fn ok(&self) {
        // SAFETY: the context is live, and the text is a constant.
        unsafe { raw::RedisModule_ReplyWithSimpleString.map(|reply| reply(self.ctx, c"OK".as_ptr())) };
        self.replied(0);
        fault::point("a whole reply");
    }

    fn error(&self, text: &str) {
        let text = server::c_string(text);
        // SAFETY: the context is live; the server copies the text.
        unsafe { raw::RedisModule_ReplyWithError.map(|reply| reply(self.ctx, text.as_ptr())) };
        self.replied(0);
    }

    fn wrong_arity(&self) {
        // SAFETY: the context is live.
        unsafe { raw::RedisModule_WrongArity.map(|arity| arity(self.ctx)) };
        self.replied(0);
    }
}

impl Host for Server<'_> {
    type Key<'h>
        = Key
    where
        Self: 'h;

    fn clock(&self) -> Millis {
        server::clock()
    }

    fn is_decided(&self) -> bool {
        let decided = self.decided.get().unwrap_or_else(|| server::is_replayed(self.ctx));
        self.decided.set(Some(decided));
        decided
    }

    fn is_loading(&self) -> bool {
        server::is_loading(self.ctx)
    }

    fn publishes_ends(&self) -> bool {
        server::publishes_ends(self.ctx)
    }

    fn free_memory(&self) -> Option<u64> {
        server::free_memory(self.ctx)
    }

    fn max_future(&self) -> Millis {
        config::max_future()
    }

    fn makes_boards(&self) -> bool {
        config::auto_create()
    }

    fn counter_rules(&self) -> Rules {
        config::counter_rules()
    }

    fn open(&self, key: Argument, mode: Mode) -> Option<Key> {
        Key::open(self.ctx, self.string(key), mode)
    }

    fn open_unnamed(&self, name: &[u8], like: [&[u8]; 2]) -> Result<Option<Key>, Refusal> {
        let reader =
            self.reader.get_or_init(|| Reader::new(self.ctx, like)).as_ref().map_err(|refusal| *refusal)?;
        let name = Owned::of(name);
        let is_here = reader.may_open(name.raw())?;
        Ok(is_here.then(|| Key::open(self.ctx, name.raw(), Mode::Read)).flatten())
    }

    fn follow_ends<T: Native>(&self, value: &Value<T>, key: Argument) {
        due::follow(value, || Place::of(self.ctx, key.bytes()));
    }

    fn count(&self, count: Count) {
        stats::count(count);
    }

    fn replicate<'w>(&self, command: &CStr, words: impl Iterator<Item = Word<'w>>) {
        fault::point("replication");
        let (mut strings, mut own) = (SmallVec::<[Raw; 16]>::new(), Vec::new());
        words.for_each(|word| {
            strings.push(match word {
                Word::Argument(argument) => self.string(argument),
                Word::Constant(text, slot) => strings::constant(text, slot),
                Word::Time(time) => strings::time(time),
                Word::Bytes(bytes) => {
                    let string = Owned::of(bytes);
                    let raw = string.raw();
                    own.push(string);
                    raw
                }
            });
        });
        let (ctx, name) = (self.ctx, command.as_ptr());
        // SAFETY: the context is live; the formats match five or seven strings, and an array with its length. The
        // server holds its own references to the strings.
        unsafe {
            let Some(send) = raw::RedisModule_Replicate else { return };
            // Nearly all writes have five or seven words. For these, the server needs no list.
            match *strings.as_slice() {
                [a, b, c, d, e] => send(ctx, name, c"sssss".as_ptr(), a, b, c, d, e),
                [a, b, c, d, e, f, g] => send(ctx, name, c"sssssss".as_ptr(), a, b, c, d, e, f, g),
                ref all => send(ctx, name, c"v".as_ptr(), all.as_ptr(), all.len()),
            }
        };
    }

    fn replicate_as_it_is(&self) {
        fault::point("replication");
        // SAFETY: the context is live.
        unsafe { raw::RedisModule_ReplicateVerbatim.map(|replicate| replicate(self.ctx)) };
    }

    fn signal_change(&self, key: Argument) {
        // SAFETY: the context is live, and the string is one of its arguments.
        unsafe { raw::RedisModule_SignalModifiedKey.map(|signal| signal(self.ctx, self.string(key))) };
    }

    fn notify(&self, event: &CStr, key: Argument) {
        fault::point("an event");
        server::notify(self.ctx, event, self.string(key));
    }

    fn sorted_set_page(
        &self,
        key: Argument,
        direction: Direction,
        from: u64,
        count: u64,
        each: impl FnMut(&[u8], f64) -> ControlFlow<()>,
    ) -> ControlFlow<(), u64> {
        let last = from.saturating_add(count).saturating_sub(1);
        let bounds = (from as c_longlong, last as c_longlong);
        sorted_sets::read(self.ctx, self.string(key), direction, bounds, each)
    }

    fn delete(&self, key: Argument) {
        sorted_sets::run(self.ctx, c"DEL", self.string(key), &[]);
    }

    fn add_to_sorted_set(&self, key: Argument, rows: &[(f64, &[u8])]) {
        let words = rows.iter().flat_map(|(score, member)| [score.to_string().into_bytes(), member.to_vec()]);
        let words: Vec<_> = words.map(|word| Owned::of(&word)).collect();
        sorted_sets::run(self.ctx, c"ZADD", self.string(key), &words);
    }

    fn came<T: Native>(value: &Value<T>) {
        population::<T>().came(value.data.members());
    }

    fn resized<T: Native>(before: u64, after: u64) {
        population::<T>().changed(before, after);
    }

    fn watch<T: Native>(value: &Value<T>) {
        watched::watch(address(value), T::KIND);
    }
}
