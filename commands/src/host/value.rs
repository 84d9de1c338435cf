//! The value of a key: the core's value, and the chunks that have arrived if the value is being restored.

use leaderboard_core::arrived::Arrived;
use leaderboard_core::time::Millis;
use leaderboard_core::{Board, Error};

use super::Host;
use crate::native::Native;

/// The value of a key.
pub struct Value<T> {
    /// The core's value.
    pub data: T,
    /// The chunks that have arrived. `None` if the value is not being restored.
    pub arrived: Option<Box<Arrived>>,
    /// Whether the host works on the value between commands.
    pub watched: bool,
    /// The first end of a period that was not published, in milliseconds; `i64::MAX` if there is none.
    pub due: i64,
}

// A size of the server's allocator; the next one is a fourth greater.
const _: () = assert!(size_of::<Value<Board>>() <= 256);

impl<T: Native> Value<T> {
    /// Returns a new value for a key. `arrived` contains the chunks that have arrived if the value is being restored.
    pub fn boxed<H: Host>(data: T, arrived: Option<Box<Arrived>>) -> Box<Self> {
        let mut value = Box::new(Self { data, arrived, watched: false, due: i64::MAX });
        H::came(&value);
        value.watch::<H>();
        value
    }

    /// Advances the value to the current time and returns it. The views of periods change over time, even without
    /// writes.
    pub fn present<H: Host>(&mut self, now: impl FnOnce(&T) -> Millis) -> &T {
        if !self.data.is_timeless() {
            let members = self.data.members();
            self.data.advance(now(&self.data));
            H::resized::<T>(members, self.data.members());
        }
        &self.data
    }

    /// Calls `write`, which may change the value.
    pub fn change<H: Host, A>(&mut self, write: impl FnOnce(&mut T) -> A) -> A {
        let members = self.data.members();
        let answer = write(&mut self.data);
        // Even a refused write advances the views to the current time.
        H::resized::<T>(members, self.data.members());
        self.watch::<H>();
        answer
    }

    /// Takes the next chunk of a value that is being restored.
    ///
    /// # Errors
    /// [`Error::Exists`] if the value is complete, or the errors of a damaged chunk.
    pub fn restore<H: Host>(&mut self, chunk: &[u8]) -> Result<(), Error> {
        let mut arrived = self.arrived.take().ok_or(Error::Exists)?;
        let taken = self.change::<H, _>(|data| arrived.take(data, chunk));
        self.arrived = Some(arrived).filter(|_| taken != Ok(true));
        taken.map(|_| ())
    }

    /// Calls `emit` with the chunks of the whole value, which may be unfinished.
    /// [`leaderboard_core::arrived::LoadingValue`] can load these chunks.
    pub fn save(&self, emit: impl FnMut(&[u8])) {
        match &self.arrived {
            Some(arrived) => arrived.save(emit),
            None => self.data.save(emit),
        }
    }

    /// Returns the approximate number of allocations that are freed with the value.
    pub fn effort(&self) -> usize {
        self.data.effort().saturating_add(self.arrived.as_ref().map_or(0, |arrived| arrived.effort()))
    }

    /// Updates [`Self::due`] after a change of the value. Calls `noted` when the next end of a period has changed.
    /// Returns whether the clock has passed an end that was not published.
    pub fn follow_ends(&mut self, now: impl FnOnce(&T) -> Millis, noted: impl FnOnce(&Self)) -> bool {
        if self.data.first_end() == self.due {
            return false;
        }
        if self.due == i64::MAX {
            // Ends of periods after the last write were not published yet.
            self.due = self.data.end_after(self.data.last_write());
        }
        self.pass_ends(now(&self.data), noted)
    }

    /// Finds the first end of a period after now, and calls `noted`. Returns whether the previous [`Self::due`] has
    /// passed.
    pub fn pass_ends(&mut self, now: Millis, noted: impl FnOnce(&Self)) -> bool {
        let was_passed = self.due <= i64::try_from(now).unwrap_or(i64::MAX);
        self.due = self.data.end_after(now);
        noted(self);
        was_passed
    }

    /// Returns whether a timer has to check the value at the end of its next period.
    pub fn ends_by_time(&self) -> bool {
        self.due < i64::MAX && self.data.is_ended_by_time()
    }

    /// Makes the host work on the value between commands, if the value has such work.
    fn watch<H: Host>(&mut self) {
        if !self.watched && self.data.has_work() {
            self.watched = true;
            H::watch(self);
        }
    }
}
