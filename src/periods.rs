//! Tells listeners that a period of a key has ended: `lb.period`, also of keys that nobody touches.
//!
//! Every value whose periods end by time is noted here with the moment of the next end and with its name. The timer
//! looks at those that are due: it opens the key by name, tells what ended, and notes the next end. Nothing is told
//! twice, since the value keeps the first end that was not told.
//!
//! A value that was loaded or copied is noted with the first end since its last write, so what ended while the
//! server was down is told once. RENAME is followed by its event. A value that MOVE or SWAPDB brought to another
//! database is searched for under its name.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use leaderboard_commands::argument::Argument;
use leaderboard_commands::native::Native;
use leaderboard_commands::news::News;
use leaderboard_commands::value::Value;
use leaderboard_core::size_class::round_up;
use leaderboard_core::time::Millis;
use redis_module::raw;

use crate::background::Slice;
use crate::host::Server;
use crate::strings::{self, Owned};
use crate::{config, key, native, server};

/// How long it takes until a key is looked for again that is not there: it may be coming.
const RETRY: i64 = 1_000;
/// In how many databases a key is looked for.
const DATABASES: c_int = 64;
/// Bytes that an entry takes here, about, without the name.
const ENTRY: usize = 136;

/// Where a key is.
#[derive(Debug, Clone)]
pub struct Place {
    /// The database, if it is known.
    pub database: Option<c_int>,
    pub name: Box<[u8]>,
}

impl Place {
    /// The place of a key in the selected database.
    pub fn of(ctx: *mut raw::RedisModuleCtx, name: &[u8]) -> Self {
        Self { database: server::database(ctx), name: name.into() }
    }
}

/// Looks at the value at an address, which may be in this place.
type Look = fn(*mut raw::RedisModuleCtx, usize, &Place, Millis);

struct Entry {
    due: i64,
    place: Place,
    look: Look,
}

/// The values whose periods end by time, by address, and in the order in which they are due.
struct Noted {
    entries: BTreeMap<usize, Entry>,
    order: BTreeSet<(i64, usize)>,
}

static NOTED: Mutex<Noted> = Mutex::new(Noted { entries: BTreeMap::new(), order: BTreeSet::new() });

fn noted() -> MutexGuard<'static, Noted> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a period of the value at this address ends at a moment.
fn note<T: Native>(value: usize, due: i64, place: Place) {
    let mut noted = noted();
    noted.remove(value);
    noted.order.insert((due, value));
    noted.entries.insert(value, Entry { due, place, look: look::<T> });
}

/// Has the timer look at a value at the end of its next period, if that ends by time.
pub fn follow<T: Native>(value: &Value<T>, place: impl FnOnce() -> Place) {
    let address = native::address(value);
    if value.ends_by_time() { note::<T>(address, value.due, place()) } else { forget(address) }
}

/// Forgets the value at this address.
pub fn forget(value: usize) {
    noted().remove(value);
}

/// Follows a value to its new address.
pub fn moved(from: usize, to: usize) {
    let mut noted = noted();
    if let Some(entry) = noted.remove(from) {
        noted.order.insert((entry.due, to));
        noted.entries.insert(to, entry);
    }
}

/// Bytes that are taken here for the value at this address.
pub fn memory(value: usize) -> usize {
    let entry = |entry: &Entry| round_up(entry.place.name.len()).saturating_add(ENTRY);
    noted().entries.get(&value).map_or(0, entry)
}

impl Noted {
    fn remove(&mut self, value: usize) -> Option<Entry> {
        let entry = self.entries.remove(&value)?;
        self.order.remove(&(entry.due, value));
        Some(entry)
    }

    /// Makes an entry due at another moment.
    fn put_off(&mut self, value: usize, due: i64) {
        let Some(entry) = self.entries.get_mut(&value) else { return };
        self.order.remove(&(entry.due, value));
        entry.due = due;
        self.order.insert((due, value));
    }
}

/// Looks at values that are due, until the slice ends. Returns whether there were some.
pub fn serve(ctx: *mut raw::RedisModuleCtx, slice: &Slice) -> bool {
    let mut found = false;
    while let Some((value, place, look)) = next_due(slice.wall) {
        look(ctx, value, &place, slice.wall);
        found = true;
        if slice.is_over() {
            break;
        }
    }
    found
}

/// The value that is due first. Unless somebody looks at it, it is due again in a while.
fn next_due(wall: Millis) -> Option<(usize, Place, Look)> {
    let wall = i64::try_from(wall).unwrap_or(i64::MAX);
    let mut noted = noted();
    let (_, value) = noted.order.first().copied().filter(|(due, _)| *due <= wall)?;
    noted.put_off(value, wall.saturating_add(RETRY));
    noted.entries.get(&value).map(|entry| (value, entry.place.clone(), entry.look))
}

/// Looks at a value, if it is in a place of this name, and tells what has ended. Nothing is locked meanwhile:
/// opening a key can free another one.
fn look<T: Native>(ctx: *mut raw::RedisModuleCtx, value: usize, place: &Place, wall: Millis) {
    let name = Owned::of(&place.name);
    let publishes = server::publishes_ends(ctx);
    let news = place.database.into_iter().chain(0..DATABASES).find_map(|database| {
        let is_there = server::select(ctx, database);
        let place = Place { database: Some(database), name: place.name.clone() };
        is_there
            .then(|| key::look(ctx, name.raw(), value, |value| pass::<T>(value, place, wall, publishes)))?
    });
    let argv = [name.raw()];
    let host = Server::new(ctx, &argv);
    news.unwrap_or_default().publish(&host, Argument::new(&place.name, 0));
}

fn pass<T: Native>(value: &mut Value<T>, place: Place, wall: Millis, publishes: bool) -> News {
    if value.data.is_loading() {
        return News::default();
    }
    let now = value.data.now(wall, config::max_future());
    let ended = value.pass_ends(now, |value| follow(value, || place)) && publishes;
    let top = ended && value.data.has_watched_top() && {
        value.present::<Server>(|_| now);
        value.data.has_new_top()
    };
    News { ended, top }
}

/// Follows keys that get another name.
pub fn listen(ctx: *mut raw::RedisModuleCtx) {
    // SAFETY: the context of OnLoad.
    unsafe {
        raw::RedisModule_SubscribeToKeyspaceEvents
            .map(|subscribe| subscribe(ctx, raw::REDISMODULE_NOTIFY_GENERIC, Some(heard)));
    }
}

unsafe extern "C" fn heard(
    ctx: *mut raw::RedisModuleCtx,
    _class: c_int,
    event: *const c_char,
    key: *mut raw::RedisModuleString,
) -> c_int {
    // SAFETY: the server gives the name of an event.
    if unsafe { CStr::from_ptr(event) } == c"rename_to" {
        // SAFETY: the server gives the key's name, which nothing changes now.
        let place = || Place::of(ctx, unsafe { strings::bytes(key) });
        let followed = catch_unwind(AssertUnwindSafe(|| {
            key::address(ctx, key)
                .map(|value| noted().entries.get_mut(&value).map(|entry| entry.place = place()))
        }));
        if followed.is_err() {
            server::log("warning", "following a renamed key failed inside the module");
        }
    }
    raw::REDISMODULE_OK as c_int
}
