//! Loads memory that will be read soon into the processor's cache. On a big board, every step from the name to the
//! rank is a cache miss. Prefetching a whole node at once reduces about a dozen waits to one.

#![allow(unsafe_code, reason = "a prefetch reads nothing and cannot fault; it has no safe form")]

/// The number of bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Prefetches all lines of a value.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = std::ptr::from_ref(value).cast::<i8>();
        for at in (0..size_of::<T>()).step_by(LINE) {
            // SAFETY: prefetching any address is allowed; these addresses are within the value.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(at)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Prefetches all lines of some bytes.
#[inline]
pub fn prefetch_bytes(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    bytes.iter().step_by(LINE).for_each(prefetch);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}
