//! The interface of a native type, which is the type of the value of a key. A server uses it to save and load a
//! value, to bring it to the present, to work on it between commands, and to measure, move and free it.
//!
//! The module is generic over this trait: a new type implements the trait in this crate, and is registered in the
//! module.

use crate::Error;
use crate::mover::Mover;
use crate::time::Millis;

/// The result of a step of work: when there is more work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// There is more work now.
    Now,
    /// There is no work before this moment, in milliseconds since the epoch.
    Later(i64),
}

/// A value of a key of the server.
pub trait NativeType: Clone + Send + 'static {
    /// Saves the value as chunks of about 64 KB. The chunks depend only on the value, not on its history.
    fn save(&self, emit: impl FnMut(&[u8]));

    /// Makes a value from the first chunk of a saved value.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    fn load(chunk: &[u8]) -> Result<Self, Error>;

    /// Loads the next chunk. Returns whether it was the last chunk.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    fn load_chunk(&mut self, chunk: &[u8]) -> Result<bool, Error>;

    /// Returns whether chunks are still missing. Until all of them have been loaded, only chunks may change the
    /// value.
    fn is_loading(&self) -> bool;

    /// Returns the reason why the value refuses commands. Commands that use only the kind of the value are not
    /// refused.
    fn refusal(&self) -> Option<Error> {
        None
    }

    /// Returns the reason why the value takes no writes from clients while the server's clock shows `_wall`, in
    /// milliseconds.
    fn holds_back(&self, _wall: Millis) -> Option<Error> {
        None
    }

    /// Notes that a write was carried out.
    fn note_write(&mut self) {}

    /// Returns whether the value belongs to its key, so that it must not be copied to another key.
    fn is_bound(&self) -> bool {
        false
    }

    /// Returns the value's present time when the server's clock shows `wall`, in milliseconds.
    fn now(&self, wall: Millis, max_future: Millis) -> Millis;

    /// Returns whether time changes nothing in the value now, so that [`NativeType::advance`] need not be called.
    fn is_timeless(&self) -> bool;

    /// Brings the value to a moment of its clock.
    fn advance(&mut self, now: Millis);

    /// Returns whether there is work to do between commands, now or later.
    fn has_work(&self) -> bool;

    /// Does a small part of the work between commands, in much less than a tenth of a millisecond.
    fn work(&mut self, now: Millis) -> Work;

    /// Returns the moment at which the first of the value's current periods ends, in milliseconds.
    fn first_end(&self) -> i64 {
        i64::MAX
    }

    /// Returns the first moment after `_moment` at which a period ends, if no write happens before that.
    fn end_after(&self, _moment: Millis) -> i64 {
        i64::MAX
    }

    /// Returns the moment of the value's clock at its last write.
    fn last_write(&self) -> Millis {
        0
    }

    /// Returns whether time ends periods of the value without a write.
    fn is_ended_by_time(&self) -> bool {
        false
    }

    /// Returns whether the top of the value is watched.
    fn has_watched_top(&self) -> bool {
        false
    }

    /// Returns whether the members at the top have changed since the last call.
    fn has_new_top(&mut self) -> bool {
        false
    }

    /// Returns how many members the value has, for `INFO`.
    fn members(&self) -> u64;

    /// Returns the bytes that the value takes, including its struct.
    fn memory(&self) -> usize;

    /// Returns about how many allocations must be freed to free the value.
    fn effort(&self) -> usize;

    /// Lets the allocator move parts of the value to better places, from the step `from` on. Returns the step at
    /// which to continue, or `None` when all steps are done.
    fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize>;
}
