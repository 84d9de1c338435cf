//! The value of a key: the core's value, and whether it is worked on between commands.

use std::ffi::c_void;

use leaderboard_core::native::Work;
use leaderboard_core::time::Millis;

use super::Native;
use crate::background::{self, Slice};
use crate::config;

pub struct Value<T> {
    /// The core's value.
    pub data: T,
    /// Whether it is worked on between commands.
    pub(super) watched: bool,
}

impl<T: Native> Value<T> {
    /// The value at the time `wall`: views of periods change with time alone.
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
        // Even a refused write advances the views to the present.
        T::registration().population.changed(members, self.data.members());
        self.watch();
        answer
    }

    pub fn address(&self) -> usize {
        std::ptr::from_ref(self).expose_provenance()
    }

    /// Registers the value for work between commands, if it has any.
    fn watch(&mut self) {
        if !self.watched && self.data.has_work() {
            self.watched = true;
            background::watch(self.address(), work::<T>);
        }
    }
}

/// Works on one value until the slice ends. Returns whether there was work.
///
/// # Safety
/// The address holds a value of this type, and nothing else refers to it.
unsafe fn work<T: Native>(value: usize, slice: &Slice) -> bool {
    // SAFETY: the caller guarantees the value.
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

/// Gives a value to the server.
pub fn into_value<T: Native>(data: T) -> *mut c_void {
    T::registration().population.came(data.members());
    let value = Box::into_raw(Box::new(Value { data, watched: false }));
    // SAFETY: it was made just now.
    unsafe { (*value).watch() };
    value.cast()
}
