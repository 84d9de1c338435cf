//! The setting `auto-create`: whether a write to an absent key creates a board.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use leaderboard_core::Error;
use redis_module::raw;

pub const NAME: &CStr = c"auto-create";

static IS_ON: AtomicBool = AtomicBool::new(true);

pub fn is_on() -> bool {
    IS_ON.load(Relaxed)
}

/// Sets the value from the word of a module argument.
///
/// # Errors
/// [`Error::NotOneOf`].
pub fn take(word: &str) -> Result<(), Error> {
    let words = [("yes", true), ("no", false)];
    let found = words.iter().find(|(known, _)| word.eq_ignore_ascii_case(known));
    let (_, is_on) = found.ok_or(Error::NotOneOf("it", "yes, no"))?;
    IS_ON.store(*is_on, Relaxed);
    Ok(())
}

/// Registers the setting on servers that support module settings. Returns whether the server accepted it.
pub fn register(ctx: *mut raw::RedisModuleCtx) -> bool {
    // SAFETY: this is the context of OnLoad, and the name is a constant.
    let done = unsafe {
        raw::RedisModule_RegisterBoolConfig.map(|register| {
            register(
                ctx,
                NAME.as_ptr(),
                c_int::from(is_on()),
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

unsafe extern "C" fn get(_name: *const c_char, _data: *mut c_void) -> c_int {
    c_int::from(is_on())
}

unsafe extern "C" fn set(
    _name: *const c_char,
    value: c_int,
    _data: *mut c_void,
    _error: *mut *mut raw::RedisModuleString,
) -> c_int {
    IS_ON.store(value != 0, Relaxed);
    raw::REDISMODULE_OK as c_int
}
