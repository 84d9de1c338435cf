//! The page with the figures of a board over time.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use leaderboard_client::info;

use crate::access::Role;
use crate::app::App;
use crate::history::BoardFigure;
use crate::i18n::plots::Plots;
use crate::pages::board::key_shown;
use crate::pages::board_info::BoardInfo;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{Member, board_path, encoded, member_path};
use crate::pages::plots::Figure;
use crate::pages::times::Zone;
use crate::problem::Problem;
use crate::refused::{Cause, Refused, Who};

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
    /// Where the figures come from.
    source: &'static str,
    /// Why they are not kept now.
    trouble: Option<String>,
    /// Who was held back most in the last hour. `None` for visitors who may not change the board: names of voters and addresses are
    /// not for everybody.
    refused: Option<Vec<Row>>,
}

/// How many names of each kind the page shows.
const MOST: usize = 20;

/// Somebody whose requests were held back.
struct Row {
    kind: &'static str,
    name: String,
    /// The page with what is left to a voter, or the page of the member.
    path: Option<String>,
    count: String,
    /// The rule that held it back the last time, and when.
    rule: String,
    at: String,
}

/// Where the figures come from: they may be kept in the servers, and there may be trouble with it now.
const fn source(words: &Plots, is_kept: bool, has_trouble: bool) -> &'static str {
    match (is_kept, has_trouble) {
        (true, false) => words.kept,
        (true, true) => words.kept_not,
        (false, _) => words.in_memory,
    }
}

fn row(frame: &Frame, key: &str, zone: &Zone, refused: Refused) -> Row {
    let words = &frame.words.plots;
    let Refused { who, name, count, over, last } = refused;
    let member = || member_path(key, &Member(name.clone().into_bytes()), "");
    let (kind, path) = match who {
        Who::Voter => (words.voter, Some(board_path(key, &voter_query(&name, &last)))),
        Who::Address => (words.address, None),
        Who::Tag => (words.tag, None),
        Who::Member => (words.member, Some(member())),
    };
    let least = frame.number(count.saturating_sub(over));
    let count = if over == 0 { least } else { format!("{least} – {}", frame.number(count)) };
    Row { kind, name, path, count, rule: last.rule, at: zone.moment(last.at) }
}

/// The page of a voter with the tags of the last request, so that the page can judge every rule.
fn voter_query(name: &str, last: &Cause) -> String {
    let tags = last.tags.iter().map(|(tag, value)| format!("&tag:{}={}", encoded(tag), encoded(value)));
    format!("/voter?by={}{}", encoded(name), tags.collect::<String>())
}

async fn show(State(app): State<App>, frame: Frame, Path(key): Path<String>) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    let told = app.link.ask(&info(&key)).await.shown(&frame)?;
    let told = told.ok_or_else(|| Problem::not_found(frame.words.board.absent)).shown(&frame)?;
    let zone = BoardInfo::of(told).zone;
    let plots = BoardFigure::ALL.map(|figure| Figure::board(&app, &frame, &key, &zone.name, figure));
    let trouble = app.kept.trouble();
    let is_trusted = frame.caller.role() >= Role::Editor;
    let refused = is_trusted
        .then(|| app.refused.most(&key, MOST).into_iter().map(|one| row(&frame, &key, &zone, one)).collect());
    page(&HistoryPage {
        name: key_shown(&key),
        path: board_path(&key, ""),
        plots: plots.into(),
        source: source(&frame.words.plots, app.kept.prefix().is_some(), trouble.is_some()),
        trouble,
        refused,
        frame,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::plots::ENGLISH;

    #[test]
    fn what_is_not_noted_is_not_said_to_be() {
        assert!(source(&ENGLISH, true, false).contains("noted once a minute"));
        assert!(!source(&ENGLISH, true, true).contains("once a minute"));
        assert!(source(&ENGLISH, false, false).contains("Only the last day"));
    }
}
