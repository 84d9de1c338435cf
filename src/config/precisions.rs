//! The setting `counter-precisions`: the precisions of counters that are made without naming precisions.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use leaderboard_core::Error;
use leaderboard_core::counter::{Rules, parse_precisions};
use redis_module::raw;

use crate::strings::{self, Owned};

pub const NAME: &std::ffi::CStr = c"counter-precisions";

/// The list; nothing until it is set.
static LIST: Mutex<Option<Vec<u32>>> = Mutex::new(None);
/// The list as a string of the server, which `CONFIG GET` shows. The module owns the string.
static SHOWN: AtomicPtr<raw::RedisModuleString> = AtomicPtr::new(null_mut());

/// The list in seconds.
pub fn list() -> Vec<u32> {
    let list = LIST.lock().unwrap_or_else(PoisonError::into_inner).clone();
    list.unwrap_or_else(|| Rules::default().precisions)
}

/// The list as it is written.
pub fn text() -> String {
    Rules { precisions: list(), ..Rules::default() }.list()
}

/// Takes a list.
///
/// # Errors
/// Those of a counter with such precisions.
pub fn take(text: &[u8]) -> Result<(), Error> {
    let rules = Rules { precisions: parse_precisions(text)?, ..Rules::default() };
    rules.check()?;
    *LIST.lock().unwrap_or_else(PoisonError::into_inner) = Some(rules.precisions);
    Ok(())
}

/// Registers the setting on servers that support module settings. Returns whether the server accepted it.
pub fn register(ctx: *mut raw::RedisModuleCtx) -> bool {
    let default = std::ffi::CString::new(text()).unwrap_or_default();
    // SAFETY: the context of OnLoad; the server copies the default.
    let done = unsafe {
        raw::RedisModule_RegisterStringConfig.map(|register| {
            register(
                ctx,
                NAME.as_ptr(),
                default.as_ptr(),
                raw::REDISMODULE_CONFIG_DEFAULT,
                Some(get),
                Some(set),
                None,
                null_mut(),
            )
        })
    };
    done == Some(raw::REDISMODULE_OK as c_int)
}

unsafe extern "C" fn get(_name: *const c_char, _data: *mut c_void) -> *mut raw::RedisModuleString {
    show(text().as_bytes(), &SHOWN)
}

unsafe extern "C" fn set(
    _name: *const c_char,
    value: *mut raw::RedisModuleString,
    _data: *mut c_void,
    error: *mut *mut raw::RedisModuleString,
) -> c_int {
    // SAFETY: the server gives a string, which nothing changes now.
    match take(unsafe { strings::bytes(value) }) {
        Ok(()) => raw::REDISMODULE_OK as c_int,
        Err(refused) => {
            // SAFETY: the server gives a place for an error, which it frees.
            unsafe { *error = Owned::of(refused.to_string().as_bytes()).into_raw() };
            raw::REDISMODULE_ERR as c_int
        }
    }
}

/// Puts a text into a string of ours, in place of the one before.
fn show(text: &[u8], shown: &AtomicPtr<raw::RedisModuleString>) -> *mut raw::RedisModuleString {
    let string = Owned::of(text).into_raw();
    let old = shown.swap(string, Relaxed);
    if !old.is_null() {
        // SAFETY: a string of ours; the server used it before it asked again.
        unsafe { raw::RedisModule_FreeString.map(|free| free(null_mut(), old)) };
    }
    string
}
