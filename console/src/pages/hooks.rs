//! The page of hooks: what is told to whom, what has arrived, what waits, and a button to send a delivery again.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use serde::Deserialize;
use std::sync::atomic::Ordering;

use crate::access::Role;
use crate::api::hooks::ROWS;
use crate::app::App;
use crate::hooks::state::{Delivery, Subject};
use crate::hooks::{Event, Hook, resend};
use crate::pages::arguments::{Form, Query};
use crate::pages::board::key_shown;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{board_path, encoded};
use crate::pages::times::Zone;

/// The most lines of a list.
const LINES: usize = 100;

/// The routes.
pub fn router() -> Router<App> {
    Router::new().route("/hooks", get(show)).route("/hooks/again", post(again))
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Choice {
    /// The board whose deliveries are shown; all boards if empty.
    key: String,
    /// The id of the delivery that was sent again.
    sent: String,
}

#[derive(Template)]
#[template(path = "hooks.html")]
struct HooksPage {
    frame: Frame,
    choice: Choice,
    hooks: Vec<HookLine>,
    waiting: Vec<Line>,
    troubles: Vec<(String, String)>,
    deliveries: Vec<Line>,
}

/// A hook of the file.
struct HookLine {
    name: String,
    event: &'static str,
    keys: String,
    url: String,
    delivered: String,
    failed: String,
    given_up: String,
    claimed: String,
}

/// A delivery.
struct Line {
    at: String,
    hook: String,
    key: String,
    name: String,
    path: String,
    what: String,
    id: String,
    tries: String,
    error: Option<String>,
    /// Whether a visitor may send it again.
    is_sendable: bool,
}

impl HookLine {
    fn of(frame: &Frame, hook: &Hook) -> Self {
        let [delivered, failed, given_up, claimed] =
            hook.counts.all().map(|count| frame.number(count.load(Ordering::Relaxed)));
        let words = &frame.words.hooks;
        Self {
            name: hook.name.clone(),
            event: match hook.event {
                Event::Period => words.event_period,
                Event::Prizes => words.event_prizes,
                Event::Top => words.event_top,
            },
            keys: hook.pattern.clone(),
            url: hook.receiver.shown().to_owned(),
            delivered,
            failed,
            given_up,
            claimed,
        }
    }
}

impl Line {
    fn of(frame: &Frame, key: String, delivery: Delivery) -> Self {
        let Delivery { hook, subject, at, tries, error, .. } = delivery;
        Self {
            at: Zone::of_board("UTC").moment(at.cast_signed()),
            hook,
            name: key_shown(&key),
            path: board_path(&key, ""),
            what: what(frame, &subject),
            id: subject.id,
            tries: frame.number(tries),
            error,
            is_sendable: frame.administers(&key),
            key,
        }
    }
}

/// What a delivery tells, as a person reads it: `Winners, week 2026-W48, page 2`.
fn what(frame: &Frame, subject: &Subject) -> String {
    use crate::hooks::state::Kind;
    let words = &frame.words.hooks;
    let kind = match subject.kind {
        Kind::PeriodEnded => words.period_ended,
        Kind::PrizesWon => words.prizes_won,
        Kind::TopChanged => words.top_changed,
    };
    let page = (subject.page > 0).then(|| words.page.replace("{}", &frame.number(subject.page)));
    let place = format!("{} {}", subject.table(), subject.period);
    let place = Some(place.trim().to_owned()).filter(|place| !place.is_empty());
    [Some(kind.to_owned()), place, page].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

async fn show(State(app): State<App>, frame: Frame, Query(choice): Query<Choice>) -> Page {
    frame.caller.require_audit().shown(&frame)?;
    let sees = |key: &str| frame.caller.sees(key) && (choice.key.is_empty() || key == choice.key);
    let latest = app.hooks.watched.latest(sees).into_iter().take(LINES);
    let waiting = app.hooks.waiting(sees).into_iter().take(LINES);
    let as_delivery = |waiting: crate::hooks::Waiting| Line {
        is_sendable: false,
        ..Line::of(
            &frame,
            waiting.key,
            Delivery {
                hook: waiting.hook,
                subject: waiting.pending.subject,
                at: waiting.pending.next,
                tries: waiting.pending.tries,
                error: waiting.pending.error,
                claimed: 0,
            },
        )
    };
    let waiting = waiting.map(as_delivery).collect();
    let deliveries = latest.map(|told| Line::of(&frame, told.key, told.delivery)).collect();
    let troubles = app.hooks.watched.troubles(sees).into_iter().take(LINES).collect();
    let hooks = app.hooks.list.iter().map(|hook| HookLine::of(&frame, hook)).collect();
    page(&HooksPage { frame, choice, hooks, waiting, troubles, deliveries })
}

/// A delivery to send again.
#[derive(Deserialize)]
struct Again {
    key: String,
    id: String,
}

async fn again(State(app): State<App>, frame: Frame, Form(given): Form<Again>) -> Page {
    frame.caller.require_for(Role::Admin, &given.key).shown(&frame)?;
    resend(&app.desk(ROWS), &frame.caller, &given.key, &given.id).await.shown(&frame)?;
    let back = format!("/hooks?sent={}", encoded(&given.id));
    Ok(Redirect::to(&back).into_response())
}
