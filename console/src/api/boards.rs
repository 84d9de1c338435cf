//! Boards: listing, making, describing, changing and deleting them.

use axum::Json;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderName, StatusCode};
use leaderboard_client::{Created, info as info_request};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::{Caller, Role};
use crate::api::encoding::segment;
use crate::api::extract::{Administering, Body, Editing, Key, Nothing, Params, Viewing};
use crate::api::info::Described;
use crate::api::members::Confirmation;
use crate::api::paths::AtKey;
use crate::api::rules::{Alter, Create};
use crate::app::App;
use crate::catalog::{Kind, list_all};
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(describe, alter, delete))
}

/// Which page of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// A text that the keys must contain.
    filter: Option<String>,
    /// The position where the page starts: the `next` of the page before.
    cursor: Option<String>,
    /// Only keys of this kind.
    kind: Option<Kind>,
}

/// A page of keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct Boards {
    boards: Vec<Board>,
    /// The `cursor` of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A key and its kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct Board {
    #[schema(example = "songs")]
    key: String,
    kind: Kind,
}

/// The result of making a board.
#[derive(Debug, Serialize, ToSchema)]
pub struct Made {
    #[schema(example = "songs")]
    key: String,
    /// Present only with `nx`: whether the board was made now. False if the key already had a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = false)]
    created: Option<bool>,
}

/// The boards, leagues and counters that this token may read, page by page.
///
/// A page can be empty although more pages follow.
#[utoipa::path(get, path = "/boards", operation_id = "boards", tag = "boards", params(Page),
    responses((status = 200, body = Boards), (status = "default", body = Problem)))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    Params(page): Params<Page>,
) -> Result<Json<Boards>, Problem> {
    caller.require(Role::Viewer)?;
    let (filter, cursor) = (page.filter.as_deref(), page.cursor.as_deref());
    let found = list_all(&app.link, &caller, page.kind, filter, cursor, app.kept.prefix()).await?;
    let boards = found.keys.into_iter().map(|(key, kind)| Board { key, kind }).collect();
    Ok(Json(Boards { boards, next: found.next }))
}

/// Makes a board.
#[utoipa::path(post, path = "/boards", operation_id = "createBoard", tag = "boards", request_body = Create,
    responses(
        (status = 201, body = Made, headers(("Location" = String, description = "The path of the board"))),
        (status = 200, body = Made, description = "With nx: there was one already"),
        (status = "default", body = Problem)))]
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    _none: Params<Nothing>,
    Body(board): Body<Create>,
) -> Result<(StatusCode, [(HeaderName, String); 1], Json<Made>), Problem> {
    caller.require_for(Role::Admin, &board.key)?;
    if let Some(like) = &board.like {
        caller.require_for(Role::Viewer, like).map_err(|problem| problem.of("like"))?;
    }
    let made = app.change(&caller, "create", None, &board.request()?).await;
    let Created(is_new) = made.map_err(|problem| match problem.status() {
        StatusCode::NOT_FOUND => problem.of("like"),
        _ => problem,
    })?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let created = (!is_new).then_some(false);
    let place = format!("/api/v1/boards/{}", segment(&board.key));
    Ok((status, [(LOCATION, place)], Json(Made { key: board.key, created })))
}

/// A board's rules and size.
#[utoipa::path(get, path = "/boards/{key}", operation_id = "board", tag = "boards", params(AtKey),
    responses((status = 200, body = Described), (status = "default", body = Problem)))]
pub async fn describe(
    State(app): State<App>,
    board: Key<Viewing>,
    _none: Params<Nothing>,
) -> Result<Json<Described>, Problem> {
    described(&app, &board.name).await.map(Json)
}

/// The description of a board.
///
/// # Errors
/// 404 if it is absent.
pub async fn described(app: &App, key: &str) -> Result<Described, Problem> {
    let info = app.link.ask(&info_request(key)).await?;
    Ok(Described::new(key, info.ok_or_else(|| absent(key))?))
}

/// The error 404 for an absent board.
pub fn absent(key: &str) -> Problem {
    Problem::no_board(format!("key: there is no board '{key}'"))
}

/// Changes rules of a board. An editor may change dates and limits; an admin may change every rule that can change.
#[utoipa::path(patch, path = "/boards/{key}", operation_id = "alterBoard", tag = "boards", params(AtKey),
    request_body = Alter,
    responses((status = 200, body = Described), (status = "default", body = Problem)))]
pub async fn alter(
    State(app): State<App>,
    board: Key<Editing>,
    _none: Params<Nothing>,
    Body(changes): Body<Alter>,
) -> Result<Json<Described>, Problem> {
    board.caller.require(changes.role())?;
    app.change(&board.caller, "alter", None, &changes.request(&board.name)?).await?;
    described(&app, &board.name).await.map(Json).map_err(Problem::behind_a_change)
}

/// Deletes a board and all its data.
#[utoipa::path(delete, path = "/boards/{key}", operation_id = "deleteBoard", tag = "boards",
    params(AtKey, Confirmation),
    responses((status = 204), (status = "default", body = Problem)))]
pub async fn delete(
    State(app): State<App>,
    board: Key<Administering>,
    Params(confirmation): Params<Confirmation>,
) -> Result<StatusCode, Problem> {
    confirmation.require(&board.name)?;
    match app.delete(&board.caller, &board.name, &info_request(&board.name)).await? {
        false => Err(absent(&board.name)),
        true => Ok(StatusCode::NO_CONTENT),
    }
}
