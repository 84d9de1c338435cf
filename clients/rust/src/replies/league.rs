//! Where a member of a league is, and where it moves.

use redis::Value;

use super::Score;
use super::reading::{Fields, Parsed, reply, text, unexpected, unsigned, yes_or_no};
use super::score::score;

/// The reply to a join.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Joined {
    /// The tier; `None` for a member that is not in the period, as with the next three.
    pub tier: Option<String>,
    /// The group in its tier, from 1.
    pub group: Option<u64>,
    /// The rank in the group.
    pub rank: Option<u64>,
    /// How many members the group has.
    pub members: Option<u64>,
    /// Whether the member joined with this request.
    pub joined: bool,
    /// Whether the request came too late for this period.
    pub waiting: bool,
    /// The outcome of the last period that the member was in. Only the first join of a period returns it.
    pub last: Option<LastPeriod>,
}

reply!(Joined, |value| {
    let mut fields = Fields::of(value)?;
    Ok(Joined {
        tier: fields.take_optional("tier", text)?,
        group: fields.take_optional("group", unsigned)?,
        rank: fields.take_optional("rank", unsigned)?,
        members: fields.take_optional("members", unsigned)?,
        joined: fields.take("joined", yes_or_no)?,
        waiting: fields.take("waiting", yes_or_no)?,
        last: fields.take_optional("last", last_period)?,
    })
});

/// What came of a period.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LastPeriod {
    /// The label of the period.
    pub period: String,
    /// The tier in it.
    pub tier: String,
    /// The group in its tier, from 1.
    pub group: u64,
    /// The final rank in the group.
    pub rank: u64,
    /// How many members the group had.
    pub members: u64,
    /// The final score.
    pub score: Score,
    /// Where the member moved.
    pub outcome: Outcome,
    /// The rank if it gets a reward, else 0.
    pub reward: u64,
}

fn last_period(value: Value) -> Parsed<LastPeriod> {
    let mut fields = Fields::of(value)?;
    Ok(LastPeriod {
        period: fields.take("period", text)?,
        tier: fields.take("tier", text)?,
        group: fields.take("group", unsigned)?,
        rank: fields.take("rank", unsigned)?,
        members: fields.take("members", unsigned)?,
        score: fields.take("score", score)?,
        outcome: fields.take("outcome", outcome)?,
        reward: fields.take("reward", unsigned)?,
    })
}

/// Where a member moved at the end of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A tier up.
    Promoted,
    /// Nowhere.
    Stayed,
    /// A tier down.
    Demoted,
}

fn outcome(value: Value) -> Parsed<Outcome> {
    match text(value)?.as_str() {
        "promoted" => Ok(Outcome::Promoted),
        "stayed" => Ok(Outcome::Stayed),
        "demoted" => Ok(Outcome::Demoted),
        other => unexpected("an outcome", &Value::SimpleString(other.to_owned())),
    }
}

/// The standing of a member in a league.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LeagueStanding {
    /// The tier.
    pub tier: String,
    /// The group in its tier, from 1.
    pub group: u64,
    /// The rank in the group.
    pub rank: u64,
    /// How many members the group has.
    pub members: u64,
    /// The score.
    pub score: Score,
    /// Where this rank moves.
    pub zone: Zone,
}

reply!(LeagueStanding, |value| {
    let mut fields = Fields::of(value)?;
    Ok(LeagueStanding {
        tier: fields.take("tier", text)?,
        group: fields.take("group", unsigned)?,
        rank: fields.take("rank", unsigned)?,
        members: fields.take("members", unsigned)?,
        score: fields.take("score", score)?,
        zone: fields.take("zone", zone)?,
    })
});

/// What the end of the period means for a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Zone {
    /// A tier up.
    Promote,
    /// Nowhere.
    Stay,
    /// A tier down.
    Demote,
}

fn zone(value: Value) -> Parsed<Zone> {
    match text(value)?.as_str() {
        "promote" => Ok(Zone::Promote),
        "stay" => Ok(Zone::Stay),
        "demote" => Ok(Zone::Demote),
        other => unexpected("a zone", &Value::SimpleString(other.to_owned())),
    }
}
