//! What the server does for big values between commands: of boards, the next period's order is prepared,
//! the last one's packed, and what is gone freed, in slices of about a millisecond. No command depends on
//! it; without it the first command behind a boundary would take longer.

use std::collections::BTreeMap;
use std::ffi::{c_longlong, c_void};
use std::ops::Bound;
use std::panic::catch_unwind;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use leaderboard_core::time::Millis;
use redis_module::raw;

use crate::{config, server, stats};

/// Milliseconds between two slices while there is work.
const BUSY: c_longlong = 10;
/// And while there is none.
const IDLE: c_longlong = 100;

/// Works on the value at an address for a slice; whether there was anything to do.
pub type Worker = unsafe fn(usize, &Slice) -> bool;

/// The values that have work between commands, now or at the end of their periods, by their address. They
/// may be freed by other threads, which wait for a slice to end.
struct Watched {
    values: BTreeMap<usize, Worker>,
    /// Whose turn it was last.
    last: usize,
}

static WATCHED: Mutex<Watched> = Mutex::new(Watched { values: BTreeMap::new(), last: 0 });

fn watched() -> MutexGuard<'static, Watched> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the value at an address worked on until it is forgotten.
pub fn watch(value: usize, worker: Worker) {
    watched().values.insert(value, worker);
}

/// Ends that.
pub fn forget(value: usize) {
    watched().values.remove(&value);
}

/// Goes on with a value that has another place in memory.
pub fn moved(from: usize, to: usize) {
    let mut watched = watched();
    if let Some(worker) = watched.values.remove(&from) {
        watched.values.insert(to, worker);
    }
}

/// Begins to work.
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
    let slice =
        Slice { begin: Instant::now(), length: Duration::from_micros(config::tick()), wall: server::clock() };
    let mut quiet = 0;
    let mut worked = false;
    while !slice.is_over() && quiet < watched.values.len() {
        let Some((value, worker)) = watched.next() else { break };
        // SAFETY: values leave the map before they are freed, and whoever frees one waits for us. The
        // server's one thread for commands is here, so nobody else refers to it.
        if unsafe { worker(value, &slice) } {
            (worked, quiet) = (true, 0);
        } else {
            quiet = quiet.saturating_add(1);
        }
    }
    if worked {
        stats::prepared(slice.begin.elapsed());
    }
    worked
}

/// A short time to work in.
pub struct Slice {
    begin: Instant,
    length: Duration,
    /// The server's clock at the beginning.
    pub wall: Millis,
}

impl Slice {
    /// Whether it has passed.
    pub fn is_over(&self) -> bool {
        self.begin.elapsed() >= self.length
    }
}

impl Watched {
    /// The next one in turn.
    fn next(&mut self) -> Option<(usize, Worker)> {
        let after = (Bound::Excluded(self.last), Bound::Unbounded);
        let next = self.values.range(after).next().or_else(|| self.values.first_key_value());
        let (value, worker) = next.map(|(value, worker)| (*value, *worker))?;
        self.last = value;
        Some((value, worker))
    }
}
