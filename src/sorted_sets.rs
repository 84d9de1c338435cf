//! Reads and writes sorted sets with the server's own commands. So all encodings work, and the server sends its
//! notifications.

use std::ffi::{CStr, c_longlong};
use std::ops::ControlFlow;

use leaderboard_commands::host::Direction;
use redis_module::raw;

use crate::strings::{Owned, Raw};

/// Calls `each` with the members of a sorted set between two places, and with their scores. Returns how many
/// members there were, or `Break` if `each` returned `Break`.
pub fn read(
    ctx: *mut raw::RedisModuleCtx,
    key: Raw,
    direction: Direction,
    (first, last): (c_longlong, c_longlong),
    mut each: impl FnMut(&[u8], f64) -> ControlFlow<()>,
) -> ControlFlow<(), u64> {
    let command = match direction {
        Direction::Up => c"ZRANGE",
        Direction::Down => c"ZREVRANGE",
    };
    // SAFETY: the context is live; the format matches a string of the server, two integers and a C string.
    let page = Page(unsafe {
        raw::RedisModule_Call.map_or(std::ptr::null_mut(), |call| {
            call(ctx, command.as_ptr(), c"sllc".as_ptr(), key, first, last, c"WITHSCORES".as_ptr())
        })
    });
    let rows = page.rows();
    for at in 0..rows {
        if let Some((member, score)) = page.row(at) {
            each(member, score)?;
        }
    }
    ControlFlow::Continue(rows as u64)
}

/// Rows of a sorted set in the form of the server's reply.
struct Page(*mut raw::RedisModuleCallReply);

impl Page {
    fn rows(&self) -> usize {
        // SAFETY: the reply belongs to this value, or is null.
        unsafe { raw::RedisModule_CallReplyLength.map_or(0, |length| length(self.0)) / 2 }
    }

    fn row(&self, at: usize) -> Option<(&[u8], f64)> {
        let first = at.saturating_mul(2);
        let score = std::str::from_utf8(self.text(first.saturating_add(1))?).ok()?.parse().ok()?;
        Some((self.text(first)?, score))
    }

    fn text(&self, at: usize) -> Option<&[u8]> {
        let mut len = 0;
        // SAFETY: the reply belongs to this value; the text is part of the reply, and exists as long as the reply.
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
            // SAFETY: the reply belongs to this value.
            unsafe { raw::RedisModule_FreeCallReply.map(|free| free(self.0)) };
        }
    }
}

/// Runs a command of the server and replicates it.
pub fn run(ctx: *mut raw::RedisModuleCtx, command: &CStr, key: Raw, words: &[Owned]) {
    let words: Vec<_> = words.iter().map(Owned::raw).collect();
    // SAFETY: the context is live; the format matches a string of the server, and an array with its length. The
    // reply belongs to this function.
    unsafe {
        let Some(run) = raw::RedisModule_Call else { return };
        let reply = run(ctx, command.as_ptr(), c"!sv".as_ptr(), key, words.as_ptr(), words.len());
        if let (Some(free), false) = (raw::RedisModule_FreeCallReply, reply.is_null()) {
            free(reply);
        }
    }
}
