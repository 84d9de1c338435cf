//! The setting `counter-precisions`: the precisions of counters that are created without explicit precisions.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use leaderboard_core::Error;
use leaderboard_core::counter::{Rules, parse_precisions};
use redis_module::raw;

use crate::caught::caught;
use crate::strings::{self, Owned};

pub const NAME: &std::ffi::CStr = c"counter-precisions";

/// The list; `None` until it is set.
static LIST: Mutex<Option<Vec<u32>>> = Mutex::new(None);
/// The list as a string of the server, which `CONFIG GET` returns. The module owns the string.
static SHOWN: AtomicPtr<raw::RedisModuleString> = AtomicPtr::new(null_mut());

/// Returns the precisions in seconds.
pub fn list() -> Vec<u32> {
    let list = LIST.lock().unwrap_or_else(PoisonError::into_inner).clone();
    list.unwrap_or_else(|| Rules::default().precisions)
}

/// Returns the list as text, in the form of the setting.
pub fn text() -> String {
    Rules { precisions: list(), ..Rules::default() }.list()
}

/// Sets the list.
///
/// # Errors
/// The errors of a counter with these precisions.
pub fn take(text: &[u8]) -> Result<(), Error> {
    let rules = Rules { precisions: parse_precisions(text)?, ..Rules::default() };
    rules.check()?;
    *LIST.lock().unwrap_or_else(PoisonError::into_inner) = Some(rules.precisions);
    Ok(())
}

/// Registers the setting on servers that support module settings. Returns whether the server accepted it.
pub fn register(ctx: *mut raw::RedisModuleCtx) -> bool {
    let default = std::ffi::CString::new(text()).unwrap_or_default();
    // SAFETY: this is the context of OnLoad; the server copies the default.
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
    let text = caught("reading a setting", text).unwrap_or_default();
    show(text.as_bytes(), &SHOWN)
}

unsafe extern "C" fn set(
    _name: *const c_char,
    value: *mut raw::RedisModuleString,
    _data: *mut c_void,
    error: *mut *mut raw::RedisModuleString,
) -> c_int {
    // SAFETY: the server passes a string that is not changed during the call.
    let text = unsafe { strings::bytes(value) };
    let taken = caught("changing a setting", || take(text).map_err(|refused| refused.to_string()));
    match taken.unwrap_or_else(|| Err("it failed inside the module".to_owned())) {
        Ok(()) => raw::REDISMODULE_OK as c_int,
        Err(refused) => {
            // SAFETY: the server passes a place for the error, and frees the error.
            unsafe { *error = Owned::of(refused.as_bytes()).into_raw() };
            raw::REDISMODULE_ERR as c_int
        }
    }
}

/// Replaces the string that is shown by a new string with this text. Returns the new string.
fn show(text: &[u8], shown: &AtomicPtr<raw::RedisModuleString>) -> *mut raw::RedisModuleString {
    let string = Owned::of(text).into_raw();
    let old = shown.swap(string, Relaxed);
    if !old.is_null() {
        // SAFETY: the string belongs to the module; the server has finished using it.
        unsafe { raw::RedisModule_FreeString.map(|free| free(null_mut(), old)) };
    }
    string
}
