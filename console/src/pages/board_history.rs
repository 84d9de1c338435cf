//! The page with the figures of a board over time.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use leaderboard_client::info;

use crate::access::Role;
use crate::app::App;
use crate::history::BoardFigure;
use crate::pages::board::key_shown;
use crate::pages::board_info::BoardInfo;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{Member, board_path, encoded, member_path};
use crate::pages::plots::Figure;
use crate::problem::Problem;
use crate::refused::{Refused, Who};

/// The route.
pub fn router() -> Router<App> {
    Router::new().route("/boards/{key}/history", get(show))
}

#[derive(Template)]
#[template(path = "board_history.html")]
struct HistoryPage {
    frame: Frame,
    name: String,
    path: String,
    plots: Vec<Figure>,
    /// Whether the figures are kept in counters.
    is_kept: bool,
    /// Why they are not kept now.
    trouble: Option<String>,
    /// Who was held back most in the last hour. `None` for visitors who may not change the board: names of voters and addresses are
    /// not for everybody.
    refused: Option<Vec<Row>>,
}

/// How many names the page shows.
const MOST: usize = 20;

/// Somebody whose requests were held back.
struct Row {
    kind: &'static str,
    name: String,
    /// The page that says why, for a voter, or the page of the member.
    path: Option<String>,
    count: String,
}

fn row(frame: &Frame, key: &str, refused: Refused) -> Row {
    let words = &frame.words.plots;
    let Refused { who, name, count, over } = refused;
    let member = || member_path(key, &Member(name.clone().into_bytes()), "");
    let (kind, path) = match who {
        Who::Voter => (words.voter, Some(board_path(key, &format!("/voter?by={}", encoded(&name))))),
        Who::Address => (words.address, None),
        Who::Tag => (words.tag, None),
        Who::Member => (words.member, Some(member())),
    };
    let least = frame.number(count.saturating_sub(over));
    let count = if over == 0 { least } else { format!("{least} – {}", frame.number(count)) };
    Row { kind, name, path, count }
}

async fn show(State(app): State<App>, frame: Frame, Path(key): Path<String>) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    let told = app.link.ask(&info(&key)).await.shown(&frame)?;
    let told = told.ok_or_else(|| Problem::not_found(frame.words.board.absent)).shown(&frame)?;
    let zone = BoardInfo::of(told).zone;
    let plots = BoardFigure::ALL.map(|figure| Figure::board(&app, &frame, &key, &zone.name, figure));
    let is_trusted = frame.caller.role() >= Role::Editor;
    let refused = is_trusted
        .then(|| app.refused.most(&key, MOST).into_iter().map(|one| row(&frame, &key, one)).collect());
    page(&HistoryPage {
        name: key_shown(&key),
        path: board_path(&key, ""),
        plots: plots.into(),
        is_kept: app.kept.prefix().is_some(),
        trouble: app.kept.trouble(),
        refused,
        frame,
    })
}
