//! The lines of a ranking, and statistics of a whole ranking.

use redis::Value;

use super::reading::{Fields, Items, Parsed, bytes, reply, signed, text, unsigned};
use super::score::score;
use super::{Name, Score};

/// A line of a ranking.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Row {
    /// The rank, from 1.
    pub rank: u64,
    /// The name of the member.
    pub member: Name,
    /// The member's score.
    pub score: Score,
    /// The text of the member, if the request asked for texts and the member has one.
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

/// A line of a ranking among selected members.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AmongRow {
    /// The place among these members, from 1.
    pub place: u64,
    /// The name of the member.
    pub member: Name,
    /// The member's score.
    pub score: Score,
    /// The rank among all members of the board.
    pub rank: u64,
    /// The text of the member, if the request asked for texts and the member has one.
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

/// The rank and the score of one member in a reply for several members.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RankScore {
    /// The rank, from 1.
    pub rank: u64,
    /// The score.
    pub score: Score,
    /// The text of the member, if the request asked for texts and the member has one.
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
    /// The first moment after the period, in ms; `None` for `all`.
    pub end: Option<i64>,
    /// The number of members in the period.
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

/// Statistics of the scores of a whole ranking.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stats {
    /// The number of members in the ranking.
    pub members: u64,
    /// The sum of all scores; `None` if the scores have levels.
    pub sum: Option<Score>,
    /// The mean, with six digits after the decimal point.
    pub mean: Option<String>,
    /// The smallest score.
    pub min: Option<Score>,
    /// The greatest score.
    pub max: Option<Score>,
    /// The median score.
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
    /// The smallest score of the range.
    pub from: Score,
    /// The end of the range. Only the last range includes its end.
    pub to: Score,
    /// The number of members with a score in the range.
    pub members: u64,
}

reply!(Bucket, |value| {
    let mut items = Items::of(value)?;
    let (from, to, members) = (items.next(score)?, items.next(score)?, items.next(unsigned)?);
    items.end().map(|()| Bucket { from, to, members })
});
