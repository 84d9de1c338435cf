//! The rules of a league: its tiers, how many members move up and down, and how long a period is.

use std::fmt::{self, Display};

use super::prizes::PrizeChanges;
use crate::Error;
use crate::calendar::{Calendar, Unit};
use crate::error::Quoted;
use crate::integer::small;
use crate::notation::Notation;
use crate::schema::{MAX_DEDUP_SECONDS, Schema};
use crate::score::{Decimal, MAX_DECIMALS, Score};
use crate::share::Share;
use crate::time::{Clock, MAX_MILLIS};
use crate::view::MAX_RETAIN;
use crate::words::words;

/// The maximum number of tiers of a league.
pub const MAX_TIERS: usize = 64;
/// The maximum length of the name of a tier, in bytes.
pub const MAX_TIER_NAME: usize = 64;
/// The maximum number of members of a group.
pub const MAX_GROUP: u32 = 1_000_000;
/// The default for the number of members of a group.
const DEFAULT_GROUP: u32 = 100;
/// The maximum number of digits after the point of a share in percent.
const PERCENT_DECIMALS: u8 = 2;
/// The whole (a share of 1), in hundredths of a percent.
const WHOLE: u64 = 10_000;

/// How many members of a group move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TierAmount {
    /// This number, at most [`MAX_GROUP`].
    Count(u32),
    /// A share in hundredths of a percent, at most 10,000.
    Share(u32),
}

impl TierAmount {
    /// No member moves.
    pub const NONE: Self = Self::Count(0);

    /// Reads `10` or `20%`. `name` is the name of the argument in errors.
    ///
    /// # Errors
    /// The errors of a whole or a decimal number, and [`Error::OutOfRange`].
    pub fn parse(text: &[u8], name: &'static str) -> Result<Self, Error> {
        let Some(percent) = text.strip_suffix(b"%") else {
            let count = small(text, name)?;
            return if count > MAX_GROUP { Err(Error::OutOfRange(name)) } else { Ok(Self::Count(count)) };
        };
        let share = match Decimal::parse(percent, name)?.to_score(PERCENT_DECIMALS, name) {
            Err(Error::TooManyDigits(argument, most)) => return Err(Error::TooFine(argument, most)),
            share => u32::try_from(share?.units()).ok().map(Self::Share),
        };
        share.filter(|share| share.is_possible()).ok_or(Error::OutOfRange(name))
    }

    /// Returns how many members of a group move, if the group has `members` members. Shares are rounded down.
    #[must_use]
    pub fn of(self, members: u64) -> u64 {
        match self {
            Self::Count(count) => u64::from(count),
            Self::Share(share) => members.saturating_mul(u64::from(share)) / WHOLE,
        }
    }

    /// Returns whether no member moves, however large a group is.
    #[must_use]
    pub const fn is_none(self) -> bool {
        matches!(self, Self::Count(0) | Self::Share(0))
    }

    pub(super) const fn is_possible(self) -> bool {
        match self {
            Self::Count(count) => count <= MAX_GROUP,
            Self::Share(share) => share as u64 <= WHOLE,
        }
    }
}

impl Display for TierAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Share(share) => {
                let share = Score::from_units(i64::from(*share)).unwrap_or_default();
                write!(f, "{}%", share.display(PERCENT_DECIMALS))
            }
        }
    }
}

/// One tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tier {
    /// The tier's name: 1 to 64 bytes without spaces, control characters and commas.
    pub name: Box<[u8]>,
    /// How many members at the top of each group move up.
    pub promote: TierAmount,
    /// How many members at the end of each group move down.
    pub demote: TierAmount,
}

impl Tier {
    /// Returns the tiers with these names.
    ///
    /// # Errors
    /// [`Error::AmountsForTiers`] if there are more or fewer amounts than names.
    pub fn all(names: &[&[u8]], promote: &[TierAmount], demote: &[TierAmount]) -> Result<Vec<Self>, Error> {
        for (option, amounts) in [("PROMOTE", promote), ("DEMOTE", demote)] {
            if amounts.len() != names.len() {
                return Err(Error::AmountsForTiers(option, names.len()));
            }
        }
        let amounts = promote.iter().zip(demote);
        let tier = |(name, (promote, demote)): (&&[u8], (&TierAmount, &TierAmount))| Self {
            name: (*name).into(),
            promote: *promote,
            demote: *demote,
        };
        Ok(names.iter().zip(amounts).map(tier).collect())
    }
}

/// The order of members of a group that have equal scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LeagueTies {
    /// The member that got the score first is ranked higher. Among scores of 0, the member that joined first is.
    #[default]
    Scored,
    /// The member that joined the group first is ranked higher.
    Joined,
}
words!(LeagueTies, "TIES", "SCORED, JOINED", Scored = "SCORED", Joined = "JOINED");

/// The rules of a league. Tiers, unit, ties, calendar, decimals and clock cannot be changed later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The tiers, 1 to 64, lowest first.
    pub tiers: Vec<Tier>,
    /// The unit of periods.
    pub unit: Unit,
    /// The order of members with equal scores.
    pub ties: LeagueTies,
    /// How many members a new group can have, 1 to 1,000,000.
    pub group: u32,
    /// How many ranks of each group are rewarded, 0 to 1,000,000.
    pub reward: u32,
    /// The time zone, the first day of the week and the origin that determine the periods.
    pub calendar: Calendar,
    /// The number of digits after the point of scores, 0 to 9.
    pub decimals: u8,
    /// The clock that gives the time of writes.
    pub clock: Clock,
    /// The minimum number of seconds for which a request id is remembered; 0 means that ids are not remembered.
    pub dedup: u32,
    /// How many past periods stay readable, 0 to 10,000.
    pub retain: u32,
    /// How many tiers a member loses for each whole period without joining, 0 to 64.
    pub idle: u32,
    /// The share of a period, from its start, in which members can join it.
    pub join_until: Share,
}

impl Rules {
    /// Returns the notation of scores.
    #[must_use]
    pub const fn notation(&self) -> Notation {
        Notation::Decimals(self.decimals)
    }

    /// Returns the rules of a league with these tiers and this unit, and with the defaults for all other rules.
    #[must_use]
    pub fn new(tiers: Vec<Tier>, unit: Unit) -> Self {
        let Schema { calendar, decimals, clock, dedup, .. } = Schema::default();
        Self {
            tiers,
            unit,
            ties: LeagueTies::default(),
            group: DEFAULT_GROUP,
            reward: 0,
            calendar,
            decimals,
            clock,
            dedup,
            retain: 1,
            idle: 0,
            join_until: Share::ALL,
        }
    }

    /// Checks rules that the types of the fields do not check.
    ///
    /// # Errors
    /// The errors name the wrong option.
    pub fn check(&self) -> Result<(), Error> {
        self.check_tiers()?;
        let most = MAX_TIERS as u32;
        let ranges = [
            ("GROUP", self.group, 1..=MAX_GROUP),
            ("REWARD", self.reward, 0..=MAX_GROUP),
            ("DECIMALS", u32::from(self.decimals), 0..=u32::from(MAX_DECIMALS)),
            ("DEDUP", self.dedup, 0..=MAX_DEDUP_SECONDS),
            ("RETAIN", self.retain, 0..=MAX_RETAIN),
            ("IDLE", self.idle, 0..=most),
        ];
        for (option, number, range) in ranges {
            if !range.contains(&number) {
                return Err(Error::OutOfRange(option));
            }
        }
        if self.calendar.origin > MAX_MILLIS {
            return Err(Error::OutOfRange("ORIGIN"));
        }
        Ok(())
    }

    fn check_tiers(&self) -> Result<(), Error> {
        if self.tiers.len() > MAX_TIERS {
            return Err(Error::TooMany("TIERS", MAX_TIERS, "tiers"));
        }
        let (Some(lowest), Some(top)) = (self.tiers.first(), self.tiers.last()) else {
            return Err(Error::IncompleteList("tiers"));
        };
        let mut seen: Vec<&[u8]> = Vec::with_capacity(self.tiers.len());
        for tier in &self.tiers {
            let name = &*tier.name;
            if !is_tier_name(name) {
                return Err(Error::BadTierName(Quoted::new(name)));
            }
            if seen.contains(&name) {
                return Err(Error::RepeatedTier(Quoted::new(name)));
            }
            seen.push(name);
            for (option, amount) in [("PROMOTE", tier.promote), ("DEMOTE", tier.demote)] {
                if !amount.is_possible() {
                    return Err(Error::OutOfRange(option));
                }
            }
        }
        if !top.promote.is_none() {
            return Err(Error::NoTierBeyond("PROMOTE", Quoted::new(&top.name)));
        }
        if !lowest.demote.is_none() {
            return Err(Error::NoTierBeyond("DEMOTE", Quoted::new(&lowest.name)));
        }
        Ok(())
    }

    /// Returns the number of a tier, by its name. The lowest tier is 0.
    ///
    /// # Errors
    /// [`Error::NoSuchTier`].
    pub fn tier(&self, name: &[u8]) -> Result<usize, Error> {
        self.tiers.iter().position(|tier| *tier.name == *name).ok_or(Error::NoSuchTier(Quoted::new(name)))
    }

    /// Returns the name of a tier.
    #[must_use]
    pub fn name(&self, tier: usize) -> &[u8] {
        self.tiers.get(tier).map_or(&[], |tier| &tier.name)
    }

    /// Returns the first moment at which members can no longer join a period.
    pub(super) fn deadline(&self, period: crate::calendar::Period) -> i64 {
        period.start.saturating_add(self.join_until.of(period.end.saturating_sub(period.start)))
    }
}

fn is_tier_name(name: &[u8]) -> bool {
    (1..=MAX_TIER_NAME).contains(&name.len())
        && name.iter().all(|byte| !byte.is_ascii_control() && !matches!(byte, b' ' | b','))
}

/// Changes to a league's rules. A rule without a change stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alter {
    /// How many members move up, for each tier.
    pub promote: Option<Vec<TierAmount>>,
    /// How many members move down, for each tier.
    pub demote: Option<Vec<TierAmount>>,
    /// How many members a new group can have.
    pub group: Option<u32>,
    /// How many ranks of each group are rewarded.
    pub reward: Option<u32>,
    /// For how many seconds a request id is remembered.
    pub dedup: Option<u32>,
    /// How many past periods stay readable.
    pub retain: Option<u32>,
    /// How many tiers a member loses for each whole period without joining.
    pub idle: Option<u32>,
    /// The share of a period in which members can join it.
    pub join_until: Option<Share>,
    /// The prizes of the periods that end from now on.
    pub prizes: PrizeChanges,
}

impl Alter {
    /// Returns the given rules with these changes applied.
    ///
    /// # Errors
    /// The errors of [`Rules::check`] and [`Tier::all`].
    pub(super) fn applied_to(&self, rules: &Rules) -> Result<Rules, Error> {
        let names: Vec<&[u8]> = rules.tiers.iter().map(|tier| &*tier.name).collect();
        let amounts = |altered: &Option<Vec<TierAmount>>, present: fn(&Tier) -> TierAmount| {
            altered.clone().unwrap_or_else(|| rules.tiers.iter().map(present).collect())
        };
        let promote = amounts(&self.promote, |tier| tier.promote);
        let demote = amounts(&self.demote, |tier| tier.demote);
        let altered = Rules {
            tiers: Tier::all(&names, &promote, &demote)?,
            group: self.group.unwrap_or(rules.group),
            reward: self.reward.unwrap_or(rules.reward),
            dedup: self.dedup.unwrap_or(rules.dedup),
            retain: self.retain.unwrap_or(rules.retain),
            idle: self.idle.unwrap_or(rules.idle),
            join_until: self.join_until.unwrap_or(rules.join_until),
            ..rules.clone()
        };
        altered.check()?;
        Ok(altered)
    }
}
