//! A client's command for a spread board, split by the grammar that all `LB.*` commands share, and the options that the
//! gateway adds to this grammar. The parts check the values that they have to check in any case.

mod description;
mod table;

use std::time::Duration;

use leaderboard_core::Error;
use leaderboard_core::MAX_REQUEST;
use leaderboard_core::error::Quoted;
use leaderboard_core::integer::natural;

pub use table::{List, Optional, Own, Row};
use table::{Opt, Value};

/// The longest time that a command may wait for the parts, in milliseconds.
const MAX_TIMEOUT: u64 = 600_000;

/// An option of a command, and the words after the option's word.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    option: &'static Opt,
    /// The words after the option's word.
    pub values: &'a [Vec<u8>],
}

impl Given<'_> {
    /// Returns the option's word, in capitals.
    pub const fn word(&self) -> &'static str {
        self.option.word
    }
}

/// A client's command, split into the key, the arguments, the options and the list.
#[derive(Debug, Clone)]
pub struct Asked<'a> {
    /// The row of the command.
    pub row: &'static Row,
    /// The key: the name of the board.
    pub key: &'a [u8],
    /// The arguments after the key, up to the options.
    pub fixed: &'a [Vec<u8>],
    /// The options of the module, in the order of the call.
    pub options: Vec<Given<'a>>,
    /// The list after the options.
    pub list: &'a [Vec<u8>],
    own: Vec<Own>,
    timeout: Option<Duration>,
    id: Option<&'a [u8]>,
    is_settled: bool,
}

impl<'a> Asked<'a> {
    /// Splits a command whose first word is the name of this row.
    ///
    /// # Errors
    /// The text of the module's error, which begins with its code.
    pub fn read(row: &'static Row, words: &'a [Vec<u8>]) -> Result<Self, String> {
        let (key, left) = words.get(1..).and_then(<[_]>::split_first).ok_or_else(|| arity(row))?;
        let (_, behind) = left.split_at_checked(row.fixed).ok_or_else(|| arity(row))?;
        let optional = optional(row, behind);
        let (fixed, left) =
            left.split_at_checked(row.fixed.saturating_add(optional)).ok_or_else(|| arity(row))?;
        let (options, own) = (Vec::new(), Vec::new());
        let mut asked =
            Self { row, key, fixed, options, list: &[], own, timeout: None, id: None, is_settled: false };
        asked.list = asked.take_options(left).map_err(text)?;
        asked.check_list()?;
        Ok(asked)
    }

    /// Takes the options from the front of the words. Returns the words after the options.
    fn take_options(&mut self, mut left: &'a [Vec<u8>]) -> Result<&'a [Vec<u8>], Error> {
        while let Some((word, behind)) = left.split_first() {
            let row = self.row;
            left = match (row.own_option(word), row.option(word)) {
                (Some(own), _) => self.take_own(own, behind)?,
                (None, Some(option)) => self.take(option, behind)?,
                (None, None) => return Ok(left),
            };
        }
        Ok(left)
    }

    fn take(&mut self, option: &'static Opt, behind: &'a [Vec<u8>]) -> Result<&'a [Vec<u8>], Error> {
        if !option.repeats && self.has(option.word) {
            return Err(Error::RepeatedOption(option.word));
        }
        let missing = Error::MissingValue(option.word);
        let (words, error) = match option.value {
            Value::Words(words) if behind.is_empty() || option.syntax.is_empty() => (words, missing),
            Value::Words(words) => (words, Error::IncompleteOption(option.word, option.syntax)),
            Value::Members => {
                let members = natural(behind.first().ok_or(missing)?, option.word)?;
                let members = usize::try_from(members).ok().filter(|members| *members > 0);
                (
                    members.ok_or(Error::OutOfRange(option.word))?.saturating_add(1),
                    Error::IncompleteList("members"),
                )
            }
        };
        let (values, left) = behind.split_at_checked(words).ok_or(error)?;
        self.options.push(Given { option, values });
        Ok(left)
    }

    fn take_own(&mut self, own: Own, behind: &'a [Vec<u8>]) -> Result<&'a [Vec<u8>], Error> {
        let word = own.word();
        if self.own.contains(&own) {
            return Err(Error::RepeatedOption(word));
        }
        self.own.push(own);
        if !own.has_value() {
            return Ok(behind);
        }
        let (value, left) = behind.split_first().ok_or(Error::MissingValue(word))?;
        if own == Own::Id {
            let is_sized = (1..=MAX_REQUEST).contains(&value.len());
            self.id = Some(value.as_slice()).filter(|_| is_sized);
            return if is_sized { Ok(left) } else { Err(Error::Length(word, MAX_REQUEST)) };
        }
        let wait = Some(natural(value, word)?).filter(|wait| (1..=MAX_TIMEOUT).contains(wait));
        self.timeout = Some(Duration::from_millis(wait.ok_or(Error::OutOfRange(word))?));
        Ok(left)
    }

    /// Checks that the words after the options are the command's list.
    fn check_list(&self) -> Result<(), String> {
        match (self.row.list, self.list) {
            (List::Nothing, []) => match self.row.options.iter().find(|option| self.lacks(option)) {
                Some(option) => Err(text(Error::MissingOption(option.word))),
                None => Ok(()),
            },
            (List::Nothing, _) if self.row.options.is_empty() => Err(arity(self.row)),
            (List::Nothing, [word, ..]) => Err(text(Error::UnknownOption(Quoted::new(word)))),
            (List::Members, []) => Err(arity(self.row)),
            (List::Members, _) => Ok(()),
            (List::Pairs(list), words) => match words.is_empty() || words.len() % 2 > 0 {
                true => Err(text(Error::IncompleteList(list))),
                false => Ok(()),
            },
        }
    }

    fn lacks(&self, option: &Opt) -> bool {
        option.required && !self.has(option.word)
    }

    /// Returns whether an option of the module is given.
    pub fn has(&self, word: &str) -> bool {
        self.values(word).is_some()
    }

    /// Returns whether the call has this option of the module, and the option has an effect on this command.
    pub fn applies(&self, word: &str) -> bool {
        self.options.iter().any(|given| given.option.word == word && !given.option.hidden)
    }

    /// Returns the words after an option's word.
    pub fn values(&self, word: &str) -> Option<&'a [Vec<u8>]> {
        self.options.iter().find(|given| given.option.word == word).map(|given| given.values)
    }

    /// Returns the first word after an option's word.
    pub fn value(&self, word: &str) -> Option<&'a [u8]> {
        self.values(word)?.first().map(Vec::as_slice)
    }

    /// Returns the member that the command writes, if it writes one.
    pub fn member(&self) -> Option<&'a [u8]> {
        self.fixed.get(self.row.member?).map(Vec::as_slice)
    }

    /// Returns the members of the option `MEMBERS`.
    pub fn members(&self) -> &'a [Vec<u8>] {
        self.values("MEMBERS").and_then(|values| values.get(1..)).unwrap_or_default()
    }

    /// Returns the numbers and the members of a list of pairs.
    pub fn pairs(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        self.list.chunks(2).filter_map(|pair| match pair {
            [number, member] => Some((number.as_slice(), member.as_slice())),
            _ => None,
        })
    }

    /// Returns whether an option of the gateway is given.
    pub fn wants(&self, own: Own) -> bool {
        self.own.contains(&own)
    }

    /// Returns how long the client waits, if the command contains a TIMEOUT.
    pub const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Returns the id of an import, if the command contains one.
    pub const fn id(&self) -> Option<&'a [u8]> {
        self.id
    }

    /// Returns the command without an option of the module.
    #[must_use]
    pub fn without(&self, word: &str) -> Self {
        let mut it = self.clone();
        it.options.retain(|given| given.option.word != word);
        it
    }

    /// Marks the root as read just now. Then a deleted part counts as a part that does not answer, and the root is not
    /// read again.
    #[must_use]
    pub fn settled(self) -> Self {
        Self { is_settled: true, ..self }
    }

    /// Returns whether the root was read just now.
    pub const fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Returns the command for another key, without the options of the gateway. `more` contains further options, which
    /// follow the other options. `list` is the list after them.
    pub fn command<'b>(
        &self,
        key: &[u8],
        more: &[&[u8]],
        list: impl Iterator<Item = &'b [u8]>,
    ) -> Vec<Vec<u8>> {
        let mut words = vec![self.row.name.as_bytes().to_vec(), key.to_vec()];
        words.extend_from_slice(self.fixed);
        for given in &self.options {
            words.push(given.word().as_bytes().to_vec());
            words.extend_from_slice(given.values);
        }
        words.extend(more.iter().map(|word| word.to_vec()));
        words.extend(list.map(<[u8]>::to_vec));
        words
    }
}

/// Returns a command of the gateway's own, which a command of a client needs.
///
/// # Errors
/// The text of an error, if a word of the client makes the command wrong.
pub fn question(words: &[Vec<u8>]) -> Result<Asked<'_>, String> {
    let row = words.first().and_then(|name| Row::of(name));
    Asked::read(row.ok_or("ERR the gateway lacks a command")?, words)
}

/// Returns the number of arguments between the fixed arguments and the options.
fn optional(row: &Row, words: &[Vec<u8>]) -> usize {
    let is_option = |word: &Vec<u8>| row.option(word).is_some() || row.own_option(word).is_some();
    match row.optional {
        Optional::Words(count) if words.first().is_some_and(|word| !is_option(word)) => count,
        Optional::Any => words.iter().position(is_option).unwrap_or(words.len()),
        _ => 0,
    }
}

/// Returns the error for too few or too many arguments.
fn arity(row: &Row) -> String {
    format!("ERR wrong number of arguments for '{}' command", row.name)
}

/// Returns the text of an argument error, which begins with its code.
fn text(error: Error) -> String {
    format!("ERR {error}")
}

#[cfg(test)]
mod tests;
