//! The system's allocator, which counts what each thread has of it, in the sizes of the server's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use leaderboard_core::size_class::round_up;

thread_local! {
    static GIVEN: Cell<usize> = const { Cell::new(0) };
}

/// Bytes that this thread has been given and not given back.
pub fn given() -> usize {
    GIVEN.get()
}

fn size(layout: Layout) -> usize {
    if layout.size() <= 8 { 8 } else { round_up(layout.size()) }
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: all is the system's; only numbers are noted beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        GIVEN.set(GIVEN.get().wrapping_add(size(layout)));
        // SAFETY: as for the trait's method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        GIVEN.set(GIVEN.get().wrapping_sub(size(layout)));
        // SAFETY: as for the trait's method.
        unsafe { System.dealloc(block, layout) }
    }
}
