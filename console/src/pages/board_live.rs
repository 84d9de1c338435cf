//! The best members of a board, followed live: server-sent events `rows` that contain the table for the page.

use std::convert::Infallible;
use std::time::Duration;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{StreamExt, unfold};
use leaderboard_client::Row;

use crate::access::{Caller, Role};
use crate::app::App;
use crate::i18n::{Words, fill};
use crate::lease::Lease;
use crate::live::{Follower, Snapshot, Watch};
use crate::pages::arguments::Query;
use crate::pages::board::{LINES, periods_of};
use crate::pages::ranking::{LastLook, Look, Ranking, renumbered};
use crate::pages::reading::Reading;
use crate::pages::times::Zone;
use crate::problem::Problem;

/// How often a stream without changes shows that it lives. `assets/console.js` expects an event within this time.
const QUIET: Duration = Duration::from_secs(2);

/// Follows the best members.
pub async fn rows(
    State(app): State<App>,
    caller: Caller,
    words: &'static Words,
    Path(key): Path<String>,
    Query(reading): Query<Reading>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    caller.require_for(Role::Viewer, &key)?;
    let lease = Lease::new(&headers, &key);
    let periods = periods_of(&app, &key, &reading.view).await?;
    let view = Some(reading.view.clone()).filter(|view| !view.is_empty());
    let segment = reading.segment().map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()));
    let watch = Watch { key: key.clone(), view, count: LINES, real: reading.is_real(), meta: true, segment };
    let follower = app.live.follow(&caller, watch)?;
    let has_change = reading.has_last(&periods);
    let feed =
        Feed { app: app.clone(), words, key, reading, has_change, last: LastLook::default(), follower };
    let events = unfold(feed, async |mut feed| {
        let table = feed.next().await;
        // A carriage return would end a line of the event stream.
        let event = Event::default().event("rows").data(table.replace('\r', " "));
        Some((Ok::<_, Infallible>(event), feed))
    });
    // Scripts do not see the comments of a stream, so this is an event. Browsers drop events without data.
    let alive = Event::default().event("alive").data("1");
    Ok(Sse::new(events.take_until(lease.ended(app)))
        .keep_alive(KeepAlive::new().interval(QUIET).event(alive))
        .into_response())
}

struct Feed {
    app: App,
    words: &'static Words,
    key: String,
    reading: Reading,
    has_change: bool,
    last: LastLook,
    follower: Follower,
}

impl Feed {
    async fn next(&mut self) -> String {
        let snapshot = self.follower.next().await;
        let rows = renumbered(&snapshot.rows, &self.reading.ranks);
        let table = self.table(&rows, &snapshot).await.render().unwrap_or_default();
        self.last.note(&rows);
        table
    }

    async fn table(&self, rows: &[Row], snapshot: &Snapshot) -> Ranking {
        let Self { app, words, key, reading, has_change, last, .. } = self;
        let look = Look { key, reading, has_change: *has_change, last, about: None };
        let lines = look.lines(app, rows).await;
        let stale = |problem: &Problem| {
            let since = Zone::of_board("UTC").moment(snapshot.read);
            fill(words.board.stale, &[&since, problem.detail()])
        };
        let problem = snapshot.problem.as_ref().map(stale);
        Ranking { words, lines, has_change: *has_change, problem }
    }
}
