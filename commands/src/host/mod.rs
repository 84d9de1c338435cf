//! The functions of the server that commands need.
//!
//! A host serves one command of one client. Commands are generic over the host, so no function is called through a
//! table at run time.

mod value;

use std::ffi::CStr;
use std::ops::ControlFlow;

use leaderboard_core::counter;
use leaderboard_core::time::Millis;

use crate::argument::Argument;
use crate::native::Native;
pub use crate::refusal::{Code, Refusal};
use crate::word::Word;
pub use value::Value;

/// The purpose for which a key is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// To read it only.
    Read,
    /// To change it, or to store a value in it.
    Write,
}

/// Counters of commands, for `INFO`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// The number of writes.
    Written,
    /// The number of repeated requests.
    Repeated,
    /// The number of writes that were not applied because their condition was false, or because a rule of scores held them back.
    HeldBack,
    /// The number of votes that a rule did not allow ("held back").
    VoteHeldBack,
    /// The number of writes that were events of counters.
    CounterWritten,
    /// The number of repeated requests that were events of counters.
    CounterRepeated,
}

/// The end of a sorted set from which members are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The order of `ZRANGE`.
    Up,
    /// The order of `ZREVRANGE`.
    Down,
}

/// A key that is open. Dropping it closes it.
pub trait OpenKey {
    /// Returns whether the key is empty.
    fn is_empty(&self) -> bool;

    /// Returns the number of members of the key's sorted set; `None` if the key holds another type.
    fn sorted_set_len(&self) -> Option<u64>;

    /// Returns the value of a native type; `None` if the key is empty.
    ///
    /// # Errors
    /// [`Refusal::WrongType`] if the key holds another type.
    fn value<T: Native>(&mut self) -> Result<Option<&mut Value<T>>, Refusal>;

    /// Stores a value in the key, and replaces the present value. The key must be open for writing.
    fn set<T: Native>(&mut self, value: Box<Value<T>>);
}

/// The client of a command. The parts of a reply are sent in the order of the calls.
pub trait Client {
    /// Begins an array of `len` parts.
    fn array(&self, len: usize);
    /// Begins a map of `len` pairs. If the client's protocol has no maps, begins a flat array.
    fn map(&self, len: usize);
    /// Writes an integer.
    fn integer(&self, value: i64);
    /// Writes a byte string.
    fn bulk(&self, bytes: &[u8]);
    /// Writes nil.
    fn nil(&self);
    /// Writes `OK`.
    fn ok(&self);
    /// Writes an error with its code.
    fn error(&self, text: &str);
    /// Writes the server's own error for a wrong number of arguments.
    fn wrong_arity(&self);
}

/// The server in which one command runs.
pub trait Host: Client + Sized {
    /// An open key.
    type Key<'h>: OpenKey
    where
        Self: 'h;

    /// Returns the server's clock, in milliseconds since the epoch.
    fn clock(&self) -> Millis;
    /// Returns whether the command comes from the primary or the append-only file. Such a command was decided before.
    fn is_decided(&self) -> bool;
    /// Returns whether the server is loading its data.
    fn is_loading(&self) -> bool;
    /// Returns whether this server publishes the ends of periods. A primary publishes them, for clients' commands.
    fn publishes_ends(&self) -> bool;
    /// Returns the number of bytes that the data may still grow by; `None` if there is no limit.
    fn free_memory(&self) -> Option<u64>;

    /// Returns the setting `max-future-ms`, in milliseconds.
    fn max_future(&self) -> Millis;
    /// Returns the setting `auto-create`: whether a write to an absent key makes a board.
    fn makes_boards(&self) -> bool;
    /// Returns the rules of the settings `counter-precisions` and `counter-samples`.
    fn counter_rules(&self) -> counter::Rules;

    /// Opens a key. Returns `None` if the key is absent and is opened to read only.
    fn open(&self, key: Argument, mode: Mode) -> Option<Self::Key<'_>>;
    /// Opens a key that is not among the words of the command, to read it. The client must have the right to run another
    /// command with the key: `like` is the name of that command, and a word that follows the key. Returns `None` if this
    /// server does not serve the key at present: another server may have it. All calls for one command have the same
    /// `like`.
    ///
    /// # Errors
    /// [`Refusal::OfServer`] if the client does not have the right, or if the server has no function that checks it.
    fn open_unnamed(&self, name: &[u8], like: [&[u8]; 2]) -> Result<Option<Self::Key<'_>>, Refusal>;
    /// Starts a timer for the end of the value's next period, or stops the timer: see [`Value::due`].
    fn follow_ends<T: Native>(&self, value: &Value<T>, key: Argument);

    /// Increases a counter.
    fn count(&self, count: Count);
    /// Sends a command with these arguments to replicas.
    fn replicate<'w>(&self, command: &CStr, words: impl Iterator<Item = Word<'w>>);
    /// Sends the unchanged command to replicas.
    fn replicate_as_it_is(&self);
    /// Marks a key as changed, for clients that watch it.
    fn signal_change(&self, key: Argument);
    /// Publishes an event of a key.
    fn notify(&self, event: &CStr, key: Argument);

    /// Calls `each` with up to `count` members of a sorted set and their scores, beginning at a place. Returns the
    /// number of members, or a break if `each` returned a break.
    fn sorted_set_page(
        &self,
        key: Argument,
        direction: Direction,
        from: u64,
        count: u64,
        each: impl FnMut(&[u8], f64) -> ControlFlow<()>,
    ) -> ControlFlow<(), u64>;
    /// Deletes a key, here and on replicas.
    fn delete(&self, key: Argument);
    /// Adds members to the sorted set of a key, here and on replicas.
    fn add_to_sorted_set(&self, key: Argument, rows: &[(f64, &[u8])]);

    /// Takes note of a new value.
    fn came<T: Native>(_value: &Value<T>) {}
    /// Takes note that the number of members of a value changed.
    fn resized<T: Native>(_before: u64, _after: u64) {}
    /// Makes the host work on a value between commands.
    fn watch<T: Native>(_value: &Value<T>) {}
}
