//! The module's allocator, which uses the server's allocator. So `maxmemory`, `MEMORY USAGE` and defragmentation
//! include all memory of a board. Without a server (in unit tests), it uses the system's allocator.
//!
//! Unlike the allocator of the redis-module crate, it grows blocks in place (`RM_Realloc`) and gets zeroed memory
//! from the server (`RM_Calloc`). Blocks with alignments above 16 come from the system's allocator, since a server
//! that uses libc's malloc cannot provide them.

use std::alloc::{GlobalAlloc, Layout, System};

use redis_module::raw;

/// The greatest alignment that the allocator of every server provides, for sizes that are multiples of it. The
/// jemalloc of Redis has size classes such as 24 and 40, whose blocks are aligned only to 8.
const ALIGNED: usize = 16;
/// The alignment that blocks of every size have.
const ALWAYS: usize = 8;

/// Returns the size that must be requested from the server, so that the block is aligned.
const fn size_for(size: usize, align: usize) -> usize {
    if align <= ALWAYS { size } else { size.next_multiple_of(ALIGNED) }
}

/// Forwards calls to the server's allocator. Only the layout decides which allocator a block belongs to: the
/// server's functions exist before the module's first allocation, or never.
pub struct ServerAlloc;

// SAFETY: blocks with an alignment up to 16 come from the server's malloc, which guarantees an alignment of 8 for
// any size and of 16 for multiples of 16, and are freed by the server. All other blocks use the system's allocator.
unsafe impl GlobalAlloc for ServerAlloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the conditions are the same as for the trait's method; OnLoad has written the function pointer
        // that is read here.
        unsafe {
            match raw::RedisModule_Alloc {
                Some(alloc) if layout.align() <= ALIGNED => {
                    alloc(size_for(layout.size(), layout.align())).cast()
                }
                _ => System.alloc(layout),
            }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the conditions are the same as for `alloc`.
        unsafe {
            match raw::RedisModule_Free {
                Some(free) if layout.align() <= ALIGNED => free(block.cast()),
                _ => System.dealloc(block, layout),
            }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the conditions are the same as for `alloc`.
        unsafe {
            match raw::RedisModule_Calloc {
                Some(calloc) if layout.align() <= ALIGNED => {
                    calloc(1, size_for(layout.size(), layout.align())).cast()
                }
                _ => System.alloc_zeroed(layout),
            }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the conditions are the same as for `alloc`; the server keeps the alignment of its blocks.
        unsafe {
            match raw::RedisModule_Realloc {
                Some(realloc) if layout.align() <= ALIGNED => {
                    realloc(block.cast(), size_for(size, layout.align())).cast()
                }
                _ => System.realloc(block, layout, size),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::size_for;

    #[test]
    fn blocks_that_must_be_aligned_to_16_have_a_size_that_is() {
        assert_eq!([size_for(24, 8), size_for(36, 4), size_for(7, 1)], [24, 36, 7]);
        assert_eq!([size_for(36, 16), size_for(48, 16), size_for(1, 16)], [48, 48, 16]);
    }
}
