//! The commands that work over parts: how many fixed arguments each has, which options, which list. They are read from the
//! rows of the commands, so the module and the gateway have one grammar.

use std::fmt;
use std::sync::LazyLock;

use leaderboard_commands::argument::Argument;
use leaderboard_commands::table::{Command, OverParts};

use super::description;

/// The words behind the word of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// So many.
    Words(usize),
    /// A number, and as many members.
    Members,
}

/// An option of commands.
#[derive(Debug, PartialEq, Eq)]
pub struct Opt {
    pub word: &'static str,
    pub value: Value,
    /// Whether it may stand in a command more than once.
    pub repeats: bool,
    pub required: bool,
    /// Whether it is accepted without an effect.
    pub hidden: bool,
}

/// What stands between the fixed arguments of a command and its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optional {
    /// No arguments.
    Nothing,
    /// Nothing, or so many arguments.
    Words(usize),
    /// Any number of arguments, up to the first option.
    Any,
}

/// What stands behind the options of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// No list.
    Nothing,
    /// Members.
    Members,
    /// Pairs of a number and a member, and the words that errors call them by.
    Pairs(&'static str),
}

/// A command.
pub struct Row {
    /// Its own row.
    pub command: &'static Command,
    /// Its name, in capitals.
    pub name: &'static str,
    /// How many arguments stand behind the key in any case.
    pub fixed: usize,
    /// Which of them is the member that the command writes, if it writes one.
    pub member: Option<usize>,
    /// What stands between the fixed arguments and the options.
    pub optional: Optional,
    /// The options of the command.
    pub options: Vec<Opt>,
    /// What stands behind the options.
    pub list: List,
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// An option of the gateway alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// `PARTIAL`: an answer without the parts that do not answer.
    Partial,
    /// `TIMEOUT ms`: how long to wait for the parts.
    Timeout,
    /// `WITHRANK`: ranks over all parts in the reply to a write.
    WithRank,
    /// `ESTIMATE`: the rank by samples that may be some seconds old.
    Estimate,
}

impl Own {
    /// Its word, in capitals.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Partial => "PARTIAL",
            Self::Timeout => "TIMEOUT",
            Self::WithRank => "WITHRANK",
            Self::Estimate => "ESTIMATE",
        }
    }
}

/// All commands, sorted by the length of their names and then by name: comparing lengths is cheap, and nearly all of a
/// search. The rows are kept as long as the program runs.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut rows = description::rows();
    rows.sort_unstable_by_key(|row| (row.name.len(), row.name));
    rows
});

impl Row {
    /// The command of this name, in any case, if it works over parts.
    pub fn of(name: &[u8]) -> Option<&'static Self> {
        Self::any(name)
            .filter(|row| !matches!(row.command.over_parts, OverParts::AsItIs | OverParts::Refused(_)))
    }

    /// The command of this name, in any case.
    pub fn any(name: &[u8]) -> Option<&'static Self> {
        let capitals = || name.iter().map(u8::to_ascii_uppercase);
        let place = ROWS.binary_search_by(|row| {
            row.name.len().cmp(&name.len()).then_with(|| row.name.bytes().cmp(capitals()))
        });
        ROWS.get(place.ok()?)
    }

    /// Its option of this word, in any case.
    pub fn option(&self, word: &[u8]) -> Option<&Opt> {
        self.options.iter().find(|option| option.word.as_bytes().eq_ignore_ascii_case(word))
    }

    /// The options that the gateway adds to it.
    pub const fn own(&self) -> &'static [Own] {
        match self.command.over_parts {
            OverParts::Gathered => &[Own::Partial, Own::Timeout],
            OverParts::GatheredOrEstimated => &[Own::Partial, Own::Timeout, Own::Estimate],
            OverParts::Written => &[Own::Timeout, Own::WithRank],
            OverParts::Changed => &[Own::Timeout],
            OverParts::Listed | OverParts::AsItIs | OverParts::Refused(_) => &[],
        }
    }

    /// The option of the gateway of this word, in any case.
    pub fn own_option(&self, word: &[u8]) -> Option<Own> {
        self.own().iter().copied().find(|own| own.word().as_bytes().eq_ignore_ascii_case(word))
    }

    /// The first key of a call.
    pub fn first_key<'a>(&self, words: &'a [Vec<u8>]) -> Option<&'a [u8]> {
        let arguments: Vec<_> = words.iter().zip(0..).map(|(word, at)| Argument::new(word, at)).collect();
        let at = self.command.key_places(&arguments).map(|(at, _)| at).min()?;
        words.get(at).map(Vec::as_slice)
    }
}
