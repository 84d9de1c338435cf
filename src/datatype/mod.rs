//! The native type: what the server calls to save, load, copy, free and measure boards.
//!
//! Old servers know only the first callbacks of each pair, new ones prefer the second (those with a
//! `2`, which also name key and database). Ours need neither, so the first alone serve both.

mod defrag;
mod saving;

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};

use leaderboard_core::Board;
use leaderboard_core::size_class::bytes_of;
use redis_module::raw;

use crate::{background, config, server, stats};

/// Nine characters that name the type in every RDB file: never to be changed.
const NAME: &std::ffi::CStr = c"lb-board1";
/// Version of the encoding that the server notes beside it. What changes inside goes by
/// `snapshot::FORMAT`; this is raised only if the frame around it changes.
const ENCODING: c_int = 1;
/// A board with more allocations than this is freed by a thread of its own: about a millisecond.
const SLOW_TO_FREE: usize = 4_000;

/// What the server has for a key beside its name and our value, and does not count where it counts strings:
/// an object, and what tells it the type of the value, of 16 bytes each.
const OBJECT: usize = 32;

static KIND: AtomicPtr<raw::RedisModuleType> = AtomicPtr::new(null_mut());

/// The registered type.
pub fn kind() -> *mut raw::RedisModuleType {
    KIND.load(Relaxed)
}

/// Registers the type; whether the server took it.
pub fn register(ctx: *mut raw::RedisModuleCtx) -> bool {
    let mut methods = raw::RedisModuleTypeMethods {
        version: u64::from(raw::REDISMODULE_TYPE_METHOD_VERSION),
        rdb_load: Some(saving::rdb_load),
        rdb_save: Some(saving::rdb_save),
        aof_rewrite: Some(saving::aof_rewrite),
        mem_usage: Some(mem_usage),
        digest: Some(saving::digest),
        free: Some(free),
        aux_load: None,
        aux_save: None,
        aux_save_triggers: 0,
        free_effort: Some(free_effort),
        unlink: None,
        copy: Some(copy),
        defrag: Some(defrag::defrag),
        mem_usage2: None,
        free_effort2: None,
        unlink2: None,
        copy2: None,
        aux_save2: None,
    };
    // SAFETY: the context of OnLoad; the server copies the methods.
    let kind = unsafe {
        raw::RedisModule_CreateDataType.map(|create| create(ctx, NAME.as_ptr(), ENCODING, &raw mut methods))
    };
    KIND.store(kind.unwrap_or(null_mut()), Relaxed);
    !self::kind().is_null()
}

/// What a key of our type holds.
pub struct Value {
    /// The board.
    pub board: Board,
    /// Whether it is served between commands.
    watched: bool,
}

impl Value {
    /// The board as it is now: time alone changes views of periods.
    pub fn present(&mut self) -> &Board {
        if !self.board.is_timeless() {
            let members = self.board.len();
            self.board.advance(self.board.now(server::clock(), config::max_future()));
            stats::members_changed(members, self.board.len());
        }
        &self.board
    }

    /// Has the board served between commands from now on, if it has work there.
    pub fn watch(&mut self) {
        if !self.watched && self.board.is_served() {
            self.watched = true;
            background::watch(self);
        }
    }
}

/// Hands a board over to the server.
pub fn into_value(board: Board) -> *mut c_void {
    stats::board_made(board.len());
    let value = Box::into_raw(Box::new(Value { board, watched: false }));
    // SAFETY: made just now.
    unsafe { (*value).watch() };
    value.cast()
}

/// The board of a value.
///
/// # Safety
/// `value` comes from [`into_value`] and has not been freed; nobody changes it meanwhile.
unsafe fn board<'a>(value: *const c_void) -> &'a Board {
    // SAFETY: the caller's promise.
    unsafe { &(*value.cast::<Value>()).board }
}

unsafe extern "C" fn mem_usage(value: *const c_void) -> usize {
    // SAFETY: the server passes a value of ours.
    let board = unsafe { board(value) }.memory();
    board.saturating_sub(bytes_of::<Board>(1)).saturating_add(bytes_of::<Value>(1)).saturating_add(OBJECT)
}

unsafe extern "C" fn free_effort(_key: *mut raw::RedisModuleString, value: *const c_void) -> usize {
    // SAFETY: the server passes a value of ours.
    unsafe { board(value) }.effort()
}

unsafe extern "C" fn copy(
    _from: *mut raw::RedisModuleString,
    _to: *mut raw::RedisModuleString,
    value: *const c_void,
) -> *mut c_void {
    // SAFETY: the server passes a value of ours.
    into_value(unsafe { board(value) }.clone())
}

unsafe extern "C" fn free(value: *mut c_void) {
    // SAFETY: the server passes a value of ours, and never uses it again.
    let value: Box<Value> = unsafe { Box::from_raw(value.cast()) };
    if value.watched {
        background::forget(&value);
    }
    stats::board_gone(value.board.len());
    if value.board.effort() > SLOW_TO_FREE {
        free_elsewhere(value);
    }
}

/// Sends a big board to a thread that frees it, since `DEL` or replacing a key must not stop the
/// server. Where no thread can be had, it is freed here.
fn free_elsewhere(value: Box<Value>) {
    static SENDER: OnceLock<Option<Mutex<Sender<Box<Value>>>>> = OnceLock::new();
    let sender = SENDER.get_or_init(|| {
        let (sender, receiver) = channel::<Box<Value>>();
        let thread = std::thread::Builder::new().name("lb-free".to_owned());
        thread.spawn(move || receiver.into_iter().for_each(drop)).ok().map(|_| Mutex::new(sender))
    });
    if let Some(sender) = sender
        && let Ok(sender) = sender.lock()
    {
        // A board that cannot be sent comes back in the error and is freed with it.
        drop(sender.send(value));
    }
}
