//! Settings: `CONFIG GET/SET leaderboard.*` on servers from 7.0, and module arguments on all servers (`MODULE LOAD
//! leaderboard.so max-future-ms 5000`). A module argument is the initial value; `redis.conf` and `CONFIG SET`
//! replace it.

mod auto_create;
mod precisions;

use std::ffi::{CStr, c_char, c_int, c_longlong, c_void};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub use auto_create::is_on as auto_create;
use leaderboard_core::counter::{MAX_SAMPLES, Rules};
use redis_module::raw;

use crate::server;

/// An integer setting.
struct Setting {
    name: &'static CStr,
    value: &'static AtomicU64,
    min: u64,
    max: u64,
}

static MAX_FUTURE: AtomicU64 = AtomicU64::new(60_000);
static TICK: AtomicU64 = AtomicU64::new(1_000);
static SAMPLES: AtomicU64 = AtomicU64::new(120);

/// All settings that are integers. The greatest `max-future-ms` is ten years.
static SETTINGS: [Setting; 3] = [
    Setting { name: c"max-future-ms", value: &MAX_FUTURE, min: 0, max: 315_360_000_000 },
    Setting { name: c"tick-us", value: &TICK, min: 100, max: 1_000_000 },
    Setting { name: c"counter-samples", value: &SAMPLES, min: 1, max: MAX_SAMPLES as u64 },
];

/// Returns the rules of counters that are created without explicit rules.
pub fn counter_rules() -> Rules {
    Rules { precisions: precisions::list(), samples: SAMPLES.load(Relaxed) as u32, ..Rules::default() }
}

/// Returns the longest slice of work between commands, in microseconds.
pub fn tick() -> u64 {
    TICK.load(Relaxed)
}

/// Returns the maximum time in milliseconds by which an `AT` may be after the board's time. Such an `AT` counts as
/// the board's time. A later `AT` is an error.
pub fn max_future() -> u64 {
    MAX_FUTURE.load(Relaxed)
}

/// Applies module arguments: pairs of a name and a value.
///
/// # Errors
/// A text for the log that names the wrong argument.
pub fn take_arguments(arguments: &[String]) -> Result<(), String> {
    for pair in arguments.chunks(2) {
        let [name, value] = pair else {
            return Err(format!("module argument {} has no value", quoted(pair)));
        };
        let refused = |error| format!("module argument {name}: {error}");
        if name.as_bytes() == precisions::NAME.to_bytes() {
            precisions::take(value.as_bytes()).map_err(refused)?;
            continue;
        }
        if name.as_bytes() == auto_create::NAME.to_bytes() {
            auto_create::take(value).map_err(refused)?;
            continue;
        }
        let setting = SETTINGS.iter().find(|setting| setting.name.to_bytes() == name.as_bytes());
        let setting = setting.ok_or_else(|| format!("unknown module argument {name:?}"))?;
        let number = value.parse().ok().filter(|number| (setting.min..=setting.max).contains(number));
        let number = number
            .ok_or_else(|| format!("module argument {name} must be {} to {}", setting.min, setting.max))?;
        setting.value.store(number, Relaxed);
    }
    Ok(())
}

fn quoted(pair: &[String]) -> String {
    format!("{:?}", pair.first().map_or("", String::as_str))
}

/// Registers the settings on servers that support module settings.
pub fn register(ctx: *mut raw::RedisModuleCtx) {
    // SAFETY: this is the context of OnLoad; names and values are static.
    unsafe {
        let (Some(register), Some(load)) =
            (raw::RedisModule_RegisterNumericConfig, raw::RedisModule_LoadConfigs)
        else {
            return;
        };
        for setting in &SETTINGS {
            let done = register(
                ctx,
                setting.name.as_ptr(),
                setting.value.load(Relaxed) as c_longlong,
                raw::REDISMODULE_CONFIG_DEFAULT,
                setting.min as c_longlong,
                setting.max as c_longlong,
                Some(get),
                Some(set),
                None,
                std::ptr::from_ref(setting.value).cast_mut().cast(),
            );
            if done != raw::REDISMODULE_OK as c_int {
                server::log("warning", "a setting could not be registered");
            }
        }
        if !precisions::register(ctx) || !auto_create::register(ctx) {
            server::log("warning", "a setting could not be registered");
        }
        load(ctx);
    }
}

unsafe extern "C" fn get(_name: *const c_char, value: *mut c_void) -> c_longlong {
    // SAFETY: the pointer was passed to the register function, and points to a static.
    unsafe { (*value.cast::<AtomicU64>()).load(Relaxed) as c_longlong }
}

unsafe extern "C" fn set(
    _name: *const c_char,
    number: c_longlong,
    value: *mut c_void,
    _error: *mut *mut raw::RedisModuleString,
) -> c_int {
    // SAFETY: the pointer was passed to the register function; the server has checked the range.
    unsafe { (*value.cast::<AtomicU64>()).store(number as u64, Relaxed) };
    raw::REDISMODULE_OK as c_int
}
