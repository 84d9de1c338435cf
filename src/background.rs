//! Work on large values between commands, in slices of about a millisecond. For boards it prepares the order
//! of the next period, packs the last period, and frees what has expired. No command depends on it: without
//! it, the first command after a boundary takes longer.

use std::collections::BTreeMap;
use std::ffi::{c_longlong, c_void};
use std::ops::Bound;
use std::panic::catch_unwind;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use leaderboard_core::time::Millis;
use redis_module::raw;

use crate::{config, periods, server, stats};

/// Milliseconds between two slices while there is work.
const BUSY: c_longlong = 10;
/// Milliseconds between two checks while there is none.
const IDLE: c_longlong = 100;

/// Works on the value at an address for one slice. Returns whether there was work.
pub type Worker = unsafe fn(usize, &Slice) -> bool;

/// The values with work between commands, now or at the end of their periods, by address. A thread that frees
/// one of them waits until the slice ends.
struct Watched {
    values: BTreeMap<usize, Worker>,
    /// The value that was served last.
    last: usize,
}

static WATCHED: Mutex<Watched> = Mutex::new(Watched { values: BTreeMap::new(), last: 0 });

fn watched() -> MutexGuard<'static, Watched> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the value at this address to the values that are worked on.
pub fn watch(value: usize, worker: Worker) {
    watched().values.insert(value, worker);
}

/// Stops the work on the value at this address.
pub fn forget(value: usize) {
    watched().values.remove(&value);
}

/// Follows a value to its new address.
pub fn moved(from: usize, to: usize) {
    let mut watched = watched();
    if let Some(worker) = watched.values.remove(&from) {
        watched.values.insert(to, worker);
    }
}

/// Starts the timer.
pub fn start(ctx: *mut raw::RedisModuleCtx) {
    again(ctx, IDLE);
}

fn again(ctx: *mut raw::RedisModuleCtx, period: c_longlong) {
    // SAFETY: the context of OnLoad or of a timer.
    unsafe { raw::RedisModule_CreateTimer.map(|create| create(ctx, period, Some(tick), null_mut())) };
}

unsafe extern "C" fn tick(ctx: *mut raw::RedisModuleCtx, _data: *mut c_void) {
    let busy = catch_unwind(|| serve(ctx)).unwrap_or_else(|_| {
        server::log("warning", "work between commands failed inside the module");
        false
    });
    again(ctx, if busy { BUSY } else { IDLE });
}

/// Works for one slice. Returns whether it found work.
fn serve(ctx: *mut raw::RedisModuleCtx) -> bool {
    let slice =
        Slice { begin: Instant::now(), length: Duration::from_micros(config::tick()), wall: server::clock() };
    let mut worked = periods::serve(ctx, &slice);
    let mut watched = watched();
    let mut quiet = 0;
    while !slice.is_over() && quiet < watched.values.len() {
        let Some((value, worker)) = watched.next() else { break };
        // SAFETY: a value leaves the map before it is freed, and the thread that frees it waits for this
        // slice. This is the server's only thread for commands, so nothing else refers to the value.
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

/// A limited time to work in.
pub struct Slice {
    begin: Instant,
    length: Duration,
    /// The server's clock at its beginning.
    pub wall: Millis,
}

impl Slice {
    pub fn is_over(&self) -> bool {
        self.begin.elapsed() >= self.length
    }
}

impl Watched {
    /// The next value in turn.
    fn next(&mut self) -> Option<(usize, Worker)> {
        let after = (Bound::Excluded(self.last), Bound::Unbounded);
        let next = self.values.range(after).next().or_else(|| self.values.first_key_value());
        let (value, worker) = next.map(|(value, worker)| (*value, *worker))?;
        self.last = value;
        Some((value, worker))
    }
}
