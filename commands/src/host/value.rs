//! The value of a key: the core's value, and the chunks that have come while it is being restored.

use leaderboard_core::Error;
use leaderboard_core::arrived::Arrived;
use leaderboard_core::time::Millis;

use super::Host;
use crate::native::Native;

/// The value of a key.
pub struct Value<T> {
    /// The core's value.
    pub data: T,
    /// While it is being restored, the chunks that have come.
    pub arrived: Option<Box<Arrived>>,
    /// Whether the host works on it between commands.
    pub watched: bool,
    /// The first end of a period that was not published, in milliseconds; `i64::MAX` for none.
    pub due: i64,
}

impl<T: Native> Value<T> {
    /// A new value for a key, with the chunks that have come if it is being restored.
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

    /// Lets `write` change the value.
    pub fn change<H: Host, A>(&mut self, write: impl FnOnce(&mut T) -> A) -> A {
        let members = self.data.members();
        let answer = write(&mut self.data);
        // Even a refused write advances the views to the present.
        H::resized::<T>(members, self.data.members());
        self.watch::<H>();
        answer
    }

    /// Takes the next chunk of a value that is being restored.
    ///
    /// # Errors
    /// [`Error::Exists`] if the value is whole, and those of a chunk that is damaged.
    pub fn restore<H: Host>(&mut self, chunk: &[u8]) -> Result<(), Error> {
        let mut arrived = self.arrived.take().ok_or(Error::Exists)?;
        let taken = self.change::<H, _>(|data| arrived.take(data, chunk));
        self.arrived = Some(arrived).filter(|_| taken != Ok(true));
        taken.map(|_| ())
    }

    /// Gives all of it as chunks that [`leaderboard_core::arrived::LoadingValue`] takes, finished or not.
    pub fn save(&self, emit: impl FnMut(&[u8])) {
        match &self.arrived {
            Some(arrived) => arrived.save(emit),
            None => self.data.save(emit),
        }
    }

    /// About how many allocations freeing it takes.
    pub fn effort(&self) -> usize {
        self.data.effort().saturating_add(self.arrived.as_ref().map_or(0, |arrived| arrived.effort()))
    }

    /// Follows the ends of its periods after a change. Calls `noted` when the next end has changed. Returns whether
    /// the clock passed an end that was not published.
    pub fn follow_ends(&mut self, now: impl FnOnce(&T) -> Millis, noted: impl FnOnce(&Self)) -> bool {
        if self.data.first_end() == self.due {
            return false;
        }
        if self.due == i64::MAX {
            // What has ended since its last write was not published.
            self.due = self.data.end_after(self.data.last_write());
        }
        self.pass_ends(now(&self.data), noted)
    }

    /// Looks for the first end after now, and calls `noted`. Returns whether there was one before it.
    pub fn pass_ends(&mut self, now: Millis, noted: impl FnOnce(&Self)) -> bool {
        let was_passed = self.due <= i64::try_from(now).unwrap_or(i64::MAX);
        self.due = self.data.end_after(now);
        noted(self);
        was_passed
    }

    /// Whether a timer has to look at the value at the end of its next period.
    pub fn ends_by_time(&self) -> bool {
        self.due < i64::MAX && self.data.is_ended_by_time()
    }

    /// Has the host work on the value between commands, if it has such work.
    fn watch<H: Host>(&mut self) {
        if !self.watched && self.data.has_work() {
            self.watched = true;
            H::watch(self);
        }
    }
}
