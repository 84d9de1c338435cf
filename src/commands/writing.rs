//! What writes of points and scores share: the way from options to a write, and from its outcome to
//! replicas, listeners and the client.

use std::ffi::{CStr, c_char, c_longlong};

use leaderboard_core::board::{Effect, Outcome, Position, Write};
use leaderboard_core::time::Stamp;
use leaderboard_core::{Board, Schema};
use redis_module::raw;

use crate::arguments::Options;
use crate::call::{Argument, Call, Refusal};
use crate::stats;

/// A new board for a first write.
pub fn default_board() -> Result<Board, Refusal> {
    Ok(Board::new(Schema::default())?)
}

/// The write that these options ask for.
pub fn write_of<'a>(call: &Call, options: &Options<'a>) -> Result<Write<'a>, Refusal> {
    let origin = call.origin(options.at, options.now)?;
    Ok(Write { at: options.at, request: options.id, origin, with_change: options.with_change })
}

/// What replicas are sent: the write as it was decided, so that no clock, no remembered id and no
/// setting of theirs has a say.
pub struct Resolved<'a> {
    /// The command's name.
    pub command: &'static CStr,
    /// Its arguments before the options; the key first.
    pub fixed: &'a [Argument],
    /// Its conditions: they hold, but belong to what the request id stands for.
    pub condition: &'a [&'static CStr],
    /// The request's id.
    pub id: Option<&'a [u8]>,
    /// Its arguments behind the options.
    pub list: &'a [Argument],
}

impl Resolved<'_> {
    fn send(&self, call: &Call, stamp: Stamp) {
        let (id, id_len) = self.id.map_or((c"".as_ptr(), 0), |id| (id.as_ptr().cast::<c_char>(), id.len()));
        let (at, now) = (stamp.at as c_longlong, stamp.now as c_longlong);
        let format = match (self.id.is_some(), stamp.at != stamp.now) {
            (false, false) => c"vvclv",
            (false, true) => c"vvclclv",
            (true, false) => c"vvcbclv",
            (true, true) => c"vvcbclclv",
        };
        let (fixed, list) = (self.fixed, self.list);
        let (name, format) = (self.command.as_ptr(), format.as_ptr());
        let words = Words::new(call, self.condition);
        // SAFETY: a live context; each letter of the format has its argument: v an array of strings
        // with its length, c a C string, b a buffer with its length, l a long long.
        unsafe {
            let Some(send) = raw::RedisModule_Replicate else { return };
            let ctx = call.ctx();
            let (before, before_len) = (fixed.as_ptr(), fixed.len());
            let (after, after_len) = (list.as_ptr(), list.len());
            let (word, words_len) = (words.strings.as_ptr(), words.strings.len());
            let (id_word, at_word, now_word) = (c"ID".as_ptr(), c"AT".as_ptr(), c"NOW".as_ptr());
            match (self.id.is_some(), stamp.at != stamp.now) {
                (false, false) => send(
                    ctx, name, format, before, before_len, word, words_len, at_word, at, after, after_len,
                ),
                (false, true) => send(
                    ctx, name, format, before, before_len, word, words_len, at_word, at, now_word, now,
                    after, after_len,
                ),
                (true, false) => send(
                    ctx, name, format, before, before_len, word, words_len, id_word, id, id_len, at_word, at,
                    after, after_len,
                ),
                (true, true) => send(
                    ctx, name, format, before, before_len, word, words_len, id_word, id, id_len, at_word, at,
                    now_word, now, after, after_len,
                ),
            };
        }
    }
}

/// Words of ours as the server's strings, for as long as they are sent.
struct Words {
    strings: Vec<*mut raw::RedisModuleString>,
    ctx: *mut raw::RedisModuleCtx,
}

impl Words {
    fn new(call: &Call, words: &[&CStr]) -> Self {
        let ctx = call.ctx();
        // SAFETY: a live context; the server copies the words.
        let string = |word: &&CStr| unsafe {
            raw::RedisModule_CreateString.map(|create| create(ctx, word.as_ptr(), word.count_bytes()))
        };
        Self { strings: words.iter().filter_map(string).collect(), ctx }
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        for string in &self.strings {
            // SAFETY: made by CreateString above, freed once.
            unsafe { raw::RedisModule_FreeString.map(|free| free(self.ctx, *string)) };
        }
    }
}

/// Ends a write: counts it, and where it was applied, sends it on and tells who listens.
pub fn finish(call: &Call, effect: Effect, resolved: &Resolved, event: &CStr) {
    stats::written(effect);
    let Effect::Applied(stamp) = effect else { return };
    resolved.send(call, stamp);
    if let Some(key) = resolved.fixed.first() {
        call.changed(*key, event);
    }
}

/// Replies with score, rank and whether the write was applied; `before` only where it was asked for.
pub fn reply(call: &Call, outcome: &Outcome, with_change: bool, decimals: u8) {
    let reply = call.reply();
    reply.array(if with_change { 5 } else { 3 });
    position(call, outcome.now, decimals);
    reply.int(u64::from(matches!(outcome.effect, Effect::Applied(_))));
    if with_change {
        position(call, outcome.before, decimals);
    }
}

/// Replies with a score and a rank, or twice nil.
pub fn position(call: &Call, position: Option<Position>, decimals: u8) {
    let reply = call.reply();
    match position {
        Some(Position { score, rank }) => {
            reply.score(score, decimals);
            reply.int(rank);
        }
        None => {
            reply.nil();
            reply.nil();
        }
    }
}
