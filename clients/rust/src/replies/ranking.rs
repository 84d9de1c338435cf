//! The lines of a ranking, and statistics of a whole ranking.

use redis::Value;

use super::reading::{Fields, Items, Parsed, bytes, list, reply, signed, text, unsigned};
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

/// Where a member stood in a period.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PastStanding {
    /// The period's name, such as `2019-W12`.
    pub label: String,
    /// The period's first moment in ms; `None` for `all`.
    pub start: Option<i64>,
    /// The rank, from 1; `None` if the member was not in.
    pub rank: Option<u64>,
    /// The score; `None` if the member was not in.
    pub score: Option<Score>,
    /// The number of members in the period.
    pub members: u64,
}

reply!(PastStanding, |value| {
    let mut items = Items::of(value)?;
    let standing = PastStanding {
        label: items.next(text)?,
        start: items.next_optional(signed)?,
        rank: items.next_optional(unsigned)?,
        score: items.next_optional(score)?,
        members: items.next(unsigned)?,
    };
    items.end().map(|()| standing)
});

/// A member that was found by its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FoundMember {
    /// The name of the member.
    pub member: Name,
    /// The score in the default view; `None` if the member is not in it.
    pub score: Option<Score>,
    /// The rank in the default view, from 1; `None` if the member is not in it.
    pub rank: Option<u64>,
    /// The text of the member, if the request asked for texts and the member has one.
    pub meta: Option<Vec<u8>>,
}

/// A page of members that were found by their names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FoundPage {
    /// The cursor of the next page; 0 after the last page.
    pub cursor: u64,
    /// The members, in no particular order. A page can be empty before the last one.
    pub members: Vec<FoundMember>,
}

fn found(value: Value) -> Parsed<FoundMember> {
    let mut items = Items::of(value)?;
    let found = FoundMember {
        member: items.next(name)?,
        score: items.next_optional(score)?,
        rank: items.next_optional(unsigned)?,
        meta: items.last(bytes)?,
    };
    items.end().map(|()| found)
}

reply!(FoundPage, |value| {
    let mut items = Items::of(value)?;
    let cursor = items.next(unsigned)?;
    let members = items.next(|members| list(members, found))?;
    items.end().map(|()| FoundPage { cursor, members })
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
