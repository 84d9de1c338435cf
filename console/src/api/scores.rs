//! Writing scores and the texts of members.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use leaderboard_client::{Applied, Request, add as add_request, getmeta, set as set_request, setmeta};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Body, Editing, MemberOf, MemberParams, Nothing, RequestId, Viewing};
use crate::api::names::{Meta, either, one};
use crate::api::numbers::{score, whole};
use crate::api::paths::{AtMember, WithId};
use crate::api::segments::placed;
use crate::app::App;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(add, set)).routes(routes!(meta, set_meta))
}

/// Points for a member.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"points": 10, "meta": "Ember", "segments": {"country": "SE"}}))]
#[serde(deny_unknown_fields)]
pub struct Add {
    /// The points, such as `5`, `-2.5`, or levels.
    #[serde(deserialize_with = "score")]
    #[schema(schema_with = crate::api::words::digits)]
    pub points: String,
    /// The moment of the points, in ms; now if absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub at: Option<i64>,
    /// The view that the reply is about; the default view if absent.
    pub view: Option<String>,
    /// The text that the member has from now on. An empty text deletes the old text.
    pub meta: Option<String>,
    /// The text `meta` in Base64.
    pub meta_b64: Option<String>,
    /// The segment of the member in each of these dimensions from now on. An empty one takes the member out of its segment.
    #[serde(default)]
    #[schema(example = json!({"country": "SE"}))]
    pub segments: BTreeMap<String, String>,
    /// Segments in Base64.
    #[serde(default)]
    pub segments_b64: BTreeMap<String, String>,
    /// Pass all rules of the board: a correction by the organiser.
    #[serde(default)]
    pub force: bool,
}

impl Add {
    /// # Errors
    /// 422 for a text that is given twice, and for a segment that is not Base64.
    pub fn request(&self, key: &str, member: &[u8], id: Option<&[u8]>) -> Result<Request<Applied>, Problem> {
        let meta = either("meta", self.meta.as_deref(), self.meta_b64.as_deref())?;
        let request = add_request(key, &self.points, member);
        let request = if self.force { request.force() } else { request };
        let segments = placed(&self.segments, &self.segments_b64)?;
        let request = segments.iter().fold(request, |request, (name, value)| request.segment(name, value));
        Ok(put(request, self.at, self.view.as_deref(), meta.as_deref(), id))
    }
}

/// The score that a member gets.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"score": 1200, "gt": true, "meta": "Ember"}))]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// The score.
    #[serde(deserialize_with = "score")]
    #[schema(schema_with = crate::api::words::digits)]
    pub score: String,
    /// Only if the member has no score.
    #[serde(default)]
    pub nx: bool,
    /// Only if the member has a score.
    #[serde(default)]
    pub xx: bool,
    /// Only if the new score is greater.
    #[serde(default)]
    pub gt: bool,
    /// Only if the new score is smaller.
    #[serde(default)]
    pub lt: bool,
    /// The moment of the score, in ms; now if absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    pub at: Option<i64>,
    /// The view that the score and the reply are about; the default view if absent.
    pub view: Option<String>,
    /// The text that the member has from now on. An empty text deletes the old text.
    pub meta: Option<String>,
    /// The text `meta` in Base64.
    pub meta_b64: Option<String>,
    /// The segment of the member in each of these dimensions from now on. An empty one takes the member out of its segment.
    #[serde(default)]
    #[schema(example = json!({"country": "SE"}))]
    pub segments: BTreeMap<String, String>,
    /// Segments in Base64.
    #[serde(default)]
    pub segments_b64: BTreeMap<String, String>,
    /// Pass all rules of the board: a correction by the organiser.
    #[serde(default)]
    pub force: bool,
}

impl Set {
    /// # Errors
    /// 422 for a text that is given twice, and for a segment that is not Base64.
    pub fn request(&self, key: &str, member: &[u8], id: Option<&[u8]>) -> Result<Request<Applied>, Problem> {
        let meta = either("meta", self.meta.as_deref(), self.meta_b64.as_deref())?;
        let flags =
            [(self.nx, "NX"), (self.xx, "XX"), (self.gt, "GT"), (self.lt, "LT"), (self.force, "FORCE")];
        let request = set_request(key, &self.score, member);
        let request =
            flags.into_iter().filter(|(given, _)| *given).fold(request, |r, (_, word)| r.flag(word));
        let segments = placed(&self.segments, &self.segments_b64)?;
        let request = segments.iter().fold(request, |request, (name, value)| request.segment(name, value));
        Ok(put(request, self.at, self.view.as_deref(), meta.as_deref(), id))
    }
}

fn put<R>(
    mut request: Request<R>,
    at: Option<i64>,
    view: Option<&str>,
    meta: Option<&[u8]>,
    id: Option<&[u8]>,
) -> Request<R> {
    if let Some(at) = at {
        request = request.at(at);
    }
    if let Some(view) = view {
        request = request.view(view);
    }
    if let Some(meta) = meta {
        request = request.meta(meta);
    }
    if let Some(id) = id { request.id(id) } else { request }
}

/// The result of a write.
#[derive(Debug, Serialize, ToSchema)]
pub struct Position {
    /// The score after the write; null if the member has no score.
    #[schema(example = "5")]
    score: Option<String>,
    /// The rank after the write.
    #[schema(example = 1)]
    rank: Option<u64>,
    /// Whether this request was applied; false for a repeated request, and for a request whose condition is not met.
    applied: bool,
}

impl From<Applied> for Position {
    fn from(applied: Applied) -> Self {
        Self { score: applied.score.map(|score| score.0), rank: applied.rank, applied: applied.applied }
    }
}

/// The text of a member.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"meta": "Ember"}))]
#[serde(deny_unknown_fields)]
pub struct SetMeta {
    /// The text; an empty one deletes it.
    #[schema(example = "Ember")]
    pub meta: Option<String>,
    /// The text `meta` in Base64.
    pub meta_b64: Option<String>,
}

impl SetMeta {
    /// # Errors
    /// 422 if no text is given, or two texts are given.
    pub fn request(&self, key: &str, member: &[u8]) -> Result<Request<()>, Problem> {
        Ok(setmeta(key, member, one("meta", self.meta.as_deref(), self.meta_b64.as_deref())?))
    }
}

/// Adds points to a member.
#[utoipa::path(post, path = "/boards/{key}/members/{member}/score", operation_id = "add", tag = "members",
    params(AtMember, WithId),
    request_body = Add,
    responses((status = 200, body = Position), (status = "default", body = Problem)))]
pub async fn add(
    State(app): State<App>,
    board: MemberOf<Editing>,
    _none: MemberParams<Nothing>,
    id: RequestId,
    Body(add): Body<Add>,
) -> Result<Json<Position>, Problem> {
    let request = add.request(&board.key, &board.member, id.id())?;
    let applied = app.link.ask(&request).await;
    app.note_refusal(&board.key, &board.member, applied.as_ref().err());
    if applied.is_ok() {
        app.gains.note(&board.key, &board.member, &add.points);
    }
    Ok(Json(applied?.into()))
}

/// Sets the score of a member.
#[utoipa::path(put, path = "/boards/{key}/members/{member}/score", operation_id = "set", tag = "members",
    params(AtMember, WithId),
    request_body = Set,
    responses((status = 200, body = Position), (status = "default", body = Problem)))]
pub async fn set(
    State(app): State<App>,
    board: MemberOf<Editing>,
    _none: MemberParams<Nothing>,
    id: RequestId,
    Body(set): Body<Set>,
) -> Result<Json<Position>, Problem> {
    let request = set.request(&board.key, &board.member, id.id())?;
    Ok(Json(app.change(&board.caller, "set", Some(&board.member), &request).await?.into()))
}

/// The text of a member.
#[utoipa::path(get, path = "/boards/{key}/members/{member}/meta", operation_id = "meta", tag = "members",
    params(AtMember),
    responses((status = 200, body = Meta), (status = "default", body = Problem)))]
pub async fn meta(
    State(app): State<App>,
    board: MemberOf<Viewing>,
    _none: MemberParams<Nothing>,
) -> Result<Json<Meta>, Problem> {
    match app.link.ask(&getmeta(&board.key, &board.member)).await? {
        None => Err(Problem::not_found("member: there is no text beside it")),
        text => Ok(Json(text.into())),
    }
}

/// Sets the text of a member.
#[utoipa::path(put, path = "/boards/{key}/members/{member}/meta", operation_id = "setMeta", tag = "members",
    params(AtMember),
    request_body = SetMeta,
    responses((status = 204), (status = "default", body = Problem)))]
pub async fn set_meta(
    State(app): State<App>,
    board: MemberOf<Editing>,
    _none: MemberParams<Nothing>,
    Body(meta): Body<SetMeta>,
) -> Result<StatusCode, Problem> {
    let request = meta.request(&board.key, &board.member)?;
    app.change(&board.caller, "meta", Some(&board.member), &request).await?;
    Ok(StatusCode::NO_CONTENT)
}
