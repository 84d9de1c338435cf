//! Reading a command's arguments: fixed ones in turn, then options in any order, then perhaps a list.
//! Every rule about options stands here once: case, repetition, missing values, unknown words.

use std::cmp::Ordering;

use leaderboard_core::Error;
use leaderboard_core::board::{Condition, MAX_META};
use leaderboard_core::error::Quoted;
use leaderboard_core::members::MAX_NAME;
use leaderboard_core::requests::MAX_REQUEST;
use leaderboard_core::schema::{Aggregate, Order, Ranks, Schema, Ties};
use leaderboard_core::score::{Bound, Decimal};
use leaderboard_core::time::{Clock, MAX_MILLIS, Millis};

use crate::argument::Argument;
use crate::refusal::Refusal;

/// The arguments of a command that are still to be read.
#[derive(Clone)]
pub struct Args<'a> {
    left: std::slice::Iter<'a, Argument>,
}

type Read<T> = Result<T, Refusal>;

impl<'a> Args<'a> {
    /// Begins with these.
    pub fn new(argv: &'a [Argument]) -> Self {
        Self { left: argv.iter() }
    }

    /// How many there still are.
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// The next argument as it came.
    pub fn next(&mut self) -> Read<&'a [u8]> {
        self.left.next().map(Argument::bytes).ok_or(Refusal::Arity)
    }

    fn peek(&self) -> Option<&'a [u8]> {
        self.left.as_slice().first().map(Argument::bytes)
    }

    /// The next argument as the server's string: the key.
    pub fn key(&mut self) -> Read<Argument> {
        self.left.next().copied().ok_or(Refusal::Arity)
    }

    /// What has not been read, as the server's strings.
    pub fn rest(&self) -> &'a [Argument] {
        self.left.as_slice()
    }

    /// A member's name.
    pub fn member(&mut self) -> Read<&'a [u8]> {
        sized(self.next()?, "member", MAX_NAME)
    }

    /// A text beside a member, which may be empty.
    pub fn meta(&mut self) -> Read<&'a [u8]> {
        let meta = self.next()?;
        if meta.len() > MAX_META { Err(Error::TooLong("meta", MAX_META).into()) } else { Ok(meta) }
    }

    /// A decimal number.
    pub fn decimal(&mut self, name: &'static str) -> Read<Decimal> {
        Ok(Decimal::parse(self.next()?, name)?)
    }

    /// One end of a range of scores.
    pub fn bound(&mut self, name: &'static str) -> Read<Bound> {
        Ok(Bound::parse(self.next()?, name)?)
    }

    /// A rank, from either end.
    pub fn rank(&mut self, name: &'static str) -> Read<i64> {
        match integer(self.next()?, name)? {
            0 => Err(Error::ZeroRank(name).into()),
            rank => Ok(rank),
        }
    }

    /// A whole number from 0.
    pub fn count(&mut self, name: &'static str) -> Read<u64> {
        natural(self.next()?, name)
    }

    /// Nothing may be left.
    pub fn finish(&self) -> Read<()> {
        if self.len() == 0 { Ok(()) } else { Err(Refusal::Arity) }
    }

    /// Whether the next argument is one of these options.
    pub fn begins_with(&self, accepted: &[Name]) -> bool {
        self.peek().is_some_and(|word| Name::read(word, accepted).is_some())
    }

    /// All that is left, as options.
    pub fn options(mut self, accepted: &[Name]) -> Read<Options> {
        let options = self.leading_options(accepted)?;
        match self.peek() {
            Some(word) => Err(Error::UnknownOption(Quoted::new(word)).into()),
            None => Ok(options),
        }
    }

    /// The options before a list, which begins with the first word that is none of them.
    pub fn leading_options(&mut self, accepted: &[Name]) -> Read<Options> {
        let mut options = Options::default();
        let mut seen = 0_u32;
        while let Some(name) = self.peek().and_then(|word| Name::read(word, accepted)) {
            self.next()?;
            let bit = 1_u32 << name as u32;
            if seen & bit != 0 {
                return Err(Error::RepeatedOption(name.word()).into());
            }
            seen |= bit;
            options.take(name, self)?;
        }
        Ok(options)
    }

    fn value(&mut self, name: Name) -> Read<&'a [u8]> {
        self.next().map_err(|_| Error::MissingValue(name.word()).into())
    }
}

fn sized<'a>(bytes: &'a [u8], name: &'static str, max: usize) -> Read<&'a [u8]> {
    if bytes.is_empty() || bytes.len() > max { Err(Error::Length(name, max).into()) } else { Ok(bytes) }
}

/// Whole numbers are read as scores are: digits, perhaps a minus, nothing else.
fn integer(text: &[u8], name: &'static str) -> Read<i64> {
    let whole = |_| Error::NotAnInteger(name);
    match Decimal::parse(text, name) {
        Err(Error::OutOfRange(_)) => Err(Error::OutOfRange(name).into()),
        number => Ok(number.map_err(whole)?.to_score(0, name).map_err(whole)?.units()),
    }
}

fn natural(text: &[u8], name: &'static str) -> Read<u64> {
    u64::try_from(integer(text, name)?).map_err(|_| Error::OutOfRange(name).into())
}

fn millis(text: &[u8], name: &'static str) -> Read<Millis> {
    let at = natural(text, name)?;
    if at > MAX_MILLIS { Err(Error::OutOfRange(name).into()) } else { Ok(at) }
}

/// Every option that a command can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// A request id.
    Id,
    /// An event's moment.
    At,
    /// The board's now of a write that was decided before.
    Now,
    /// Which view.
    View,
    /// Reply with the position before, too.
    WithChange,
    /// Reply with texts, too.
    WithMeta,
    /// How ranks are counted.
    Ranks,
    /// How many lines to leave out.
    Offset,
    /// How many lines at the most.
    Count,
    /// Only new members.
    Nx,
    /// Only members with a score.
    Xx,
    /// Only a greater score.
    Gt,
    /// Only a lesser score.
    Lt,
    /// The views of a new board.
    Views,
    /// Which end is the top.
    Order,
    /// What writes do.
    Aggregate,
    /// Who is higher among equals.
    Ties,
    /// Digits after the point.
    Decimals,
    /// What drives the clock.
    Clock,
    /// How long request ids are remembered.
    Dedup,
}

const WORDS: [(Name, &str); 20] = [
    (Name::Id, "ID"),
    (Name::At, "AT"),
    (Name::Now, "NOW"),
    (Name::View, "VIEW"),
    (Name::WithChange, "WITHCHANGE"),
    (Name::WithMeta, "WITHMETA"),
    (Name::Ranks, "RANKS"),
    (Name::Offset, "OFFSET"),
    (Name::Count, "COUNT"),
    (Name::Nx, "NX"),
    (Name::Xx, "XX"),
    (Name::Gt, "GT"),
    (Name::Lt, "LT"),
    (Name::Views, "VIEWS"),
    (Name::Order, "ORDER"),
    (Name::Aggregate, "AGGREGATE"),
    (Name::Ties, "TIES"),
    (Name::Decimals, "DECIMALS"),
    (Name::Clock, "CLOCK"),
    (Name::Dedup, "DEDUP"),
];

impl Name {
    fn read(word: &[u8], accepted: &[Self]) -> Option<Self> {
        accepted.iter().copied().find(|name| word.eq_ignore_ascii_case(name.word().as_bytes()))
    }

    /// The option's word.
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(name, _)| *name == self).map_or("", |(_, word)| word)
    }
}

/// The options of one command, as far as they were given.
#[derive(Debug, Default)]
pub struct Options {
    pub id: Option<Argument>,
    pub at: Option<Millis>,
    pub now: Option<Millis>,
    pub with_change: bool,
    pub with_meta: bool,
    pub ranks: Ranks,
    pub offset: u64,
    pub count: Option<u64>,
    pub condition: Condition,
    /// The rules of a new board.
    pub schema: Schema,
    pub dedup: Option<u32>,
}

impl Options {
    fn take(&mut self, name: Name, args: &mut Args) -> Read<()> {
        match name {
            Name::Id => {
                self.id = args.rest().first().copied();
                sized(args.value(name)?, "ID", MAX_REQUEST)?;
            }
            Name::At => self.at = Some(millis(args.value(name)?, "AT")?),
            Name::Now => self.now = Some(millis(args.value(name)?, "NOW")?),
            Name::View => only_all(args.value(name)?).map_err(Error::NoSuchView)?,
            Name::WithChange => self.with_change = true,
            Name::WithMeta => self.with_meta = true,
            Name::Ranks => self.ranks = Ranks::parse(args.value(name)?)?,
            Name::Offset => self.offset = natural(args.value(name)?, "OFFSET")?,
            Name::Count => self.count = Some(natural(args.value(name)?, "COUNT")?),
            Name::Nx => self.present(false)?,
            Name::Xx => self.present(true)?,
            Name::Gt => self.compared(Ordering::Greater)?,
            Name::Lt => self.compared(Ordering::Less)?,
            Name::Views => only_all(args.value(name)?).map_err(|_| Error::NotOneOf("VIEWS", "all"))?,
            Name::Order => self.schema.order = Order::parse(args.value(name)?)?,
            Name::Aggregate => self.schema.aggregate = Aggregate::parse(args.value(name)?)?,
            Name::Ties => self.schema.ties = Ties::parse(args.value(name)?)?,
            Name::Decimals => self.schema.decimals = small(args.value(name)?, "DECIMALS")?,
            Name::Clock => self.schema.clock = Clock::parse(args.value(name)?)?,
            Name::Dedup => {
                let seconds = small(args.value(name)?, "DEDUP")?;
                (self.dedup, self.schema.dedup) = (Some(seconds), seconds);
            }
        }
        Ok(self.schema.check()?)
    }

    fn present(&mut self, wanted: bool) -> Read<()> {
        if self.condition.present.replace(wanted).is_some() {
            return Err(Error::Conflict("NX", "XX").into());
        }
        self.agree()
    }

    fn compared(&mut self, wanted: Ordering) -> Read<()> {
        if self.condition.compared.replace(wanted).is_some() {
            return Err(Error::Conflict("GT", "LT").into());
        }
        self.agree()
    }

    /// A member without a score has none to compare with.
    fn agree(&self) -> Read<()> {
        match (self.condition.present, self.condition.compared) {
            (Some(false), Some(Ordering::Greater)) => Err(Error::Conflict("NX", "GT").into()),
            (Some(false), Some(_)) => Err(Error::Conflict("NX", "LT").into()),
            _ => Ok(()),
        }
    }
}

/// The one view that there is so far.
fn only_all(name: &[u8]) -> Result<(), Quoted> {
    if name.eq_ignore_ascii_case(b"all") { Ok(()) } else { Err(Quoted::new(name)) }
}

fn small<T: TryFrom<u64>>(text: &[u8], name: &'static str) -> Read<T> {
    T::try_from(natural(text, name)?).map_err(|_| Error::OutOfRange(name).into())
}
