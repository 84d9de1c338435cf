//! The page with the ranking of the segments of a dimension, such as countries or guilds.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use leaderboard_client::{Name, Period, SegmentRow, info, periods, segments};
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::pages::arguments::Query;
use crate::pages::board::{LINES, key_shown};
use crate::pages::board_info::BoardInfo;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{Member, board_path};
use crate::pages::reading::{Reading, with_query};
use crate::problem::Problem;

/// The route.
pub fn router() -> Router<App> {
    Router::new().route("/boards/{key}/segments", get(show))
}

/// Which segments the page shows, besides the reading.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Choice {
    offset: u64,
    /// The view of the page that sent the form. A period of that view cannot be used in another view.
    was: String,
}

#[derive(Template)]
#[template(path = "segments.html")]
struct SegmentsPage {
    frame: Frame,
    name: String,
    path: String,
    info: BoardInfo,
    view: String,
    periods: Vec<Period>,
    reading: Reading,
    offset: u64,
    rows: Vec<Line>,
    has_more: bool,
}

/// A segment.
struct Line {
    rank: String,
    name: String,
    /// The ranking of the members of the segment. `None` if an address cannot contain the name of the segment.
    path: Option<String>,
    score: String,
    members: String,
}

impl SegmentsPage {
    /// The address of this page with another offset.
    fn at(&self, offset: u64) -> String {
        let query = if offset == 0 { String::new() } else { format!("offset={offset}") };
        with_query(&with_query(&format!("{}/segments", self.path), &self.reading.query()), &query)
    }
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(mut reading): Query<Reading>,
    Query(choice): Query<Choice>,
) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    reading.segment.clear();
    if !choice.was.is_empty() {
        reading.come_from(&choice.was);
        let path = with_query(&board_path(&key, "/segments"), &reading.query());
        return Ok(Redirect::to(&path).into_response());
    }
    let told = app.link.ask(&info(&key)).await.shown(&frame)?;
    let told = told.ok_or_else(|| Problem::not_found(frame.words.board.absent)).shown(&frame)?;
    let info = BoardInfo::of(told);
    if reading.dimension.is_empty() {
        reading.dimension = info.dimensions.first().cloned().unwrap_or_default();
    }
    let view = reading.view_of(&info.views);
    let mut rows = Vec::new();
    if !reading.dimension.is_empty() {
        // One more than the page shows tells whether there is a next page.
        let request = segments(&key, &reading.dimension).count(LINES.saturating_add(1)).offset(choice.offset);
        rows = app.link.ask(&reading.put_period(request)).await.shown(&frame)?;
    }
    let has_more = rows.len() as u64 > LINES;
    rows.truncate(usize::try_from(LINES).unwrap_or(usize::MAX));
    let periods = app.link.ask(&periods(&key, &view)).await.shown(&frame)?;
    let rows = rows.into_iter().map(|row| line(&frame, &key, &reading, row)).collect();
    page(&SegmentsPage {
        frame,
        name: key_shown(&key),
        path: board_path(&key, ""),
        info,
        view,
        periods,
        reading,
        offset: choice.offset,
        rows,
        has_more,
    })
}

fn line(frame: &Frame, key: &str, reading: &Reading, row: SegmentRow) -> Line {
    let Name(bytes) = row.value;
    let query = |segment: &str| Reading { segment: segment.to_owned(), ..reading.clone() }.query();
    let path =
        std::str::from_utf8(&bytes).ok().map(|segment| with_query(&board_path(key, ""), &query(segment)));
    Line {
        rank: frame.number(row.rank),
        name: Member(bytes).shown(),
        path,
        score: frame.number(&row.score),
        members: frame.number(row.members),
    }
}
