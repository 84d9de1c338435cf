//! Scores of many members from a CSV file.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::extract::{Editing, Key, Params};
use crate::api::options::{Import, text};
use crate::api::paths::AtKey;
use crate::app::App;
use crate::problem::Problem;
use crate::scores_csv::{apply, compare};

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(import))
}

/// What a file changes.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportedScores {
    /// Whether the scores were set; false with `dry_run`.
    applied: bool,
    /// Members that had no score in the default view.
    #[schema(example = 3)]
    new: usize,
    /// Members that had another score.
    #[schema(example = 40)]
    changed: usize,
    /// Members whose score is as before.
    #[schema(example = 2)]
    same: usize,
}

/// Sets the scores of all members of a CSV file in the default view, past all rules: the columns `member` and `score`, whatever
/// others there are. Cells are parted by commas, semicolons or tabs. If a line is wrong, nothing is set. The scores are set in
/// pieces of 100 members, so that the server serves other clients meanwhile; a file that broke off can be sent again.
#[utoipa::path(put, path = "/boards/{key}/scores.csv", operation_id = "importScores", tag = "members",
    params(AtKey, Import), request_body(content = String, content_type = "text/csv",
        example = json!("member,score\nember,1200\ntide,980\n")),
    responses((status = 200, body = ImportedScores), (status = "default", body = Problem)))]
pub async fn import(
    State(app): State<App>,
    board: Key<Editing>,
    Params(import): Params<Import>,
    headers: HeaderMap,
    file: Result<Bytes, BytesRejection>,
) -> Result<Json<ImportedScores>, Problem> {
    let file = text(&headers, file)?;
    let changes = compare(&app, &board.name, &file).await?;
    if !import.dry_run {
        apply(&app, &board.caller, &board.name, &file).await?;
    }
    let (new, changed, same) = (changes.new, changes.changed, changes.same);
    Ok(Json(ImportedScores { applied: !import.dry_run, new, changed, same }))
}
