//! What a server needs from a native type, whatever the type holds: to save and load it, to bring it to the present,
//! to work on it between commands, to measure, move and free it.
//!
//! The module is generic over this trait: a new type implements it here, and is registered there.

use crate::Error;
use crate::mover::Mover;
use crate::time::Millis;

/// The work that remains to be done between commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// More work, at once.
    Now,
    /// There is no work before this moment, in milliseconds.
    Later(i64),
}

/// A value that a key of the server holds.
pub trait NativeType: Clone + Send + 'static {
    /// Saves the value as chunks of about 64 KB. The chunks depend only on the value, not on its history.
    fn save(&self, emit: impl FnMut(&[u8]));

    /// Begins with the first chunk of a saved value.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    fn load(chunk: &[u8]) -> Result<Self, Error>;

    /// Takes the next chunk. Returns whether it was the last chunk.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    fn load_chunk(&mut self, chunk: &[u8]) -> Result<bool, Error>;

    /// Whether chunks are still missing. Until all of them have come, only chunks may change the value.
    fn is_loading(&self) -> bool;

    /// Why the value refuses commands. Commands that know what the value is are not refused.
    fn refusal(&self) -> Option<Error> {
        None
    }

    /// The value's present time when the server's clock shows `wall`, in milliseconds.
    fn now(&self, wall: Millis, max_future: Millis) -> Millis;

    /// Whether time changes nothing in it now, so that [`NativeType::advance`] need not be called.
    fn is_timeless(&self) -> bool;

    /// Brings the value to a moment of its clock.
    fn advance(&mut self, now: Millis);

    /// Whether there is work to do between commands, now or later.
    fn has_work(&self) -> bool;

    /// Does a small piece of that work: well under a tenth of a millisecond.
    fn work(&mut self, now: Millis) -> Work;

    /// When the first of the value's present periods ends.
    fn first_end(&self) -> i64 {
        i64::MAX
    }

    /// The first moment after `_moment` at which a period ends, if time goes on and nothing is written.
    fn end_after(&self, _moment: Millis) -> i64 {
        i64::MAX
    }

    /// The moment of the value's clock at its last write.
    fn last_write(&self) -> Millis {
        0
    }

    /// Whether time ends its periods, without a write.
    fn is_ended_by_time(&self) -> bool {
        false
    }

    /// Whether the top of the value is watched.
    fn has_watched_top(&self) -> bool {
        false
    }

    /// Whether other members are at its top than at the last call.
    fn has_new_top(&mut self) -> bool {
        false
    }

    /// How many members it has, for `INFO`.
    fn members(&self) -> u64;

    /// The bytes that the value takes, including its own struct.
    fn memory(&self) -> usize;

    /// About how many allocations must be freed to free the value.
    fn effort(&self) -> usize;

    /// Lets the allocator move parts of the value to better places, from a step on. Returns the step at which to
    /// continue, or `None` when all is done.
    fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize>;
}
