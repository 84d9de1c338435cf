//! The options of commands. Each option is declared once, as a static [`Opt`]: its words, its value, the function that
//! reads it, and whether it is sent to replicas. A row of the table lists the options of its command. This list
//! determines the options that the command accepts, the documented syntax, and the words of the replication stream.

pub mod boards;
pub mod catalog;
pub mod counters;
mod description;
pub mod leagues;
pub mod moving;
pub mod reading;
pub mod root;
pub mod voting;
pub mod writing;

use std::fmt::Write as _;

use leaderboard_core::Error;
use leaderboard_core::error::Quoted;
use leaderboard_core::time::Stamp;

use crate::argument::Argument;
use crate::arguments::{Args, Read};
use crate::refusal::Refusal;
use crate::word::{Slot, Word};
pub use description::OptionDescription;
use reading::AT;

/// The maximum number of words of one option.
const MOST_WORDS: usize = 2;

/// An option of commands.
pub struct Opt<T> {
    /// The option's word, or the words that exclude each other.
    words: &'static [&'static str],
    /// The syntax of the option's value; empty for a flag.
    value: &'static str,
    /// Reads the option's value.
    read: fn(&mut OptionValue) -> Read<T>,
    /// Checks the option against the options before it.
    check: fn(&Options) -> Read<()>,
    /// The maximum number of uses in one call, and the error for more uses. `None` if the option may not repeat.
    repeats: Option<(usize, Error)>,
    hidden: bool,
    required: bool,
    /// Whether the option is for this server alone.
    local: bool,
    /// Whether only the gateway sends the option.
    by_gateway: bool,
    /// The option's place in the replication stream, if the option is sent to replicas.
    sent: Option<u8>,
    /// The places where a host keeps its own strings of the words.
    slots: [Slot; MOST_WORDS],
}

/// The number of places in the replication stream.
const PLACES: u8 = 8;

impl<T> Opt<T> {
    /// Returns an option with a value.
    pub const fn new(
        words: &'static [&'static str],
        value: &'static str,
        read: fn(&mut OptionValue) -> Read<T>,
    ) -> Self {
        let slots = [const { Slot::empty() }; MOST_WORDS];
        let check = |_: &Options| Ok(());
        let (repeats, sent) = (None, None);
        let [hidden, required, local, by_gateway] = [false; 4];
        Self { words, value, read, check, repeats, hidden, required, local, by_gateway, sent, slots }
    }

    /// Calls `check` when the option is read, with all options so far.
    pub const fn checked(self, check: fn(&Options) -> Read<()>) -> Self {
        Self { check, ..self }
    }

    /// Allows the option up to `most` times. A further use has this error and is not read.
    pub const fn repeated(self, most: usize, error: Error) -> Self {
        Self { repeats: Some((most, error)), ..self }
    }

    /// Accepts the option without documenting it.
    pub const fn hidden(self) -> Self {
        Self { hidden: true, ..self }
    }

    /// Makes the command fail without the option.
    pub const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// Never sends the option to replicas.
    pub const fn local(self) -> Self {
        Self { local: true, ..self }
    }

    /// Makes the gateway the only sender of the option: it refuses the option from its clients.
    pub const fn by_gateway(self) -> Self {
        Self { by_gateway: true, ..self }
    }

    /// Sends the option to replicas, at this place among the options.
    pub const fn sent(self, place: u8) -> Self {
        assert!(place < PLACES);
        Self { sent: Some(place), ..self }
    }
}

/// Returns an option without a value.
pub const fn flag(words: &'static [&'static str]) -> Opt<()> {
    Opt::new(words, "", |_| Ok(()))
}

/// The parts of an option that do not depend on its type.
pub trait Declared: Sync {
    /// Returns the index of `word` among the option's words. Upper and lower case are the same.
    fn word_of(&self, word: &[u8]) -> Option<usize>;
    /// Returns the words of the option, in capitals.
    fn words(&self) -> &'static [&'static str];
    /// Returns the syntax of the option in a command; `None` for a hidden option.
    fn syntax(&self) -> Option<String>;
    /// Returns the syntax of the option's value; empty for a flag.
    fn value(&self) -> &'static str;
    /// Reads the option's value and discards it.
    fn pass(&self, value: &mut OptionValue) -> Read<()>;
    /// Checks the option against the options before it.
    fn check(&self, options: &Options) -> Read<()>;
    /// Returns the maximum number of uses in one call, and the error for more uses. `None` if the option may not
    /// repeat.
    fn repeats(&self) -> Option<(usize, Error)>;
    /// Returns whether the command fails without the option.
    fn is_required(&self) -> bool;
    /// Returns whether the option is for this server alone.
    fn is_local(&self) -> bool;
    /// Returns whether only the gateway sends the option.
    fn is_by_gateway(&self) -> bool;
    /// Returns the option's place in the replication stream, if the option is sent to replicas.
    fn place(&self) -> Option<u8>;
    /// Returns one of the option's words, in the form for replicas.
    fn constant(&'static self, word: usize) -> Word<'static>;
}

impl<T> Declared for Opt<T> {
    fn word_of(&self, word: &[u8]) -> Option<usize> {
        self.words.iter().position(|own| word.eq_ignore_ascii_case(own.as_bytes()))
    }

    fn words(&self) -> &'static [&'static str] {
        self.words
    }

    fn syntax(&self) -> Option<String> {
        let value = if self.value.is_empty() { String::new() } else { format!(" {}", self.value) };
        let repeats = if self.repeats.is_some() { "..." } else { "" };
        let (open, close) = if self.required { ("", "") } else { ("[", "]") };
        (!self.hidden).then(|| format!("{open}{}{value}{close}{repeats}", self.words.join("|")))
    }

    fn value(&self) -> &'static str {
        self.value
    }

    fn pass(&self, value: &mut OptionValue) -> Read<()> {
        (self.read)(value).map(|_| ())
    }

    fn check(&self, options: &Options) -> Read<()> {
        (self.check)(options)
    }

    fn repeats(&self) -> Option<(usize, Error)> {
        self.repeats
    }

    fn is_required(&self) -> bool {
        self.required
    }

    fn is_local(&self) -> bool {
        self.local
    }

    fn is_by_gateway(&self) -> bool {
        self.by_gateway || self.local
    }

    fn place(&self) -> Option<u8> {
        self.sent
    }

    fn constant(&'static self, word: usize) -> Word<'static> {
        let constant = self.words.get(word).zip(self.slots.get(word));
        constant.map_or(Word::Bytes(b""), |(text, slot)| Word::Constant(text, slot))
    }
}

/// The options of a command. The required ones come first.
pub type List = &'static [&'static dyn Declared];

/// Returns the syntax of a row's options.
pub fn syntax(options: List) -> String {
    options.iter().filter_map(|option| option.syntax()).fold(String::new(), |mut text, option| {
        let _ = write!(text, " {option}");
        text
    })
}

/// The value of an option.
pub struct OptionValue<'r, 'a> {
    args: &'r mut Args<'a>,
    word: &'static str,
}

impl<'a> OptionValue<'_, 'a> {
    /// Returns the option's word. If the option has several words that exclude each other, this is the word in the
    /// call.
    pub const fn word(&self) -> &'static str {
        self.word
    }

    /// Takes the next argument.
    pub fn next(&mut self) -> Read<&'a [u8]> {
        self.args.next().map_err(|_| Error::MissingValue(self.word).into())
    }

    /// Returns the next argument, without taking it.
    pub fn peek(&self) -> Option<&'a [u8]> {
        self.args.peek()
    }

    /// Takes the next argument if it is this word. Returns whether it is this word.
    pub fn takes(&mut self, word: &str) -> bool {
        self.args.takes(word)
    }

    /// Takes the value of another word that belongs to this option.
    pub fn next_of(&mut self, word: &'static str) -> Read<&'a [u8]> {
        self.args.next().map_err(|_| Error::MissingValue(word).into())
    }
}

/// An option in a call.
struct Given<'a> {
    option: &'static dyn Declared,
    /// The option's word as the client sent it, and the index of the word.
    said: Argument<'a>,
    word: usize,
    values: &'a [Argument<'a>],
}

impl Given<'_> {
    fn is(&self, option: &dyn Declared) -> bool {
        std::ptr::addr_eq(self.option, option)
    }
}

/// The options of one call. Each option has been read once, so it is valid.
pub struct Options<'a> {
    given: Vec<Given<'a>>,
    /// The arguments before the options, beginning with the key.
    before: &'a [Argument<'a>],
    /// The arguments after the options.
    behind: &'a [Argument<'a>],
}

impl<'a> Options<'a> {
    /// Reads all remaining arguments as options.
    ///
    /// # Errors
    /// The errors of [`Options::read_leading`], [`Error::UnknownOption`] and [`Error::MissingOption`].
    pub fn read(mut args: Args<'a>, accepted: List) -> Read<Self> {
        let options = Self::read_leading(&mut args, accepted)?;
        if let Some(word) = args.peek() {
            return Err(Error::UnknownOption(Quoted::new(word)).into());
        }
        // Lists begin with their required options, so most calls ask one option only.
        let mut required = accepted.iter().take_while(|option| option.is_required());
        match required.find(|option| options.of(**option).next().is_none()) {
            Some(option) => {
                Err(Error::MissingOption(option.words().first().copied().unwrap_or_default()).into())
            }
            None => Ok(options),
        }
    }

    /// Reads options up to the first word that is not an accepted option: a list begins there.
    ///
    /// # Errors
    /// The error of a wrong option, or of options that conflict.
    pub fn read_leading(args: &mut Args<'a>, accepted: List) -> Read<Self> {
        let (before, behind) = (args.taken(), args.rest());
        let mut options = Self { given: Vec::new(), before, behind };
        while let Some((option, word)) = args.peek().and_then(|word| find(word, accepted)) {
            let said = args.argument()?;
            options.agrees(option, word)?;
            let before = args.rest();
            let name = option.words().get(word).copied().unwrap_or_default();
            let taken = pass(option, args, name)?;
            let given = Given { option, said, word, values: before.get(..taken).unwrap_or_default() };
            options.given.push(given);
            options.behind = args.rest();
            option.check(&options)?;
        }
        Ok(options)
    }

    /// Checks that the option may follow the options before it.
    fn agrees(&self, option: &dyn Declared, word: usize) -> Read<()> {
        let Some(first) = self.of(option).next() else { return Ok(()) };
        if let Some((most, error)) = option.repeats() {
            return if self.of(option).count() < most { Ok(()) } else { Err(error.into()) };
        }
        Err(match option.words() {
            [one, other] if first.word != word => Error::Conflict(one, other).into(),
            words => Error::RepeatedOption(words.get(word).copied().unwrap_or_default()).into(),
        })
    }

    fn of(&self, option: &dyn Declared) -> impl DoubleEndedIterator<Item = &Given<'a>> {
        self.given.iter().filter(move |given| given.is(option))
    }

    /// Returns the number of options in the call.
    pub const fn count(&self) -> usize {
        self.given.len()
    }

    /// Returns whether the call contains an option.
    pub fn has<T>(&self, option: &'static Opt<T>) -> bool {
        self.of(option).next().is_some()
    }

    /// Returns the first argument after the option's word.
    pub fn text<T>(&self, option: &'static Opt<T>) -> Option<&'a [u8]> {
        self.of(option).next()?.values.first().map(Argument::bytes)
    }

    /// Returns the arguments after the option's word.
    pub fn values<T>(&self, option: &'static Opt<T>) -> &'a [Argument<'a>] {
        self.of(option).next().map_or(&[], |given| given.values)
    }

    /// Returns the first argument after the option's word, with its place.
    pub fn argument<T>(&self, option: &'static Opt<T>) -> Option<Argument<'a>> {
        self.values(option).first().copied()
    }

    /// Returns the value of an option, if the call contains it.
    pub fn get<T>(&self, option: &'static Opt<T>) -> Option<T> {
        self.all(option).next()
    }

    /// Returns the values of an option that may repeat.
    pub fn all<T>(&self, option: &'static Opt<T>) -> impl DoubleEndedIterator<Item = T> {
        self.of(option).filter_map(|given| {
            let word = option.words.get(given.word)?;
            // The value was read before without an error.
            (option.read)(&mut OptionValue { args: &mut Args::new(given.values), word }).ok()
        })
    }

    /// Returns the arguments of each use of an option that may repeat.
    pub fn words<const N: usize>(&self, option: &'static Opt<()>) -> impl Iterator<Item = [&'a [u8]; N]> {
        self.of(option).filter_map(|given| {
            let values: &'a [Argument<'a>; N] = given.values.try_into().ok()?;
            Some(values.each_ref().map(Argument::bytes))
        })
    }

    /// Returns the words of the options in the call.
    pub fn given_words(&self) -> impl Iterator<Item = &'static str> {
        self.given.iter().filter_map(|given| given.option.words().get(given.word).copied())
    }

    /// Returns the arguments before and after the options.
    pub const fn around(&self) -> (&'a [Argument<'a>], &'a [Argument<'a>]) {
        (self.before, self.behind)
    }

    /// Returns the options for replicas. Equal options have equal words, whatever their order in the call.
    pub fn sent(&self) -> impl Iterator<Item = Word<'a>> {
        let places = if self.given.is_empty() { 0..0 } else { 0..PLACES };
        places
            .flat_map(|place| self.given.iter().filter(move |given| given.option.place() == Some(place)))
            .flat_map(|given| {
                let values = given.values.iter().copied().map(Word::from);
                std::iter::once(given.option.constant(given.word)).chain(values)
            })
    }

    /// Returns whether a replica can get the client's words unchanged: AT is both decided times, and all other options are
    /// sent to replicas.
    pub fn say_all(&self, stamp: Stamp) -> bool {
        let is_sent = |given: &Given| given.option.place().is_some() || given.is(&AT);
        stamp.at == stamp.now && self.get(&AT) == Some(stamp.at) && self.given.iter().all(is_sent)
    }

    /// Returns all arguments unchanged, without the options that are for this server alone.
    pub fn kept(&self) -> impl Iterator<Item = Word<'a>> {
        let given = self.given.iter().filter(|given| !given.option.is_local());
        let given = given.flat_map(|given| std::iter::once(&given.said).chain(given.values).copied());
        let [before, behind] = [self.before, self.behind].map(|words| words.iter().copied());
        before.chain(given).chain(behind).map(Word::from)
    }
}

/// Returns the place of an option's value in a call whose options begin at `from`. If the same word is a part of
/// another option, the word is skipped.
pub fn place_of(word: &str, from: usize, words: &[Argument], accepted: List) -> Option<usize> {
    let mut args = Args::new(words.get(from..)?);
    while let Some((option, at)) = args.peek().and_then(|word| find(word, accepted)) {
        args.next().ok()?;
        let name = option.words().get(at).copied()?;
        if name == word {
            return words.len().checked_sub(args.len()).filter(|place| *place < words.len());
        }
        option.pass(&mut OptionValue { args: &mut args, word: name }).ok()?;
    }
    None
}

/// Reads an option's value, and discards it. Returns how many words it has.
fn pass(option: &dyn Declared, args: &mut Args, name: &'static str) -> Read<usize> {
    let before = args.len();
    let passed = option.pass(&mut OptionValue { args, word: name });
    let taken = before.saturating_sub(args.len());
    match passed {
        Err(Refusal::Invalid(Error::MissingValue(word))) if word == name && taken > 0 => {
            Err(Error::IncompleteOption(name, option.value()).into())
        }
        passed => passed.map(|()| taken),
    }
}

/// Returns whether the next argument is one of these options.
pub fn is_next(args: &Args, accepted: List) -> bool {
    args.peek().is_some_and(|word| find(word, accepted).is_some())
}

/// Returns the option that has this word, and the word's index.
fn find(word: &[u8], accepted: List) -> Option<(&'static dyn Declared, usize)> {
    accepted.iter().find_map(|option| Some((*option, option.word_of(word)?)))
}
