//! Asks the processor for memory that will be read soon. On a big board every step from the name to the
//! rank is a cache miss. Asking for a whole node at once makes one wait out of a dozen.

#![allow(unsafe_code, reason = "a prefetch reads nothing and cannot fault; it has no safe form")]

use arrayvec::ArrayVec;

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Asks for all lines of a value.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(value).cast::<i8>();
        for at in (0..size_of::<T>()).step_by(LINE) {
            // SAFETY: prefetching any address is allowed; these lie within the value.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(at)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Asks for all lines of some bytes.
#[inline]
pub fn prefetch_bytes(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    bytes.iter().step_by(LINE).for_each(prefetch);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

/// Items of which the memory is asked for at once.
const GROUP: usize = 16;

/// Calls `each` with all items. `ask` is called with each of them some items earlier, to ask for its memory.
pub fn in_groups<T>(items: impl Iterator<Item = T>, ask: impl Fn(&T), mut each: impl FnMut(T)) {
    let mut items = items.inspect(ask);
    let mut group: ArrayVec<T, GROUP> = items.by_ref().take(GROUP).collect();
    while !group.is_empty() {
        let next = items.by_ref().take(GROUP).collect();
        std::mem::replace(&mut group, next).into_iter().for_each(&mut each);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn items_are_asked_for_before_their_turn() {
        for len in [0, 1, GROUP - 1, GROUP, GROUP + 1, 5 * GROUP, 5 * GROUP + 3] {
            let (asked, mut had) = (RefCell::new(Vec::new()), Vec::new());
            in_groups(
                0..len,
                |item| asked.borrow_mut().push(*item),
                |item| {
                    assert!(asked.borrow().len() >= len.min(item + GROUP));
                    had.push(item);
                },
            );
            assert_eq!((had, asked.into_inner()), ((0..len).collect(), (0..len).collect()));
        }
    }
}
