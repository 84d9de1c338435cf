//! Keys of the server. Only this module opens keys and returns references to their values.

use std::ffi::c_int;
use std::ptr::NonNull;

use leaderboard_commands::host::Value;
use leaderboard_commands::host::{Mode, OpenKey, Refusal};
use leaderboard_commands::native::Native;
use redis_module::raw;

use crate::registration::{self, registered};
use crate::strings::Raw;

/// An open key. While it is open, there is no other reference to its value: the server runs commands in one thread,
/// and a command opens a key only once.
pub struct Key(NonNull<raw::RedisModuleKey>);

impl Key {
    /// Opens a key for a command; `None` if the key is absent and is only read.
    pub fn open(ctx: *mut raw::RedisModuleCtx, name: Raw, mode: Mode) -> Option<Self> {
        Self::open_in(
            ctx,
            name,
            match mode {
                Mode::Read => raw::REDISMODULE_READ,
                Mode::Write => raw::REDISMODULE_READ | raw::REDISMODULE_WRITE,
            },
        )
    }

    /// Opens a key without a request of a client. The server then does not count this as a use of the key.
    fn open_unasked(ctx: *mut raw::RedisModuleCtx, name: Raw) -> Option<Self> {
        // Older servers ignore the flags that they do not support.
        const UNASKED: u32 = raw::REDISMODULE_OPEN_KEY_NOTOUCH
            | raw::REDISMODULE_OPEN_KEY_NONOTIFY
            | raw::REDISMODULE_OPEN_KEY_NOSTATS;
        Self::open_in(ctx, name, raw::REDISMODULE_READ | UNASKED)
    }

    fn open_in(ctx: *mut raw::RedisModuleCtx, name: Raw, mode: u32) -> Option<Self> {
        // SAFETY: the context is live, and the name is a string of the server.
        let key = unsafe { raw::RedisModule_OpenKey.map(|open| open(ctx, name, mode as c_int)) };
        NonNull::new(key?.cast()).map(Self)
    }

    fn is_of(&self, wanted: isize) -> bool {
        // SAFETY: the key is open.
        let kind = unsafe { raw::RedisModule_KeyType.map(|kind| kind(self.0.as_ptr())) };
        kind == Some(wanted as c_int)
    }
}

impl OpenKey for Key {
    fn is_empty(&self) -> bool {
        self.is_of(raw::REDISMODULE_KEYTYPE_EMPTY)
    }

    fn sorted_set_len(&self) -> Option<u64> {
        // SAFETY: the key is open.
        let len = || unsafe { raw::RedisModule_ValueLength.map_or(0, |length| length(self.0.as_ptr())) };
        self.is_of(raw::REDISMODULE_KEYTYPE_ZSET).then(|| len() as u64)
    }

    fn value<T: Native>(&mut self) -> Result<Option<&mut Value<T>>, Refusal> {
        // SAFETY: the key is open; `native` made every value of this type, and there is no other reference to it.
        unsafe {
            let kind = raw::RedisModule_ModuleTypeGetType.map(|kind| kind(self.0.as_ptr()));
            if kind == Some(registered::<T>()) {
                let value = raw::RedisModule_ModuleTypeGetValue.map(|value| value(self.0.as_ptr()));
                return Ok(value.and_then(|value| value.cast::<Value<T>>().as_mut()));
            }
        }
        if self.is_empty() { Ok(None) } else { Err(Refusal::WrongType) }
    }

    fn set<T: Native>(&mut self, value: Box<Value<T>>) {
        let value = Box::into_raw(value).cast();
        // SAFETY: the key is open, the type is the module's type, and the server owns the value from now on.
        unsafe {
            raw::RedisModule_ModuleTypeSetValue.map(|set| set(self.0.as_ptr(), registered::<T>(), value))
        };
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the key is open, and only this function closes it.
        unsafe { raw::RedisModule_CloseKey.map(|close| close(self.0.as_ptr())) };
    }
}

/// Returns the address of the value of a key; `None` if it is not a value of a module.
pub fn address(ctx: *mut raw::RedisModuleCtx, name: Raw) -> Option<usize> {
    let key = Key::open_unasked(ctx, name)?;
    // SAFETY: the key is open. The server returns null for values of its own types.
    let value = unsafe { raw::RedisModule_ModuleTypeGetValue.map(|value| value(key.0.as_ptr())) };
    value.filter(|value| !value.is_null()).map(|value| value.addr())
}

/// Calls `look` with the value at an address, if the key with this name has this value. Returns the result of
/// `look`.
pub fn look<T: Native, A>(
    ctx: *mut raw::RedisModuleCtx,
    name: Raw,
    address: usize,
    look: impl FnOnce(&mut Value<T>) -> A,
) -> Option<A> {
    let mut key = Key::open_unasked(ctx, name)?;
    let value = key.value::<T>().ok()?.filter(|value| registration::address(value) == address)?;
    Some(look(value))
}
