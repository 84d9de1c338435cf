//! The options of commands: which there are, and what each one holds.

use std::cmp::Ordering;

use leaderboard_core::board::{Alter, Condition, Declaration, When, apply_carry};
use leaderboard_core::calendar::{Weekday, Zone};
use leaderboard_core::campaign::MAX_WEIGHT;
use leaderboard_core::error::Quoted;
use leaderboard_core::limits::MAX_VALUE;
use leaderboard_core::schema::{Aggregate, Order, Ranks, Schema, Tally, Ties};
use leaderboard_core::time::{Clock, Millis};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Error, MAX_NAME, MAX_REQUEST};

use crate::argument::Argument;
use crate::arguments::{Args, Read, millis, natural, sized, small};
use crate::{views, voting};

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
    /// A period's name.
    Period,
    /// A rolling window: how many periods of a unit.
    Window,
    /// The views of a new board.
    Views,
    /// Views to add to a board and to drop from it.
    Edits,
    /// How many past periods stay readable.
    Retain,
    /// What views carry over.
    Carry,
    /// The time zone.
    Tz,
    /// The day that weeks begin with.
    WeekStart,
    /// What periods of seconds are counted from.
    Origin,
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
    /// Real votes are counted apart from shown ones.
    Shown,
    /// Only declared options can be voted for.
    Declared,
    /// When voting begins.
    Opens,
    /// When it ends.
    Closes,
    /// A limit of votes.
    Limit,
    /// A limit to lift.
    Unlimit,
    /// Who votes.
    By,
    /// Something else about who votes.
    Tag,
    /// Whom it is about.
    Member,
    /// How many shown votes a vote adds.
    Weight,
    /// The shown votes that an option starts with.
    Initial,
    /// Real votes, not those that are shown.
    Real,
}

const WORDS: [(Name, &str); 40] = [
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
    (Name::Period, "PERIOD"),
    (Name::Window, "WINDOW"),
    (Name::Views, "VIEWS"),
    (Name::Edits, "VIEWS"),
    (Name::Retain, "RETAIN"),
    (Name::Carry, "CARRY"),
    (Name::Tz, "TZ"),
    (Name::WeekStart, "WEEKSTART"),
    (Name::Origin, "ORIGIN"),
    (Name::Order, "ORDER"),
    (Name::Aggregate, "AGGREGATE"),
    (Name::Ties, "TIES"),
    (Name::Decimals, "DECIMALS"),
    (Name::Clock, "CLOCK"),
    (Name::Dedup, "DEDUP"),
    (Name::Shown, "SHOWN"),
    (Name::Declared, "DECLARED"),
    (Name::Opens, "OPENS"),
    (Name::Closes, "CLOSES"),
    (Name::Limit, "LIMIT"),
    (Name::Unlimit, "UNLIMIT"),
    (Name::By, "BY"),
    (Name::Tag, "TAG"),
    (Name::Member, "MEMBER"),
    (Name::Weight, "WEIGHT"),
    (Name::Initial, "INITIAL"),
    (Name::Real, "REAL"),
];

impl Name {
    pub fn read(word: &[u8], accepted: &[Self]) -> Option<Self> {
        accepted.iter().copied().find(|name| word.eq_ignore_ascii_case(name.word().as_bytes()))
    }

    /// Whether it may stand in a command more than once.
    pub const fn repeats(self) -> bool {
        matches!(self, Self::Limit | Self::Unlimit | Self::Tag)
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
    pub view: Option<Argument>,
    period: Option<Argument>,
    pub window: Option<Window>,
    /// The rules of a new board.
    pub schema: Schema,
    /// The rules of its views.
    pub views: Option<Vec<Spec>>,
    /// Changes to the rules of a board.
    pub alter: Alter,
    /// Who votes.
    pub by: Option<Argument>,
    /// What else is said about who votes: names and values.
    pub tags: Vec<[Argument; 2]>,
    pub member: Option<Argument>,
    /// What is said about an option of a vote.
    pub declaration: Declaration,
    /// Which count is read.
    pub tally: Tally,
}

/// A rolling window, as it was asked for.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    pub kind: Kind,
    /// The two words that say so.
    pub words: [Argument; 2],
}

impl Options {
    /// Reads the value of an option.
    ///
    /// # Errors
    /// With what is wrong about it, or about it beside the others.
    pub fn take(&mut self, name: Name, args: &mut Args) -> Read<()> {
        match name {
            Name::Id => {
                self.id = args.rest().first().copied();
                sized(args.value(name)?, "ID", MAX_REQUEST)?;
            }
            Name::At => {
                self.at = Some(millis(args.value(name)?, "AT")?);
                self.one_period()?;
            }
            Name::Now => self.now = Some(millis(args.value(name)?, "NOW")?),
            Name::View => {
                self.view = args.rest().first().copied();
                let view = args.value(name)?;
                Kind::parse(view).map_err(|_| Error::NoSuchView(Quoted::new(view)))?;
            }
            Name::Period => {
                self.period = args.rest().first().copied();
                args.value(name)?;
                self.one_period()?;
            }
            Name::Window => self.window = Some(views::window(args)?),
            Name::WithChange => self.with_change = true,
            Name::WithMeta => self.with_meta = true,
            Name::Ranks => self.ranks = Ranks::parse(args.value(name)?)?,
            Name::Offset => self.offset = natural(args.value(name)?, "OFFSET")?,
            Name::Count => self.count = Some(natural(args.value(name)?, "COUNT")?),
            Name::Nx => self.present(false)?,
            Name::Xx => self.present(true)?,
            Name::Gt => self.compared(Ordering::Greater)?,
            Name::Lt => self.compared(Ordering::Less)?,
            Name::Views => self.views = Some(views::list(args.value(name)?)?),
            Name::Edits => self.alter.views = views::edits(args.value(name)?)?,
            Name::Retain => self.alter.retain = Some(views::retain(args.value(name)?)?),
            Name::Carry => self.alter.carry = views::carry(args.value(name)?)?,
            Name::Tz => {
                let zone = args.value(name)?;
                let zone = Zone::parse(zone).ok_or(Error::BadZone(Quoted::new(zone)))?;
                self.schema.calendar.zone = zone;
            }
            Name::WeekStart => {
                let day = Weekday::parse(args.value(name)?);
                let days = "MON, TUE, WED, THU, FRI, SAT, SUN";
                self.schema.calendar.week_start = day.ok_or(Error::NotOneOf("WEEKSTART", days))?;
            }
            Name::Origin => self.schema.calendar.origin = millis(args.value(name)?, "ORIGIN")?,
            Name::Order => self.schema.order = Order::parse(args.value(name)?)?,
            Name::Aggregate => self.schema.aggregate = Aggregate::parse(args.value(name)?)?,
            Name::Ties => self.schema.ties = Ties::parse(args.value(name)?)?,
            Name::Decimals => self.schema.decimals = small(args.value(name)?, "DECIMALS")?,
            Name::Clock => self.schema.clock = Clock::parse(args.value(name)?)?,
            Name::Dedup => {
                let seconds = small(args.value(name)?, "DEDUP")?;
                (self.alter.dedup, self.schema.dedup) = (Some(seconds), seconds);
            }
            Name::Shown => self.schema.shown = true,
            Name::Declared => self.schema.declared = true,
            Name::Opens => self.alter.voting.opens = Some(millis(args.value(name)?, "OPENS")?),
            Name::Closes => self.alter.voting.closes = Some(millis(args.value(name)?, "CLOSES")?),
            Name::Limit => voting::limit(args, &mut self.alter.voting.limits)?,
            Name::Unlimit => voting::unlimit(args, &mut self.alter.voting.lifted)?,
            Name::By => {
                self.by = args.rest().first().copied();
                sized(args.value(name)?, "BY", MAX_VALUE)?;
            }
            Name::Tag => voting::tag(args, &mut self.tags)?,
            Name::Member => {
                self.member = args.rest().first().copied();
                sized(args.value(name)?, "MEMBER", MAX_NAME)?;
            }
            Name::Weight => {
                let weight = natural(args.value(name)?, "WEIGHT")?;
                let weight = u32::try_from(weight).ok().filter(|weight| u64::from(*weight) <= MAX_WEIGHT);
                self.declaration.weight = Some(weight.ok_or(Error::OutOfRange("WEIGHT"))?);
            }
            Name::Initial => self.declaration.initial = Some(natural(args.value(name)?, "INITIAL")?),
            Name::Real => self.tally = Tally::Real,
        }
        Ok(self.schema.check()?)
    }

    fn one_period(&self) -> Read<()> {
        if self.at.is_some() && self.period.is_some() {
            return Err(Error::Conflict("PERIOD", "AT").into());
        }
        Ok(())
    }

    /// The view's name.
    pub fn view_name(&self) -> Option<&[u8]> {
        self.view.as_ref().map(Argument::bytes)
    }

    /// Which period a read is about.
    pub fn when(&self) -> When<'_> {
        match (&self.period, self.at) {
            (Some(period), _) => When::parse(period.bytes()),
            (None, Some(at)) => When::At(at),
            (None, None) => When::Now,
        }
    }

    /// The same, if one is named.
    pub fn named_period(&self) -> Option<When<'_>> {
        (self.period.is_some() || self.at.is_some()).then(|| self.when())
    }

    /// The rules of the views of a new board.
    pub fn specs(&self) -> Read<Vec<Spec>> {
        let mut specs = self.views.clone().unwrap_or_else(|| vec![Spec::new(Kind::All)]);
        if let Some(retain) = &self.alter.retain {
            retain.apply(&mut specs)?;
        }
        apply_carry(&mut specs, &self.alter.carry)?;
        Ok(specs)
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
