//! The module's section of `INFO`.

use std::ffi::c_int;
use std::sync::atomic::Ordering::Relaxed;

use redis_module::raw;

use crate::registration::populations;
use crate::stats::{self, Population};

pub unsafe extern "C" fn info(ctx: *mut raw::RedisModuleInfoCtx, _for_crash: c_int) {
    let keys = populations().flat_map(Population::fields);
    // SAFETY: this is the server's info context, and the names are constants.
    unsafe {
        raw::RedisModule_InfoAddSection.map(|section| section(ctx, c"".as_ptr()));
        for (name, count) in keys.chain(stats::fields()) {
            raw::RedisModule_InfoAddFieldULongLong
                .map(|field| field(ctx, name.as_ptr(), count.load(Relaxed)));
        }
    }
}
