//! The report of a campaign: one page to print, with what was counted and held back, all options, and votes by day.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Path, State};

use super::facts::{self, Facts};
use super::report_options::{self, Options};
use crate::app::App;
use crate::history::Days;
use crate::pages::board::key_shown;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::board_path;
use crate::pages::times::Zone;

#[derive(Template)]
#[template(path = "report.html")]
struct Report {
    frame: Frame,
    name: String,
    path: String,
    facts: Facts,
    options: Options,
    /// Votes and held-back requests of each day in UTC; empty if no history is kept.
    days: Vec<(String, i64, i64)>,
}

/// Shows the report.
pub async fn show(State(app): State<App>, frame: Frame, Path(key): Path<String>) -> Page {
    let facts = facts::read(&app, &frame.caller, &key).await.shown(&frame)?;
    facts.trouble.clone().map_or(Ok(()), Err).shown(&frame)?;
    let days = by_day(facts.days.as_ref());
    let options = report_options::read(&app, &key, &facts).await.shown(&frame)?;
    page(&Report { name: key_shown(&key), path: board_path(&key, "/campaign"), options, facts, days, frame })
}

/// Votes and held-back requests of each day, oldest first.
fn by_day(days: Option<&Days>) -> Vec<(String, i64, i64)> {
    let Some(Days { votes, held_back, .. }) = days else { return Vec::new() };
    let mut by_day: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
    for day in votes {
        by_day.entry(day.start).or_default().0 = day.count;
    }
    for day in held_back.iter().flat_map(|(_, days)| days) {
        let sum = &mut by_day.entry(day.start).or_default().1;
        *sum = sum.saturating_add(day.count);
    }
    let zone = Zone::of_board("UTC");
    let date = |start: i64| zone.moment(start).split(' ').next().unwrap_or_default().to_owned();
    by_day.into_iter().map(|(start, (votes, held_back))| (date(start), votes, held_back)).collect()
}
