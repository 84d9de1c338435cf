//! Boards by key. The one place that opens keys, knows the type, and hands out references to
//! values, so that a wrong type is always the standard error and a key is opened once a command.

use std::ffi::c_int;
use std::ptr::NonNull;

use leaderboard_core::Board;
use redis_module::raw;

use crate::argument::Argument;
use crate::call::Call;
use crate::datatype::Value;
use crate::refusal::Refusal;
use crate::{datatype, stats};

/// An open key.
struct Key(NonNull<raw::RedisModuleKey>);

impl Key {
    fn open(call: &Call, name: Argument, mode: u32) -> Option<Self> {
        // SAFETY: a live context and one of its arguments.
        let key = unsafe { raw::RedisModule_OpenKey.map(|open| open(call.ctx(), name.raw(), mode as c_int)) };
        NonNull::new(key?.cast()).map(Self)
    }

    fn is_empty(&self) -> bool {
        // SAFETY: an open key.
        let kind = unsafe { raw::RedisModule_KeyType.map(|kind| kind(self.0.as_ptr())) };
        kind == Some(raw::REDISMODULE_KEYTYPE_EMPTY as c_int)
    }

    /// The value in the key, or nothing in an empty one.
    fn value(&self) -> Result<Option<NonNull<Value>>, Refusal> {
        // SAFETY: an open key; the value of our type is one that datatype made.
        unsafe {
            let kind = raw::RedisModule_ModuleTypeGetType.map(|kind| kind(self.0.as_ptr()));
            if kind == Some(datatype::kind()) {
                let value = raw::RedisModule_ModuleTypeGetValue.map(|value| value(self.0.as_ptr()));
                return Ok(value.and_then(|value| NonNull::new(value.cast())));
            }
        }
        if self.is_empty() { Ok(None) } else { Err(Refusal::WrongType) }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the key is open, and closed only here.
        unsafe { raw::RedisModule_CloseKey.map(|close| close(self.0.as_ptr())) };
    }
}

/// Lets `read` look at the board of a key, or at none.
///
/// # Errors
/// [`Refusal::WrongType`], or those of `read`.
pub fn read<T>(
    call: &Call,
    name: Argument,
    read: impl FnOnce(Option<&Board>) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let key = Key::open(call, name, raw::REDISMODULE_READ);
    let value = match &key {
        Some(key) => key.value()?,
        None => None,
    };
    // SAFETY: nothing else refers to the board while the key is open and the command runs: the server
    // has one thread for this.
    read(value.map(|mut value| unsafe { value.as_mut() }.present()))
}

/// Lets `write` change the board of a key. Where there is none, it gets a new one from `create`,
/// which stays if `write` returns true with its answer, and leaves no trace otherwise.
///
/// # Errors
/// [`Refusal::WrongType`], or those of `create` and `write`.
pub fn write<T>(
    call: &Call,
    name: Argument,
    create: impl FnOnce() -> Result<Board, Refusal>,
    write: impl FnOnce(&mut Board) -> Result<(T, bool), Refusal>,
) -> Result<T, Refusal> {
    let mode = raw::REDISMODULE_READ | raw::REDISMODULE_WRITE;
    let Some(key) = Key::open(call, name, mode) else { return Err(Refusal::WrongType) };
    if let Some(mut value) = key.value()? {
        // SAFETY: as in `read`; the reference ends before the key is closed.
        let value = unsafe { value.as_mut() };
        let members = value.board.len();
        let answer = write(&mut value.board);
        // Even a write that is refused has brought the views to the present.
        stats::members_changed(members, value.board.len());
        value.watch();
        return answer.map(|(answer, _)| answer);
    }
    let mut board = create()?;
    let (answer, keep) = write(&mut board)?;
    if keep {
        let value = datatype::into_value(board);
        // SAFETY: an open, empty key, our type, and a value that the server owns from now on.
        unsafe {
            raw::RedisModule_ModuleTypeSetValue.map(|set| set(key.0.as_ptr(), datatype::kind(), value));
        }
    }
    Ok(answer)
}
