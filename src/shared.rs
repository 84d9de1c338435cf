//! Strings of the server that often go to replicas. They are made once and shared.

use std::ffi::c_longlong;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

use leaderboard_core::time::Millis;
use redis_module::raw;

use crate::argument::Argument;

// Only the server's main thread uses these, while it runs a command. Statics have to be atomic.

/// A constant word as a string of the server.
pub struct SharedString(AtomicPtr<raw::RedisModuleString>);

impl SharedString {
    pub const fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// The string. The first call determines the text.
    pub fn get(&self, text: &str) -> Argument {
        let mut string = self.0.load(Relaxed);
        if string.is_null() {
            // SAFETY: a string without a context belongs to its creator; the server copies the text.
            string = unsafe {
                raw::RedisModule_CreateString
                    .map_or(null_mut(), |create| create(null_mut(), text.as_ptr().cast(), text.len()))
            };
            self.0.store(string, Relaxed);
        }
        Argument::new(string)
    }
}

/// A time as a string of the server. Thousands of writes share a millisecond, so the last string is kept.
pub struct Moment {
    value: AtomicU64,
    string: AtomicPtr<raw::RedisModuleString>,
}

/// The time of `AT`.
pub static AT: Moment = Moment::none();
/// The time of `NOW`. It is separate because a late write sends both.
pub static NOW: Moment = Moment::none();

impl Moment {
    const fn none() -> Self {
        Self { value: AtomicU64::new(u64::MAX), string: AtomicPtr::new(null_mut()) }
    }

    /// The string of this time. It lives until the next call with another time.
    pub fn get(&self, moment: Millis) -> Argument {
        if self.value.load(Relaxed) == moment {
            return Argument::new(self.string.load(Relaxed));
        }
        // SAFETY: a string without a context belongs to its creator. The old one is ours; other users hold
        // their own reference to it.
        unsafe {
            let string = raw::RedisModule_CreateStringFromLongLong
                .map_or(null_mut(), |create| create(null_mut(), moment as c_longlong));
            let old = self.string.swap(string, Relaxed);
            if let (Some(free), false) = (raw::RedisModule_FreeString, old.is_null()) {
                free(null_mut(), old);
            }
            self.value.store(moment, Relaxed);
            Argument::new(string)
        }
    }
}
