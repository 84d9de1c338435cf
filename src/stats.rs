//! Counts for `INFO leaderboard`. Values can be freed by other threads, so they are atomic.

use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use leaderboard_core::board::Effect;
use redis_module::raw;

static BOARDS: AtomicU64 = AtomicU64::new(0);
static MEMBERS: AtomicU64 = AtomicU64::new(0);
static WRITES: AtomicU64 = AtomicU64::new(0);
static REPEATED: AtomicU64 = AtomicU64::new(0);
static HELD_BACK: AtomicU64 = AtomicU64::new(0);
static VOTES_HELD_BACK: AtomicU64 = AtomicU64::new(0);
/// Microseconds of work between commands, and of its longest slice.
static PREPARING: AtomicU64 = AtomicU64::new(0);
static LONGEST: AtomicU64 = AtomicU64::new(0);

/// A board with so many members has come to the keyspace.
pub fn board_made(members: u64) {
    BOARDS.fetch_add(1, Relaxed);
    MEMBERS.fetch_add(members, Relaxed);
}

/// A board with so many members has gone.
pub fn board_gone(members: u64) {
    BOARDS.fetch_sub(1, Relaxed);
    MEMBERS.fetch_sub(members, Relaxed);
}

/// A board in the keyspace has another number of members.
pub fn members_changed(before: u64, after: u64) {
    MEMBERS.fetch_add(after.wrapping_sub(before), Relaxed);
}

/// A write has come to an end.
pub fn written(effect: Effect) {
    let count = match effect {
        Effect::Applied(_) => &WRITES,
        Effect::Repeated => &REPEATED,
        Effect::HeldBack => &HELD_BACK,
    };
    count.fetch_add(1, Relaxed);
}

/// A vote was held back by a rule.
pub fn vote_held_back() {
    VOTES_HELD_BACK.fetch_add(1, Relaxed);
}

/// A slice of work between commands has come to an end.
pub fn prepared(time: Duration) {
    let time = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    PREPARING.fetch_add(time, Relaxed);
    LONGEST.fetch_max(time, Relaxed);
}

/// Answers `INFO leaderboard`.
pub unsafe extern "C" fn info(ctx: *mut raw::RedisModuleInfoCtx, _for_crash: c_int) {
    let fields: [(&CStr, &AtomicU64); 8] = [
        (c"boards", &BOARDS),
        (c"members", &MEMBERS),
        (c"writes", &WRITES),
        (c"repeated_requests", &REPEATED),
        (c"writes_held_back", &HELD_BACK),
        (c"votes_held_back", &VOTES_HELD_BACK),
        (c"preparing_usec", &PREPARING),
        (c"longest_slice_usec", &LONGEST),
    ];
    // SAFETY: the server's info context, and constant names.
    unsafe {
        raw::RedisModule_InfoAddSection.map(|section| section(ctx, c"".as_ptr()));
        for (name, count) in fields {
            raw::RedisModule_InfoAddFieldULongLong
                .map(|field| field(ctx, name.as_ptr(), count.load(Relaxed)));
        }
    }
}
