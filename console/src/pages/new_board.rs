//! The page that makes a board, a league or a counter. An error is shown next to its field, and all typed values stay
//! in the form.

use std::collections::HashMap;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use leaderboard_client::{LimitRule, Request};
use redis::Value;
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::pages::arguments::{Form, Query};
use crate::pages::board::refused;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{board_path, encoded};
use crate::pages::new_fields::{Field, Group, Input, groups};
use crate::pages::times::Zone;
use crate::problem::Problem;

/// The routes.
pub fn router() -> Router<App> {
    Router::new().route("/boards/new", get(show).post(create))
}

/// The type of what is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Board,
    League,
    Counter,
}

impl Kind {
    fn of(name: &str) -> Self {
        match name {
            "league" => Self::League,
            "counter" => Self::Counter,
            _ => Self::Board,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::League => "league",
            Self::Counter => "counter",
        }
    }

    const fn command(self) -> &'static str {
        match self {
            Self::Board => "LB.CREATE",
            Self::League => "LB.LEAGUE.CREATE",
            Self::Counter => "LB.COUNTER.CREATE",
        }
    }

    fn page(self, key: &str) -> String {
        match self {
            Self::Board => board_path(key, "?notice=created"),
            Self::League => format!("/leagues/{}", encoded(key)),
            Self::Counter => format!("/counters/{}", encoded(key)),
        }
    }
}

/// The typed values, by the names of the fields.
type Given = HashMap<String, String>;

/// An error: the field that it belongs to, if this is known, and the reason.
struct Fault {
    field: Option<&'static str>,
    reason: String,
}

#[derive(Template)]
#[template(path = "new_board.html")]
struct NewBoard {
    frame: Frame,
    kind: Kind,
    groups: Vec<Group>,
    given: Given,
    fault: Option<Fault>,
}

impl NewBoard {
    fn value(&self, name: &str) -> &str {
        self.given.get(name).map_or("", String::as_str)
    }

    fn error(&self, name: &str) -> Option<&str> {
        self.fault.as_ref().filter(|fault| fault.field == Some(name)).map(|fault| fault.reason.as_str())
    }

    /// Whether a folded group must be open, because one of its fields has a typed value.
    fn is_open(&self, group: &Group) -> bool {
        group
            .fields
            .iter()
            .any(|field| !self.value(field.name).is_empty() || self.error(field.name).is_some())
    }

    fn zones(&self) -> impl Iterator<Item = &'static str> {
        chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).filter(|name| name.contains('/'))
    }
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    kind: String,
}

async fn show(frame: Frame, Query(choice): Query<Choice>) -> Page {
    frame.caller.require(Role::Admin).shown(&frame)?;
    form(frame, Kind::of(&choice.kind), Given::new(), None)
}

fn form(frame: Frame, kind: Kind, given: Given, fault: Option<Fault>) -> Page {
    let groups = groups(frame.words, kind);
    page(&NewBoard { frame, kind, groups, given, fault })
}

async fn create(State(app): State<App>, frame: Frame, Form(given): Form<Given>) -> Page {
    frame.caller.require(Role::Admin).shown(&frame)?;
    let kind = Kind::of(given.get("kind").map_or("", String::as_str));
    let fields: Vec<Field> = groups(frame.words, kind).into_iter().flat_map(|group| group.fields).collect();
    let fault = match request(&frame, kind, &fields, &given) {
        Ok((key, request)) => match app.change(&frame.caller, "create", None, &request).await {
            Ok(_) => return Ok(Redirect::to(&kind.page(&key)).into_response()),
            Err(problem) if is_about_input(&problem) => fault_of(&fields, &problem),
            Err(problem) => return Err(problem).shown(&frame),
        },
        Err(fault) => fault,
    };
    Ok(refused(form(frame, kind, given, Some(fault))?))
}

fn is_about_input(problem: &Problem) -> bool {
    problem.is_invalid() || problem.status() == StatusCode::CONFLICT
}

fn request(
    frame: &Frame,
    kind: Kind,
    fields: &[Field],
    given: &Given,
) -> Result<(String, Request<Value>), Fault> {
    let value = |name: &str| given.get(name).map_or("", |value| value.trim());
    let key = value("key");
    if key.is_empty() {
        return Err(Fault { field: Some("key"), reason: frame.words.new_board.needed.to_owned() });
    }
    let judged = frame.caller.require_for(Role::Admin, key);
    judged.map_err(|problem| Fault { field: Some("key"), reason: problem.detail().to_owned() })?;
    let mut request = Request::new(kind.command()).argument(key);
    for field in fields.iter().filter(|field| field.name != "key" && !value(field.name).is_empty()) {
        request = with_field(frame, request, field, value(field.name), value("tz"))?;
    }
    Ok((key.to_owned(), request))
}

fn with_field(
    frame: &Frame,
    request: Request<Value>,
    field: &Field,
    value: &str,
    zone: &str,
) -> Result<Request<Value>, Fault> {
    let texts = &frame.words.new_board;
    let fault = |reason: &str| Fault { field: Some(field.name), reason: reason.to_owned() };
    Ok(match field.input {
        Input::Check => request.flag(field.option),
        Input::Moment => {
            let zone = if zone.is_empty() { "UTC" } else { zone };
            let zone = Zone::find(zone)
                .ok_or_else(|| Fault { field: Some("tz"), reason: texts.zone_unknown.to_owned() })?;
            request.option(field.option, zone.read(value).ok_or_else(|| fault(texts.not_time))?)
        }
        Input::Lines => {
            let mut lines = value.lines().filter(|line| !line.trim().is_empty());
            lines.try_fold(request, |request, line| {
                let rule = LimitRule::read(line).ok_or_else(|| fault(texts.not_rule))?;
                Ok(request.option(field.option, rule.words()))
            })?
        }
        Input::Tables => {
            let mut lines = value.lines().filter(|line| !line.trim().is_empty());
            lines.try_fold(request, |request, line| {
                let words: Vec<_> = line.split_whitespace().collect();
                match words[..] {
                    [_, _] | [_, _, _, _] => Ok(request.option(field.option, &words[..])),
                    _ => Err(fault(texts.not_table)),
                }
            })?
        }
        Input::Pair => {
            let words: Vec<_> = value.split_whitespace().collect();
            match words[..] {
                [_, _] => request.option(field.option, &words[..]),
                _ => return Err(fault(texts.not_pair)),
            }
        }
        Input::Text | Input::Number | Input::Zone | Input::Choice(_) => request.option(field.option, value),
    })
}

/// Finds the field that the server's refusal is about.
fn fault_of(fields: &[Field], problem: &Problem) -> Fault {
    let reason = problem.detail().to_owned();
    let has = |part: &str| reason.contains(part);
    let named = || {
        let mut words = reason.split(|c: char| !c.is_ascii_alphabetic());
        words.find_map(|word| fields.iter().find(|field| field.option == word)).map(|field| field.name)
    };
    let field = match () {
        () if problem.status() == StatusCode::CONFLICT || has("exists already") => Some("key"),
        () if has("precision ") => Some("precisions"),
        () if has("scope") || reason.starts_with("max ") || reason.starts_with("unit ") => Some("limits"),
        () => named(),
    };
    Fault { field, reason }
}
