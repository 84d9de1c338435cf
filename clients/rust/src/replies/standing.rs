//! The place of a member in a ranking.

use redis::Value;

use super::reading::{Fields, Items, Parsed, bytes, reply, signed, text, unsigned};
use super::score::score;
use super::{Name, Score};

/// The place of a member, its score, and its neighbours in the ranking.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Standing {
    /// The rank, from 1.
    pub rank: u64,
    /// The score.
    pub score: Score,
    /// The number of members in the period.
    pub members: u64,
    /// The share of members at or below this rank in percent, with two digits after the point: the leader has
    /// `100.00`.
    pub percentile: String,
    /// The member above.
    pub ahead: Option<Neighbour>,
    /// The member below.
    pub behind: Option<Neighbour>,
    /// The rank and the score in the previous period.
    pub previous: Option<(u64, Score)>,
    /// The previous rank minus the present rank.
    pub change: Option<i64>,
    /// The moment when the member got this score, in ms; `None` in past periods.
    pub at: Option<i64>,
    /// The text of the member, if the request asked for texts and the member has one.
    pub meta: Option<Vec<u8>>,
}

/// The member above or below, and the distance to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Neighbour {
    /// The name of the member.
    pub member: Name,
    /// The member's score.
    pub score: Score,
    /// The difference between the two scores.
    pub gap: Score,
}

reply!(Standing, |value| {
    let mut fields = Fields::of(value)?;
    Ok(Standing {
        rank: fields.take("rank", unsigned)?,
        score: fields.take("score", score)?,
        members: fields.take("members", unsigned)?,
        percentile: fields.take("percentile", text)?,
        ahead: fields.take_optional("ahead", neighbour)?,
        behind: fields.take_optional("behind", neighbour)?,
        previous: fields.take_optional("previous", previous)?,
        change: fields.take_optional("change", signed)?,
        at: fields.take_optional("at", signed)?,
        meta: fields.take_if_there("meta", bytes)?,
    })
});

fn neighbour(value: Value) -> Parsed<Neighbour> {
    let mut items = Items::of(value)?;
    let (member, score, gap) = (Name(items.next(bytes)?), items.next(score)?, items.next(score)?);
    items.end().map(|()| Neighbour { member, score, gap })
}

fn previous(value: Value) -> Parsed<(u64, Score)> {
    let mut items = Items::of(value)?;
    let previous = (items.next(unsigned)?, items.next(score)?);
    items.end().map(|()| previous)
}
