//! The page of suspects: members whose scores, gains or names stand out, and what to do about several of them at once. `find` finds
//! them, those with scores beyond the `fence`; `bulk` hides or removes them, or notes something about them.

mod bulk;
mod fence;
mod find;
mod picture;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use leaderboard_client::info;
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::gains::Gain;
use crate::pages::arguments::Query;
use crate::pages::board::key_shown;
use crate::pages::board_info::BoardInfo;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{Member, member_path};
use crate::pages::plots::amount;
use crate::problem::Problem;
use fence::Fence;
use find::{Alike, Found};
use picture::Picture;

/// The routes.
pub fn router() -> Router<App> {
    Router::new().route("/boards/{key}/suspects", get(show).post(bulk::post))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Choice {
    /// What was done, and to how many members.
    notice: String,
    count: u64,
}

#[derive(Template)]
#[template(path = "suspects.html")]
struct Suspects {
    frame: Frame,
    key: String,
    name: String,
    choice: Choice,
    picture: Option<Picture>,
    tables: Vec<Table>,
    /// Names with `#` for digits, and the members.
    alike: Vec<(String, Vec<Line>)>,
    /// Why a form was refused.
    error: Option<String>,
}

/// Members that stand out for one reason.
struct Table {
    id: &'static str,
    title: &'static str,
    hint: String,
    /// The head of the column of numbers.
    number: &'static str,
    lines: Vec<Line>,
}

/// A member that stands out.
struct Line {
    name: String,
    path: String,
    /// The name as a form sends it; `None` for a name that is no text.
    value: Option<String>,
    /// Its score or its gain.
    number: String,
    /// When, for a gain.
    at: Option<String>,
}

impl Line {
    fn of(key: &str, bytes: Vec<u8>, number: String, at: Option<String>) -> Self {
        let value = String::from_utf8(bytes.clone()).ok();
        let member = Member(bytes);
        Self { path: member_path(key, &member, ""), name: member.shown(), value, number, at }
    }
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(choice): Query<Choice>,
) -> Page {
    render(&app, frame, key, choice, None).await
}

async fn render(app: &App, frame: Frame, key: String, choice: Choice, error: Option<String>) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    app.history.look(&key);
    let told = app.link.ask(&info(&key)).await.shown(&frame)?;
    let told = told.ok_or_else(|| Problem::not_found(frame.words.board.absent)).shown(&frame)?;
    let info = BoardInfo::of(told);
    let Found { picture, fence, beyond, count_beyond, alike } =
        find::find(app, &key, &info).await.shown(&frame)?;
    let row = |row: leaderboard_client::Row| Line::of(&key, row.member.0, frame.number(&row.score), None);
    let gain = |gain: Gain| {
        let at = info.zone.moment(i64::try_from(gain.at.saturating_mul(1_000)).unwrap_or(i64::MAX));
        Line::of(&key, gain.member, amount(gain.points, ""), Some(at))
    };
    let [gains, single] = app.gains.of(&key).map(|gains| gains.into_iter().map(gain).collect());
    let words = &frame.words.suspects;
    let mut tables = Vec::new();
    let hint = match &fence {
        Fence::Quartiles(_) => words.beyond_hint,
        Fence::Tail(_) => words.beyond_tail,
        Fence::TooFar => words.beyond_too_far,
        Fence::None => words.beyond_none,
    };
    let hint = hint.replace("{fence}", &frame.number(fence.score().unwrap_or_default()));
    tables.push(Table {
        id: "beyond",
        title: words.beyond,
        hint: hint.replace("{}", &frame.number(count_beyond)),
        number: frame.words.board.score,
        lines: beyond.into_iter().map(row).collect(),
    });
    for (id, title, hint, lines) in
        [("gains", words.gains, words.gains_hint, gains), ("single", words.single, words.single_hint, single)]
    {
        tables.push(Table { id, title, hint: hint.to_owned(), number: words.points, lines });
    }
    let group = |Alike { pattern, rows }: Alike| (pattern, rows.into_iter().map(row).collect());
    let alike = alike.into_iter().map(group).collect();
    page(&Suspects { name: key_shown(&key), choice, picture, tables, alike, error, key, frame })
}
