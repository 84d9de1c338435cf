//! What the server does for big boards between commands: the next period's order is prepared, the
//! last one's packed, and what is gone freed, in slices of about a millisecond. No command depends on
//! it; without it the first command behind a boundary would take longer.

use std::collections::BTreeSet;
use std::ffi::{c_longlong, c_void};
use std::ops::Bound;
use std::panic::catch_unwind;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use leaderboard_core::time::Millis;
use leaderboard_core::view::Work;
use redis_module::raw;

use crate::datatype::Value;
use crate::{config, server, stats};

/// Milliseconds between two slices while there is work.
const BUSY: c_longlong = 10;
/// And while there is none.
const IDLE: c_longlong = 100;

/// The boards that have work between commands, now or at the end of their periods. Boards may be
/// freed by other threads, which wait for a slice to end.
struct Watched {
    values: BTreeSet<usize>,
    /// Whose turn it was last.
    last: usize,
}

static WATCHED: Mutex<Watched> = Mutex::new(Watched { values: BTreeSet::new(), last: 0 });

fn watched() -> MutexGuard<'static, Watched> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves a board until it is forgotten.
pub fn watch(value: &Value) {
    watched().values.insert(std::ptr::from_ref(value).addr());
}

/// Serves a board no more.
pub fn forget(value: &Value) {
    watched().values.remove(&std::ptr::from_ref(value).addr());
}

/// Goes on with a board that has another place in memory.
pub fn moved(from: *const Value, to: *const Value) {
    let mut watched = watched();
    if watched.values.remove(&from.addr()) {
        watched.values.insert(to.addr());
    }
}

/// Begins to serve.
pub fn start(ctx: *mut raw::RedisModuleCtx) {
    again(ctx, IDLE);
}

fn again(ctx: *mut raw::RedisModuleCtx, period: c_longlong) {
    // SAFETY: the context of OnLoad or of a timer.
    unsafe { raw::RedisModule_CreateTimer.map(|create| create(ctx, period, Some(tick), null_mut())) };
}

unsafe extern "C" fn tick(ctx: *mut raw::RedisModuleCtx, _data: *mut c_void) {
    let busy = catch_unwind(serve).unwrap_or_else(|_| {
        server::log("warning", "work between commands failed inside the module");
        false
    });
    again(ctx, if busy { BUSY } else { IDLE });
}

/// Works for a slice; whether there is more to do.
fn serve() -> bool {
    let mut watched = watched();
    if watched.values.is_empty() {
        return false;
    }
    let (begin, slice) = (Instant::now(), Duration::from_micros(config::tick()));
    let wall = server::clock();
    let mut quiet = 0;
    let mut worked = false;
    while begin.elapsed() < slice && quiet < watched.values.len() {
        let Some(next) = watched.next() else { break };
        // SAFETY: values leave the set before they are freed, and whoever frees one waits for us. The
        // server's one thread for commands is here, so nobody else refers to it.
        let value = unsafe { &mut *std::ptr::with_exposed_provenance_mut::<Value>(next) };
        if work(value, wall, begin, slice) {
            (worked, quiet) = (true, 0);
        } else {
            quiet = quiet.saturating_add(1);
        }
    }
    if worked {
        stats::prepared(begin.elapsed());
    }
    worked
}

/// Works on one board until the slice ends; whether there was anything to do.
fn work(value: &mut Value, wall: Millis, begin: Instant, slice: Duration) -> bool {
    let board = &mut value.board;
    let (now, members) = (board.now(wall, config::max_future()), board.len());
    let mut worked = false;
    while board.is_served() && board.work(now) == Work::Now {
        worked = true;
        if begin.elapsed() >= slice {
            break;
        }
    }
    stats::members_changed(members, board.len());
    worked
}

impl Watched {
    /// The next one in turn.
    fn next(&mut self) -> Option<usize> {
        let after = (Bound::Excluded(self.last), Bound::Unbounded);
        let next = self.values.range(after).next().or_else(|| self.values.first()).copied()?;
        self.last = next;
        Some(next)
    }
}
