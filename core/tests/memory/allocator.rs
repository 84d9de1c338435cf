//! The system's allocator, which counts how many bytes each thread holds. Sizes are rounded as by the server's
//! allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use leaderboard_core::size_class::round_up;

thread_local! {
    static GIVEN: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of bytes that this thread has allocated and not freed.
pub fn given() -> usize {
    GIVEN.get()
}

fn size(layout: Layout) -> usize {
    if layout.size() <= 8 { 8 } else { round_up(layout.size()) }
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator. This type only counts bytes in addition.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        GIVEN.set(GIVEN.get().wrapping_add(size(layout)));
        // SAFETY: the caller keeps the contract of this method, which is also the contract of the system's method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        GIVEN.set(GIVEN.get().wrapping_sub(size(layout)));
        // SAFETY: the caller keeps the contract of this method, which is also the contract of the system's method.
        unsafe { System.dealloc(block, layout) }
    }
}
