//! What a command needs of the server that it runs in.
//!
//! A host serves one command of one client. Commands are generic over it, so nothing is called through a table at run
//! time.

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

/// What a key is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Only to read it.
    Read,
    /// To change it, or to put a value into it.
    Write,
}

/// Counters of commands, for `INFO`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Writes.
    Written,
    /// Repeated requests.
    Repeated,
    /// Writes that were not applied because their condition was false.
    HeldBack,
    /// Votes that a rule held back.
    VoteHeldBack,
}

/// Which end of a sorted set comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The order of `ZRANGE`.
    Up,
    /// The order of `ZREVRANGE`.
    Down,
}

/// A key that is open. Dropping it closes it.
pub trait OpenKey {
    /// Whether nothing is in the key.
    fn is_empty(&self) -> bool;

    /// How many members the key's sorted set has; `None` if the key holds something else.
    fn sorted_set_len(&self) -> Option<u64>;

    /// The value of a native type; none if the key is empty.
    ///
    /// # Errors
    /// [`Refusal::WrongType`] if it holds something else.
    fn value<T: Native>(&mut self) -> Result<Option<&mut Value<T>>, Refusal>;

    /// Puts a value into the key, in place of the present value. The key must be open for writing.
    fn set<T: Native>(&mut self, value: Box<Value<T>>);
}

/// The client of a command. All parts of a reply follow each other in the order of the calls.
pub trait Client {
    /// Begins an array of `len` parts.
    fn array(&self, len: usize);
    /// Begins a map of `len` pairs. If the client's protocol has no maps, begins a flat array.
    fn map(&self, len: usize);
    /// An integer.
    fn integer(&self, value: i64);
    /// A byte string.
    fn bulk(&self, bytes: &[u8]);
    /// Nil.
    fn nil(&self);
    /// `OK`.
    fn ok(&self);
    /// An error with its code.
    fn error(&self, text: &str);
    /// The server's own error for a wrong number of arguments.
    fn wrong_arity(&self);
}

/// The server in which one command runs.
pub trait Host: Client + Sized {
    /// An open key.
    type Key<'h>: OpenKey
    where
        Self: 'h;

    /// The server's clock, in milliseconds since the epoch.
    fn clock(&self) -> Millis;
    /// Whether the command comes from the primary or the append-only file: it was decided before.
    fn is_decided(&self) -> bool;
    /// Whether the server is loading its data.
    fn is_loading(&self) -> bool;
    /// Whether this server publishes what time brings: a primary does, for clients' commands.
    fn publishes_ends(&self) -> bool;
    /// How many more bytes the data may take; `None` without a limit.
    fn free_memory(&self) -> Option<u64>;

    /// The setting `max-future-ms`, in milliseconds.
    fn max_future(&self) -> Millis;
    /// The setting `auto-create`: whether a write to an absent key makes a board.
    fn makes_boards(&self) -> bool;
    /// The settings `counter-precisions` and `counter-samples`.
    fn counter_rules(&self) -> counter::Rules;

    /// Opens a key; none if it is absent and only read.
    fn open(&self, key: Argument, mode: Mode) -> Option<Self::Key<'_>>;
    /// Has a timer look at a value at the end of its next period, or stops that: see [`Value::due`].
    fn follow_ends<T: Native>(&self, value: &Value<T>, key: Argument);

    /// Increases a counter.
    fn count(&self, count: Count);
    /// Sends replicas a command with these words behind its name.
    fn replicate<'w>(&self, command: &CStr, words: impl Iterator<Item = Word<'w>>);
    /// Sends replicas the command as it came.
    fn replicate_as_it_is(&self);
    /// Marks a key as changed, for clients that watch it.
    fn signal_change(&self, key: Argument);
    /// Publishes an event of a key.
    fn notify(&self, event: &CStr, key: Argument);

    /// Calls `each` with `count` members of a sorted set and their scores, from a place on. Returns how many there were,
    /// or a break when `each` broke.
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
    /// Has a value worked on between commands.
    fn watch<T: Native>(_value: &Value<T>) {}
}
