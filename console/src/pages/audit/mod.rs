//! The page of the audit log: who changed what, when, and with which result. `download` sends the log as JSON lines.

mod download;

use std::collections::BTreeSet;
use std::ops::Range;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use serde::Deserialize;

use crate::access::Role;
use crate::access::audit::{DONE, Record};
use crate::app::App;
use crate::pages::arguments::{Form, Query};
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::encoded;
use crate::pages::times::Zone;
use crate::problem::Problem;

/// The number of records on a page.
const PAGE: usize = 50;
/// A day, in ms.
const DAY: u64 = 86_400_000;

/// The routes.
pub fn router() -> Router<App> {
    Router::new()
        .route("/audit", get(show))
        .route("/audit/undo", post(undo).get(async || Redirect::to("/audit")))
        .route("/audit.jsonl", get(download::download))
}

#[derive(Default, Deserialize)]
struct Choice {
    #[serde(default)]
    key: String,
    #[serde(default)]
    who: String,
    #[serde(default)]
    action: String,
    #[serde(default)]
    member: String,
    /// `true` if the key and the member are whole names, not parts of names.
    #[serde(default)]
    exact: String,
    /// The first and the last day in UTC, such as `2026-11-22`. A text that is no day is no limit.
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
    /// The position where the page begins: the time of the record before it, and how many records with this time are on
    /// earlier pages.
    before: Option<String>,
    /// `undone` after a change was taken back.
    #[serde(default)]
    notice: String,
}

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    frame: Frame,
    choice: Choice,
    /// The actions that are in the log.
    actions: BTreeSet<String>,
    records: Vec<Line>,
    matching: usize,
    next: Option<String>,
    has_file: bool,
    /// Why a change was not taken back.
    error: Option<String>,
}

/// A record to show.
struct Line {
    record: Record,
    at: String,
    /// Whether the visitor can take the change back.
    can_undo: bool,
    is_undone: bool,
}

async fn show(State(app): State<App>, frame: Frame, Query(choice): Query<Choice>) -> Page {
    render(&app, frame, choice, None)
}

#[derive(Deserialize)]
struct Undo {
    id: String,
    /// The query of the page with the button: it is shown again.
    #[serde(default)]
    back: String,
}

async fn undo(State(app): State<App>, frame: Frame, Form(given): Form<Undo>) -> Page {
    frame.caller.require_audit().shown(&frame)?;
    let back: Choice = serde_html_form::from_str(&given.back).unwrap_or_default();
    match app.undo(&frame.caller, &given.id).await {
        Ok(_) => Ok(Redirect::to(&format!("/audit?{}&notice=undone", back.here())).into_response()),
        Err(problem) if problem.status() == StatusCode::FORBIDDEN => Err(problem).shown(&frame),
        Err(problem) => {
            let status = problem.status();
            let page = render(&app, frame, back, Some(problem.detail().to_owned()))?;
            Ok((status, page).into_response())
        }
    }
}

fn render(app: &App, frame: Frame, choice: Choice, error: Option<String>) -> Page {
    frame.caller.require_audit().shown(&frame)?;
    let all = app.audit.latest(|record| frame.caller.sees(&record.key));
    let actions = all.iter().map(|record| record.action.clone().into_owned()).collect();
    let span = choice.span().shown(&frame)?;
    let is_wanted = |record: &Record| span.contains(&record.at) && choice.matches(record);
    let matching: Vec<Record> = all.into_iter().filter(is_wanted).collect();
    let number = matching.len();
    let (records, next) = part(matching, choice.before.as_deref());
    let (zone, undone) = (Zone::of_board("UTC"), app.audit.undone());
    let line = |record: Record| {
        let has_undo = !record.undo.is_empty() && record.outcome == DONE;
        let is_undone = undone.contains(&record.id);
        let can_undo = has_undo && !is_undone && frame.caller.require_for(Role::Editor, &record.key).is_ok();
        Line { at: zone.moment(record.at.try_into().unwrap_or(i64::MAX)), record, can_undo, is_undone }
    };
    let records: Vec<Line> = records.into_iter().map(line).collect();
    let has_file = app.settings.audit.is_some();
    page(&AuditPage { frame, choice, actions, records, matching: number, next, has_file, error })
}

/// The first moment of a day in UTC, in ms. `None` for an empty field.
fn day(field: &str, text: &str) -> Result<Option<u64>, Problem> {
    if text.is_empty() {
        return Ok(None);
    }
    let moment = Zone::of_board("UTC").read(&format!("{text}T00:00"));
    let day = moment.and_then(|moment| u64::try_from(moment).ok());
    day.map(Some).ok_or_else(|| Problem::invalid(format!("{field}: {text} is not a day such as 2026-11-22")))
}

impl Choice {
    fn matches(&self, record: &Record) -> bool {
        let is_sought = |name: &str, sought: &str| {
            sought.is_empty() || if self.exact == "true" { name == sought } else { name.contains(sought) }
        };
        is_sought(&record.key, &self.key)
            && record.who.contains(&self.who)
            && (self.action.is_empty() || record.action == self.action)
            && (self.member.is_empty()
                || record.member.as_ref().is_some_and(|member| is_sought(member, &self.member)))
    }

    /// The moments from the beginning of the first day to the end of the last day, in ms.
    fn span(&self) -> Result<Range<u64>, Problem> {
        let end = day("to", &self.to)?.map_or(u64::MAX, |day| day.saturating_add(DAY));
        Ok(day("from", &self.from)?.unwrap_or(0)..end)
    }

    fn is_filter(&self) -> bool {
        [&self.key, &self.who, &self.action, &self.member, &self.from, &self.to]
            .iter()
            .any(|field| !field.is_empty())
    }

    /// The query of the address of this page.
    fn here(&self) -> String {
        self.query(self.before.as_deref().unwrap_or_default())
    }

    /// The query of the address of another page of the same records.
    fn query(&self, next: &str) -> String {
        let fields = [
            ("key", &self.key),
            ("member", &self.member),
            ("exact", &self.exact),
            ("who", &self.who),
            ("action", &self.action),
            ("from", &self.from),
            ("to", &self.to),
        ];
        let fields = fields.map(|(name, value)| format!("{name}={}", encoded(value)));
        format!("{}&before={next}", fields.join("&"))
    }
}

/// The records of a page, and the position where the next page begins. New records do not move the pages.
fn part(records: Vec<Record>, before: Option<&str>) -> (Vec<Record>, Option<String>) {
    let start = before.and_then(|place| place.split_once('-'));
    let start = start.and_then(|(at, skip)| Some((at.parse::<u64>().ok()?, skip.parse::<usize>().ok()?)));
    let (at, mut skip) = start.unwrap_or((u64::MAX, 0));
    let mut left = records.into_iter().filter(|record| record.at <= at).filter(|record| {
        let is_shown_before = record.at == at && skip > 0;
        skip = skip.saturating_sub(usize::from(is_shown_before));
        !is_shown_before
    });
    let part: Vec<Record> = left.by_ref().take(PAGE).collect();
    let is_last = left.next().is_none();
    let next = part.last().filter(|_| !is_last).map(|last| {
        let same = part.iter().filter(|record| record.at == last.at).count();
        let earlier = start.filter(|(at, _)| *at == last.at).map_or(0, |(_, skip)| skip);
        format!("{}-{}", last.at, same.saturating_add(earlier))
    });
    (part, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(at: u64, key: String) -> Record {
        Record {
            id: String::new(),
            at,
            who: "ann".to_owned(),
            from: None,
            action: "alter".into(),
            key,
            member: None,
            detail: String::new(),
            before: None,
            after: None,
            reason: None,
            undo: Vec::new(),
            undoes: None,
            outcome: DONE.to_owned(),
        }
    }

    #[test]
    fn pages_have_each_record_once_even_when_many_are_of_one_moment() {
        let times =
            (0..30).map(|n| 100 - n).chain(std::iter::repeat_n(70, 130)).chain((0..20).map(|n| 60 - n));
        let all: Vec<Record> = times.enumerate().map(|(n, at)| record(at, n.to_string())).collect();
        let (mut seen, mut place) = (Vec::new(), None);
        loop {
            // A newer record was added after the previous page was read.
            let newer = std::iter::once(record(1_000, "new".to_owned())).filter(|_| place.is_some());
            let (part, next) = part(newer.chain(all.iter().cloned()).collect(), place.as_deref());
            seen.extend(part.into_iter().map(|record| record.key));
            place = next;
            if place.is_none() {
                break;
            }
        }
        assert_eq!(seen, all.iter().map(|record| record.key.clone()).collect::<Vec<_>>());
    }

    #[test]
    fn filters_pick_by_key_who_and_action() {
        let choice = |key: &str, who: &str, action: &str| Choice {
            key: key.to_owned(),
            who: who.to_owned(),
            action: action.to_owned(),
            ..Choice::default()
        };
        let record = record(1, "songs".to_owned());
        for (wanted, matches) in [
            (choice("", "", ""), true),
            (choice("ong", "an", "alter"), true),
            (choice("x", "", ""), false),
            (choice("", "bob", ""), false),
            (choice("", "", "alt"), false),
        ] {
            assert_eq!(wanted.matches(&record), matches);
        }
        let whole = |key: &str| Choice { exact: "true".to_owned(), ..choice(key, "", "") };
        assert_eq!([whole("song").matches(&record), whole("songs").matches(&record)], [false, true]);
        let of_member = Choice { member: "an".to_owned(), ..Choice::default() };
        assert!(!of_member.matches(&record));
        assert!(of_member.matches(&Record { member: Some("dana".to_owned()), ..record }));
    }

    #[test]
    fn days_are_whole_days_in_utc() {
        let span = |from: &str, to: &str| {
            Choice { from: from.to_owned(), to: to.to_owned(), ..Choice::default() }.span()
        };
        let noon = 1_795_348_800_000 - 1_795_348_800_000 % DAY;
        assert_eq!(span("2026-11-22", "2026-11-22").unwrap(), noon..noon + DAY);
        assert_eq!(span("", "").unwrap(), 0..u64::MAX);
        assert!(span("", "never").unwrap_err().detail().starts_with("to: never"));
    }
}
