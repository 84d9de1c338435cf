//! The server's callbacks for one value: memory, effort to free, copy, free.

use std::any::Any;
use std::ffi::c_void;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};

use leaderboard_core::size_class::bytes_of;
use redis_module::raw;

use super::{address, population};
use crate::background;
use crate::host::Server;
use crate::periods::{self, Place};
use crate::strings;
use leaderboard_commands::native::Native;
use leaderboard_commands::value::Value;

/// A separate thread frees values with more allocations than this: about a millisecond of work.
const SLOW_TO_FREE: usize = 4_000;

/// The server's memory for a key besides its name and our value: an object and the type of the value, 16
/// bytes each. The server does not add them for module types.
const OBJECT: usize = 32;

pub unsafe extern "C" fn mem_usage<T: Native>(value: *const c_void) -> usize {
    // SAFETY: the server passes one of our values.
    let value = unsafe { &*value.cast::<Value<T>>() };
    let own = bytes_of::<Value<T>>(1).saturating_sub(bytes_of::<T>(1));
    let noted = if value.due < i64::MAX { periods::memory(address(value)) } else { 0 };
    let arrived = value.arrived.as_ref().map_or(0, |arrived| arrived.memory());
    [own, noted, arrived, OBJECT].into_iter().fold(value.data.memory(), usize::saturating_add)
}

pub unsafe extern "C" fn free_effort<T: Native>(
    _key: *mut raw::RedisModuleString,
    value: *const c_void,
) -> usize {
    // SAFETY: the server passes one of our values.
    unsafe { &*value.cast::<Value<T>>() }.effort()
}

pub unsafe extern "C" fn copy<T: Native>(
    _from: *mut raw::RedisModuleString,
    to: *mut raw::RedisModuleString,
    value: *const c_void,
) -> *mut c_void {
    // SAFETY: the server passes one of our values.
    let value = unsafe { &*value.cast::<Value<T>>() };
    let mut copy = Value::boxed::<Server>(value.data.clone(), value.arrived.clone());
    copy.due = value.due;
    // SAFETY: the server passes the name of the key.
    let name = unsafe { strings::bytes(to) };
    // Not all servers say which database it is.
    periods::follow(&copy, || Place { database: None, name: name.into() });
    Box::into_raw(copy).cast()
}

pub unsafe extern "C" fn free<T: Native>(value: *mut c_void) {
    // SAFETY: the server passes one of our values and does not use it again.
    let value: Box<Value<T>> = unsafe { Box::from_raw(value.cast()) };
    if value.watched {
        background::forget(address(&value));
    }
    if value.due < i64::MAX {
        periods::forget(address(&value));
    }
    population::<T>().went(value.data.members());
    if value.effort() > SLOW_TO_FREE {
        free_elsewhere(value);
    }
}

/// A value to be freed.
type Unwanted = Box<dyn Any + Send>;

/// Sends a large value to a thread that frees it: `DEL` or replacing a key must not stop the server. If no
/// thread can start, this frees the value.
fn free_elsewhere(value: Unwanted) {
    static SENDER: OnceLock<Option<Mutex<Sender<Unwanted>>>> = OnceLock::new();
    let sender = SENDER.get_or_init(|| {
        let (sender, receiver) = channel::<Unwanted>();
        let thread = std::thread::Builder::new().name("lb-free".to_owned());
        thread.spawn(move || receiver.into_iter().for_each(drop)).ok().map(|_| Mutex::new(sender))
    });
    if let Some(sender) = sender
        && let Ok(sender) = sender.lock()
    {
        // If sending fails, the error holds the value and frees it.
        drop(sender.send(value));
    }
}
