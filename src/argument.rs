//! An argument of a command as the server holds it.

use std::ffi::c_char;

use redis_module::raw;

/// An argument, in the server's hands while the command runs.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Argument(*mut raw::RedisModuleString);

impl Argument {
    /// No string.
    pub const NONE: Self = Self(std::ptr::null_mut());

    /// A string of the server's that lives as long as the command runs.
    pub const fn new(string: *mut raw::RedisModuleString) -> Self {
        Self(string)
    }

    /// The server's string.
    pub const fn raw(self) -> *mut raw::RedisModuleString {
        self.0
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        let mut len = 0;
        // SAFETY: an argument of the running command, which the server does not change.
        unsafe {
            let Some(text) = raw::RedisModule_StringPtrLen else { return &[] };
            let start: *const c_char = text(self.0, &raw mut len);
            std::slice::from_raw_parts(start.cast(), len)
        }
    }
}
