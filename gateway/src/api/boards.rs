//! Boards.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::Caller;
use crate::api::extract::Params;
use crate::app::App;
use crate::catalog::{Kind, list as list_keys};
use crate::problem::Problem;

/// A page of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// Part of the key.
    filter: Option<String>,
    /// Where the page before ended.
    cursor: Option<String>,
}

/// Keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct Boards {
    boards: Vec<String>,
    /// Where the next page begins; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// The boards that this token is for, page by page. A page can have no boards and still not be the last one.
#[utoipa::path(get, path = "/boards", params(Page),
    responses((status = 200, body = Boards), (status = "default", body = Problem)))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    Params(page): Params<Page>,
) -> Result<Json<Boards>, Problem> {
    let found =
        list_keys(&app.link, &caller, Kind::Board, page.filter.as_deref(), page.cursor.as_deref()).await?;
    Ok(Json(Boards { boards: found.keys, next: found.next }))
}
