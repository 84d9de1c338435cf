//! Reads the fixed arguments and the lists of a command; [`crate::options`] reads its options.

use leaderboard_core::amount::{Amount, Bound};
use leaderboard_core::board::MAX_META;
use leaderboard_core::counter::parse_precision;
use leaderboard_core::error::Quoted;
use leaderboard_core::integer::{integer, natural};
use leaderboard_core::score::Decimal;
use leaderboard_core::time::{MAX_MILLIS, Millis};
use leaderboard_core::view::Kind;
use leaderboard_core::{Error, MAX_NAME};

use crate::argument::Argument;
use crate::refusal::Refusal;

/// The arguments of a command that are not yet read.
#[derive(Clone)]
pub struct Args<'a> {
    all: &'a [Argument<'a>],
    left: std::slice::Iter<'a, Argument<'a>>,
}

pub type Read<T> = Result<T, Refusal>;

impl<'a> Args<'a> {
    pub fn new(argv: &'a [Argument<'a>]) -> Self {
        Self { all: argv, left: argv.iter() }
    }

    /// Returns how many arguments have not been read yet.
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// Takes the next argument.
    pub fn next(&mut self) -> Read<&'a [u8]> {
        self.left.next().map(Argument::bytes).ok_or(Refusal::Arity)
    }

    /// Returns the next argument, without taking it.
    pub fn peek(&self) -> Option<&'a [u8]> {
        self.left.as_slice().first().map(Argument::bytes)
    }

    /// Takes the next argument, which is the key. Returns it with its place.
    pub fn key(&mut self) -> Read<Argument<'a>> {
        self.argument()
    }

    /// Takes the next argument. Returns it with its place.
    pub fn argument(&mut self) -> Read<Argument<'a>> {
        self.left.next().copied().ok_or(Refusal::Arity)
    }

    /// Returns the arguments that have been read so far, unchanged.
    pub fn taken(&self) -> &'a [Argument<'a>] {
        let taken = self.all.len().saturating_sub(self.len());
        self.all.get(..taken).unwrap_or_default()
    }

    /// Returns the arguments that have not been read yet, unchanged.
    pub fn rest(&self) -> &'a [Argument<'a>] {
        self.left.as_slice()
    }

    pub fn member(&mut self) -> Read<&'a [u8]> {
        sized(self.next()?, "member", MAX_NAME)
    }

    /// Takes the meta of a member, which may be empty.
    pub fn meta(&mut self) -> Read<&'a [u8]> {
        meta(self.next()?)
    }

    pub fn decimal(&mut self, name: &'static str) -> Read<Decimal> {
        Ok(Decimal::parse(self.next()?, name)?)
    }

    /// Takes points or a score of a board: a decimal, or the values of all levels.
    pub fn amount(&mut self, name: &'static str) -> Read<Amount<'a>> {
        Ok(Amount::parse(self.next()?, name)?)
    }

    pub fn view(&mut self) -> Read<&'a [u8]> {
        let view = self.next()?;
        Kind::parse(view).map_err(|_| Error::NoSuchView("VIEW", Quoted::new(view)))?;
        Ok(view)
    }

    /// Takes one end of a range of scores.
    pub fn bound(&mut self, name: &'static str) -> Read<Bound<'a>> {
        Ok(Bound::parse(self.next()?, name)?)
    }

    /// Takes a rank, counted from the top (1, 2, ...) or from the end (-1, -2, ...).
    pub fn rank(&mut self, name: &'static str) -> Read<i64> {
        match integer(self.next()?, name)? {
            0 => Err(Error::ZeroRank(name).into()),
            rank => Ok(rank),
        }
    }

    /// Takes a whole number, at least 0.
    pub fn count(&mut self, name: &'static str) -> Read<u64> {
        Ok(natural(self.next()?, name)?)
    }

    /// Takes a number of votes, at least 1.
    pub fn votes(&mut self) -> Read<u64> {
        match natural(self.next()?, "votes")? {
            0 => Err(Error::OutOfRange("votes").into()),
            votes => Ok(votes),
        }
    }

    /// Takes a precision of a counter, in seconds.
    pub fn precision(&mut self) -> Read<u32> {
        Ok(parse_precision(self.next()?)?)
    }

    /// Takes this word, a number of keys, and then this number of keys.
    pub fn keys_behind(&mut self, word: &'static str) -> Read<&'a [Argument<'a>]> {
        match self.peek() {
            None => Err(Error::MissingOption(word).into()),
            Some(_) if self.takes(word) => self.counted_keys(word),
            Some(other) => Err(Error::UnknownOption(Quoted::new(other)).into()),
        }
    }

    /// Takes a number of keys, at least 1, and then this number of keys.
    pub fn counted_keys(&mut self, name: &'static str) -> Read<&'a [Argument<'a>]> {
        let count = usize::try_from(self.count(name)?).unwrap_or(usize::MAX);
        if count == 0 {
            return Err(Error::OutOfRange(name).into());
        }
        let (keys, rest) = self.rest().split_at_checked(count).ok_or(Error::IncompleteList("keys"))?;
        self.left = rest.iter();
        Ok(keys)
    }

    /// Fails if some arguments have not been read.
    pub fn finish(&self) -> Read<()> {
        if self.len() == 0 { Ok(()) } else { Err(Refusal::Arity) }
    }

    /// Takes the next argument if it is this word. Returns whether it is this word.
    pub fn takes(&mut self, word: &str) -> bool {
        let is_next = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word.as_bytes()));
        is_next && self.left.next().is_some()
    }

    /// Takes all remaining arguments as pairs of a number and a member: at least one pair. Errors use `list` as the
    /// name of the pairs.
    pub fn pairs(mut self, number: &'static str, list: &'static str) -> Read<Vec<(Amount<'a>, &'a [u8])>> {
        let mut pairs = Vec::with_capacity(self.len() / 2);
        while self.len() > 0 || pairs.is_empty() {
            let incomplete = |refusal| match refusal {
                Refusal::Arity => Error::IncompleteList(list).into(),
                other => other,
            };
            let value = self.amount(number).map_err(incomplete)?;
            pairs.push((value, self.member().map_err(incomplete)?));
        }
        Ok(pairs)
    }

    /// Takes all remaining arguments as members: at least one member.
    pub fn members(mut self) -> Read<Vec<&'a [u8]>> {
        let mut members = Vec::with_capacity(self.len());
        while self.len() > 0 || members.is_empty() {
            members.push(self.member()?);
        }
        Ok(members)
    }
}

/// Reads a time in milliseconds.
pub fn millis(text: &[u8], name: &'static str) -> Read<Millis> {
    let at = natural(text, name)?;
    if at > MAX_MILLIS { Err(Error::OutOfRange(name).into()) } else { Ok(at) }
}

/// Reads the meta of a member, which may be empty.
pub fn meta(bytes: &[u8]) -> Read<&[u8]> {
    if bytes.len() > MAX_META { Err(Error::TooLong("meta", MAX_META).into()) } else { Ok(bytes) }
}

/// Reads a text of 1 to `max` bytes.
pub fn sized<'a>(bytes: &'a [u8], name: &'static str, max: usize) -> Read<&'a [u8]> {
    if bytes.is_empty() || bytes.len() > max { Err(Error::Length(name, max).into()) } else { Ok(bytes) }
}
