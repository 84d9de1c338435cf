//! Lines of a ranking, and what is told about a ranking as a whole.

use redis::Value;

use super::reading::{Fields, Items, Parsed, bytes, reply, signed, text, unsigned};
use super::score::score;
use super::{Name, Score};

/// A line of a ranking.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Row {
    /// From 1.
    pub rank: u64,
    /// Who it is.
    pub member: Name,
    /// The member's score.
    pub score: Score,
    /// The text beside the member, if the request asked for texts and the member has one.
    pub meta: Option<Vec<u8>>,
}

fn name(value: Value) -> Parsed<Name> {
    bytes(value).map(Name)
}

reply!(Row, |value| {
    let mut items = Items::of(value)?;
    let row = Row {
        rank: items.next(unsigned)?,
        member: items.next(name)?,
        score: items.next(score)?,
        meta: items.last(bytes)?,
    };
    items.end().map(|()| row)
});

/// A line of the ranking among some members.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AmongRow {
    /// The place among these members, from 1.
    pub place: u64,
    /// Who it is.
    pub member: Name,
    /// The member's score.
    pub score: Score,
    /// The rank among all.
    pub rank: u64,
    /// The text beside the member, if the request asked for texts and the member has one.
    pub meta: Option<Vec<u8>>,
}

reply!(AmongRow, |value| {
    let mut items = Items::of(value)?;
    let row = AmongRow {
        place: items.next(unsigned)?,
        member: items.next(name)?,
        score: items.next(score)?,
        rank: items.next(unsigned)?,
        meta: items.last(bytes)?,
    };
    items.end().map(|()| row)
});

/// The rank and the score of one of several members.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RankScore {
    /// From 1.
    pub rank: u64,
    /// The score.
    pub score: Score,
    /// The text beside the member, if the request asked for texts and the member has one.
    pub meta: Option<Vec<u8>>,
}

reply!(RankScore, |value| {
    let mut items = Items::of(value)?;
    let (rank, score, meta) = (items.next(unsigned)?, items.next(score)?, items.last(bytes)?);
    items.end().map(|()| RankScore { rank, score, meta })
});

/// A period of a view.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Period {
    /// The period's name, such as `2019-W12`.
    pub label: String,
    /// The period's first moment in ms; `None` for `all`.
    pub start: Option<i64>,
    /// The first moment behind it; `None` for `all`.
    pub end: Option<i64>,
    /// How many members it has.
    pub members: u64,
}

reply!(Period, |value| {
    let mut items = Items::of(value)?;
    let period = Period {
        label: items.next(text)?,
        start: items.next_optional(signed)?,
        end: items.next_optional(signed)?,
        members: items.next(unsigned)?,
    };
    items.end().map(|()| period)
});

/// The scores of a ranking as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stats {
    /// How many members it has.
    pub members: u64,
    /// All scores together; `None` where scores have levels.
    pub sum: Option<Score>,
    /// The mean, with six digits behind the point.
    pub mean: Option<String>,
    /// The least score.
    pub min: Option<Score>,
    /// The greatest score.
    pub max: Option<Score>,
    /// The score in the middle.
    pub median: Option<Score>,
}

reply!(Stats, |value| {
    let mut fields = Fields::of(value)?;
    Ok(Stats {
        members: fields.take("members", unsigned)?,
        sum: fields.take_optional("sum", score)?,
        mean: fields.take_optional("mean", text)?,
        min: fields.take_optional("min", score)?,
        max: fields.take_optional("max", score)?,
        median: fields.take_optional("median", score)?,
    })
});

/// A range of scores.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bucket {
    /// The least score in it.
    pub from: Score,
    /// The end of the range. Only the last range includes its end.
    pub to: Score,
    /// How many members have a score in it.
    pub members: u64,
}

reply!(Bucket, |value| {
    let mut items = Items::of(value)?;
    let (from, to, members) = (items.next(score)?, items.next(score)?, items.next(unsigned)?);
    items.end().map(|()| Bucket { from, to, members })
});
