//! A counter: its total, and the counts of one of its precisions as a plot and as a table.

use std::fmt::Display;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use leaderboard_client::{Info, Sample, counters};
use serde::Deserialize;

use crate::access::Role;
use crate::access::tokens::random;
use crate::app::App;
use crate::i18n::counter::Counter as Words;
use crate::pages::arguments::{Form, Query};
use crate::pages::event_time::event_time;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::encoded;
use crate::pages::times::Zone;
use crate::problem::Problem;

/// The number of lines in the table.
const LINES: usize = 60;
/// The precision that is shown first, if the counter has it.
const FIRST: u64 = 60;

/// The routes.
pub fn router() -> Router<App> {
    Router::new()
        .route("/counters/{key}", get(show))
        .route("/counters/{key}/add", post(add))
        .route("/counters/{key}/rules", post(alter).get(back))
        .route("/counters/{key}/delete", post(delete).get(back))
}

/// What the page shows of the counter.
#[derive(Debug, Default, Deserialize)]
struct Choice {
    #[serde(default)]
    precision: String,
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
    #[serde(default)]
    notice: String,
}

#[derive(Template)]
#[template(path = "counter.html")]
struct CounterPage {
    frame: Frame,
    key: String,
    counter: Counter,
    precision: u64,
    range: Range,
    notice: Option<&'static str>,
    refused: Option<String>,
    /// The number that was typed into the form, if the form was refused.
    by: String,
    /// The request id of the form. A form that is sent twice counts once.
    id: String,
    lines: Vec<Line>,
    sum: i64,
    greatest: i64,
    filled: u64,
}

/// The reply of LB.COUNTER.INFO.
struct Counter {
    precisions: Vec<u64>,
    samples: u64,
    is_event_clock: bool,
    dedup: u64,
    total: i64,
    memory: u64,
    now: i64,
}

/// A slice with events.
struct Line {
    start: String,
    count: i64,
    /// The length of the bar, in percent of the greatest count.
    share: i64,
}

/// The range of slices that is shown, in ms. An end that is not typed is the end of the kept slices.
struct Range {
    from: i64,
    to: i64,
    is_chosen: bool,
    is_wrong: bool,
}

impl Counter {
    fn of(told: &Info) -> Self {
        let number = |name| told.number(name).and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
        let precisions = told.text("precisions").unwrap_or_default().split(',');
        Self {
            precisions: precisions.filter_map(|precision| precision.parse().ok()).collect(),
            samples: number("samples"),
            is_event_clock: told.text("clock") == Some("EVENT"),
            dedup: number("dedup"),
            total: told.number("total").unwrap_or(0),
            memory: number("memory"),
            now: told.number("now").unwrap_or(0),
        }
    }

    /// The chosen precision; else a precision of one minute, if the counter has it; else its first precision.
    fn precision(&self, chosen: &str) -> u64 {
        let has = |precision: &u64| self.precisions.contains(precision);
        let first = || self.precisions.first().copied().unwrap_or(FIRST);
        chosen.parse().ok().filter(has).or(Some(FIRST).filter(has)).unwrap_or_else(first)
    }

    fn range(&self, choice: &Choice, precision: u64) -> Range {
        let utc = Zone::of_board("UTC");
        let slice = i64::try_from(precision.saturating_mul(1_000)).unwrap_or(i64::MAX).max(1);
        let kept = i64::try_from(self.samples.saturating_sub(1)).unwrap_or(i64::MAX).saturating_mul(slice);
        let begun = self.now.saturating_sub(self.now.rem_euclid(slice));
        let first = begun.saturating_sub(kept).max(0);
        let read = |text: &str, otherwise| if text.is_empty() { Some(otherwise) } else { utc.read(text) };
        let ends = (read(&choice.from, first), read(&choice.to, self.now));
        let is_chosen = !choice.from.is_empty() || !choice.to.is_empty();
        match ends {
            (Some(from), Some(to)) if from <= to => Range { from, to, is_chosen, is_wrong: false },
            _ => Range { from: first, to: self.now, is_chosen: false, is_wrong: true },
        }
    }
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(choice): Query<Choice>,
) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    render(&app, frame, key, choice, None).await
}

async fn render(
    app: &App,
    frame: Frame,
    key: String,
    choice: Choice,
    refused: Option<(String, String)>,
) -> Page {
    let told = app.link.ask(&counters::info(&key)).await.shown(&frame)?;
    let told = told.ok_or_else(|| missing(&key)).shown(&frame)?;
    let counter = Counter::of(&told);
    let precision = counter.precision(&choice.precision);
    let range = counter.range(&choice, precision);
    let request = counters::get(&key, precision).from(range.from).to(range.to);
    let samples = app.link.ask(&request).await.shown(&frame)?;
    let greatest = samples.iter().map(|sample| sample.count).max().unwrap_or(0);
    let (refused, by) = refused.unzip();
    page(&CounterPage {
        notice: match choice.notice.as_str() {
            "counted" => Some(frame.words.counter.done),
            "rules" => Some(frame.words.counter.done_rules),
            _ => None,
        },
        id: random().map_err(Problem::internal).shown(&frame)?,
        by: by.unwrap_or_else(|| "1".to_owned()),
        sum: samples.iter().fold(0, |sum, sample| sum.saturating_add(sample.count)),
        filled: u64::try_from(samples.len()).unwrap_or(u64::MAX),
        lines: samples.iter().rev().take(LINES).map(|sample| line(sample, greatest)).collect(),
        frame,
        key,
        counter,
        precision,
        range,
        refused,
        greatest,
    })
}

fn missing(key: &str) -> Problem {
    Problem::not_found(format!("no counter '{key}'"))
}

fn line(sample: &Sample, greatest: i64) -> Line {
    let share = sample.count.max(0).saturating_mul(100).checked_div(greatest).unwrap_or(0);
    Line { start: Zone::of_board("UTC").moment(sample.start), count: sample.count, share }
}

impl CounterPage {
    fn path(&self) -> String {
        format!("/counters/{}", encoded(&self.key))
    }

    /// The path of the data of the plot.
    fn data(&self) -> String {
        let (key, precision, from) = (encoded(&self.key), self.precision, self.range.from);
        let to = if self.range.is_chosen { format!("&to={}", self.range.to) } else { String::new() };
        format!("/plots/counters/{key}?precision={precision}&from={from}{to}")
    }

    /// A length of time, such as `5 min`.
    fn span(&self, seconds: &u64) -> String {
        span(*seconds, &self.frame.words.counter)
    }

    fn with(&self, text: &str, value: impl Display) -> String {
        text.replacen("{}", &value.to_string(), 1)
    }

    fn is_shown(&self, precision: &u64) -> bool {
        *precision == self.precision
    }

    /// The value of a form field for this moment.
    fn field(&self, ms: &i64) -> String {
        Zone::of_board("UTC").field(*ms)
    }

    /// The number of slices that have events but no line in the table.
    fn left_out(&self) -> u64 {
        self.filled.saturating_sub(u64::try_from(self.lines.len()).unwrap_or(u64::MAX))
    }
}

fn span(seconds: u64, words: &Words) -> String {
    let units = [(86_400, words.day), (3_600, words.hour), (60, words.minute)];
    let fitting = units.into_iter().find(|(length, _)| seconds > 0 && seconds.is_multiple_of(*length));
    let (length, unit) = fitting.unwrap_or((1, words.second));
    format!("{} {unit}", seconds.checked_div(length).unwrap_or(0))
}

/// The fields that the form sends.
#[derive(Debug, Deserialize)]
struct Events {
    by: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    precision: String,
}

async fn add(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(events): Form<Events>,
) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let request = counters::incr(&key).by(events.by.trim());
    let request = if events.id.is_empty() { request } else { request.id(&events.id) };
    // A wrongly typed name in the address must not make a new counter.
    let told = app.link.ask(&counters::info(&key)).await.shown(&frame)?;
    let told = told.ok_or_else(|| missing(&key)).shown(&frame)?;
    let request = if let Some(now) = event_time(&told) { request.at(now) } else { request };
    match app.change(&frame.caller, "count", None, &request).await {
        Ok(_) => {
            let (key, precision) = (encoded(&key), encoded(&events.precision));
            let to = format!("/counters/{key}?notice=counted&precision={precision}");
            Ok(Redirect::to(&to).into_response())
        }
        Err(problem) if problem.is_invalid() => {
            let choice = Choice { precision: events.precision, ..Choice::default() };
            let refused = Some((problem.detail().to_owned(), events.by));
            Ok((StatusCode::BAD_REQUEST, render(&app, frame, key, choice, refused).await?).into_response())
        }
        Err(problem) => Err(problem).shown(&frame),
    }
}

/// Changes of the rules.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Rules {
    precisions: String,
    samples: String,
}

async fn alter(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(given): Form<Rules>,
) -> Page {
    frame.caller.require_for(Role::Admin, &key).shown(&frame)?;
    let given = [("PRECISIONS", given.precisions.trim()), ("SAMPLES", given.samples.trim())];
    let given = given.into_iter().filter(|(_, value)| !value.is_empty());
    let request = given.fold(counters::alter(&key), |request, (name, value)| request.option(name, value));
    match app.change(&frame.caller, "alter", None, &request).await {
        Ok(()) => Ok(Redirect::to(&format!("/counters/{}?notice=rules", encoded(&key))).into_response()),
        Err(problem) => refuse(&app, frame, key, problem).await,
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Deletion {
    confirm: String,
}

async fn delete(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(given): Form<Deletion>,
) -> Page {
    frame.caller.require_for(Role::Admin, &key).shown(&frame)?;
    if given.confirm != key {
        let problem = Problem::invalid(frame.words.counter.confirm_differs);
        return refuse(&app, frame, key, problem).await;
    }
    if !app.delete(&frame.caller, &key, &counters::info(&key)).await.shown(&frame)? {
        return Err(missing(&key)).shown(&frame);
    }
    Ok(Redirect::to(&format!("/boards?kind=counter&deleted={}", encoded(&key))).into_response())
}

async fn refuse(app: &App, frame: Frame, key: String, problem: Problem) -> Page {
    if !problem.is_invalid() {
        return Err(problem).shown(&frame);
    }
    let refused = Some((problem.detail().to_owned(), String::new()));
    let page = render(app, frame, key, Choice::default(), refused).await?;
    Ok((StatusCode::BAD_REQUEST, page).into_response())
}

/// Sends a browser that loads the address of a form again to the page.
async fn back(Path(key): Path<String>) -> Redirect {
    Redirect::to(&format!("/counters/{}", encoded(&key)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::counter::{CHINESE, ENGLISH};

    #[test]
    fn lengths_have_the_greatest_unit_that_fits() {
        for (seconds, shown) in [(1, "1 s"), (90, "90 s"), (300, "5 min"), (18_000, "5 h"), (86_400, "1 d")] {
            assert_eq!(span(seconds, &ENGLISH), shown);
        }
        assert_eq!(span(3_600, &CHINESE), "1 小时");
    }

    #[test]
    fn a_range_that_is_none_shows_all() {
        let counter = Counter {
            precisions: vec![1, 60],
            samples: 3,
            is_event_clock: false,
            dedup: 0,
            total: 0,
            memory: 0,
            now: 1_795_359_601_000,
        };
        assert_eq!((counter.precision(""), counter.precision("1"), counter.precision("7")), (60, 1, 60));
        let range = |from: &str, to: &str| {
            counter.range(&Choice { from: from.to_owned(), to: to.to_owned(), ..Choice::default() }, 60)
        };
        let all = range("", "");
        assert_eq!((all.from, all.to, all.is_chosen), (1_795_359_480_000, counter.now, false));
        let typed = range("2026-11-22T15:00", "2026-11-22T15:30:10");
        assert_eq!((typed.to - typed.from, typed.is_chosen, typed.is_wrong), (1_810_000, true, false));
        assert!(range("soon", "").is_wrong);
        assert!(range("2026-11-22T15:00", "2026-11-22T14:00").is_wrong);
    }
}
