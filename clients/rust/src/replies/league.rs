//! The place of a member in a league, and the movement between tiers.

use redis::Value;

use super::reading::{Fields, Items, Parsed, bytes, reply, text, unexpected, unsigned, yes_or_no};
use super::score::score;
use super::{Name, Score};

/// The reply to a join.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Joined {
    /// The tier; `None` for a member that is not in the period. The next three fields are `None` in the same case.
    pub tier: Option<String>,
    /// The group in its tier, from 1.
    pub group: Option<u64>,
    /// The rank in the group.
    pub rank: Option<u64>,
    /// The number of members in the group.
    pub members: Option<u64>,
    /// Whether the member joined with this request.
    pub joined: bool,
    /// Whether the request came too late for this period, so that the member waits for the next one.
    pub waiting: bool,
    /// The outcome of the last period in which the member took part. Only the first join of a period returns it.
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

/// The result of a member in a past period.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LastPeriod {
    /// The label of the period.
    pub period: String,
    /// The member's tier in this period.
    pub tier: String,
    /// The group in its tier, from 1.
    pub group: u64,
    /// The final rank in the group.
    pub rank: u64,
    /// The number of members in the group.
    pub members: u64,
    /// The final score.
    pub score: Score,
    /// The movement of the member between tiers.
    pub outcome: Outcome,
    /// The rank, if this rank gets a reward; otherwise 0.
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
    /// The member moved up one tier.
    Promoted,
    /// The member stayed in its tier.
    Stayed,
    /// The member moved down one tier.
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
    /// The number of members in the group.
    pub members: u64,
    /// The score.
    pub score: Score,
    /// The movement that this rank gives at the end of the period.
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

/// The movement that a rank gives at the end of the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Zone {
    /// The member moves up one tier.
    Promote,
    /// The member stays in its tier.
    Stay,
    /// The member moves down one tier.
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

/// A line of the ranking of a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ZoneRow {
    /// The rank in the group, from 1.
    pub rank: u64,
    /// The member.
    pub member: Name,
    /// The score.
    pub score: Score,
    /// The text of the member, if it has one.
    pub meta: Option<Vec<u8>>,
    /// The movement that this rank gives at the end of the period.
    pub zone: Zone,
}

reply!(ZoneRow, |value| {
    let mut items = Items::of(value)?;
    let row = ZoneRow {
        rank: items.next(unsigned)?,
        member: items.next(|value| bytes(value).map(Name))?,
        score: items.next(score)?,
        meta: items.next_optional(bytes)?,
        zone: items.next(zone)?,
    };
    items.end().map(|()| row)
});
