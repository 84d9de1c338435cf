//! A command's argument, as a string of the server.

use std::ffi::c_char;

use redis_module::raw;

/// An argument. The server owns it while the command runs.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Argument(*mut raw::RedisModuleString);

impl Argument {
    /// A null string.
    pub const NONE: Self = Self(std::ptr::null_mut());

    /// Wraps a string of the server that lives as long as the command runs.
    pub const fn new(string: *mut raw::RedisModuleString) -> Self {
        Self(string)
    }

    pub const fn raw(self) -> *mut raw::RedisModuleString {
        self.0
    }

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

/// A string of the server that is ours.
pub struct Owned(*mut raw::RedisModuleString);

impl Owned {
    /// Copies these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        // SAFETY: a null context is allowed here; the server copies the bytes.
        Self(unsafe {
            raw::RedisModule_CreateString.map_or(std::ptr::null_mut(), |create| {
                create(std::ptr::null_mut(), bytes.as_ptr().cast(), bytes.len())
            })
        })
    }

    pub const fn raw(&self) -> *mut raw::RedisModuleString {
        self.0
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: a string without a context, of which we hold one reference.
        unsafe { raw::RedisModule_FreeString.map(|free| free(std::ptr::null_mut(), self.0)) };
    }
}
