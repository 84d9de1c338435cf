//! The commands that work over parts: for each command, the number of its fixed arguments, its options and its list.
//! This data is read from the rows of the commands, so the module and the gateway have one grammar.

use std::fmt;
use std::sync::LazyLock;

use leaderboard_commands::argument::Argument;
use leaderboard_commands::table::{Command, OverParts};

use super::description;

/// The words after the word of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// This number of words.
    Words(usize),
    /// A number, and then this number of members.
    Members,
}

/// An option of commands.
#[derive(Debug, PartialEq, Eq)]
pub struct Opt {
    pub word: &'static str,
    pub value: Value,
    /// The syntax of the value; empty for a word that belongs to another option.
    pub syntax: &'static str,
    /// Whether the option may occur more than once in a command.
    pub repeats: bool,
    pub required: bool,
    /// Whether the option is accepted without an effect.
    pub hidden: bool,
}

/// The arguments between the fixed arguments of a command and its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optional {
    /// No arguments.
    Nothing,
    /// No arguments, or this number of arguments.
    Words(usize),
    /// Any number of arguments, up to the first option.
    Any,
}

/// The words after the options of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// No list.
    Nothing,
    /// Members.
    Members,
    /// Pairs of a number and a member, and the name of the pairs in errors.
    Pairs(&'static str),
}

/// A command that works over parts.
pub struct Row {
    /// The row of the command in the table of all commands.
    pub command: &'static Command,
    /// The command's name, in capitals.
    pub name: &'static str,
    /// The number of arguments after the key that a call must have.
    pub fixed: usize,
    /// The place among the fixed arguments of the member that the command writes, if it writes one member.
    pub member: Option<usize>,
    /// The arguments between the fixed arguments and the options.
    pub optional: Optional,
    /// The options of the command.
    pub options: Vec<Opt>,
    /// The words of the options that only the gateway sends.
    pub by_gateway: Vec<&'static str>,
    /// The words after the options.
    pub list: List,
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// An option that only the gateway has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// `PARTIAL`: the client accepts an answer that lacks the parts that do not answer.
    Partial,
    /// `TIMEOUT ms`: how long to wait for the parts.
    Timeout,
    /// `ID request`: a step of an import with this id is counted once.
    Id,
    /// `WITHRANK`: ranks over all parts in the reply to a write.
    WithRank,
    /// `ESTIMATE`: an estimate of the rank from samples, which may be some seconds old.
    Estimate,
}

impl Own {
    /// Returns the option's word, in capitals.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Partial => "PARTIAL",
            Self::Timeout => "TIMEOUT",
            Self::Id => "ID",
            Self::WithRank => "WITHRANK",
            Self::Estimate => "ESTIMATE",
        }
    }

    /// Returns whether a value follows the option's word.
    pub const fn has_value(self) -> bool {
        matches!(self, Self::Timeout | Self::Id)
    }
}

/// All commands, sorted by the length of their names and then by name. Comparing lengths is cheap, and it is nearly the
/// whole cost of a search. The rows are kept as long as the program runs.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut rows = description::rows();
    rows.sort_unstable_by_key(|row| (row.name.len(), row.name));
    rows
});

impl Row {
    /// Returns the command with this name, in upper or lower case, if the command works over parts.
    pub fn of(name: &[u8]) -> Option<&'static Self> {
        Self::any(name)
            .filter(|row| !matches!(row.command.over_parts, OverParts::AsItIs | OverParts::Refused(_)))
    }

    /// Returns the command with this name, in upper or lower case.
    pub fn any(name: &[u8]) -> Option<&'static Self> {
        let capitals = || name.iter().map(u8::to_ascii_uppercase);
        let place = ROWS.binary_search_by(|row| {
            row.name.len().cmp(&name.len()).then_with(|| row.name.bytes().cmp(capitals()))
        });
        ROWS.get(place.ok()?)
    }

    /// Returns the command's option with this word, in upper or lower case.
    pub fn option(&self, word: &[u8]) -> Option<&Opt> {
        self.options.iter().find(|option| option.word.as_bytes().eq_ignore_ascii_case(word))
    }

    /// Returns the options that the gateway adds to the command.
    pub const fn own(&self) -> &'static [Own] {
        match self.command.over_parts {
            OverParts::Gathered => &[Own::Partial, Own::Timeout],
            OverParts::GatheredOrEstimated => &[Own::Partial, Own::Timeout, Own::Estimate],
            OverParts::Written => &[Own::Timeout, Own::WithRank],
            OverParts::Changed | OverParts::InRoot | OverParts::Exported | OverParts::ByGateway => {
                &[Own::Timeout]
            }
            OverParts::Imported => &[Own::Timeout, Own::Id],
            OverParts::Listed | OverParts::AsItIs | OverParts::Refused(_) => &[],
        }
    }

    /// Returns the gateway's option with this word, in upper or lower case.
    pub fn own_option(&self, word: &[u8]) -> Option<Own> {
        self.own().iter().copied().find(|own| own.word().as_bytes().eq_ignore_ascii_case(word))
    }

    /// Returns whether a client's call can make a board in an absent key.
    pub fn makes_board(&self) -> bool {
        // Servers send `LB.RESTORE` to each other. It goes on with the board that an earlier call has made.
        self.command.makes.starts_with("a board") && self.name != "LB.RESTORE"
    }

    /// Returns whether the command has an option with this word that only the gateway sends.
    pub fn takes(&self, word: &str) -> bool {
        self.by_gateway.contains(&word)
    }

    /// Returns the first key of a call.
    pub fn first_key<'a>(&self, words: &'a [Vec<u8>]) -> Option<&'a [u8]> {
        let at = self.key_places(words).into_iter().min()?;
        words.get(at).map(Vec::as_slice)
    }

    /// Returns all keys of a call.
    pub fn keys<'a>(&self, words: &'a [Vec<u8>]) -> Vec<&'a [u8]> {
        let places = self.key_places(words).into_iter();
        places.filter_map(|at| words.get(at).map(Vec::as_slice)).collect()
    }

    fn key_places(&self, words: &[Vec<u8>]) -> Vec<usize> {
        let arguments: Vec<_> = words.iter().zip(0..).map(|(word, at)| Argument::new(word, at)).collect();
        self.command.key_places(&arguments).map(|(at, _)| at).collect()
    }
}
