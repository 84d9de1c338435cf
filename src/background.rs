//! Works on large values between commands, in slices of about a millisecond. For boards, it prepares the order of
//! the next period, packs the order of the last period, and frees data that has expired. No command depends on this
//! work: without it, only the first command after a boundary takes longer.

use std::ffi::{c_longlong, c_void};
use std::ptr::null_mut;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use leaderboard_commands::host::Value;
use leaderboard_commands::native::{Native, TypeVisitor};
use leaderboard_core::native::Work;
use redis_module::raw;

use crate::caught::caught;
use crate::registration::population;
use crate::slice::Slice;
use crate::{config, periods, server, stats, watched};

/// The time in milliseconds between two slices while there is work.
const BUSY: c_longlong = 10;
/// The time in milliseconds between two checks while there is no work.
const IDLE: c_longlong = 100;

/// The server's timer, 0 if there is none.
static TIMER: AtomicU64 = AtomicU64::new(0);
/// When the timer was started, and when it is due, by the server's clock in milliseconds.
static STARTED: AtomicU64 = AtomicU64::new(0);
static DUE: AtomicU64 = AtomicU64::new(0);

/// Starts the timer. Timers depend on the server's clock, which can go back. So the server's own loop looks after the timer
/// about ten times a second.
pub fn start(ctx: *mut raw::RedisModuleCtx) {
    let cron = raw::RedisModuleEvent { id: raw::REDISMODULE_EVENT_CRON_LOOP, dataver: 1 };
    // SAFETY: this is the context of OnLoad.
    unsafe {
        raw::RedisModule_SubscribeToServerEvent.map(|subscribe| subscribe(ctx, cron, Some(look_after)))
    };
    again(ctx, IDLE);
}

fn again(ctx: *mut raw::RedisModuleCtx, period: c_longlong) {
    let now = server::clock();
    // SAFETY: this is the context of OnLoad, of a timer, or of the server's loop.
    let timer = unsafe {
        raw::RedisModule_CreateTimer.map_or(0, |create| create(ctx, period, Some(tick), null_mut()))
    };
    TIMER.store(timer, Relaxed);
    STARTED.store(now, Relaxed);
    DUE.store(now.saturating_add(period.unsigned_abs()), Relaxed);
    // The clock has gone back meanwhile, so the server may have taken either time.
    if server::clock() < now {
        stop(ctx);
    }
}

fn stop(ctx: *mut raw::RedisModuleCtx) {
    let timer = TIMER.swap(0, Relaxed);
    if timer != 0 {
        // SAFETY: as above; the timer has not run yet.
        unsafe { raw::RedisModule_StopTimer.map(|stop| stop(ctx, timer, null_mut())) };
    }
}

unsafe extern "C" fn tick(ctx: *mut raw::RedisModuleCtx, _data: *mut c_void) {
    TIMER.store(0, Relaxed);
    let begin = server::clock().max(DUE.load(Relaxed));
    let busy = caught("work between commands", || serve(ctx)).unwrap_or(false);
    // The server runs all timers that are due at one moment. If its clock has gone back since then, a new timer would be due at
    // once, again and again, until the clock has reached that moment: an hour or a year without a reply to anybody.
    if server::clock() >= begin {
        again(ctx, if busy { BUSY } else { IDLE });
    }
}

/// Starts the timer if there is none, or if it would be due too late because the clock has gone back.
unsafe extern "C" fn look_after(
    ctx: *mut raw::RedisModuleCtx,
    _event: raw::RedisModuleEvent,
    _part: u64,
    _data: *mut c_void,
) {
    if TIMER.load(Relaxed) == 0 || server::clock() < STARTED.load(Relaxed) {
        stop(ctx);
        again(ctx, IDLE);
    }
}

/// Works for one slice. Returns whether there was work.
pub fn serve(ctx: *mut raw::RedisModuleCtx) -> bool {
    let slice = Slice::begin();
    let mut worked = periods::serve(ctx, &slice);
    let mut watched = watched::lock();
    let mut quiet = 0;
    while !slice.is_over() && quiet < watched.len() {
        let Some((value, kind)) = watched.next() else { break };
        match caught("work on a value", || kind.visit(Worker { value, slice: &slice })) {
            Some(true) => (worked, quiet) = (true, 0),
            Some(false) => quiet = quiet.saturating_add(1),
            // It would fail again in each slice. Without this work, the next command takes longer.
            None => watched.stop(value),
        }
    }
    if worked {
        stats::prepared(slice.elapsed());
    }
    worked
}

/// Works on the value at an address until the slice ends.
struct Worker<'a> {
    value: usize,
    slice: &'a Slice,
}

impl TypeVisitor for Worker<'_> {
    type Out = bool;

    fn visit<T: Native>(self) -> bool {
        // SAFETY: a value is removed from the list before it is freed, and the thread that frees it waits for the
        // end of this slice. This is the server's only thread for commands, so there is no other reference to the
        // value.
        unsafe { work::<T>(self.value, self.slice) }
    }
}

/// Works on one value until the slice ends. Returns whether there was work.
///
/// # Safety
/// There must be a value of this type at the address, and no other reference to it.
unsafe fn work<T: Native>(value: usize, slice: &Slice) -> bool {
    // SAFETY: the caller guarantees that the value exists.
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
