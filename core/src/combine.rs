//! Combines several rankings to one ranking: the result of `LB.UNION` and `LB.INTER`.
//!
//! A member's score is the sum, the minimum or the maximum of its scores in the sources, each multiplied by the
//! weight of its source. Its moment is the latest of its moments in the sources. Members with equal scores and
//! moments are in the order of the sources that their moments come from.

use std::cmp::Ordering;

use crate::Error;
use crate::board::{Board, NewRow};
use crate::error::Quoted;
use crate::schema::{Aggregate, Schema, Ties};
use crate::score::{MAX_DECIMALS, Score};
use crate::secret::HashMap;
use crate::time::Millis;

/// The unit of weights: a weight of 1 is this number.
const ONE: i128 = 10_i128.pow(MAX_DECIMALS as u32);

/// The bytes that a member takes in addition to its name until the result is stored: in this map, which exists
/// twice while it grows; in a sorted list; on the board; and in the chunks that are sent to replicas.
const MEMBER: usize = 400;
/// How many copies of a member's name exist at the same time.
const NAMES: usize = 4;

/// A factor with up to nine digits after the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight(Score);

impl Weight {
    /// Returns a factor in billionths.
    #[must_use]
    pub const fn of_billionths(billionths: Score) -> Self {
        Self(billionths)
    }

    /// Returns a number of units multiplied by the weight, rounded down.
    fn of(self, units: i128) -> i128 {
        units.saturating_mul(i128::from(self.0.units())).div_euclid(ONE)
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self(Score::from_units(ONE as i64).unwrap_or_default())
    }
}

/// How the scores of a member are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// The scores are added.
    #[default]
    Sum,
    /// The minimum of the scores is used.
    Min,
    /// The maximum of the scores is used.
    Max,
}

impl Combine {
    /// Reads `SUM`, `MIN` or `MAX`, in upper or lower case.
    ///
    /// # Errors
    /// [`Error::NotOneOf`].
    pub fn parse(word: &[u8]) -> Result<Self, Error> {
        let words = [("SUM", Self::Sum), ("MIN", Self::Min), ("MAX", Self::Max)];
        let found = words.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name.as_bytes()));
        found.map(|(_, combine)| combine).ok_or(Error::NotOneOf("AGGREGATE", "SUM, MIN, MAX"))
    }
}

/// A member of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// The member.
    pub name: &'a [u8],
    /// The member's score in this source.
    pub score: Score,
    /// How many digits after the point the score has.
    pub decimals: u8,
    /// When the member got this score, if the moment is known.
    pub moment: Option<Millis>,
}

/// The source of a member's moment. Of two origins, the greater one is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Origin {
    moment: Option<Millis>,
    source: u32,
    place: u32,
}

/// A member of the result.
#[derive(Debug, Clone, Copy)]
struct MemberSum {
    units: i128,
    origin: Origin,
    /// How many sources contain the member.
    sources: u32,
}

/// The members of several sources, combined. The sources are added one after another, each with its best members
/// first. Only the combined result is kept.
#[derive(Debug)]
pub struct Combination {
    decimals: u8,
    combine: Combine,
    members: HashMap<Box<[u8]>, MemberSum>,
    /// How many sources were begun, and the weight of the last one.
    sources: u32,
    weight: Weight,
    /// How many members of the last source were added.
    places: u32,
    /// The number of bytes of the names of all members.
    names: usize,
}

impl Combination {
    /// Returns an empty combination. The result keeps `decimals` digits after the point.
    #[must_use]
    pub fn new(decimals: u8, combine: Combine) -> Self {
        let weight = Weight::default();
        Self { decimals, combine, members: HashMap::default(), sources: 0, weight, places: 0, names: 0 }
    }

    /// Begins the next source. Its scores are multiplied by the weight.
    pub const fn begin(&mut self, weight: Weight) {
        (self.sources, self.weight, self.places) = (self.sources.saturating_add(1), weight, 0);
    }

    /// Adds the next member of the source.
    ///
    /// # Errors
    /// [`Error::TooManyDigitsOf`] for a score that the result cannot keep.
    pub fn add(&mut self, part: &Part) -> Result<(), Error> {
        let units = self.weight.of(self.units_of(part)?);
        let origin = Origin { moment: part.moment, source: self.sources, place: self.places };
        self.places = self.places.saturating_add(1);
        let new = MemberSum { units, origin, sources: 1 };
        match self.members.get_mut(part.name) {
            Some(sum) => sum.join(self.combine, &new),
            None => {
                self.names = self.names.saturating_add(part.name.len());
                self.members.insert(part.name.into(), new);
            }
        }
        Ok(())
    }

    /// Returns about how many bytes are needed, at most, to make a board from this combination, including the
    /// combination itself.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.members.len().saturating_mul(MEMBER).saturating_add(self.names.saturating_mul(NAMES))
    }

    /// Returns a score in units of the result.
    fn units_of(&self, part: &Part) -> Result<i128, Error> {
        let scale = |more: u8| 10_i128.saturating_pow(u32::from(more));
        let units = i128::from(part.score.units());
        if part.decimals <= self.decimals {
            return Ok(units.saturating_mul(scale(self.decimals.saturating_sub(part.decimals))));
        }
        let scale = scale(part.decimals.saturating_sub(self.decimals));
        match units.checked_rem(scale) {
            Some(0) => Ok(units.checked_div(scale).unwrap_or(0)),
            _ => Err(Error::TooManyDigitsOf(Quoted::new(part.name), self.decimals)),
        }
    }

    /// Returns a board with these rules. It contains the members of all sources or, if `of_all` is true, only the
    /// members that are in every source. Members without a moment get the moment `now`, or the latest moment of all
    /// members if that is later. `None` if the board would have no member.
    ///
    /// # Errors
    /// [`Error::Overflow`]; [`Error::Full`].
    pub fn into_board(self, schema: Schema, now: Millis, of_all: bool) -> Result<Option<Board>, Error> {
        let schema = Schema { decimals: self.decimals, aggregate: Aggregate::Sum, ..schema };
        let latest = self.members.values().filter_map(|sum| sum.origin.moment).max();
        let now = latest.map_or(now, |latest| latest.max(now));
        let is_in = |sum: &MemberSum| !of_all || sum.sources == self.sources;
        let rows = self.members.iter().filter(|(_, sum)| is_in(sum)).map(|(name, sum)| {
            let score = i64::try_from(sum.units).ok().and_then(Score::from_units).ok_or(Error::Overflow)?;
            Ok((NewRow { name, score, moment: sum.origin.moment.unwrap_or(now) }, sum.origin))
        });
        let mut rows: Vec<_> = rows.collect::<Result<_, Error>>()?;
        if rows.is_empty() {
            return Ok(None);
        }
        rows.sort_unstable_by(|a, b| order(&schema, a, b));
        Board::of_rows(schema, now, rows.iter().map(|(row, _)| *row)).map(Some)
    }
}

impl MemberSum {
    fn join(&mut self, combine: Combine, other: &Self) {
        self.units = match combine {
            Combine::Sum => self.units.saturating_add(other.units),
            Combine::Min => self.units.min(other.units),
            Combine::Max => self.units.max(other.units),
        };
        self.origin = self.origin.max(other.origin);
        self.sources = self.sources.saturating_add(1);
    }
}

/// Returns the order of two members: `Less` if the first member comes first.
fn order(schema: &Schema, (a, first): &(NewRow, Origin), (b, second): &(NewRow, Origin)) -> Ordering {
    let by_score = schema.rank_key(a.score).cmp(&schema.rank_key(b.score));
    by_score.then_with(|| match schema.ties {
        Ties::Lex => a.name.cmp(b.name),
        Ties::RevLex => b.name.cmp(a.name),
        Ties::First => {
            a.moment.cmp(&b.moment).then((first.source, first.place).cmp(&(second.source, second.place)))
        }
        Ties::Last => {
            b.moment.cmp(&a.moment).then((first.source, first.place).cmp(&(second.source, second.place)))
        }
    })
}
