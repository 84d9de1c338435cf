//! Sorted sets of the server: reading them page by page, and making one.
//!
//! Both go through the server's own commands, so that all encodings and notifications are its own.

use std::cmp::Ordering;
use std::ffi::{CStr, c_longlong};
use std::ops::ControlFlow;

use leaderboard_core::Board;
use redis_module::raw;

use crate::argument::{Argument, Owned};
use crate::call::Call;
use crate::keyspace;
use crate::refusal::Refusal;

/// Rows that are read with one command.
const PAGE: u64 = 1_000;

/// Which end of a sorted set comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// As `ZRANGE` shows it.
    Up,
    /// As `ZREVRANGE` shows it.
    Down,
}

/// A sorted set; an absent key is an empty one.
pub struct SortedSet<'a> {
    call: &'a Call<'a>,
    key: Argument,
    direction: Direction,
    len: u64,
}

impl<'a> SortedSet<'a> {
    /// The sorted set of a key.
    ///
    /// # Errors
    /// [`Refusal::WrongType`].
    pub fn open(call: &'a Call<'a>, key: Argument, direction: Direction) -> Result<Self, Refusal> {
        let len = keyspace::sorted_set_len(call, key)?;
        Ok(Self { call, key, direction, len })
    }

    const fn command(&self) -> &'static CStr {
        match self.direction {
            Direction::Up => c"ZRANGE",
            Direction::Down => c"ZREVRANGE",
        }
    }

    /// Calls `each` with the members behind so many others and their scores, until it breaks. Returns whether the
    /// end was reached.
    pub fn walk(&self, before: u64, mut each: impl FnMut(&[u8], f64) -> ControlFlow<()>) -> bool {
        let mut from = before;
        loop {
            let page = self.page(from, PAGE);
            let len = page.rows();
            if (0..len).any(|at| page.row(at).is_some_and(|(member, score)| each(member, score).is_break())) {
                return false;
            }
            if (len as u64) < PAGE {
                return true;
            }
            from = from.saturating_add(PAGE);
        }
    }

    fn page(&self, from: u64, count: u64) -> Page {
        let last = from.saturating_add(count).saturating_sub(1);
        // SAFETY: a live context; the format matches a string of the server, two integers and a C string.
        let reply = unsafe {
            raw::RedisModule_Call.map_or(std::ptr::null_mut(), |call| {
                let (command, key) = (self.command().as_ptr(), self.key.raw());
                let (from, last) = (from as c_longlong, last as c_longlong);
                call(self.call.ctx(), command, c"sllc".as_ptr(), key, from, last, c"WITHSCORES".as_ptr())
            })
        };
        Page(reply)
    }

    /// How many members are at this place or before it: a member with this score, which need not be there.
    pub fn up_to(&self, member: &[u8], score: f64) -> u64 {
        let is_before = |place: u64| {
            self.page(place, 1).row(0).is_some_and(|(other, found)| {
                let order =
                    found.partial_cmp(&score).unwrap_or(Ordering::Equal).then_with(|| other.cmp(member));
                match self.direction {
                    Direction::Up => order.is_le(),
                    Direction::Down => order.is_ge(),
                }
            })
        };
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low.midpoint(high);
            (low, high) = if is_before(middle) { (middle.saturating_add(1), high) } else { (low, middle) };
        }
        low
    }
}

/// Rows of a sorted set, as the server replied.
struct Page(*mut raw::RedisModuleCallReply);

impl Page {
    fn rows(&self) -> usize {
        // SAFETY: a reply that is ours, or null.
        unsafe { raw::RedisModule_CallReplyLength.map_or(0, |length| length(self.0)) / 2 }
    }

    fn row(&self, at: usize) -> Option<(&[u8], f64)> {
        let first = at.saturating_mul(2);
        let score = std::str::from_utf8(self.text(first.saturating_add(1))?).ok()?.parse().ok()?;
        Some((self.text(first)?, score))
    }

    fn text(&self, at: usize) -> Option<&[u8]> {
        let mut len = 0;
        // SAFETY: a reply that is ours; the text is its part, and lives as long.
        unsafe {
            let element = raw::RedisModule_CallReplyArrayElement.map(|element| element(self.0, at))?;
            if element.is_null() {
                return None;
            }
            let text = raw::RedisModule_CallReplyStringPtr.map(|text| text(element, &raw mut len))?;
            if text.is_null() { None } else { Some(std::slice::from_raw_parts(text.cast(), len)) }
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: a reply that is ours.
            unsafe { raw::RedisModule_FreeCallReply.map(|free| free(self.0)) };
        }
    }
}

/// Stores these rows in a key, in place of what is there: all with one effect, in commands of some hundred rows.
/// How many they are.
///
/// # Errors
/// Those of [`keyspace::may_replace`].
pub fn store<'r>(
    call: &Call,
    key: Argument,
    mut rows: impl Iterator<Item = (f64, &'r [u8])>,
) -> Result<u64, Refusal> {
    keyspace::may_replace::<Board>(call, key)?;
    let mut stored = 0_u64;
    run(call, c"DEL", key, &[]);
    loop {
        let piece: Vec<_> = rows.by_ref().take(PAGE as usize).collect();
        if piece.is_empty() {
            return Ok(stored);
        }
        stored = stored.saturating_add(piece.len() as u64);
        let words: Vec<_> = piece
            .iter()
            .flat_map(|(score, member)| [Owned::of(score.to_string().as_bytes()), Owned::of(member)])
            .collect();
        run(call, c"ZADD", key, &words);
    }
}

/// Runs a command of the server and replicates it.
fn run(call: &Call, command: &CStr, key: Argument, words: &[Owned]) {
    let words: Vec<_> = words.iter().map(Owned::raw).collect();
    // SAFETY: a live context; the format matches a string of the server, and an array with its length. The reply
    // is ours.
    unsafe {
        let Some(run) = raw::RedisModule_Call else { return };
        let (ctx, command) = (call.ctx(), command.as_ptr());
        let reply = run(ctx, command, c"!sv".as_ptr(), key.raw(), words.as_ptr(), words.len());
        if let (Some(free), false) = (raw::RedisModule_FreeCallReply, reply.is_null()) {
            free(reply);
        }
    }
}
