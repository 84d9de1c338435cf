//! Asks the processor for memory that will be read soon. On a big board every step from the name to the
//! rank is a cache miss. Asking for a whole node at once makes one wait out of a dozen.

#![allow(unsafe_code, reason = "a prefetch reads nothing and cannot fault; it has no safe form")]

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
