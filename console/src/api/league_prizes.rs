//! The prizes of a league: the winners of each group, and claims.

use axum::Json;
use axum::extract::State;
use leaderboard_client::leagues::{claim as claim_request, prizes as prizes_request};
use leaderboard_client::{GroupWinner, GroupWinnersPage, Request};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Editing, Key, MemberOf, MemberParams, Params, RequestId, Viewing};
use crate::api::leagues::in_period;
use crate::api::names::Member;
use crate::api::numbers::{digits, whole};
use crate::api::paths::{AtKey, AtMember, WithId};
use crate::api::prizes::{Paid, Prize, page_size};
use crate::app::App;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(winners)).routes(routes!(claim))
}

/// What the places in each group of a tier win.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TierTable {
    /// The tier.
    #[schema(example = "gold")]
    pub tier: String,
    /// The places and their prizes.
    #[schema(example = "1=300,2-3=100")]
    pub places: String,
}

/// The winners that are listed.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GroupsListed {
    /// The position where the page starts: the `next` of the page before.
    #[serde(default, deserialize_with = "whole")]
    cursor: Option<u64>,
    /// The number of winners, 1 to 1,000; 10 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 10, minimum = 1, maximum = 1_000)]
    count: Option<u64>,
    /// The period, such as `-1`; the last period that ended if absent.
    #[serde(default, deserialize_with = "digits")]
    period: Option<String>,
    /// Only the prizes that can still be claimed.
    #[serde(default)]
    unclaimed: bool,
}

impl GroupsListed {
    fn request(&self, key: &str) -> Result<Request<GroupWinnersPage>, Problem> {
        let request = prizes_request(key, self.cursor.unwrap_or(0)).count(page_size(self.count)?);
        let request = if self.unclaimed { request.unclaimed() } else { request };
        Ok(in_period(request, self.period.as_deref()))
    }
}

/// The period whose prize is claimed.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GroupClaimed {
    /// The period, such as `-1`; the last period that ended if absent.
    #[serde(default, deserialize_with = "digits")]
    period: Option<String>,
}

/// A page of the winners of all groups, from the lowest tier on.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupWinners {
    winners: Vec<GroupPrizeRow>,
    /// The `cursor` of the next page; absent on the last page. A page can be short, even empty, before the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl From<GroupWinnersPage> for GroupWinners {
    fn from(page: GroupWinnersPage) -> Self {
        let next = Some(page.cursor).filter(|cursor| *cursor > 0);
        let winners = page.winners.into_iter().map(GroupPrizeRow::from).collect();
        Self { winners, next: next.map(|cursor| cursor.to_string()) }
    }
}

/// A prize and its winner.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupPrizeRow {
    #[schema(example = "gold")]
    tier: String,
    /// The group in its tier, from 1.
    group: u64,
    /// The rank in the group.
    #[schema(example = 1)]
    rank: u64,
    #[serde(flatten)]
    member: Member,
    #[schema(example = "420")]
    score: String,
    #[serde(flatten)]
    prize: Prize,
    /// When the prize was claimed, in ms; absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<i64>,
}

impl From<GroupWinner> for GroupPrizeRow {
    fn from(winner: GroupWinner) -> Self {
        Self {
            tier: winner.tier,
            group: winner.group,
            rank: winner.rank,
            member: winner.member.into(),
            score: winner.score.0,
            prize: winner.prize.into(),
            claimed: winner.claimed,
        }
    }
}

/// The winners of a period, by tier, group and rank.
#[utoipa::path(get, path = "/leagues/{key}/prizes", operation_id = "leaguePrizes", tag = "leagues",
    params(AtKey, GroupsListed),
    responses((status = 200, body = GroupWinners), (status = "default", body = Problem)))]
pub async fn winners(
    State(app): State<App>,
    league: Key<Viewing>,
    Params(listed): Params<GroupsListed>,
) -> Result<Json<GroupWinners>, Problem> {
    Ok(Json(app.link.ask(&listed.request(&league.name)?).await?.into()))
}

/// Claims the prize of a member, once. The first claim of a period in a tier fixes all winners of the tier.
#[utoipa::path(put, path = "/leagues/{key}/claims/{member}", operation_id = "claimInLeague", tag = "leagues",
    params(AtMember, WithId, GroupClaimed),
    responses((status = 200, body = Paid), (status = "default", body = Problem)))]
pub async fn claim(
    State(app): State<App>,
    league: MemberOf<Editing>,
    MemberParams(claimed): MemberParams<GroupClaimed>,
    id: RequestId,
) -> Result<Json<Paid>, Problem> {
    let request = in_period(claim_request(&league.key, &league.member), claimed.period.as_deref());
    let request = if let Some(id) = id.id() { request.id(id) } else { request };
    let claim = app.change(&league.caller, "claim", Some(&league.member), &request).await?;
    claim.map(|claim| Json(claim.into())).ok_or_else(Paid::nothing)
}
