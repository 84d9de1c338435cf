//! Words of commands for replicas and the append-only file.

use std::ffi::CStr;
use std::sync::atomic::AtomicPtr;

use leaderboard_core::time::Millis;

use crate::argument::Argument;

/// A place where a host keeps its own string of a constant word, so that it makes the string only once.
#[derive(Debug, Default)]
pub struct Slot(pub AtomicPtr<()>);

impl Slot {
    /// Returns a slot without a string.
    #[must_use]
    pub const fn empty() -> Self {
        Self(AtomicPtr::new(std::ptr::null_mut()))
    }
}

/// A word of a command for replicas.
#[derive(Debug, Clone, Copy)]
pub enum Word<'a> {
    /// An argument of the call.
    Argument(Argument<'a>),
    /// A constant word, and the slot for the host's string of it.
    Constant(&'static str, &'static Slot),
    /// A time in milliseconds. Thousands of writes can be in the same millisecond.
    Time(Millis),
    /// Any other word.
    Bytes(&'a [u8]),
}

impl<'a> Word<'a> {
    /// Returns a word with these bytes.
    pub fn of(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self::Bytes(text.as_ref())
    }

    /// Calls `read` with the bytes of the word.
    pub fn with_bytes<A>(&self, read: impl FnOnce(&[u8]) -> A) -> A {
        match self {
            Self::Argument(argument) => read(argument.bytes()),
            Self::Constant(text, _) => read(text.as_bytes()),
            Self::Time(time) => read(time.to_string().as_bytes()),
            Self::Bytes(bytes) => read(bytes),
        }
    }
}

impl<'a> From<Argument<'a>> for Word<'a> {
    fn from(argument: Argument<'a>) -> Self {
        Self::Argument(argument)
    }
}

/// Takes commands for replicas and the append-only file, in their order. If one command of a client sends several
/// commands, the server sends them as one transaction.
pub trait Stream {
    /// Sends a command with these arguments.
    fn replicate(&self, command: &CStr, words: &mut dyn Iterator<Item = Word<'_>>);
}

impl dyn Stream + '_ {
    /// Sends a command with these arguments.
    pub fn send<'w>(&self, command: &CStr, words: impl IntoIterator<Item = Word<'w>>) {
        self.replicate(command, &mut words.into_iter());
    }
}
