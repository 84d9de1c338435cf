//! The callbacks that the server calls for one value: memory, effort to free it, copy, free.

use std::any::Any;
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr::null_mut;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};

use leaderboard_core::size_class::bytes_of;
use redis_module::raw;

use crate::caught::caught;
use crate::due::{self, Place};
use crate::host::Server;
use crate::registration::{self, address, population};
use crate::{strings, watched};
use leaderboard_commands::host::Value;
use leaderboard_commands::native::Native;

/// The maximum number of allocations of a value that is freed at once: about a millisecond of work. A separate
/// thread frees larger values.
const SLOW_TO_FREE: usize = 4_000;

/// The server's memory for a key, in addition to its name and the module's value: an object and the type of the
/// value, 16 bytes each. The server does not add these bytes for module types.
const OBJECT: usize = 32;

pub unsafe extern "C" fn mem_usage<T: Native>(value: *const c_void) -> usize {
    // SAFETY: the server passes a value of the module.
    let value = unsafe { &*value.cast::<Value<T>>() };
    caught("measuring a value", || memory(value)).unwrap_or(0)
}

fn memory<T: Native>(value: &Value<T>) -> usize {
    let own = bytes_of::<Value<T>>(1).saturating_sub(bytes_of::<T>(1));
    let noted = if value.due < i64::MAX { due::memory(address(value)) } else { 0 };
    let arrived = value.arrived.as_ref().map_or(0, |arrived| arrived.memory());
    [own, noted, arrived, OBJECT].into_iter().fold(value.data.memory(), usize::saturating_add)
}

pub unsafe extern "C" fn free_effort<T: Native>(
    _key: *mut raw::RedisModuleString,
    value: *const c_void,
) -> usize {
    // SAFETY: the server passes a value of the module.
    let value = unsafe { &*value.cast::<Value<T>>() };
    caught("weighing a value", || value.effort()).unwrap_or(0)
}

pub unsafe extern "C" fn copy<T: Native>(
    _from: *mut raw::RedisModuleString,
    to: *mut raw::RedisModuleString,
    value: *const c_void,
) -> *mut c_void {
    // SAFETY: the server passes a value of the module.
    let value = unsafe { &*value.cast::<Value<T>>() };
    // SAFETY: the server passes the name of the key.
    let name = unsafe { strings::bytes(to) };
    // Null makes the server reply with an error: the key could not be copied.
    caught("copying a value", || copy_to(value, name)).flatten().map_or(null_mut(), Box::into_raw).cast()
}

/// Returns a copy for the key with this name; `None` if the value must stay in its key.
fn copy_to<T: Native>(value: &Value<T>, name: &[u8]) -> Option<Box<Value<T>>> {
    if value.data.is_bound() {
        return None;
    }
    // The timer may know the address of the copy already. So a panic must not free the copy.
    let mut copy = ManuallyDrop::new(Value::boxed::<Server>(value.data.clone(), value.arrived.clone()));
    copy.due = value.due;
    // Not all servers report the database, so it is unknown here.
    due::follow(&copy, || Place { database: None, name: name.into() });
    Some(ManuallyDrop::into_inner(copy))
}

pub unsafe extern "C" fn free<T: Native>(value: *mut c_void) {
    // SAFETY: the server passes a value of the module and does not use it again.
    caught("freeing a value", || unsafe { free_one(value.cast::<Value<T>>()) });
}

/// Frees a value. If this panics before nothing refers to the value any more, the value is not freed: its memory is
/// lost, but nothing uses memory that was freed.
///
/// # Safety
/// There must be a value at the address, which nobody uses again.
unsafe fn free_one<T: Native>(address: *mut Value<T>) {
    // SAFETY: the caller guarantees that the value exists.
    let value = unsafe { &*address };
    if value.watched {
        watched::forget(registration::address(value));
    }
    if value.due < i64::MAX {
        due::forget(registration::address(value));
    }
    population::<T>().went(value.data.members());
    let is_slow = value.effort() > SLOW_TO_FREE;
    // SAFETY: the value was made as a box, and the caller guarantees that nobody uses it again.
    let value = unsafe { Box::from_raw(address) };
    if is_slow {
        free_elsewhere(value);
    }
}

/// A value that is to be freed.
type Unwanted = Box<dyn Any + Send>;

/// Sends a large value to a thread that frees it, since `DEL` or replacing a key must not block the server. If the
/// thread cannot be started, this function frees the value.
fn free_elsewhere(value: Unwanted) {
    static SENDER: OnceLock<Option<Mutex<Sender<Unwanted>>>> = OnceLock::new();
    let sender = SENDER.get_or_init(|| {
        let (sender, receiver) = channel::<Unwanted>();
        let thread = std::thread::Builder::new().name("lb-free".to_owned());
        let free = |value| _ = caught("freeing a large value", || drop::<Unwanted>(value));
        thread.spawn(move || receiver.into_iter().for_each(free)).ok().map(|_| Mutex::new(sender))
    });
    if let Some(sender) = sender
        && let Ok(sender) = sender.lock()
    {
        // If sending fails, the error contains the value, and dropping the error frees it.
        drop(sender.send(value));
    }
}
