//! The allocator: the server's own, so that `maxmemory`, `MEMORY USAGE` and defragmentation see all
//! that a board takes. Where no server is (unit tests), the system's.
//!
//! Unlike the one of the redis-module crate it grows blocks in place (`RM_Realloc`), takes zeroed
//! memory as it comes (`RM_Calloc`), and leaves alignments above 16 alone, which a server on
//! libc's malloc cannot serve.

use std::alloc::{GlobalAlloc, Layout, System};

use redis_module::raw;

/// The greatest alignment that every server's allocator promises.
const ALIGNED: usize = 16;

/// Forwards to the server. Which allocator a block came from follows from its layout alone: the
/// server's functions are there from before the first allocation of the module, or never.
pub struct ServerAlloc;

// SAFETY: blocks of an alignment up to 16 come from and go back to the server's malloc, which gives
// that alignment for any size; all others come from and go back to the system's allocator.
unsafe impl GlobalAlloc for ServerAlloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the trait's method; reading a function pointer that OnLoad wrote.
        unsafe {
            match raw::RedisModule_Alloc {
                Some(alloc) if layout.align() <= ALIGNED => alloc(layout.size()).cast(),
                _ => System.alloc(layout),
            }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe {
            match raw::RedisModule_Free {
                Some(free) if layout.align() <= ALIGNED => free(block.cast()),
                _ => System.dealloc(block, layout),
            }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe {
            match raw::RedisModule_Calloc {
                Some(calloc) if layout.align() <= ALIGNED => calloc(1, layout.size()).cast(),
                _ => System.alloc_zeroed(layout),
            }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; the server keeps the alignment that any block of it has.
        unsafe {
            match raw::RedisModule_Realloc {
                Some(realloc) if layout.align() <= ALIGNED => realloc(block.cast(), size).cast(),
                _ => System.realloc(block, layout, size),
            }
        }
    }
}
