//! One row a command: everything about it that is said anywhere. Registration, `COMMAND DOCS` and
//! `INFO`, ACL categories and the reference in `docs/commands.md` all read these rows.

mod boards;
mod reading;
#[cfg(test)]
mod tests;
mod voting;
mod writing;

use std::ffi::c_int;

use redis_module::raw;

/// What the server calls.
pub type Entry =
    unsafe extern "C" fn(*mut raw::RedisModuleCtx, *mut *mut raw::RedisModuleString, c_int) -> c_int;

/// What a command does to its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Adds to it, and so may need memory.
    Write,
    /// Changes it in a way that needs none.
    Alter,
    /// Takes something away.
    Remove,
}

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Where the server enters.
    pub entry: Entry,
    /// What it does to its key.
    pub access: Access,
    /// Whether it takes logarithmic time at the most, whatever is asked of whatever board. The rules of a
    /// board and the periods that its views add up are few, and do not count.
    pub fast: bool,
    /// Its arguments; see [`crate::syntax`].
    pub syntax: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// How long it takes. n: members of the board.
    pub complexity: &'static str,
    /// The version that it came with.
    pub since: &'static str,
    /// What it replies.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reference, which a test makes"))]
    pub reply: &'static str,
    /// What else there is to know.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reference, which a test makes"))]
    pub notes: &'static str,
}

/// All commands, in the order of the reference.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    boards::ROWS.iter().chain(&writing::ROWS).chain(&reading::ROWS).chain(&voting::ROWS)
}
