//! Strings of the server.

use std::ffi::{c_char, c_longlong};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering::Relaxed};

use leaderboard_commands::word::Slot;
use leaderboard_core::time::Millis;
use redis_module::raw;

/// A string of the server, in the type of the server's API.
pub type Raw = *mut raw::RedisModuleString;

/// Returns the bytes of a string.
///
/// # Safety
/// The string must be valid, and must not be changed while the bytes are used.
pub unsafe fn bytes<'a>(string: Raw) -> &'a [u8] {
    let mut len = 0;
    // SAFETY: the caller guarantees that the string is valid.
    unsafe {
        let Some(text) = raw::RedisModule_StringPtrLen else { return &[] };
        let start: *const c_char = text(string, &raw mut len);
        std::slice::from_raw_parts(start.cast(), len)
    }
}

/// Creates a string that belongs to the caller.
fn make(bytes: &[u8]) -> Raw {
    // SAFETY: a string without a context belongs to its creator; the server copies the bytes.
    unsafe {
        raw::RedisModule_CreateString
            .map_or(null_mut(), |create| create(null_mut(), bytes.as_ptr().cast(), bytes.len()))
    }
}

/// A string of the server that belongs to the module. It is freed on drop.
pub struct Owned(Raw);

impl Owned {
    /// Returns a string with a copy of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(make(bytes))
    }

    pub const fn raw(&self) -> Raw {
        self.0
    }

    /// Returns the raw string, which then belongs to the caller.
    pub fn into_raw(self) -> Raw {
        let string = self.0;
        std::mem::forget(self);
        string
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: this is a string without a context, and this value has one reference to it.
        unsafe { raw::RedisModule_FreeString.map(|free| free(null_mut(), self.0)) };
    }
}

// Only the server's main thread uses the code below, while it runs a command. Statics must be atomic anyway.

/// Returns the string of a constant word. It is created once, in `slot`.
pub fn constant(text: &str, slot: &Slot) -> Raw {
    let known: Raw = slot.0.load(Relaxed).cast();
    if !known.is_null() {
        return known;
    }
    let string = make(text.as_bytes());
    slot.0.store(string.cast(), Relaxed);
    string
}

/// A time as a string. Thousands of writes have the same millisecond, so the last string is kept.
struct Moment {
    value: AtomicU64,
    string: AtomicPtr<raw::RedisModuleString>,
}

/// The last two times. A late write needs two times: the time of its event, and the board's time.
static MOMENTS: [Moment; 2] = [const { Moment::none() }; 2];
/// Whether the second of these times was the last one requested.
static SECOND_IS_LAST: AtomicBool = AtomicBool::new(false);

/// Returns the string of a time. It exists until two other times were requested.
pub fn time(time: Millis) -> Raw {
    let [first, second] = &MOMENTS;
    let was_second = SECOND_IS_LAST.load(Relaxed);
    let (last, other) = if was_second { (second, first) } else { (first, second) };
    last.known(time).unwrap_or_else(|| {
        SECOND_IS_LAST.store(!was_second, Relaxed);
        other.known(time).unwrap_or_else(|| other.make(time))
    })
}

impl Moment {
    const fn none() -> Self {
        Self { value: AtomicU64::new(0), string: AtomicPtr::new(null_mut()) }
    }

    fn known(&self, time: Millis) -> Option<Raw> {
        let string = self.string.load(Relaxed);
        (self.value.load(Relaxed) == time && !string.is_null()).then_some(string)
    }

    fn make(&self, time: Millis) -> Raw {
        // SAFETY: a string without a context belongs to its creator. The old string belongs to this value; other
        // users have their own references to it.
        unsafe {
            let string = raw::RedisModule_CreateStringFromLongLong
                .map_or(null_mut(), |create| create(null_mut(), time as c_longlong));
            let old = self.string.swap(string, Relaxed);
            if let (Some(free), false) = (raw::RedisModule_FreeString, old.is_null()) {
                free(null_mut(), old);
            }
            self.value.store(time, Relaxed);
            string
        }
    }
}
