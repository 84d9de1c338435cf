//! Active defragmentation, on servers that support it. The server decides which allocations to move, and moves
//! them. A value only passes its allocations to the server, in slices.

use std::ffi::{c_int, c_ulong, c_void};
use std::mem::ManuallyDrop;

use leaderboard_core::mover::Mover;
use redis_module::raw;

use crate::caught::caught;
use crate::{due, watched};
use leaderboard_commands::host::Value;
use leaderboard_commands::native::Native;

/// The server's context of one pass.
struct Defrag(*mut raw::RedisModuleDefragCtx);

impl Defrag {
    /// Moves the allocation if the server requests this. Returns its address after that.
    ///
    /// # Safety
    /// `block` must come from the server's allocator, and there must be no other reference to it.
    unsafe fn moved<T>(&self, block: *mut T) -> *mut T {
        // SAFETY: the caller guarantees that the block is valid; the server copies the bytes and frees the old
        // block.
        let new = unsafe { raw::RedisModule_DefragAlloc.map(|alloc| alloc(self.0, block.cast())) };
        match new {
            Some(new) if !new.is_null() => new.cast(),
            _ => block,
        }
    }
}

impl Mover for Defrag {
    fn relocate<T>(&mut self, item: Box<T>) -> Box<T> {
        // SAFETY: values with an alignment up to 16 are allocations of the server (see alloc). A box of size zero
        // has no allocation.
        unsafe {
            let block = Box::into_raw(item);
            Box::from_raw(if size_of::<T>() == 0 || align_of::<T>() > 16 { block } else { self.moved(block) })
        }
    }

    fn relocate_slice<T>(&mut self, items: Box<[T]>) -> Box<[T]> {
        self.relocate_vec(items.into_vec()).into_boxed_slice()
    }

    fn relocate_vec<T>(&mut self, items: Vec<T>) -> Vec<T> {
        if items.capacity() == 0 || size_of::<T>() == 0 || align_of::<T>() > 16 {
            return items;
        }
        let mut items = ManuallyDrop::new(items);
        let (len, room) = (items.len(), items.capacity());
        // SAFETY: these are the parts of a vector that is not used any more; the server may have moved its block.
        unsafe { Vec::from_raw_parts(self.moved(items.as_mut_ptr()), len, room) }
    }

    fn pause(&mut self) -> bool {
        // SAFETY: this is the server's context of this pass.
        unsafe { raw::RedisModule_DefragShouldStop.is_some_and(|stop| stop(self.0) != 0) }
    }
}

/// Defragments a value, or a part of it. Returns 1 if there is more to do.
pub unsafe extern "C" fn defrag<T: Native>(
    ctx: *mut raw::RedisModuleDefragCtx,
    _key: *mut raw::RedisModuleString,
    value: *mut *mut c_void,
) -> c_int {
    // SAFETY: the server guarantees the conditions.
    let has_more = caught("defragmenting a value", || unsafe { defrag_some::<T>(ctx, value) });
    c_int::from(has_more.unwrap_or(false))
}

/// Defragments a value, or a part of it. Returns whether there is more to do.
///
/// # Safety
/// `ctx` must be the server's context of this pass, and `value` the place of a value to which there is no other
/// reference.
unsafe fn defrag_some<T: Native>(ctx: *mut raw::RedisModuleDefragCtx, value: *mut *mut c_void) -> bool {
    let mut step: c_ulong = 0;
    // SAFETY: the caller guarantees the conditions.
    unsafe {
        let mut defrag = Defrag(ctx);
        raw::RedisModule_DefragCursorGet.map(|get| get(ctx, &raw mut step));
        if step == 0 {
            let old = *value;
            *value = defrag.moved(old);
            let new = (*value).expose_provenance();
            watched::moved(old.addr(), new);
            due::moved(old.addr(), new);
        }
        let data = &mut (*(*value).cast::<Value<T>>()).data;
        let mut next = data.relocate(step as usize, &mut defrag);
        while let Some(step) = next {
            let kept = raw::RedisModule_DefragCursorSet.map(|set| set(ctx, step as c_ulong));
            if kept == Some(raw::REDISMODULE_OK as c_int) {
                return true;
            }
            // This pass cannot be continued later, so it runs to its end.
            next = data.relocate(step, &mut defrag);
        }
    }
    false
}
