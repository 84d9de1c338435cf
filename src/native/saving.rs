//! Saves values to RDB files, append-only files and digests, and loads them. All of these use the same chunks.

use std::ffi::{c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::ptr::null_mut;

use leaderboard_core::Error;
use leaderboard_core::arrived::{Arrived, LoadingValue};
use redis_module::raw;

use crate::caught::caught;
use crate::due::{self, Place};
use crate::host::Server;
use crate::strings;
use crate::{config, server};
use leaderboard_commands::host::Value;
use leaderboard_commands::native::Native;

pub unsafe extern "C" fn rdb_save<T: Native>(io: *mut raw::RedisModuleIO, value: *mut c_void) {
    // SAFETY: the server passes a value of the module and its stream.
    unsafe {
        let Some(save) = raw::RedisModule_SaveStringBuffer else { return };
        let value = &*value.cast::<Value<T>>();
        let emit = |chunk: &[u8]| save(io, chunk.as_ptr().cast::<c_char>(), chunk.len());
        if caught("saving a value", || value.save(emit)).is_none() {
            give_up(io);
        }
    }
}

/// Makes the server give up what it is writing, so that a file never looks whole without a value. No function of the
/// server's API does this. But the server gives up a stream after a command that it does not know, in each format.
///
/// # Safety
/// `io` must be the server's stream.
unsafe fn give_up(io: *mut raw::RedisModuleIO) {
    // SAFETY: the caller guarantees that the stream is valid; the format takes nothing.
    unsafe { raw::RedisModule_EmitAOF.map(|emit| emit(io, c"LB.FAILED".as_ptr(), c"".as_ptr())) };
}

pub unsafe extern "C" fn rdb_load<T: Native>(io: *mut raw::RedisModuleIO, encoding: c_int) -> *mut c_void {
    // The file may contain any bytes.
    let loaded = caught("loading a value", || load::<T>(io, encoding).map(|loaded| keep(io, loaded)));
    match loaded.unwrap_or(Err(Error::Corrupt("the module failed"))) {
        Ok(value) => Box::into_raw(value).cast(),
        Err(error) => {
            let text = std::ffi::CString::new(error.to_string()).unwrap_or_default();
            // SAFETY: this is the server's stream, and the format takes one string.
            unsafe {
                if let Some(log) = raw::RedisModule_LogIOError {
                    log(io, c"warning".as_ptr(), c"%s".as_ptr(), text.as_ptr());
                }
            }
            null_mut()
        }
    }
}

/// Returns the value of a key that is being loaded.
fn keep<T: Native>(io: *mut raw::RedisModuleIO, (data, arrived): (T, Option<Box<Arrived>>)) -> Box<Value<T>> {
    // The timer may know the address of the value already. So a panic must not free the value.
    let mut value = ManuallyDrop::new(Value::boxed::<Server>(data, arrived));
    if let Some(place) = place_of(io) {
        value.follow_ends(T::last_write, |value| due::follow(value, || place));
    }
    ManuallyDrop::into_inner(value)
}

/// Returns the place of a value that is being loaded. Its database is unknown, since not all servers report it.
fn place_of(io: *mut raw::RedisModuleIO) -> Option<Place> {
    // SAFETY: this is the server's stream.
    let name = unsafe { raw::RedisModule_GetKeyNameFromIO.map(|name| name(io)) };
    let name = name.filter(|name| !name.is_null())?;
    // SAFETY: the server passes the name of the key.
    Some(Place { database: None, name: unsafe { strings::bytes(name.cast_mut()) }.into() })
}

fn load<T: Native>(io: *mut raw::RedisModuleIO, encoding: c_int) -> Result<(T, Option<Box<Arrived>>), Error> {
    if encoding != T::ENCODING {
        return Err(Error::Corrupt("a newer encoding"));
    }
    let mut loading = LoadingValue::Nothing;
    while !Loaded::next(io)?.with(|chunk| loading.take(chunk))? {}
    loading.finish()
}

/// A string from the stream. It is freed on drop.
struct Loaded(*mut c_char, usize);

impl Loaded {
    fn next(io: *mut raw::RedisModuleIO) -> Result<Self, Error> {
        let mut len = 0;
        // SAFETY: this is the server's stream.
        unsafe {
            let text = raw::RedisModule_LoadStringBuffer.map_or(null_mut(), |load| load(io, &raw mut len));
            let failed = raw::RedisModule_IsIOError.is_some_and(|failed| failed(io) != 0);
            let loaded = Self(text, len);
            if text.is_null() || failed { Err(Error::Corrupt("it ends too early")) } else { Ok(loaded) }
        }
    }

    fn with<T>(&self, read: impl FnOnce(&[u8]) -> T) -> T {
        // SAFETY: the server returned `len` bytes, which belong to this value until the drop.
        read(unsafe { std::slice::from_raw_parts(self.0.cast(), self.1) })
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the server returned the string, and the module must free it.
            unsafe { raw::RedisModule_Free.map(|free| free(self.0.cast())) };
        }
    }
}

pub unsafe extern "C" fn aof_rewrite<T: Native>(
    io: *mut raw::RedisModuleIO,
    key: *mut raw::RedisModuleString,
    value: *mut c_void,
) {
    // SAFETY: the server passes its stream, a key and a value of the module. The format takes a string of the
    // server, and a buffer with its length.
    unsafe {
        let Some(emit) = raw::RedisModule_EmitAOF else { return };
        let value = &*value.cast::<Value<T>>();
        let emit = |chunk: &[u8]| {
            emit(io, T::RESTORE.as_ptr(), c"sb".as_ptr(), key, chunk.as_ptr().cast::<c_char>(), chunk.len());
        };
        // The last chunk of an unfinished value is missing. A server that loads the file waits for it too.
        let rewrite = || match &value.arrived {
            Some(arrived) => arrived.chunks().for_each(emit),
            None => value.data.save(emit),
        };
        if caught("rewriting a value", rewrite).is_none() {
            give_up(io);
        }
    }
}

pub unsafe extern "C" fn digest<T: Native>(digest: *mut raw::RedisModuleDigest, value: *mut c_void) {
    // SAFETY: the server passes its digest and a value of the module. The server runs this as a command, so there
    // is no other reference to the value.
    let value = unsafe { &mut *value.cast::<Value<T>>() };
    caught("the digest of a value", || add_to(digest, value));
}

fn add_to<T: Native>(digest: *mut raw::RedisModuleDigest, value: &mut Value<T>) {
    // SAFETY: this is the server's digest.
    unsafe {
        // Advances the value to the current time, as each read does. So the digest does not depend on earlier reads.
        value.present::<Server>(|data| data.now(server::clock(), config::max_future()));
        let Some(add) = raw::RedisModule_DigestAddStringBuffer else { return };
        // The data that was loaded from the chunks of an unfinished value is part of the digest too.
        let made = value.arrived.is_some().then_some(&value.data);
        let mut add = |chunk: &[u8]| add(digest, chunk.as_ptr().cast::<c_char>(), chunk.len());
        value.save(&mut add);
        made.into_iter().for_each(|data| data.save(&mut add));
        if let Some(end) = raw::RedisModule_DigestEndSequence {
            end(digest);
        }
    }
}
