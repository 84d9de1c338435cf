//! Who takes part in a board with `declared`: members join it and leave it.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use leaderboard_client::{Request, join as join_request, leave as leave_request};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Body, Editing, MemberOf, MemberParams, Nothing, RequestId};
use crate::api::names::either;
use crate::api::paths::{AtMember, WithId};
use crate::api::segments::placed;
use crate::app::App;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(join, leave))
}

/// What a member that joins gets.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[schema(example = json!({"meta": "Ann", "segments": {"country": "SE"}}))]
#[serde(deny_unknown_fields)]
pub struct Join {
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
}

impl Join {
    /// # Errors
    /// 422 for a text that is given twice, and for a segment that is not Base64.
    fn request(&self, key: &str, member: &[u8], id: Option<&[u8]>) -> Result<Request<bool>, Problem> {
        let meta = either("meta", self.meta.as_deref(), self.meta_b64.as_deref())?;
        let request = join_request(key, member);
        let request = if let Some(meta) = meta { request.meta(meta) } else { request };
        let segments = placed(&self.segments, &self.segments_b64)?;
        let request = segments.iter().fold(request, |request, (name, value)| request.segment(name, value));
        Ok(if let Some(id) = id { request.id(id) } else { request })
    }
}

/// Whether the member has joined by this request.
#[derive(Debug, Serialize, ToSchema)]
pub struct Joined {
    /// False if the member was in already, or if the request is repeated.
    joined: bool,
}

/// Lets a member take part in a board with `declared`.
#[utoipa::path(put, path = "/boards/{key}/entrants/{member}", operation_id = "join", tag = "members",
    params(AtMember, WithId),
    request_body = Join,
    responses((status = 200, body = Joined), (status = "default", body = Problem)))]
pub async fn join(
    State(app): State<App>,
    board: MemberOf<Editing>,
    _none: MemberParams<Nothing>,
    id: RequestId,
    Body(join): Body<Join>,
) -> Result<Json<Joined>, Problem> {
    let request = join.request(&board.key, &board.member, id.id())?;
    let joined = app.change(&board.caller, "join", Some(&board.member), &request).await?;
    Ok(Json(Joined { joined }))
}

/// Ends that a member takes part. Its scores stay.
#[utoipa::path(delete, path = "/boards/{key}/entrants/{member}", operation_id = "leave", tag = "members",
    params(AtMember),
    responses((status = 204), (status = "default", body = Problem)))]
pub async fn leave(
    State(app): State<App>,
    board: MemberOf<Editing>,
    _none: MemberParams<Nothing>,
) -> Result<StatusCode, Problem> {
    let request = leave_request(&board.key, &board.member);
    match app.change(&board.caller, "leave", Some(&board.member), &request).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::not_found("member: it takes no part in this board")),
    }
}
