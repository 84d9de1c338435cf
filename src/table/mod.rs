//! One row for each command, with everything about it. Registration, `COMMAND DOCS` and `COMMAND INFO`, ACL
//! categories, accepted options and the reference in docs/commands.md all read these rows.

mod boards;
mod counters;
mod leagues;
mod moving;
mod reading;
#[cfg(test)]
mod tests;
mod voting;
mod writing;

use std::ffi::{CStr, c_int};

use redis_module::raw;

use crate::call::{Call, Handled};
use crate::keys::{Access, KeyArgument};
use crate::options::{self, List};
use crate::syntax;

/// The function that the server calls.
pub type EntryPoint =
    unsafe extern "C" fn(*mut raw::RedisModuleCtx, *mut *mut raw::RedisModuleString, c_int) -> c_int;

pub struct Command {
    pub name: &'static CStr,
    /// The server's entry point, which calls the handler.
    pub entry: EntryPoint,
    pub handler: fn(&Call) -> Handled,
    /// Its keys, in order.
    pub keys: &'static [KeyArgument],
    /// Whether it takes at most logarithmic time, for all arguments and boards. The rules of a board and the
    /// periods that its views add up are few, and do not count.
    pub fast: bool,
    /// The arguments before the options; see [`crate::syntax`].
    pub arguments: &'static str,
    pub options: List,
    /// The arguments after the options.
    pub list: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// How long it takes. n is the number of members.
    pub complexity: &'static str,
    /// The version that introduced it.
    pub since: &'static str,
    /// What it makes of an absent key; empty for nothing.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reference, which a test makes"))]
    pub makes: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reference, which a test makes"))]
    pub reply: &'static str,
    /// Everything else to know.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the reference, which a test makes"))]
    pub notes: &'static str,
}

impl Command {
    /// All its arguments, with the options.
    pub fn syntax(&self) -> String {
        let syntax = format!("{}{} {}", self.arguments, options::syntax(self.options), self.list);
        syntax.trim_end().to_owned()
    }

    /// The fewest words that it takes, its name included; negative if it may take more. An option that is
    /// missing is an error of its own.
    pub fn arity(&self) -> i32 {
        let arguments = syntax::parse(&format!("{} {}", self.arguments, self.list));
        let least = i32::try_from(syntax::least_words(&arguments)).unwrap_or(i32::MAX);
        let is_fixed = self.options.is_empty() && syntax::is_fixed(&arguments);
        if is_fixed { least } else { least.saturating_neg() }
    }

    /// Whether it changes nothing.
    pub fn only_reads(&self) -> bool {
        self.keys.iter().all(|key| key.access == Access::Read)
    }
}

/// Makes a static [`Command`] of each row, and a list of them.
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
                    unsafe { crate::call::serve(ctx, argv, argc, ($row.name, $row.options, $row.keys), $row.handler) }
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
    [boards::ROWS, writing::ROWS, reading::ROWS, moving::ROWS, voting::ROWS, leagues::ROWS, counters::ROWS]
        .into_iter()
        .flatten()
        .copied()
}
