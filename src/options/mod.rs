//! The options of commands. Each one is declared once, as a static [`Opt`]: its words, what follows
//! them, how that is read, and whether replicas are sent it. A row of the table lists the options of
//! its command; from that list follow what is accepted, the syntax in the documentation, and the words
//! of the replication stream.

pub mod boards;
pub mod reading;
pub mod voting;
pub mod writing;

use std::fmt::Write as _;

use arrayvec::ArrayVec;
use leaderboard_core::Error;
use leaderboard_core::error::Quoted;

use crate::argument::Argument;
use crate::arguments::{Args, Read};
use crate::shared::SharedString;

/// Most options of a call: those of the longest row, and its repeated ones as often as they may be.
const MOST: usize = 64;
/// Most words that one option has.
const MOST_WORDS: usize = 2;

/// An option of commands.
pub struct Opt<T> {
    /// The word that it begins with, or the words that exclude each other.
    words: &'static [&'static str],
    /// The syntax of what follows the word; nothing for an option that is only a word.
    value: &'static str,
    /// Reads what follows the word.
    read: fn(&mut Value) -> Read<T>,
    /// Judges it beside the options before it.
    check: fn(&Options) -> Read<()>,
    /// How often it may stand in a call, if more than once.
    repeats: Option<(usize, Error)>,
    hidden: bool,
    /// Whether replicas are sent it, and where among the others.
    sent: Option<u8>,
    shared: [SharedString; MOST_WORDS],
}

/// The places of options in the replication stream, from first to last.
const PLACES: u8 = 5;

impl<T> Opt<T> {
    /// An option of one word, and what follows it.
    pub const fn new(
        words: &'static [&'static str],
        value: &'static str,
        read: fn(&mut Value) -> Read<T>,
    ) -> Self {
        let shared = [const { SharedString::new() }; MOST_WORDS];
        let check = |_: &Options| Ok(());
        Self { words, value, read, check, repeats: None, hidden: false, sent: None, shared }
    }

    /// Judged by `check` once it has been read, with all options so far.
    pub const fn checked(self, check: fn(&Options) -> Read<()>) -> Self {
        Self { check, ..self }
    }

    /// It may stand in a call so often; the error is that of one more, which is not read.
    pub const fn repeated(self, most: usize, error: Error) -> Self {
        Self { repeats: Some((most, error)), ..self }
    }

    /// It is accepted, but not documented.
    pub const fn hidden(self) -> Self {
        Self { hidden: true, ..self }
    }

    /// Replicas are sent it, at this place among the options.
    pub const fn sent(self, place: u8) -> Self {
        assert!(place < PLACES);
        Self { sent: Some(place), ..self }
    }
}

/// An option that is only a word.
pub const fn flag(words: &'static [&'static str]) -> Opt<()> {
    Opt::new(words, "", |_| Ok(()))
}

/// What the machinery needs of an option, whatever its value is.
pub trait Declared: Sync {
    /// Which of its words this is.
    fn word_of(&self, word: &[u8]) -> Option<usize>;
    /// Its words in capitals.
    fn words(&self) -> &'static [&'static str];
    /// How it stands in the syntax of a command; nothing for a hidden one.
    fn syntax(&self) -> Option<String>;
    /// Passes over its value.
    fn pass(&self, value: &mut Value) -> Read<()>;
    /// Judges it beside the options before it.
    fn check(&self, options: &Options) -> Read<()>;
    /// How often it may stand in a call, if more than once, and the error of one more.
    fn repeats(&self) -> Option<(usize, Error)>;
    /// Its place in the replication stream, if replicas are sent it.
    fn place(&self) -> Option<u8>;
    /// One of its words as a string of the server's.
    fn shared(&self, word: usize) -> Argument;
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
        (!self.hidden).then(|| format!("[{}{value}]{repeats}", self.words.join("|")))
    }

    fn pass(&self, value: &mut Value) -> Read<()> {
        (self.read)(value).map(|_| ())
    }

    fn check(&self, options: &Options) -> Read<()> {
        (self.check)(options)
    }

    fn repeats(&self) -> Option<(usize, Error)> {
        self.repeats
    }

    fn place(&self) -> Option<u8> {
        self.sent
    }

    fn shared(&self, word: usize) -> Argument {
        let string = self.shared.get(word).zip(self.words.get(word));
        string.map_or(Argument::NONE, |(shared, text)| shared.get(text))
    }
}

/// The options of a row.
pub type List = &'static [&'static dyn Declared];

/// The syntax of options in a row.
pub fn syntax(options: List) -> String {
    options.iter().filter_map(|option| option.syntax()).fold(String::new(), |mut text, option| {
        let _ = write!(text, " {option}");
        text
    })
}

/// What follows the word of an option.
pub struct Value<'r, 'a> {
    args: &'r mut Args<'a>,
    word: &'static str,
}

impl<'a> Value<'_, 'a> {
    /// The option's word.
    pub const fn word(&self) -> &'static str {
        self.word
    }

    /// The next argument.
    pub fn next(&mut self) -> Read<&'a [u8]> {
        self.args.next().map_err(|_| Error::MissingValue(self.word).into())
    }

    /// Whether the next argument is this word, which is taken then.
    pub fn takes(&mut self, word: &str) -> bool {
        self.args.takes(word)
    }

    /// The value of another word that belongs to this option.
    pub fn next_of(&mut self, word: &'static str) -> Read<&'a [u8]> {
        self.args.next().map_err(|_| Error::MissingValue(word).into())
    }
}

/// An option as it was given.
struct Given<'a> {
    option: &'static dyn Declared,
    /// Which of its words.
    word: usize,
    /// What follows the word.
    values: &'a [Argument],
}

/// The options of one call. Each was read once, so that it is known to be right.
pub struct Options<'a> {
    given: ArrayVec<Given<'a>, MOST>,
    /// The arguments before the options: the key first.
    before: &'a [Argument],
    /// The arguments behind them.
    behind: &'a [Argument],
}

impl<'a> Options<'a> {
    /// Reads all that is left as options.
    ///
    /// # Errors
    /// As [`Options::read_leading`]; [`Error::UnknownOption`].
    pub fn read(mut args: Args<'a>, accepted: List) -> Read<Self> {
        let options = Self::read_leading(&mut args, accepted)?;
        match args.peek() {
            Some(word) => Err(Error::UnknownOption(Quoted::new(word)).into()),
            None => Ok(options),
        }
    }

    /// Reads options up to the first word that is none of the accepted ones: there a list begins.
    ///
    /// # Errors
    /// With what is wrong about an option, or about it beside the others.
    pub fn read_leading(args: &mut Args<'a>, accepted: List) -> Read<Self> {
        let (before, behind) = (args.taken(), args.rest());
        let mut options = Self { given: ArrayVec::new(), before, behind };
        while let Some((option, word)) = args.peek().and_then(|word| find(word, accepted)) {
            args.next()?;
            options.agrees(option, word)?;
            let before = args.rest();
            let name = option.words().get(word).copied().unwrap_or_default();
            option.pass(&mut Value { args, word: name })?;
            let taken = before.len().saturating_sub(args.len());
            let given = Given { option, word, values: before.get(..taken).unwrap_or_default() };
            options.given.try_push(given).map_err(|_| Error::RepeatedOption(name))?;
            options.behind = args.rest();
            option.check(&options)?;
        }
        Ok(options)
    }

    /// Whether an option may stand behind those that are there.
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
        let at = std::ptr::from_ref(option).cast::<()>();
        self.given.iter().filter(move |given| std::ptr::addr_eq(given.option, at))
    }

    /// Whether an option was given.
    pub fn has<T>(&self, option: &'static Opt<T>) -> bool {
        self.of(option).next().is_some()
    }

    /// The first word behind an option's own, as it was given.
    pub fn text<T>(&self, option: &'static Opt<T>) -> Option<&'a [u8]> {
        self.of(option).next()?.values.first().map(Argument::bytes)
    }

    /// The value of an option.
    pub fn get<T>(&self, option: &'static Opt<T>) -> Option<T> {
        self.all(option).next()
    }

    /// The values of an option that repeats.
    pub fn all<T>(&self, option: &'static Opt<T>) -> impl DoubleEndedIterator<Item = T> {
        self.of(option).filter_map(|given| {
            let word = option.words.get(given.word)?;
            // It was read without an error before.
            (option.read)(&mut Value { args: &mut Args::new(given.values), word }).ok()
        })
    }

    /// The words of an option that repeats, as they were given.
    pub fn words<const N: usize>(&self, option: &'static Opt<()>) -> impl Iterator<Item = [&'a [u8]; N]> {
        self.of(option).filter_map(|given| {
            let values: &'a [Argument; N] = given.values.try_into().ok()?;
            Some(values.each_ref().map(Argument::bytes))
        })
    }

    /// The arguments of the call before the options and behind them.
    pub const fn around(&self) -> (&'a [Argument], &'a [Argument]) {
        (self.before, self.behind)
    }

    /// Those that replicas are sent: equal options give equal words, in whatever order they came.
    pub fn sent(&self) -> impl Iterator<Item = Argument> {
        (0..PLACES).flat_map(|place| {
            let here = self.given.iter().filter(move |given| given.option.place() == Some(place));
            here.flat_map(|given| {
                std::iter::once(given.option.shared(given.word)).chain(given.values.iter().copied())
            })
        })
    }
}

/// Whether the next argument is one of these options.
pub fn is_next(args: &Args, accepted: List) -> bool {
    args.peek().is_some_and(|word| find(word, accepted).is_some())
}

/// The option that a word begins, and which of its words it is.
fn find(word: &[u8], accepted: List) -> Option<(&'static dyn Declared, usize)> {
    accepted.iter().find_map(|option| Some((*option, option.word_of(word)?)))
}

/// A name that must be that of a view.
pub fn view_name(name: &[u8]) -> Read<()> {
    leaderboard_core::view::Kind::parse(name).map_err(|_| Error::NoSuchView(Quoted::new(name)))?;
    Ok(())
}
