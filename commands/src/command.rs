//! The data of a command, except for its handler: a row of the table.

use std::ffi::CStr;
use std::time::Duration;

use crate::argument::Argument;
use crate::arguments::Args;
use crate::keys::{Access, KeyArgument};
use crate::options::{self, List, OptionDescription, Options};
use crate::refusal::Code;
use crate::shape::Shape;
use crate::syntax;

/// A form of a command that has several forms. The word after the key determines the form of a call.
pub struct Operation {
    /// The word, in capitals.
    pub word: &'static str,
    /// The arguments after the word; see [`crate::syntax`].
    pub arguments: &'static str,
    /// The options after the arguments.
    pub options: List,
}

impl Operation {
    /// Returns whether a call has the word of this form.
    #[must_use]
    pub fn is_named(&self, word: &Argument) -> bool {
        word.bytes().eq_ignore_ascii_case(self.word.as_bytes())
    }

    /// Returns the syntax of the form: the word, all arguments and the options.
    fn syntax(&self) -> String {
        let space = if self.arguments.is_empty() { "" } else { " " };
        format!("{}{space}{}{}", self.word, self.arguments, options::syntax(self.options))
    }
}

/// How a command works on a board over parts. The gateway reads this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverParts {
    /// A read. The answers of the parts make the reply.
    Gathered,
    /// A read, like [`Self::Gathered`]. The gateway can also estimate the reply.
    GatheredOrEstimated,
    /// A write. The parts of its members carry it out, and the gateway can add the ranks over all parts.
    Written,
    /// One part or all parts carry the command out.
    Changed,
    /// The root carries the command out, with what the gateway reads from the parts.
    InRoot,
    /// For each member in the command's list, the part of that member carries the command out. The command takes no
    /// option, since a member can have any name.
    Listed,
    /// The gateway carries the members of the board in the second key to the first key, which is on one node.
    Exported,
    /// The gateway carries the members of the second key, which is on one node, to the parts of the board in the first key.
    Imported,
    /// The command does not concern spread boards. It is sent unchanged to the node of its key.
    AsItIs,
    /// Only the gateway carries the command out: a server refuses it.
    ByGateway,
    /// The command does not work over parts, for this reason. It follows the words "does not work over parts:".
    Refused(&'static str),
}

/// The shapes of a reply. Each shape comes with words that a call may have, separated by spaces. The reply to a call
/// has the last shape whose words are all in the call. See [`crate::shape`].
pub type Shapes = &'static [(&'static str, &'static str)];

/// The most processor time that a call may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Most {
    /// This number of microseconds, at any number of members.
    Micros(u32),
    /// This number of nanoseconds for each member of the board, and half a millisecond.
    NanosPerMember(u32),
}

impl Most {
    /// Returns the time for a board of this number of members.
    #[must_use]
    pub const fn time(self, members: u64) -> Duration {
        match self {
            Self::Micros(micros) => Duration::from_micros(micros as u64),
            Self::NanosPerMember(nanos) => {
                Duration::from_nanos(members.saturating_mul(nanos as u64).saturating_add(500_000))
            }
        }
    }
}

/// The most costly legal call of a command: the largest counts, the longest list, the widest view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worst {
    /// The call. Its keys are the boards of `make torture-stall`; `word*n` stands for n different words.
    pub call: &'static str,
    /// The bound of its time on the server's main thread. `make torture-stall` checks it.
    pub most: Most,
}

/// A row: all data of a command, except for its handler.
pub struct Command {
    /// The name, in capitals.
    pub name: &'static CStr,
    /// The forms of the command, if it has several forms. Each form has its own options.
    pub operations: &'static [Operation],
    /// The keys of the command, in order.
    pub keys: &'static [KeyArgument],
    /// Whether the command takes at most logarithmic time, for all arguments and boards. The number of a board's rules
    /// and the number of periods that its views add up are small, so they are ignored here.
    pub fast: bool,
    /// The arguments before the options; see [`crate::syntax`].
    pub arguments: &'static str,
    /// The options. If the command has several forms, each form has its own [`Operation::options`].
    pub options: List,
    /// The arguments after the options.
    pub list: &'static str,
    /// What the command does, in one sentence.
    pub summary: &'static str,
    /// The time that the command takes. n is the number of members.
    pub complexity: &'static str,
    /// The most costly call.
    pub worst: Worst,
    /// The version that introduced the command.
    pub since: &'static str,
    /// How the command works on a board over parts.
    pub over_parts: OverParts,
    /// The value that the command makes in an absent key; empty if it makes no value.
    pub makes: &'static str,
    /// The shapes of the command's reply.
    pub shapes: Shapes,
    /// The codes of the command's errors. Errors that follow from its keys and options are not listed.
    pub errors: &'static [Code],
    /// The reply, in words.
    pub reply: &'static str,
    /// Further information about the command.
    pub notes: &'static str,
}

impl Command {
    /// Returns the syntax of all arguments of the command, with the options.
    pub fn syntax(&self) -> String {
        let options = options::syntax(self.options);
        let syntax = format!("{}{}{options} {}", self.arguments, self.forms(), self.list);
        syntax.trim_end().to_owned()
    }

    /// Returns the command's forms, if it has several forms.
    fn forms(&self) -> String {
        let forms: Vec<_> = self.operations.iter().map(Operation::syntax).collect();
        if forms.is_empty() { String::new() } else { format!(" {{{}}}", forms.join(" | ")) }
    }

    /// Returns the syntax of all arguments of the command, with one line for each form.
    #[cfg(test)]
    pub fn lines(&self) -> Vec<String> {
        let lines: Vec<_> =
            self.operations.iter().map(|form| format!("{} {}", self.arguments, form.syntax())).collect();
        if lines.is_empty() { vec![self.syntax()] } else { lines }
    }

    /// Returns the minimum number of words of a call, including the command's name. The number is negative if a call
    /// may have more words. A missing option is not counted here, because it has a separate error.
    pub fn arity(&self) -> i32 {
        let arguments = syntax::parse(&format!("{}{} {}", self.arguments, self.forms(), self.list));
        let least = i32::try_from(syntax::least_words(&arguments)).unwrap_or(i32::MAX);
        let is_fixed = self.options.is_empty() && self.operations.is_empty() && syntax::is_fixed(&arguments);
        if is_fixed { least } else { least.saturating_neg() }
    }

    /// Returns the shape of the reply to a call with these words, if the call is not refused. `None` if the words are
    /// wrong.
    #[must_use]
    pub fn shape(&self, words: &[Argument]) -> Option<Shape> {
        let given = self.given(words)?;
        let mut shapes = self.shapes.iter().rev();
        let (_, shape) =
            shapes.find(|(with, _)| with.split_whitespace().all(|word| given.contains(&word)))?;
        Shape::parse(shape).ok()
    }

    /// Returns the words of the options in a call, and the words of the call's form.
    fn given(&self, words: &[Argument]) -> Option<Vec<&'static str>> {
        let before = |arguments| syntax::least_words(&syntax::parse(arguments));
        let first = before(self.arguments);
        let form = words.get(first).and_then(|word| self.operations.iter().find(|form| form.is_named(word)));
        let (first, options) = match form {
            Some(form) => (first.saturating_add(before(form.arguments)), form.options),
            None => (first, self.options),
        };
        let read = |from| Options::read(Args::new(words.get(from..)?), options).ok();
        let options = match self.list {
            "" => (first..=words.len()).find_map(read)?,
            _ => Options::read_leading(&mut Args::new(words.get(first..)?), options).ok()?,
        };
        Some(options.given_words().chain(form.map(|form| form.word)).collect())
    }

    /// Returns the places of the command's keys among the words of a call, and what the command does to each key.
    pub fn key_places(&self, words: &[Argument]) -> impl Iterator<Item = (usize, Access)> {
        let keys = self.keys.iter();
        keys.flat_map(|key| key.places(words, self.options).map(|place| (place, key.access)))
    }

    /// Returns the codes of all errors of the command.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        let takes = |word: &str| self.options.iter().any(|option| option.words().contains(&word));
        let follow = [
            (Code::Err, true),
            (Code::WrongType, true),
            (Code::Loading, true),
            (Code::OutOfMemory, self.keys.iter().any(|key| key.access.needs_memory())),
            (Code::NoBoard, self.makes.starts_with("a board")),
            (Code::IdReused, takes("ID")),
            (Code::NoPart, takes("PARTS")),
        ];
        follow.into_iter().filter_map(|(code, is)| is.then_some(code)).chain(self.errors.iter().copied())
    }

    /// Returns the command's options, for programs outside this crate.
    pub fn described_options(&self) -> impl Iterator<Item = OptionDescription> {
        OptionDescription::all(self.options)
    }

    /// Returns whether the command changes nothing.
    pub fn only_reads(&self) -> bool {
        self.keys.iter().all(|key| key.access == Access::Read)
    }
}
