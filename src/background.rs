//! Work on large values between commands, in slices of about a millisecond. For boards it prepares the order
//! of the next period, packs the last period, and frees what has expired. No command depends on it: without
//! it, the first command after a boundary takes longer.

use std::ffi::{c_longlong, c_void};
use std::panic::catch_unwind;
use std::ptr::null_mut;

use leaderboard_commands::host::Value;
use leaderboard_commands::native::{Native, TypeVisitor};
use leaderboard_core::native::Work;
use redis_module::raw;

use crate::registration::population;
use crate::slice::Slice;
use crate::{config, periods, server, stats, watched};

/// Milliseconds between two slices while there is work.
const BUSY: c_longlong = 10;
/// Milliseconds between two checks while there is none.
const IDLE: c_longlong = 100;

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
    let slice = Slice::begin();
    let mut worked = periods::serve(ctx, &slice);
    let mut watched = watched::lock();
    let mut quiet = 0;
    while !slice.is_over() && quiet < watched.len() {
        let Some((value, kind)) = watched.next() else { break };
        if kind.visit(Worker { value, slice: &slice }) {
            (worked, quiet) = (true, 0);
        } else {
            quiet = quiet.saturating_add(1);
        }
    }
    if worked {
        stats::prepared(slice.elapsed());
    }
    worked
}

/// Works on the value at an address for one slice.
struct Worker<'a> {
    value: usize,
    slice: &'a Slice,
}

impl TypeVisitor for Worker<'_> {
    type Out = bool;

    fn visit<T: Native>(self) -> bool {
        // SAFETY: a value leaves the list before it is freed, and the thread that frees it waits for this
        // slice. This is the server's only thread for commands, so nothing else refers to the value.
        unsafe { work::<T>(self.value, self.slice) }
    }
}

/// Works on one value until the slice ends. Returns whether there was work.
///
/// # Safety
/// The address holds a value of this type, and nothing else refers to it.
unsafe fn work<T: Native>(value: usize, slice: &Slice) -> bool {
    // SAFETY: the caller guarantees the value.
    let value = unsafe { &mut *std::ptr::with_exposed_provenance_mut::<Value<T>>(value) };
    let data = &mut value.data;
    let (now, members) = (data.now(slice.wall, config::max_future()), data.members());
    let mut worked = false;
    while data.has_work() && data.work(now) == Work::Now {
        worked = true;
        if slice.is_over() {
            break;
        }
    }
    population::<T>().changed(members, data.members());
    worked
}
