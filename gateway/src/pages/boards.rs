//! The list of boards.

use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use leaderboard_client::info;
use serde::Deserialize;

use crate::app::App;
use crate::catalog::{Kind, list};
use crate::pages::frame::{Frame, Page, Shown, page};

/// The routes.
pub fn router() -> Router<App> {
    Router::new().route("/boards", get(show))
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    filter: String,
    cursor: Option<String>,
}

#[derive(Template)]
#[template(path = "boards.html")]
struct Boards {
    frame: Frame,
    filter: String,
    boards: Vec<Board>,
    next: Option<String>,
}

struct Board {
    key: String,
    views: String,
    members: u64,
    memory: u64,
}

async fn show(State(app): State<App>, frame: Frame, Query(choice): Query<Choice>) -> Page {
    let found = list(&app.link, &frame.caller, Kind::Board, Some(&choice.filter), choice.cursor.as_deref());
    let found = found.await.shown(&frame)?;
    let mut boards = Vec::new();
    for key in found.keys {
        // Gone since it was listed.
        let Some(told) = app.link.ask(&info(&key)).await.shown(&frame)? else { continue };
        let number = |name| told.number(name).and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
        let views = told.text("views").unwrap_or_default().to_owned();
        boards.push(Board { views, members: number("members"), memory: number("memory"), key });
    }
    page(&Boards { frame, filter: choice.filter, boards, next: found.next })
}
