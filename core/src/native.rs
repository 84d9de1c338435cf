//! What a server needs of a native type, whatever that holds: to save and load it, to bring it to the
//! present, to work on it between commands, to measure, move and free it.
//!
//! The shell is generic over this trait: a new type implements it here, and is registered there.

use crate::Error;
use crate::mover::Mover;
use crate::time::Millis;

/// What is left to do between commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// More, at once.
    Now,
    /// Nothing before this moment, in milliseconds.
    Later(i64),
}

/// A value that a key of the server holds.
pub trait NativeType: Clone + Send + 'static {
    /// Saves all of it as chunks of some 64 KB. What they say depends on the value alone, not on how it
    /// came about.
    fn save(&self, emit: impl FnMut(&[u8]));

    /// Begins with the first chunk of a saved value.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    fn load(chunk: &[u8]) -> Result<Self, Error>;

    /// Takes the next chunk; whether it was the last one.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    fn load_chunk(&mut self, chunk: &[u8]) -> Result<bool, Error>;

    /// Whether chunks are still missing. Until they have come, nothing else may change it.
    fn is_loading(&self) -> bool;

    /// Why it takes no commands but those that know what it is.
    fn refusal(&self) -> Option<Error> {
        None
    }

    /// The value's now, when the server's clock shows `wall`. Both in milliseconds.
    fn now(&self, wall: Millis, max_future: Millis) -> Millis;

    /// Whether time changes nothing about it now, so that [`NativeType::advance`] can be left out.
    fn is_timeless(&self) -> bool;

    /// Brings it to a moment of its clock.
    fn advance(&mut self, now: Millis);

    /// Whether there is work to do between commands, now or later.
    fn has_work(&self) -> bool;

    /// Does a small piece of that work: well under a tenth of a millisecond.
    fn work(&mut self, now: Millis) -> Work;

    /// When the first of its present periods ends, as it stands.
    fn first_end(&self) -> i64 {
        i64::MAX
    }

    /// The first moment behind another at which a period ends, if time goes on and nothing is written.
    fn end_after(&self, _moment: Millis) -> i64 {
        i64::MAX
    }

    /// The moment of its clock at its last write.
    fn last_write(&self) -> Millis {
        0
    }

    /// Whether time ends its periods, without a write.
    fn is_ended_by_time(&self) -> bool {
        false
    }

    /// Whether others want to know who stands at its top.
    fn has_watched_top(&self) -> bool {
        false
    }

    /// Whether others stand there than when this was asked before.
    fn has_new_top(&mut self) -> bool {
        false
    }

    /// How many members it has, for `INFO`.
    fn members(&self) -> u64;

    /// Bytes that it takes, its own struct included.
    fn memory(&self) -> usize;

    /// About how many allocations freeing it takes.
    fn effort(&self) -> usize;

    /// Lets the allocator move its parts to better places, from a step on. The step to go on with, or
    /// nothing when all is done.
    fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize>;
}
