//! The server's clock and log, and the optional parts of its API.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use leaderboard_core::time::Millis;
use redis_module::raw;

use crate::strings::{Raw, bytes};

/// Returns the server's clock, in milliseconds since the epoch.
pub fn clock() -> Millis {
    // SAFETY: the function has no arguments and changes nothing.
    let now = unsafe { raw::RedisModule_Milliseconds.map_or(0, |clock| clock()) };
    Millis::try_from(now).unwrap_or(0)
}

/// Writes a line to the server's log. Bytes that a user sent must never be passed.
pub fn log(level: &str, text: &str) {
    let (level, text) = (c_string(level), c_string(text));
    // SAFETY: a null context is allowed here; the format takes one string.
    unsafe {
        if let Some(log) = raw::RedisModule_Log {
            log(null_mut(), level.as_ptr(), c"%s".as_ptr(), text.as_ptr());
        }
    }
}

/// The event class of modules, or the generic class on servers without the class of modules.
static EVENT_CLASS: AtomicI32 = AtomicI32::new(raw::REDISMODULE_NOTIFY_GENERIC);
/// `RM_MustObeyClient`; null on servers without it.
static MUST_OBEY: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Determines once which optional functions this server supports.
pub fn learn() {
    // SAFETY: the function has no arguments.
    let classes = unsafe { raw::RedisModule_GetKeyspaceNotificationFlagsAll.map_or(0, |all| all()) };
    if classes & raw::REDISMODULE_NOTIFY_MODULE != 0 {
        EVENT_CLASS.store(raw::REDISMODULE_NOTIFY_MODULE, Ordering::Relaxed);
    }
    MUST_OBEY.store(function(c"RedisModule_MustObeyClient"), Ordering::Relaxed);
}

/// Returns a function of the server that is not in the bindings; null if the server does not have it.
fn function(name: &CStr) -> *mut c_void {
    let mut found: *mut c_void = null_mut();
    // SAFETY: the server writes a pointer to the place, or writes nothing.
    unsafe {
        raw::RedisModule_GetApi.map(|get| get(name.as_ptr(), (&raw mut found).cast()));
    }
    found
}

/// Returns the module options of Valkey; 0 on other servers, where the same bits may have another meaning.
pub fn valkey_options() -> c_int {
    let function = function(c"ValkeyModule_GetModuleOptionsAll");
    if function.is_null() {
        return 0;
    }
    // SAFETY: the server returned this pointer for a function of exactly this type, which changes nothing.
    unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> c_int>(function)() }
}

/// Returns the class of the module's keyspace events.
fn event_class() -> c_int {
    EVENT_CLASS.load(Ordering::Relaxed)
}

/// Publishes an event of a key in the selected database.
pub fn notify(ctx: *mut raw::RedisModuleCtx, event: &CStr, key: Raw) {
    // SAFETY: the context is live, and the key is a string of the server.
    unsafe {
        raw::RedisModule_NotifyKeyspaceEvent.map(|notify| notify(ctx, event_class(), event.as_ptr(), key));
    }
}

/// Selects a database. Returns whether the server has it.
pub fn select(ctx: *mut raw::RedisModuleCtx, database: c_int) -> bool {
    // SAFETY: the context is live.
    let done = unsafe { raw::RedisModule_SelectDb.map(|select| select(ctx, database)) };
    done == Some(raw::REDISMODULE_OK as c_int)
}

/// Returns the selected database.
pub fn database(ctx: *mut raw::RedisModuleCtx) -> Option<c_int> {
    // SAFETY: the context is live.
    unsafe { raw::RedisModule_GetSelectedDb.map(|selected| selected(ctx)) }
}

/// Returns whether the server or the client of a context is in one of these states.
fn is_any(ctx: *mut raw::RedisModuleCtx, states: u32) -> bool {
    // SAFETY: the context is live.
    let flags = unsafe { raw::RedisModule_GetContextFlags.map_or(0, |flags| flags(ctx)) };
    flags as u32 & states != 0
}

/// Returns whether the server is loading its data.
pub fn is_loading(ctx: *mut raw::RedisModuleCtx) -> bool {
    is_any(ctx, raw::REDISMODULE_CTX_FLAGS_LOADING)
}

/// Returns whether a command comes from the primary or the append-only file.
pub fn is_replayed(ctx: *mut raw::RedisModuleCtx) -> bool {
    is_any(ctx, raw::REDISMODULE_CTX_FLAGS_REPLICATED | raw::REDISMODULE_CTX_FLAGS_LOADING) || must_obey(ctx)
}

/// Returns whether this server publishes the ends of periods. A primary does, unless it replays commands.
pub fn publishes_ends(ctx: *mut raw::RedisModuleCtx) -> bool {
    !is_any(ctx, raw::REDISMODULE_CTX_FLAGS_SLAVE) && !is_replayed(ctx)
}

/// Returns whether the server trusts this client: the primary, the append-only file, or a node that migrates a
/// slot.
fn must_obey(ctx: *mut raw::RedisModuleCtx) -> bool {
    let function = MUST_OBEY.load(Ordering::Relaxed);
    if function.is_null() {
        return false;
    }
    // SAFETY: the server returned this pointer for a function of exactly this type.
    let must_obey: unsafe extern "C" fn(*mut raw::RedisModuleCtx) -> c_int =
        unsafe { std::mem::transmute(function) };
    // SAFETY: the context is live and belongs to a running command.
    unsafe { must_obey(ctx) != 0 }
}

/// Returns the number of bytes by which the data may still grow; `None` if there is no limit, or if the server
/// makes room by evicting keys.
pub fn free_memory(ctx: *mut raw::RedisModuleCtx) -> Option<u64> {
    if is_replayed(ctx) {
        return None;
    }
    let mut failed = 0;
    // SAFETY: the context is live. The data belongs to the module until it is freed here, and so does the data's
    // text.
    let limit = unsafe {
        let data = raw::RedisModule_GetServerInfo?(ctx, c"memory".as_ptr());
        let limit = raw::RedisModule_ServerInfoGetFieldUnsigned
            .map_or(0, |field| field(data, c"maxmemory".as_ptr(), &raw mut failed));
        let policy = raw::RedisModule_ServerInfoGetFieldC?(data, c"maxmemory_policy".as_ptr());
        let evicts = !policy.is_null() && CStr::from_ptr(policy) != c"noeviction";
        raw::RedisModule_FreeServerInfo?(ctx, data);
        if evicts { 0 } else { limit }
    };
    if failed != 0 || limit == 0 {
        return None;
    }
    // SAFETY: the function has no arguments and changes nothing.
    let used = f64::from(unsafe { raw::RedisModule_GetUsedMemoryRatio?() });
    Some(((1.0 - used).max(0.0) * limit as f64) as u64)
}

/// Copies strings of the server to texts. Invalid UTF-8 is replaced.
///
/// # Safety
/// `argv` must contain `argc` strings.
pub unsafe fn texts(argv: *mut Raw, argc: c_int) -> Vec<String> {
    // Without strings, the array is a null pointer.
    let count = usize::try_from(argc).unwrap_or(0);
    if count == 0 {
        return Vec::new();
    }
    // SAFETY: the caller guarantees that the array is valid.
    let strings = unsafe { std::slice::from_raw_parts(argv, count) };
    // SAFETY: these are strings of the server, which are not changed during the call.
    strings.iter().map(|string| String::from_utf8_lossy(unsafe { bytes(*string) }).into_owned()).collect()
}

/// Returns a text in the server's format; an empty text if the text has a zero byte.
pub fn c_string(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}
