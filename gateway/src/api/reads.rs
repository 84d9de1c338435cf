//! Rankings.

use axum::Json;
use axum::extract::State;
use leaderboard_client::{Request, Row, top as top_request};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::extract::{Key, Params, Viewing};
use crate::api::names::Member;
use crate::app::App;
use crate::problem::Problem;

/// What is read: the default view's current period without.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The view.
    view: Option<String>,
    /// The period of the view: 0, -1, or its label.
    period: Option<String>,
    /// How many lines, at most 1,000.
    count: Option<u64>,
    /// Lines to skip.
    offset: Option<u64>,
    /// Show the members' texts.
    #[serde(default)]
    meta: bool,
}

impl Reading {
    /// Puts the options into a request.
    fn put<R>(&self, mut request: Request<R>) -> Request<R> {
        if let Some(view) = &self.view {
            request = request.view(view);
        }
        if let Some(period) = &self.period {
            request = request.period(period);
        }
        if let Some(offset) = self.offset {
            request = request.offset(offset);
        }
        if self.meta { request.with_meta() } else { request }
    }
}

/// Lines of a ranking.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rows {
    rows: Vec<Line>,
}

/// A line of a ranking.
#[derive(Debug, Serialize, ToSchema)]
pub struct Line {
    rank: u64,
    #[serde(flatten)]
    member: Member,
    score: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<String>,
}

impl From<Row> for Line {
    fn from(row: Row) -> Self {
        Self {
            rank: row.rank,
            member: row.member.into(),
            score: row.score.as_str().to_owned(),
            meta: row.meta.map(|meta| String::from_utf8_lossy(&meta).into_owned()),
        }
    }
}

/// The best members.
#[utoipa::path(get, path = "/boards/{key}/top", params(("key" = String, Path), Reading),
    responses((status = 200, body = Rows), (status = "default", body = Problem)))]
pub async fn top(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(reading): Params<Reading>,
) -> Result<Json<Rows>, Problem> {
    let request = reading.put(top_request(&board.name, reading.count.unwrap_or(10).min(1_000)));
    let rows = app.link.ask(&request).await?;
    Ok(Json(Rows { rows: rows.into_iter().map(Line::from).collect() }))
}
