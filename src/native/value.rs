//! The value of a key: the core's value, what has come of it while it is being restored, and whether it is worked
//! on between commands.

use leaderboard_core::Error;
use leaderboard_core::arrived::Arrived;
use leaderboard_core::native::Work;
use leaderboard_core::time::Millis;

use super::Native;
use crate::background::{self, Slice};
use crate::config;
use crate::periods::{self, Place};

pub struct Value<T> {
    /// The core's value.
    pub data: T,
    /// While it is being restored, the chunks that have come.
    pub(super) arrived: Option<Box<Arrived>>,
    /// Whether it is worked on between commands.
    pub(super) watched: bool,
    /// The first end of a period that listeners were not told; `i64::MAX` for none.
    pub(super) due: i64,
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

    /// Takes the next chunk of a value that is being restored.
    pub fn restore(&mut self, chunk: &[u8]) -> Result<(), Error> {
        let mut arrived = self.arrived.take().ok_or(Error::Exists)?;
        let taken = self.change(|data| arrived.take(data, chunk));
        self.arrived = Some(arrived).filter(|_| taken != Ok(true));
        taken.map(|_| ())
    }

    /// Gives all of it as chunks that [`leaderboard_core::arrived::LoadingValue`] takes, finished or not.
    pub(super) fn save(&self, emit: impl FnMut(&[u8])) {
        match &self.arrived {
            Some(arrived) => arrived.save(emit),
            None => self.data.save(emit),
        }
    }

    /// About how many allocations freeing it takes.
    pub(super) fn effort(&self) -> usize {
        self.data.effort().saturating_add(self.arrived.as_ref().map_or(0, |arrived| arrived.effort()))
    }

    /// Follows the ends of its periods after a change. Returns whether one was passed that was not told.
    pub fn follow_ends(&mut self, now: impl FnOnce(&T) -> Millis, place: impl FnOnce() -> Place) -> bool {
        if self.data.first_end() == self.due {
            return false;
        }
        if self.due == i64::MAX {
            // What has ended since its last write was not told.
            self.due = self.data.end_after(self.data.last_write());
        }
        self.pass_ends(now(&self.data), place)
    }

    /// Looks for the first end behind now. Returns whether there was one before it.
    pub fn pass_ends(&mut self, now: Millis, place: impl FnOnce() -> Place) -> bool {
        let was_passed = self.due <= i64::try_from(now).unwrap_or(i64::MAX);
        self.due = self.data.end_after(now);
        self.note_ends(place);
        was_passed
    }

    /// Has the timer look at it when a period ends.
    pub(super) fn note_ends(&self, place: impl FnOnce() -> Place) {
        if self.due < i64::MAX && self.data.is_ended_by_time() {
            periods::note::<T>(self.address(), self.due, place());
        } else {
            periods::forget(self.address());
        }
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

/// Makes a value that is to be given to the server, with what has come of it if it is being restored.
pub fn new_value<T: Native>(data: T, arrived: Option<Box<Arrived>>) -> &'static mut Value<T> {
    T::registration().population.came(data.members());
    let value = Box::leak(Box::new(Value { data, arrived, watched: false, due: i64::MAX }));
    value.watch();
    value
}
