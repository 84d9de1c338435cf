//! The module's section of `INFO`.

use std::ffi::c_int;
use std::sync::atomic::Ordering::Relaxed;

use leaderboard_commands::figures;
use redis_module::raw;

use crate::caught::caught;
use crate::registration::populations;
use crate::stats;

pub unsafe extern "C" fn info(ctx: *mut raw::RedisModuleInfoCtx, _for_crash: c_int) {
    caught("INFO", || write(ctx));
}

fn write(ctx: *mut raw::RedisModuleInfoCtx) {
    let counted = populations().chain(figures::of_commands().zip(stats::counts()));
    // SAFETY: this is the server's info context, and the names are constants.
    unsafe {
        raw::RedisModule_InfoAddSection.map(|section| section(ctx, c"".as_ptr()));
        for (figure, count) in counted {
            raw::RedisModule_InfoAddFieldULongLong
                .map(|field| field(ctx, figure.name.as_ptr(), count.load(Relaxed)));
        }
    }
}
