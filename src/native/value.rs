//! What a key of a native type holds: the core's value, and whether it is worked on between commands.

use std::ffi::c_void;

use leaderboard_core::native::Work;
use leaderboard_core::time::Millis;

use super::Native;
use crate::background::{self, Slice};
use crate::config;

/// What a key holds.
pub struct Value<T> {
    /// The core's value.
    pub data: T,
    /// Whether it is worked on between commands.
    pub(super) watched: bool,
}

impl<T: Native> Value<T> {
    /// The value as it is when the server's clock shows `wall`: time alone changes views of periods.
    pub fn present(&mut self, wall: impl FnOnce() -> Millis) -> &T {
        if !self.data.is_timeless() {
            let members = self.data.members();
            self.data.advance(self.data.now(wall(), config::max_future()));
            T::registration().population.changed(members, self.data.members());
        }
        &self.data
    }

    /// Lets `write` change the value.
    pub fn change<A>(&mut self, write: impl FnOnce(&mut T) -> A) -> A {
        let members = self.data.members();
        let answer = write(&mut self.data);
        // Even a write that is refused has brought the views to the present.
        T::registration().population.changed(members, self.data.members());
        self.watch();
        answer
    }

    /// Where it is in memory.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(self).expose_provenance()
    }

    /// Has the value worked on between commands from now on, if there is work to do there.
    fn watch(&mut self) {
        if !self.watched && self.data.has_work() {
            self.watched = true;
            background::watch(self.address(), work::<T>);
        }
    }
}

/// Works on one value until the slice ends; whether there was anything to do.
///
/// # Safety
/// At this address is a value of this type, and nobody else refers to it.
unsafe fn work<T: Native>(value: usize, slice: &Slice) -> bool {
    // SAFETY: the caller's promise.
    let value = unsafe { &mut *std::ptr::with_exposed_provenance_mut::<Value<T>>(value) };
    let data = &mut value.data;
    let (now, members) = (data.now(slice.wall, config::max_future()), data.members());
    let mut worked = false;
    while data.has_work() && data.work(now) == Work::Now {
        worked = true;
        if slice.is_over() {
            break;
        }
    }
    T::registration().population.changed(members, data.members());
    worked
}

/// Hands a value over to the server.
pub fn into_value<T: Native>(data: T) -> *mut c_void {
    T::registration().population.came(data.members());
    let value = Box::into_raw(Box::new(Value { data, watched: false }));
    // SAFETY: made just now.
    unsafe { (*value).watch() };
    value.cast()
}
