//! Members: their standings, removing them, and hiding them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use leaderboard_client::{
    Name, Neighbour, Request, Standing, hidden as hidden_request, hide as hide_request, rem,
    standing as standing_request, unhide as unhide_request,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Administering, Editing, Key, MemberOf, MemberParams, Nothing, Params, Viewing};
use crate::api::names::{Member, Meta};
use crate::api::paths::{AtKey, AtMember};
use crate::api::reading::reading;
use crate::app::App;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(standing, remove))
        .routes(routes!(hide, unhide))
        .routes(routes!(hidden))
}

reading! { lines
    /// How the standing of a member is read.
    Stand {
        /// Only the members of the member's own segment in this dimension. Not with `in`.
        #[param(example = "country")]
        pub within: Option<String>,
    }
}

impl Stand {
    /// # Errors
    /// Never fails.
    pub fn request(&self, key: &str, member: &[u8]) -> Result<Request<Option<Standing>>, Problem> {
        let request = standing_request(key, member);
        Ok(self.put(if let Some(within) = &self.within { request.within(within) } else { request }))
    }
}

/// The standing of a member, with its neighbours and its change.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemberStanding {
    #[serde(flatten)]
    member: Member,
    #[schema(example = 2)]
    rank: u64,
    #[schema(example = "480")]
    score: String,
    /// The number of members of the period.
    members: u64,
    /// The share of the members that are ranked at or below this member, in percent; the leader has `100.00`.
    #[schema(example = "91.67")]
    percentile: String,
    /// The member directly above.
    ahead: Option<Beside>,
    /// The member directly below.
    behind: Option<Beside>,
    /// The standing of the member in the period before.
    previous: Option<Previous>,
    /// The previous rank minus the rank.
    change: Option<i64>,
    /// The moment when the member got this score, in ms; null in past periods.
    at: Option<i64>,
    #[serde(flatten)]
    meta: Meta,
}

impl MemberStanding {
    /// The standing of a member.
    pub fn of(member: Vec<u8>, standing: Standing) -> Self {
        Self {
            member: Name(member).into(),
            rank: standing.rank,
            score: standing.score.0,
            members: standing.members,
            percentile: standing.percentile,
            ahead: standing.ahead.map(Beside::from),
            behind: standing.behind.map(Beside::from),
            previous: standing.previous.map(|(rank, score)| Previous { rank, score: score.0 }),
            change: standing.change,
            at: standing.at,
            meta: standing.meta.into(),
        }
    }
}

/// A neighbour.
#[derive(Debug, Serialize, ToSchema)]
pub struct Beside {
    #[serde(flatten)]
    member: Member,
    #[schema(example = "500")]
    score: String,
    /// The difference of the two scores.
    #[schema(example = "20")]
    gap: String,
}

impl From<Neighbour> for Beside {
    fn from(beside: Neighbour) -> Self {
        Self { member: beside.member.into(), score: beside.score.0, gap: beside.gap.0 }
    }
}

/// Rank and score in the period before.
#[derive(Debug, Serialize, ToSchema)]
pub struct Previous {
    rank: u64,
    score: String,
}

/// Members by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemberList {
    members: Vec<Member>,
}

impl From<Vec<Name>> for MemberList {
    fn from(names: Vec<Name>) -> Self {
        Self { members: names.into_iter().map(Member::from).collect() }
    }
}

/// Whether the request changed something.
#[derive(Debug, Serialize, ToSchema)]
pub struct Changed {
    changed: bool,
}

/// The confirmation of a deletion: the name of what is deleted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Confirmation {
    /// The name from the path, repeated.
    #[param(required = true)]
    confirm: Option<String>,
}

impl Confirmation {
    /// # Errors
    /// 422 if the confirmation is not this name.
    pub fn require(&self, name: &str) -> Result<(), Problem> {
        match &self.confirm {
            Some(confirm) if confirm == name => Ok(()),
            _ => Err(Problem::invalid("confirm: repeat the name from the path to delete it")),
        }
    }
}

/// The standing of a member, with its neighbours and its change since the period before.
#[utoipa::path(get, path = "/boards/{key}/members/{member}", operation_id = "standing", tag = "members",
    params(AtMember, Stand),
    responses((status = 200, body = MemberStanding), (status = "default", body = Problem)))]
pub async fn standing(
    State(app): State<App>,
    board: MemberOf<Viewing>,
    MemberParams(stand): MemberParams<Stand>,
) -> Result<Json<MemberStanding>, Problem> {
    match app.link.ask(&stand.request(&board.key, &board.member)?).await? {
        Some(standing) => Ok(Json(MemberStanding::of(board.member, standing))),
        None => Err(unknown()),
    }
}

/// The error 404 for a member that is not in the view and period.
pub fn unknown() -> Problem {
    Problem::not_found("member: not on this board in this view and period")
}

/// Removes a member and all its data.
#[utoipa::path(delete, path = "/boards/{key}/members/{member}", operation_id = "remove", tag = "members",
    params(AtMember, Confirmation),
    responses((status = 204), (status = "default", body = Problem)))]
pub async fn remove(
    State(app): State<App>,
    board: MemberOf<Administering>,
    MemberParams(confirmation): MemberParams<Confirmation>,
) -> Result<StatusCode, Problem> {
    confirmation.require(&board.written)?;
    let request = rem(&board.key, [&board.member]);
    match app.change(&board.caller, "remove", Some(&board.member), &request).await? {
        0 => Err(Problem::not_found("member: not on this board")),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

/// Hides a member from all other members.
#[utoipa::path(post, path = "/boards/{key}/members/{member}/hidden", operation_id = "hide", tag = "members",
    params(AtMember),
    responses((status = 200, body = Changed), (status = "default", body = Problem)))]
pub async fn hide(
    State(app): State<App>,
    board: MemberOf<Editing>,
    _none: MemberParams<Nothing>,
) -> Result<Json<Changed>, Problem> {
    let request = hide_request(&board.key, [&board.member]);
    let hidden = app.change(&board.caller, "hide", Some(&board.member), &request).await?;
    Ok(Json(Changed { changed: hidden > 0 }))
}

/// Shows a hidden member again.
#[utoipa::path(delete, path = "/boards/{key}/members/{member}/hidden", operation_id = "unhide", tag = "members",
    params(AtMember),
    responses((status = 200, body = Changed), (status = "default", body = Problem)))]
pub async fn unhide(
    State(app): State<App>,
    board: MemberOf<Editing>,
    _none: MemberParams<Nothing>,
) -> Result<Json<Changed>, Problem> {
    let request = unhide_request(&board.key, [&board.member]);
    let shown = app.change(&board.caller, "unhide", Some(&board.member), &request).await?;
    Ok(Json(Changed { changed: shown > 0 }))
}

/// The hidden members, in the order of their names.
#[utoipa::path(get, path = "/boards/{key}/hidden", operation_id = "hidden", tag = "members",
    params(AtKey),
    responses((status = 200, body = MemberList), (status = "default", body = Problem)))]
pub async fn hidden(
    State(app): State<App>,
    board: Key<Viewing>,
    _none: Params<Nothing>,
) -> Result<Json<MemberList>, Problem> {
    Ok(Json(app.link.ask(&hidden_request(&board.name)).await?.into()))
}
