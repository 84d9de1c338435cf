//! The replies to requests about leagues.

use leaderboard_client::{Joined, LastPeriod, LeagueStanding, Name, Outcome, Zone};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::names::Member;
use crate::api::rankings::{Line, Rows};

/// A key that was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct MadeKey {
    #[schema(example = "course")]
    pub key: String,
}

/// The place of a member in the current period.
#[derive(Debug, Serialize, ToSchema)]
pub struct JoinedLeague {
    /// The tier. Null if the member is not in the period; the next three fields are then null, too.
    #[schema(example = "bronze")]
    tier: Option<String>,
    /// The number of the group in its tier, from 1.
    #[schema(example = 1)]
    group: Option<u64>,
    /// The rank in the group.
    rank: Option<u64>,
    /// The number of members in the group.
    members: Option<u64>,
    /// Whether the member joined with this request; false if it was already in the period.
    joined: bool,
    /// Whether the request came too late for this period.
    waiting: bool,
    /// The result of the last period that the member was in. Present only in the reply to its first join of a period.
    last: Option<Last>,
}

impl From<Joined> for JoinedLeague {
    fn from(joined: Joined) -> Self {
        Self {
            tier: joined.tier,
            group: joined.group,
            rank: joined.rank,
            members: joined.members,
            joined: joined.joined,
            waiting: joined.waiting,
            last: joined.last.map(Last::from),
        }
    }
}

/// The result of a member in a past period.
#[derive(Debug, Serialize, ToSchema)]
pub struct Last {
    #[schema(example = "2026-W12")]
    period: String,
    tier: String,
    group: u64,
    rank: u64,
    members: u64,
    #[schema(example = "140")]
    score: String,
    /// `promoted`, `stayed` or `demoted`.
    #[schema(example = "promoted")]
    outcome: &'static str,
    /// The rank if this rank gets a reward, else 0.
    reward: u64,
}

impl From<LastPeriod> for Last {
    fn from(last: LastPeriod) -> Self {
        Self {
            period: last.period,
            tier: last.tier,
            group: last.group,
            rank: last.rank,
            members: last.members,
            score: last.score.0,
            outcome: match last.outcome {
                Outcome::Promoted => "promoted",
                Outcome::Stayed => "stayed",
                Outcome::Demoted => "demoted",
            },
            reward: last.reward,
        }
    }
}

/// The standing of a member of a league.
#[derive(Debug, Serialize, ToSchema)]
pub struct InLeague {
    #[serde(flatten)]
    member: Member,
    #[schema(example = "bronze")]
    tier: String,
    /// The number of the group in its tier, from 1.
    #[schema(example = 1)]
    group: u64,
    /// The rank in the group.
    rank: u64,
    /// The number of members in the group.
    members: u64,
    #[schema(example = "15")]
    score: String,
    /// What happens to this rank at the end of the period: `promote`, `stay` or `demote`.
    #[schema(example = "promote")]
    zone: &'static str,
    /// The lines of the group of the member, if the request asked for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    group_rows: Option<Vec<Line>>,
}

impl InLeague {
    /// The standing of a member, with its group if the request asked for it.
    pub fn of(member: Vec<u8>, standing: LeagueStanding, group: Option<Rows>) -> Self {
        Self {
            member: Name(member).into(),
            tier: standing.tier,
            group: standing.group,
            rank: standing.rank,
            members: standing.members,
            score: standing.score.0,
            zone: match standing.zone {
                Zone::Promote => "promote",
                Zone::Stay => "stay",
                Zone::Demote => "demote",
            },
            group_rows: group.map(|rows| rows.rows),
        }
    }
}
