//! One row a command: everything about it that is said anywhere. Registration, `COMMAND DOCS` and
//! `INFO`, ACL categories, which options are accepted, and the reference in docs/commands.md all read
//! these rows.

mod boards;
mod reading;
#[cfg(test)]
mod tests;
mod voting;
mod writing;

use std::ffi::{CStr, c_int};

use redis_module::raw;

use crate::call::{Call, Handled};
use crate::options::{self, List};

/// What the server calls.
pub type Entry =
    unsafe extern "C" fn(*mut raw::RedisModuleCtx, *mut *mut raw::RedisModuleString, c_int) -> c_int;

/// What a command does to a key.
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

/// A key among a command's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its place; the command's name has 0.
    pub place: u8,
    /// What the command does to it.
    pub access: Access,
}

/// The first argument.
pub const fn first(access: Access) -> Key {
    Key { place: 1, access }
}

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static CStr,
    /// Where the server enters, with what leads to the handler.
    pub entry: Entry,
    /// What serves it.
    pub handler: fn(&Call) -> Handled,
    /// Its keys, in the order of their places.
    pub keys: &'static [Key],
    /// Whether it takes logarithmic time at the most, whatever is asked of whatever board. The rules of a
    /// board and the periods that its views add up are few, and do not count.
    pub fast: bool,
    /// Its arguments before the options; see [`crate::syntax`].
    pub arguments: &'static str,
    /// The options that it takes.
    pub options: List,
    /// Its arguments behind the options.
    pub list: &'static str,
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

impl Command {
    /// Its arguments, options and all.
    pub fn syntax(&self) -> String {
        let syntax = format!("{}{} {}", self.arguments, options::syntax(self.options), self.list);
        syntax.trim_end().to_owned()
    }

    /// Whether it changes nothing.
    pub fn only_reads(&self) -> bool {
        self.keys.iter().all(|key| key.access == Access::Read)
    }
}

/// Makes a static [`Command`] of each row, and a list of all of them.
macro_rules! rows {
    ($($row:ident: $handler:expr => { $($fields:tt)* })*) => {
        $(static $row: crate::table::Command = crate::table::Command {
            entry: {
                unsafe extern "C" fn entry(
                    ctx: *mut redis_module::raw::RedisModuleCtx,
                    argv: *mut *mut redis_module::raw::RedisModuleString,
                    argc: std::ffi::c_int,
                ) -> std::ffi::c_int {
                    // SAFETY: the server calls with a live context and argc arguments.
                    unsafe { crate::call::serve(ctx, argv, argc, ($row.name, $row.options), $row.handler) }
                }
                entry
            },
            handler: $handler,
            $($fields)*
        };)*
        /// The commands of this file.
        pub static ROWS: &[&crate::table::Command] = &[$(&$row),*];
    };
}
use rows;

/// All commands, in the order of the reference.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    [boards::ROWS, writing::ROWS, reading::ROWS, voting::ROWS].into_iter().flatten().copied()
}
