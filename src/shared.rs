//! Strings of the server's that are sent to replicas over and over: made once, shared from then on.

use std::ffi::c_longlong;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

use leaderboard_core::time::Millis;
use redis_module::raw;

use crate::argument::Argument;

// Only the server's main thread comes here, while it runs a command; atomics are for the compiler.

/// A constant word as a string of the server's.
pub struct SharedString(AtomicPtr<raw::RedisModuleString>);

impl SharedString {
    /// Not made yet.
    pub const fn new() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }

    /// The string; the first call decides the text.
    pub fn get(&self, text: &str) -> Argument {
        let mut string = self.0.load(Relaxed);
        if string.is_null() {
            // SAFETY: a string without a context belongs to who made it; the server copies the text.
            string = unsafe {
                raw::RedisModule_CreateString
                    .map_or(null_mut(), |create| create(null_mut(), text.as_ptr().cast(), text.len()))
            };
            self.0.store(string, Relaxed);
        }
        Argument::new(string)
    }
}

/// A moment as the server's string. Thousands of writes share a millisecond, so the last is kept.
pub struct Moment {
    value: AtomicU64,
    string: AtomicPtr<raw::RedisModuleString>,
}

/// The moment behind `AT`.
pub static AT: Moment = Moment::none();
/// The moment behind `NOW`, apart from the other since a late write sends both.
pub static NOW: Moment = Moment::none();

impl Moment {
    const fn none() -> Self {
        Self { value: AtomicU64::new(u64::MAX), string: AtomicPtr::new(null_mut()) }
    }

    /// The string of this moment, which lives until another one is asked for here.
    pub fn get(&self, moment: Millis) -> Argument {
        if self.value.load(Relaxed) == moment {
            return Argument::new(self.string.load(Relaxed));
        }
        // SAFETY: a string without a context belongs to who made it; the old one is ours, and who
        // else refers to it has a count of its own.
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
