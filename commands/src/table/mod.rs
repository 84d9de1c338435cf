//! One row for each command, with everything about it. Registration, `COMMAND DOCS` and `COMMAND INFO`, ACL
//! categories, accepted options and the reference in docs/reference.md all read these rows.

mod boards;
mod catalog;
mod counters;
#[cfg(test)]
mod description;
mod gateway;
mod leagues;
mod moving;
pub mod part;
mod prizes;
mod reading;
mod segments;
mod shapes;
#[cfg(test)]
mod tests;
mod voting;
mod writing;

use crate::argument::Argument;
use crate::call::{Call, Handled};
pub use crate::command::{Command, Most, Operation, OverParts, Shapes, Worst};
use crate::host::{Count, Host};
pub use crate::options::OptionDescription;
use crate::refusal::Refusal;
use leaderboard_core::Error;

/// A command as a type: its row and its handler. So a host can have a function for each command.
pub trait Row {
    /// Returns the row.
    fn command() -> &'static Command;

    /// Serves a call.
    ///
    /// # Errors
    /// The reason why the command is refused. In this case, there was no reply.
    fn handle<H: Host>(call: &Call<H>) -> Handled;
}

/// Serves a call of a command. `words` begins with the command's name. If the command is refused, the reply is the
/// error.
pub fn serve<R: Row, H: Host>(host: &H, words: &[Argument]) {
    if let Err(refusal) = R::handle(&Call::new(host, words, R::command())) {
        if matches!(refusal, Refusal::Invalid(Error::HeldBack(..))) {
            host.count(Count::HeldBack);
        }
        match refusal.text() {
            Some(text) => host.error(&text),
            None => host.wrong_arity(),
        }
    }
}

/// Visits the commands.
pub trait Visitor {
    /// Visits one command.
    fn visit<R: Row>(&mut self);
}

/// Makes a type with the trait [`Row`] for each row, and lists these types.
macro_rules! rows {
    (@operations) => { &[] };
    (@operations $operations:expr) => { $operations };
    ($($row:ident: $handler:expr $(, $operations:expr)? => { $($fields:tt)* })*) => {
        $(struct $row;

        impl crate::table::Row for $row {
            fn command() -> &'static crate::table::Command {
                static COMMAND: crate::table::Command = crate::table::Command {
                    operations: rows!(@operations $($operations)?),
                    $($fields)*
                };
                &COMMAND
            }

            fn handle<H: crate::host::Host>(call: &crate::call::Call<H>) -> crate::call::Handled {
                $handler(call)
            }
        })*

        /// The commands of this file.
        pub static ROWS: &[fn() -> &'static crate::table::Command] =
            &[$(<$row as crate::table::Row>::command),*];

        /// Visits the commands of this file.
        pub fn visit(visitor: &mut impl crate::table::Visitor) {
            $(visitor.visit::<$row>();)*
        }
    };
}
use rows;

/// Makes the forms of a command, each with its handler. The file has the type `Handler` of these handlers.
macro_rules! forms {
    ($($word:literal: $handler:expr => ($arguments:literal, $options:expr))*) => {
        /// The forms of the command.
        pub static OPERATIONS: &[Operation] =
            &[$(Operation { word: $word, arguments: $arguments, options: $options }),*];

        /// Returns the form with this word, and its handler.
        pub fn form<H: Host>(word: &Argument) -> Option<(&'static Operation, Handler<H>)> {
            let handlers: &[Handler<H>] = &[$($handler),*];
            let mut forms = OPERATIONS.iter().zip(handlers.iter().copied());
            forms.find(|(form, _)| form.is_named(word))
        }
    };
}
use forms;

/// Lists the files of rows, in the order of the reference.
macro_rules! files {
    ($($file:ident),*) => {
        /// Returns all commands, in the order of the reference.
        pub fn commands() -> impl Iterator<Item = &'static Command> {
            [$($file::ROWS),*].into_iter().flatten().map(|command| command())
        }

        /// Visits all commands, in the order of the reference.
        pub fn visit(visitor: &mut impl Visitor) {
            $($file::visit(visitor);)*
        }
    };
}
files!(boards, writing, reading, segments, part, catalog, gateway, moving, voting, prizes, leagues, counters);
