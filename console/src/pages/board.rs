//! The page of a board: its ranking, live where scripts run, and its rules. Deleting the board requires typing its
//! name.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use leaderboard_client::{Name, Period, Stats, count, hidden, info, periods, segments, stats, top};
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::pages::arguments::{Form, Query};
use crate::pages::board_info::{BoardInfo, State as CampaignState};
use crate::pages::board_rules::{Rule, rules};
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{Member, board_path, encoded, member_path};
use crate::pages::ranking::{LastLook, Look, Ranking};
use crate::pages::reading::{Reading, with_query};
use crate::pages::{board_csv, board_live};
use crate::problem::Problem;

/// The number of lines on a page.
pub const LINES: u64 = 100;
/// How many past periods the list offers. Older periods can be given by their label in the address.
const PICKED: usize = 400;

/// The routes.
pub fn router() -> Router<App> {
    Router::new()
        .route("/boards/{key}", get(show))
        .route("/boards/{key}/rows", get(board_live::rows))
        .route("/boards/{key}/rows.csv", get(board_csv::rows))
        .route("/boards/{key}/delete", post(delete).get(back))
}

/// What the page shows of a board, besides the reading.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Choice {
    offset: u64,
    /// `off`: the page does not follow the board live.
    live: String,
    /// The change that has just been made.
    notice: String,
    /// The view of the page that sent the form. A period of that view cannot be used in another view.
    was: String,
    /// The dimension of that page. A segment of that dimension is none of another one.
    was_in: String,
}

#[derive(Template)]
#[template(path = "board.html")]
struct Board {
    frame: Frame,
    key: String,
    /// The key in a form that can be displayed.
    name: String,
    path: String,
    info: BoardInfo,
    reading: Reading,
    choice: Choice,
    view: String,
    periods: Vec<Period>,
    stats: Option<Stats>,
    members: u64,
    table: Ranking,
    hidden: Vec<HiddenMember>,
    /// Segments of the chosen dimension, best first.
    segments: Vec<String>,
    rules: Vec<Rule>,
    /// The reason why the board was not deleted.
    refusal: Option<String>,
}

struct HiddenMember {
    shown: String,
    path: String,
    unhide: String,
}

impl Board {
    /// The address of this page with another offset.
    fn at(&self, offset: u64) -> String {
        let query = if offset == 0 { String::new() } else { format!("offset={offset}") };
        with_query(&with_query(&self.path, &self.reading.query()), &query)
    }

    /// The address of a page below this one, with the same reading.
    fn below(&self, name: &str) -> String {
        with_query(&format!("{}/{name}", self.path), &self.reading.query())
    }

    /// The address of this page without live lines.
    fn paused(&self) -> String {
        with_query(&self.at(0), "live=off")
    }

    /// The mean for display: with one digit more than scores have, and with at least two digits.
    fn mean(&self, mean: &str) -> String {
        let decimals = self.info.told.number("decimals").and_then(|digits| usize::try_from(digits).ok());
        let digits = decimals.unwrap_or(0).saturating_add(1).clamp(2, 6);
        let rounded = mean.parse().ok().filter(|mean: &f64| mean.abs() < 1e9);
        let mean = rounded.map_or_else(|| mean.to_owned(), |mean| format!("{mean:.digits$}"));
        self.frame.number(mean.trim_end_matches('0').trim_end_matches('.'))
    }

    /// The periods that ended last, of views that keep them: what they are called, and their addresses.
    fn last_periods(&self) -> Vec<(&'static str, String)> {
        let words = &self.frame.words.board;
        let named = [
            ("hour", words.last_hour),
            ("day", words.yesterday),
            ("week", words.last_week),
            ("month", words.last_month),
            ("year", words.last_year),
        ];
        let kept = self.info.kept_views();
        let link = |view: &str| {
            let reading = Reading { view: view.to_owned(), period: "-1".to_owned(), ..self.reading.clone() };
            with_query(&self.path, &reading.query())
        };
        named
            .into_iter()
            .filter(|(view, _)| kept.contains(view))
            .map(|(view, name)| (name, link(view)))
            .collect()
    }

    fn first(&self) -> u64 {
        self.choice.offset.saturating_add(1)
    }

    fn last(&self) -> u64 {
        self.choice.offset.saturating_add(LINES).min(self.members)
    }

    fn last_offset(&self) -> u64 {
        (self.members.saturating_sub(1) / LINES).saturating_mul(LINES)
    }

    fn is_live(&self) -> bool {
        self.can_be_live() && self.choice.live != "off"
    }

    fn can_be_live(&self) -> bool {
        self.choice.offset == 0 && self.reading.is_current()
    }
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(mut reading): Query<Reading>,
    Query(choice): Query<Choice>,
) -> Page {
    if !choice.was.is_empty() {
        reading.come_from(&choice.was);
        if reading.dimension.is_empty() || !choice.was_in.is_empty() && choice.was_in != reading.dimension {
            reading.segment.clear();
        }
        let path = with_query(&board_path(&key, ""), &reading.query());
        return Ok(Redirect::to(&path).into_response());
    }
    if reading.counts_back() {
        frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
        if reading.name_period(&periods_of(&app, &key, &reading.view).await.shown(&frame)?) {
            return Ok(Redirect::to(&with_query(&board_path(&key, ""), &reading.query())).into_response());
        }
    }
    render(&app, frame, key, reading, choice, None).await
}

async fn render(
    app: &App,
    frame: Frame,
    key: String,
    reading: Reading,
    choice: Choice,
    refusal: Option<String>,
) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    let told = app.link.ask(&info(&key)).await.shown(&frame)?;
    let told = told.ok_or_else(|| Problem::not_found(frame.words.board.absent)).shown(&frame)?;
    app.history.look(&key);
    let info = BoardInfo::of(told);
    let reading = if info.is_shown { reading } else { reading.without_shown_votes() };
    let view = reading.view_of(&info.views);
    let segments = segments_of(app, &key, &reading).await.shown(&frame)?;
    let lines = reading.put(top(&key, LINES).offset(choice.offset).with_meta());
    let (number, figures) = (reading.put(count(&key)), reading.put(stats(&key)));
    let (periods, hidden) = (periods(&key, &view), hidden(&key));
    let told = tokio::try_join!(
        app.link.ask(&lines),
        app.link.ask(&number),
        app.link.ask(&figures),
        app.link.ask(&periods),
        app.link.ask(&hidden)
    );
    let (rows, members, stats, mut periods, hidden) = told.shown(&frame)?;
    let (has_change, last) = (reading.has_last(&periods), LastLook::default());
    let look = Look { key: &key, reading: &reading, has_change, last: &last, about: None };
    let lines = look.lines(app, &rows).await;
    periods.truncate(PICKED);
    page(&Board {
        table: Ranking { words: frame.words, lines, has_change, problem: None },
        path: board_path(&key, ""),
        name: key_shown(&key),
        rules: rules(frame.words, &info),
        segments,
        hidden: hidden.into_iter().map(|name| hidden_member(&key, name)).collect(),
        frame,
        key,
        info,
        reading,
        choice,
        view,
        periods,
        stats,
        members,
        refusal,
    })
}

/// Some segments of the chosen dimension, for the list from which a visitor chooses.
async fn segments_of(app: &App, key: &str, reading: &Reading) -> Result<Vec<String>, Problem> {
    if reading.dimension.is_empty() {
        return Ok(Vec::new());
    }
    let rows = app.link.ask(&reading.put_period(segments(key, &reading.dimension).count(LINES))).await?;
    Ok(rows.into_iter().filter_map(|row| String::from_utf8(row.value.0).ok()).collect())
}

fn hidden_member(key: &str, name: Name) -> HiddenMember {
    let member = Member::from(name);
    HiddenMember {
        path: member_path(key, &member, ""),
        unhide: member_path(key, &member, "/hide"),
        shown: member.shown(),
    }
}

/// The periods of a view; an empty text means the default view.
///
/// # Errors
/// As [`crate::link::Link::ask`]; 404 for an absent board.
pub async fn periods_of(app: &App, key: &str, view: &str) -> Result<Vec<Period>, Problem> {
    if !view.is_empty() {
        return app.link.ask(&periods(key, view)).await;
    }
    let told = app.link.ask(&info(key)).await?.ok_or_else(|| Problem::not_found("no such board"))?;
    let views = BoardInfo::of(told).views;
    app.link.ask(&periods(key, views.first().map_or("all", String::as_str))).await
}

#[derive(Deserialize)]
struct Deletion {
    #[serde(default)]
    confirm: String,
}

async fn delete(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(deletion): Form<Deletion>,
) -> Page {
    frame.caller.require_for(Role::Admin, &key).shown(&frame)?;
    if deletion.confirm != key && deletion.confirm != key_shown(&key) {
        let refusal = Some(frame.words.board.confirm_differs.to_owned());
        let page = render(&app, frame, key, Reading::default(), Choice::default(), refusal).await?;
        return Ok(refused(page));
    }
    if !app.delete(&frame.caller, &key, &info(&key)).await.shown(&frame)? {
        return Err(Problem::not_found(frame.words.board.absent)).shown(&frame);
    }
    Ok(Redirect::to(&format!("/boards?deleted={}", encoded(&key))).into_response())
}

/// A refused form is shown at this address. A browser that loads the address again is sent to the page.
async fn back(Path(key): Path<String>) -> Redirect {
    Redirect::to(&board_path(&key, ""))
}

/// A key in a form that can be displayed.
pub fn key_shown(key: &str) -> String {
    Member(key.as_bytes().to_vec()).shown()
}

/// The same page as the answer to a form with a fault.
pub fn refused(mut page: Response) -> Response {
    *page.status_mut() = StatusCode::BAD_REQUEST;
    page
}
