//! Plots: the figure on a page, with its latest and greatest value as a text, and the data that the script draws.

use askama::Template;
use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use leaderboard_client::counters;
use serde::Deserialize;

use crate::access::{Caller, Role};
use crate::app::App;
use crate::history::{BoardFigure, Plot, Range, Series, ServerFigure, Summary};
use crate::i18n::numbers;
use crate::i18n::plots::{BYTES, Figure as Texts, Plots as Words};
use crate::pages::arguments::Query;
use crate::pages::frame::Frame;
use crate::pages::names::encoded;
use crate::problem::Problem;

/// The routes of the data.
pub fn router() -> Router<App> {
    Router::new()
        .route("/plots/boards/{key}/{figure}", get(board))
        .route("/plots/server/{figure}", get(servers))
        .route("/plots/counters/{key}", get(counter))
}

/// Which part of the data of a plot.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    #[serde(default)]
    range: Range,
    /// Only values of this second and later.
    #[serde(default)]
    after: u64,
}

async fn board(
    State(app): State<App>,
    caller: Caller,
    Path((key, figure)): Path<(String, String)>,
    Query(part): Query<Part>,
) -> Result<Json<Plot>, Problem> {
    caller.require_for(Role::Viewer, &key)?;
    let figure = BoardFigure::named(&figure).ok_or_else(|| Problem::not_found("no such plot"))?;
    app.history.look(&key);
    // The memory has a value for each second, but nothing by rule.
    let kept = if part.range != Range::Hour || figure == BoardFigure::HeldBack {
        app.kept.board(&app.link, &key, figure, (part.range, part.after)).await?
    } else {
        None
    };
    Ok(Json(kept.unwrap_or_else(|| app.history.board(&key, figure, part.range, part.after))))
}

async fn servers(
    State(app): State<App>,
    caller: Caller,
    Path(figure): Path<String>,
    Query(part): Query<Part>,
) -> Result<Json<Plot>, Problem> {
    caller.require_for_all(Role::Viewer)?;
    let figure = ServerFigure::named(&figure).ok_or_else(|| Problem::not_found("no such plot"))?;
    let kept = if part.range == Range::Hour {
        None
    } else {
        let names = app.history.server_names();
        app.kept.servers(&app.link, &names, figure, (part.range, part.after)).await?
    };
    Ok(Json(kept.unwrap_or_else(|| app.history.servers(figure, part.range, part.after))))
}

/// Which slices of a counter, in ms.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slices {
    precision: u64,
    from: i64,
    to: Option<i64>,
}

async fn counter(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
    Query(slices): Query<Slices>,
) -> Result<Json<Plot>, Problem> {
    caller.require_for(Role::Viewer, &key)?;
    let request = counters::get(&key, slices.precision).from(slices.from);
    let request = if let Some(to) = slices.to { request.to(to) } else { request };
    let samples = app.link.ask(&request.flag("FILL")).await?;
    let second = |ms: i64| u64::try_from(ms / 1_000).unwrap_or(0);
    let values = samples.iter().map(|sample| Some(sample.count as f64)).collect();
    let times = samples.iter().map(|sample| second(sample.start)).collect();
    Ok(Json(Plot { times, series: vec![Series { label: key, values }] }))
}

impl BoardFigure {
    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.name() == name)
    }

    const fn texts(self, words: &'static Words) -> &'static Texts {
        match self {
            Self::Votes => &words.votes,
            Self::Writes => &words.writes,
            Self::Members => &words.members,
            Self::HeldBack => &words.held_back,
            Self::Repeated => &words.repeated,
            Self::Memory => &words.memory,
        }
    }
}

impl ServerFigure {
    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.name() == name)
    }

    const fn texts(self, words: &'static Words) -> &'static Texts {
        match self {
            Self::Ops => &words.ops,
            Self::Memory => &words.memory,
            Self::Clients => &words.clients,
            Self::Writes => &words.all_writes,
        }
    }
}

/// A plot on a page. A template shows it with `{{ plot|safe }}`, and needs `plots_head.html` in its head.
#[derive(Template)]
#[template(path = "plot.html")]
pub struct Figure {
    words: &'static Words,
    texts: &'static Texts,
    /// The path of the data.
    data: String,
    /// The ranges that can be chosen.
    ranges: &'static str,
    /// The time zone of the times; `None` means the time zone of the browser.
    zone: Option<String>,
    /// The key of the board that the page is about.
    about: Option<String>,
    lines: Vec<Summary>,
}

impl Figure {
    /// A figure of a board. The console begins to read the figure now.
    pub fn board(app: &App, frame: &Frame, key: &str, zone: &str, figure: BoardFigure) -> Self {
        app.history.look(key);
        let words = &frame.words.plots;
        let lines = app.history.board_summary(key, figure);
        let data = format!("/plots/boards/{}/{}", encoded(key), figure.name());
        // Some browsers do not know offsets such as +08:00.
        let zone = (!zone.starts_with(['+', '-'])).then(|| zone.to_owned());
        Self {
            words,
            texts: figure.texts(words),
            data,
            ranges: ranges(app),
            zone,
            about: Some(key.to_owned()),
            lines,
        }
    }

    /// A figure of all servers.
    pub fn servers(app: &App, frame: &Frame, figure: ServerFigure) -> Self {
        let words = &frame.words.plots;
        let data = format!("/plots/server/{}", figure.name());
        let lines = app.history.server_summaries(figure);
        Self { words, texts: figure.texts(words), data, ranges: ranges(app), zone: None, about: None, lines }
    }

    /// A value of a line with its unit. After a restart of the gateway, a server that answers has no values yet.
    fn value(&self, line: &Summary, value: &Option<f64>) -> String {
        let has_values = line.latest.is_some() || line.greatest.is_some();
        let absent = if has_values { self.words.no_answer } else { self.words.not_read };
        value.map_or_else(|| absent.to_owned(), |value| amount(value, self.texts.unit))
    }
}

/// The ranges of plots: those that are kept, or those in memory.
fn ranges(app: &App) -> &'static str {
    if app.kept.prefix().is_some() { "hour day week month year" } else { "hour day" }
}

/// A value with its unit: `1,234.5 votes/s`, `1.5 MB`.
pub fn amount(value: f64, unit: &str) -> String {
    if unit == BYTES {
        // Figures of servers are whole numbers of at least 0.
        return numbers::bytes(value as u64);
    }
    let text = format!("{value:.1}");
    let number = numbers::grouped(text.strip_suffix(".0").unwrap_or(&text));
    let is_close = unit.is_empty() || unit.starts_with('/');
    if is_close { format!("{number}{unit}") } else { format!("{number} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_separators_and_a_unit() {
        assert_eq!(amount(1_234.0, "votes/s"), "1,234 votes/s");
        assert_eq!(amount(0.26, "/s"), "0.3/s");
        assert_eq!(amount(1_560_000.0, BYTES), "1.5 MB");
    }
}
