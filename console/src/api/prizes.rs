//! The prizes of ended periods: the winners, and claims.

use axum::Json;
use axum::extract::State;
use leaderboard_client::{
    Claim, Name, Request, Winner, WinnersPage, claim as claim_request, prizes as prizes_request,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Editing, Key, MemberOf, MemberParams, Params, RequestId, Viewing};
use crate::api::names::{Member, text_or_base64};
use crate::api::numbers::whole;
use crate::api::paths::{AtKey, AtMember, WithId};
use crate::api::rankings::bounded;
use crate::api::reading::reading;
use crate::api::segments::Segment;
use crate::app::App;
use crate::problem::Problem;

/// The number of winners if no count is given.
const SOME: u64 = 10;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(winners)).routes(routes!(claim))
}

/// What the places of a view's periods win.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The view.
    #[schema(example = "week")]
    pub view: String,
    /// The places and their prizes. An empty text ends the prizes of the view.
    #[schema(example = "1=gold,2-10=silver,1-25%=badge")]
    pub places: String,
    /// The places are those in each segment of this dimension.
    #[schema(example = "country")]
    pub per: Option<String>,
}

impl Table {
    /// Puts the table into a request that makes or alters a board.
    pub fn put<R>(&self, request: Request<R>) -> Request<R> {
        match &self.per {
            Some(per) => request.prizes_per(&self.view, &self.places, per),
            None => request.prizes(&self.view, &self.places),
        }
    }
}

/// The number of winners on a page.
///
/// # Errors
/// 422 for a page of no winners, or of too many.
pub fn page_size(count: Option<u64>) -> Result<u64, Problem> {
    match count {
        Some(0) => Err(Problem::invalid("count: at least 1")),
        count => bounded("count", count.unwrap_or(SOME)),
    }
}

reading! { period
/// The winners that are listed. The default is the last period that ended.
Listed {
    /// The position where the page starts: the `next` of the page before.
    #[serde(default, deserialize_with = "whole")]
    pub cursor: Option<u64>,
    /// The number of winners, 1 to 1,000; 10 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 10, minimum = 1, maximum = 1_000)]
    #[schema(minimum = 1, maximum = 1_000)]
    pub count: Option<u64>,
    /// The prizes of the places in each segment of this dimension.
    pub per: Option<String>,
    /// Only the prizes that can still be claimed.
    #[serde(default)]
    pub unclaimed: bool,
} }

impl Listed {
    /// # Errors
    /// 422 for a page of no winners, or of too many.
    pub fn request(&self, key: &str) -> Result<Request<WinnersPage>, Problem> {
        let request = prizes_request(key, self.cursor.unwrap_or(0)).count(page_size(self.count)?);
        let request = if let Some(per) = &self.per { request.per(per) } else { request };
        let request = if self.unclaimed { request.unclaimed() } else { request };
        Ok(self.period().put(request))
    }
}

reading! { period
/// The period whose prize is claimed: the last one that ended, if no period is named.
Claimed {
    /// The prizes of the places in each segment of this dimension.
    pub per: Option<String>,
} }

/// A page of winners.
#[derive(Debug, Serialize, ToSchema)]
pub struct Winners {
    winners: Vec<PrizeRow>,
    /// The `cursor` of the next page; absent on the last page. A page can be short, even empty, before the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl From<WinnersPage> for Winners {
    fn from(page: WinnersPage) -> Self {
        let next = Some(page.cursor).filter(|cursor| *cursor > 0);
        let winners = page.winners.into_iter().map(PrizeRow::from).collect();
        Self { winners, next: next.map(|cursor| cursor.to_string()) }
    }
}

/// A prize and its winner.
#[derive(Debug, Serialize, ToSchema)]
pub struct PrizeRow {
    /// The rank: in the segment, for prizes of segments.
    #[schema(example = 1)]
    rank: u64,
    #[serde(flatten)]
    member: Member,
    #[schema(example = "1200")]
    score: String,
    #[serde(flatten)]
    prize: Prize,
    /// When the prize was claimed, in ms; absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<i64>,
    #[serde(flatten)]
    segment: Option<Segment>,
}

impl From<Winner> for PrizeRow {
    fn from(winner: Winner) -> Self {
        Self {
            rank: winner.rank,
            member: winner.member.into(),
            score: winner.score.0,
            prize: winner.prize.into(),
            claimed: winner.claimed,
            segment: winner.value.map(Segment::from),
        }
    }
}

/// A prize.
#[derive(Debug, Serialize, ToSchema)]
pub struct Prize {
    /// The prize.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "gold")]
    prize: Option<String>,
    /// The prize in Base64, if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    prize_b64: Option<String>,
}

impl From<Name> for Prize {
    fn from(name: Name) -> Self {
        let (prize, prize_b64) = text_or_base64(name.0);
        Self { prize, prize_b64 }
    }
}

/// The answer to a claim.
#[derive(Debug, Serialize, ToSchema)]
pub struct Paid {
    #[serde(flatten)]
    prize: Prize,
    #[schema(example = 1)]
    rank: u64,
    /// True for the first claim of the prize, and for its repetitions with the same request id: pay then. False if it was
    /// claimed before.
    first: bool,
    #[serde(flatten)]
    segment: Option<Segment>,
}

impl Paid {
    /// The answer to a claim without a prize.
    pub fn nothing() -> Problem {
        Problem::not_found("prize: the member has none in this period, or the period is running")
    }
}

impl From<Claim> for Paid {
    fn from(claim: Claim) -> Self {
        Self {
            prize: claim.prize.into(),
            rank: claim.rank,
            first: claim.is_first,
            segment: claim.value.map(Segment::from),
        }
    }
}

/// The winners of a period, by rank.
#[utoipa::path(get, path = "/boards/{key}/prizes", operation_id = "prizes", tag = "prizes",
    params(AtKey, Listed),
    responses((status = 200, body = Winners), (status = "default", body = Problem)))]
pub async fn winners(
    State(app): State<App>,
    key: Key<Viewing>,
    Params(listed): Params<Listed>,
) -> Result<Json<Winners>, Problem> {
    Ok(Json(app.link.ask(&listed.request(&key.name)?).await?.into()))
}

/// Claims the prize of a member, once. The first claim of a period fixes all its winners.
#[utoipa::path(put, path = "/boards/{key}/claims/{member}", operation_id = "claim", tag = "prizes",
    params(AtMember, WithId, Claimed),
    responses((status = 200, body = Paid), (status = "default", body = Problem)))]
pub async fn claim(
    State(app): State<App>,
    board: MemberOf<Editing>,
    MemberParams(claimed): MemberParams<Claimed>,
    id: RequestId,
) -> Result<Json<Paid>, Problem> {
    let request = claim_request(&board.key, &board.member);
    let request = if let Some(id) = id.id() { request.id(id) } else { request };
    let request = if let Some(per) = &claimed.per { request.per(per) } else { request };
    let request = claimed.period().put(request);
    let claim = app.change(&board.caller, "claim", Some(&board.member), &request).await?;
    claim.map(|claim| Json(claim.into())).ok_or_else(Paid::nothing)
}
