//! What the server asks of single values: how much memory, how long to free, a copy, the end.

use std::any::Any;
use std::ffi::c_void;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};

use leaderboard_core::size_class::bytes_of;
use redis_module::raw;

use super::{Native, Value, into_value};
use crate::background;

/// A value with more allocations than this is freed by a thread of its own: about a millisecond.
const SLOW_TO_FREE: usize = 4_000;

/// What the server has for a key beside its name and our value, and does not count where it counts strings:
/// an object, and what tells it the type of the value, of 16 bytes each.
const OBJECT: usize = 32;

/// The core's part of a value.
///
/// # Safety
/// `value` comes from [`into_value`] of this type and has not been freed; nobody changes it meanwhile.
pub unsafe fn data<'a, T>(value: *const c_void) -> &'a T {
    // SAFETY: the caller's promise.
    unsafe { &(*value.cast::<Value<T>>()).data }
}

pub unsafe extern "C" fn mem_usage<T: Native>(value: *const c_void) -> usize {
    // SAFETY: the server passes a value of ours.
    let memory = unsafe { data::<T>(value) }.memory();
    memory.saturating_sub(bytes_of::<T>(1)).saturating_add(bytes_of::<Value<T>>(1)).saturating_add(OBJECT)
}

pub unsafe extern "C" fn free_effort<T: Native>(
    _key: *mut raw::RedisModuleString,
    value: *const c_void,
) -> usize {
    // SAFETY: the server passes a value of ours.
    unsafe { data::<T>(value) }.effort()
}

pub unsafe extern "C" fn copy<T: Native>(
    _from: *mut raw::RedisModuleString,
    _to: *mut raw::RedisModuleString,
    value: *const c_void,
) -> *mut c_void {
    // SAFETY: the server passes a value of ours.
    into_value(unsafe { data::<T>(value) }.clone())
}

pub unsafe extern "C" fn free<T: Native>(value: *mut c_void) {
    // SAFETY: the server passes a value of ours, and never uses it again.
    let value: Box<Value<T>> = unsafe { Box::from_raw(value.cast()) };
    if value.watched {
        background::forget(value.address());
    }
    T::registration().population.went(value.data.members());
    if value.data.effort() > SLOW_TO_FREE {
        free_elsewhere(value);
    }
}

/// Any value on its way to be freed.
type Unwanted = Box<dyn Any + Send>;

/// Sends a big value to a thread that frees it, since `DEL` or replacing a key must not stop the
/// server. Where no thread can be had, it is freed here.
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
        // A value that cannot be sent comes back in the error and is freed with it.
        drop(sender.send(value));
    }
}
