//! The corrections that people make on the page of a member. All of them are in the audit log.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use leaderboard_client::{Applied, Request, add, hide as hide_request, info, rem, set, setmeta, unhide};
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::pages::arguments::{Form, Query};
use crate::pages::board::refused;
use crate::pages::board_info::BoardInfo;
use crate::pages::frame::{Frame, Page, Shown};
use crate::pages::member::{Choice, Draft, Subject, render};
use crate::pages::names::board_path;
use crate::pages::reading::{Reading, with_query};
use crate::problem::Problem;

type Named = Path<(String, String)>;

/// A correction of a score.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
pub struct Correction {
    /// `set` or `add`.
    how: String,
    value: String,
    view: String,
    /// The request id, which was made together with the form.
    id: String,
    reason: String,
}

pub async fn score(
    State(app): State<App>,
    frame: Frame,
    Path(path): Named,
    Query(choice): Query<Choice>,
    Query(reading): Query<Reading>,
    Form(given): Form<Correction>,
) -> Page {
    let subject = Subject::of(&frame, Role::Editor, path, choice, reading)?;
    let sets = given.how == "set";
    let result = match given.value.trim() {
        "" => Err(Problem::invalid(frame.words.member.not_number)),
        _ => correct(&app, &frame, &subject, &given).await,
    };
    match result {
        Ok(applied) => Ok(done(&subject, if applied.applied { "saved" } else { "repeated" })),
        Err(problem) if is_about_input(&problem) => {
            let score_error = Some(problem.detail().to_owned());
            let draft = Draft { score: given.value, sets, score_error, ..Draft::default() };
            Ok(refused(render(&app, frame, subject, draft).await?))
        }
        Err(problem) => Err(problem).shown(&frame),
    }
}

async fn correct(
    app: &App,
    frame: &Frame,
    subject: &Subject,
    given: &Correction,
) -> Result<Applied, Problem> {
    let Subject { key, member, .. } = subject;
    let told = app.link.ask(&info(key)).await?;
    let info = BoardInfo::of(told.ok_or_else(|| Problem::not_found(frame.words.board.absent))?);
    let (action, request) = if given.how == "set" {
        let request = set(key, given.value.trim(), &member.0);
        ("set", if given.view.is_empty() { request } else { request.view(&given.view) })
    } else {
        ("add", add(key, given.value.trim(), &member.0))
    };
    // Rules for players do not hold back a correction.
    let request = request.force();
    let request = if given.id.is_empty() { request } else { request.id(&given.id) };
    // A board whose clock is the time of the writes needs the moment of this write.
    let is_event = info.told.text("clock") == Some("EVENT");
    let request = if is_event { request.at(info.now) } else { request };
    let caller = frame.caller.clone().because(&given.reason);
    app.change(&caller, action, Some(&member.0), &request).await
}

/// The text of a member.
#[derive(Deserialize)]
pub struct Text {
    #[serde(default)]
    meta: String,
}

pub async fn meta(
    State(app): State<App>,
    frame: Frame,
    Path(path): Named,
    Query(choice): Query<Choice>,
    Query(reading): Query<Reading>,
    Form(given): Form<Text>,
) -> Page {
    let subject = Subject::of(&frame, Role::Editor, path, choice, reading)?;
    // Forms send each line end as two characters, even if the kept text has one.
    let text = given.meta.replace("\r\n", "\n");
    let request = setmeta(&subject.key, &subject.member.0, &text);
    match existing(&app, &frame, &subject, ("meta", ""), &request).await {
        Ok(()) => Ok(done(&subject, "saved")),
        Err(problem) if is_about_input(&problem) => {
            let meta_error = Some(problem.detail().to_owned());
            let draft = Draft { meta: Some(text), meta_error, ..Draft::default() };
            Ok(refused(render(&app, frame, subject, draft).await?))
        }
        Err(problem) => Err(problem).shown(&frame),
    }
}

/// Changes an existing board. If the board was deleted while the form was open, the form must not make a new one.
async fn existing<R: redis::FromRedisValue>(
    app: &App,
    frame: &Frame,
    subject: &Subject,
    (action, reason): (&'static str, &str),
    request: &Request<R>,
) -> Result<R, Problem> {
    let told = app.link.ask(&info(&subject.key)).await?;
    told.ok_or_else(|| Problem::not_found(frame.words.board.absent))?;
    let caller = frame.caller.clone().because(reason);
    app.change(&caller, action, Some(&subject.member.0), request).await
}

/// Whether other members see the member.
#[derive(Deserialize)]
pub struct Visibility {
    #[serde(default)]
    hidden: String,
    /// `board` if the form was on the page of the board.
    #[serde(default)]
    back: String,
    #[serde(default)]
    reason: String,
}

pub async fn hide(
    State(app): State<App>,
    frame: Frame,
    Path(path): Named,
    Query(choice): Query<Choice>,
    Query(reading): Query<Reading>,
    Form(given): Form<Visibility>,
) -> Page {
    let subject = Subject::of(&frame, Role::Editor, path, choice, reading)?;
    let names = [&subject.member.0];
    let (action, request, notice) = match given.hidden.as_str() {
        "false" => ("unhide", unhide(&subject.key, names), "unhidden"),
        _ => ("hide", hide_request(&subject.key, names), "hidden"),
    };
    existing(&app, &frame, &subject, (action, &given.reason), &request).await.shown(&frame)?;
    if given.back == "board" {
        return Ok(to_board(&subject, notice));
    }
    Ok(done(&subject, notice))
}

/// The removal of a member.
#[derive(Deserialize)]
pub struct Removal {
    #[serde(default)]
    confirm: String,
    #[serde(default)]
    reason: String,
}

pub async fn remove(
    State(app): State<App>,
    frame: Frame,
    Path(path): Named,
    Query(choice): Query<Choice>,
    Query(reading): Query<Reading>,
    Form(given): Form<Removal>,
) -> Page {
    let subject = Subject::of(&frame, Role::Admin, path, choice, reading)?;
    let is_meant = given.confirm.as_bytes() == subject.member.0 || given.confirm == subject.member.shown();
    if !is_meant {
        let remove_error = Some(frame.words.member.confirm_differs.to_owned());
        let draft = Draft { remove_error, ..Draft::default() };
        return Ok(refused(render(&app, frame, subject, draft).await?));
    }
    let request = rem(&subject.key, [&subject.member.0]);
    existing(&app, &frame, &subject, ("remove", &given.reason), &request).await.shown(&frame)?;
    Ok(to_board(&subject, "removed"))
}

fn is_about_input(problem: &Problem) -> bool {
    problem.is_invalid() || problem.status() == StatusCode::CONFLICT
}

fn done(subject: &Subject, notice: &str) -> axum::response::Response {
    Redirect::to(&with_query(&subject.path(""), &format!("notice={notice}"))).into_response()
}

fn to_board(subject: &Subject, notice: &str) -> axum::response::Response {
    Redirect::to(&board_path(&subject.key, &format!("?notice={notice}"))).into_response()
}
