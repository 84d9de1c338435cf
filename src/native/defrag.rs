//! Active defragmentation, where the server has it: it says which allocations would be better
//! somewhere else, and moves them; a value only has to name them, in slices.

use std::ffi::{c_int, c_ulong, c_void};
use std::mem::ManuallyDrop;

use leaderboard_core::mover::Mover;
use redis_module::raw;

use super::{Native, Value};
use crate::background;

/// The server's hand in a pass of defragmentation.
struct Defrag(*mut raw::RedisModuleDefragCtx);

impl Defrag {
    /// The allocation, moved or not.
    ///
    /// # Safety
    /// `block` comes from the server's allocator and nobody else refers to it.
    unsafe fn moved<T>(&self, block: *mut T) -> *mut T {
        // SAFETY: the caller's promise; the server copies the bytes and frees the old block.
        let new = unsafe { raw::RedisModule_DefragAlloc.map(|alloc| alloc(self.0, block.cast())) };
        match new {
            Some(new) if !new.is_null() => new.cast(),
            _ => block,
        }
    }
}

impl Mover for Defrag {
    fn relocate<T>(&mut self, item: Box<T>) -> Box<T> {
        // SAFETY: types up to 16 bytes of alignment are the server's allocations (see alloc); a box
        // of no size has none.
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
        // SAFETY: the parts of a vector that is not used any more, its block perhaps moved.
        unsafe { Vec::from_raw_parts(self.moved(items.as_mut_ptr()), len, room) }
    }

    fn pause(&mut self) -> bool {
        // SAFETY: the server's context of this pass.
        unsafe { raw::RedisModule_DefragShouldStop.is_some_and(|stop| stop(self.0) != 0) }
    }
}

/// One pass over a value, or a slice of it: 1 where there is more to do.
pub unsafe extern "C" fn defrag<T: Native>(
    ctx: *mut raw::RedisModuleDefragCtx,
    _key: *mut raw::RedisModuleString,
    value: *mut *mut c_void,
) -> c_int {
    let mut step: c_ulong = 0;
    // SAFETY: the server's context, and the place of a value of ours that only we refer to now.
    unsafe {
        let mut defrag = Defrag(ctx);
        raw::RedisModule_DefragCursorGet.map(|get| get(ctx, &raw mut step));
        if step == 0 {
            let old = *value;
            *value = defrag.moved(old);
            background::moved(old.addr(), (*value).expose_provenance());
        }
        let data = &mut (*(*value).cast::<Value<T>>()).data;
        let mut next = data.relocate(step as usize, &mut defrag);
        while let Some(step) = next {
            let kept = raw::RedisModule_DefragCursorSet.map(|set| set(ctx, step as c_ulong));
            if kept == Some(raw::REDISMODULE_OK as c_int) {
                return 1;
            }
            // This pass cannot be continued later, so it goes on to the end.
            next = data.relocate(step, &mut defrag);
        }
    }
    0
}
