//! Publishes the event `lb.period` when a period of a key has ended, also for keys that no command uses.
//!
//! Every value whose periods end by time is stored in [`due`], with the moment of the next end and with its name.
//! The timer checks the values that are due: it opens the key by its name, publishes the periods that have ended,
//! and stores the next end. No end is published twice, since the value stores the first end that was not published.
//!
//! When a value was loaded or copied, the first end after its last write is stored. So an end that passed while the
//! server was down is published once. After RENAME, the event of the server gives the new name. After MOVE or
//! SWAPDB, the value is searched for by its name in other databases.

use std::ffi::{CStr, c_char, c_int};

use leaderboard_commands::argument::Argument;
use leaderboard_commands::host::Value;
use leaderboard_commands::native::{Native, TypeVisitor};
use leaderboard_commands::news::News;
use leaderboard_core::time::Millis;
use redis_module::raw;

use crate::caught::caught;
use crate::due::Place;
use crate::host::Server;
use crate::slice::Slice;
use crate::strings::{self, Owned};
use crate::{config, due, key, server};

/// The number of databases in which a key is searched for.
const DATABASES: c_int = 64;

/// Checks values that are due, until the slice ends. Returns whether there were such values.
pub fn serve(ctx: *mut raw::RedisModuleCtx, slice: &Slice) -> bool {
    let mut found = false;
    while let Some((value, place, kind)) = due::next(slice.wall) {
        let look = Look { ctx, value, place: &place, wall: slice.wall };
        // If it fails, the value is due again after a second.
        caught("a look at the end of a period", || kind.visit(look));
        found = true;
        if slice.is_over() {
            break;
        }
    }
    found
}

/// A check of the value with this address. The key in `place` may have this value.
struct Look<'a> {
    ctx: *mut raw::RedisModuleCtx,
    value: usize,
    place: &'a Place,
    wall: Millis,
}

impl TypeVisitor for Look<'_> {
    type Out = ();

    fn visit<T: Native>(self) {
        look::<T>(self.ctx, self.value, self.place, self.wall);
    }
}

/// Searches for a value by the name of its place. If the value is found, publishes its periods that have ended. No
/// lock is held while a key is opened, because opening a key can free another value.
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
    let ended = value.pass_ends(now, |value| due::follow(value, || place)) && publishes;
    let top = ended && value.data.has_watched_top() && {
        value.present::<Server>(|_| now);
        value.data.has_new_top()
    };
    News { ended, top }
}

/// Subscribes to the event of renamed keys, so that their places are updated.
pub fn listen(ctx: *mut raw::RedisModuleCtx) {
    // SAFETY: this is the context of OnLoad.
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
    // SAFETY: the server passes the name of an event.
    if unsafe { CStr::from_ptr(event) } == c"rename_to" {
        // SAFETY: the server passes the key's name, which is not changed during the call.
        let place = || Place::of(ctx, unsafe { strings::bytes(key) });
        caught("following a renamed key", || {
            if let Some(value) = key::address(ctx, key) {
                due::renamed(value, place());
            }
        });
    }
    raw::REDISMODULE_OK as c_int
}
