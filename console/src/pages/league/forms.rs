//! The forms that change a member of a league.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use leaderboard_client::leagues;
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::pages::arguments::Form;
use crate::pages::event_time::event_time;
use crate::pages::frame::{Frame, Page, Shown};
use crate::pages::league::{Choice, render};
use crate::pages::names::{Member, encoded};

use crate::problem::Problem;

/// The fields that forms send. Each form sends some of them.
#[derive(Debug, Deserialize)]
pub struct Change {
    member: String,
    #[serde(default)]
    b64: bool,
    #[serde(default)]
    points: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    tier: String,
    #[serde(default)]
    meta: String,
}

/// Adds points.
pub async fn add(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(change): Form<Change>,
) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let done = async {
        let member = Member::of_path(&change.member, change.b64)?;
        let request = leagues::add(&key, change.points.trim(), &member.0);
        let request = if change.id.is_empty() { request } else { request.id(&change.id) };
        let told = app.link.ask(&leagues::info(&key)).await?;
        let request = match told.and_then(|told| event_time(&told)) {
            Some(now) => request.at(now),
            None => request,
        };
        let reply = app.change(&frame.caller, "points", Some(&member.0), &request).await?;
        Ok(if reply.applied { "points" } else { "nothing" })
    };
    let done = done.await;
    answer(&app, frame, key, change, done).await
}

/// Sets the tier that the member gets when it joins next.
pub async fn tier(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(change): Form<Change>,
) -> Page {
    frame.caller.require_for(Role::Admin, &key).shown(&frame)?;
    let done = async {
        let member = Member::of_path(&change.member, change.b64)?;
        let request = leagues::tier(&key, &member.0, &change.tier);
        app.change(&frame.caller, "tier", Some(&member.0), &request).await?;
        Ok("tier")
    };
    let done = done.await;
    answer(&app, frame, key, change, done).await
}

/// Sets the text of a member.
pub async fn meta(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(change): Form<Change>,
) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let done = async {
        let member = Member::of_path(&change.member, change.b64)?;
        let request = leagues::setmeta(&key, &member.0, &change.meta);
        app.change(&frame.caller, "meta", Some(&member.0), &request).await?;
        Ok("text")
    };
    let done = done.await;
    answer(&app, frame, key, change, done).await
}

/// The page of the member, with a notice after a change, or with the reason of a refusal.
async fn answer(
    app: &App,
    frame: Frame,
    key: String,
    change: Change,
    done: Result<&'static str, Problem>,
) -> Page {
    match done {
        Ok(done) => {
            let b64 = if change.b64 { "&b64=true" } else { "" };
            let (key, member) = (encoded(&key), encoded(&change.member));
            Ok(Redirect::to(&format!("/leagues/{key}?member={member}{b64}&notice={done}")).into_response())
        }
        Err(problem) if problem.status() == StatusCode::BAD_REQUEST => {
            let choice = Choice { member: change.member, b64: change.b64, ..Choice::default() };
            let page = render(app, frame, key, choice, Some(problem.detail().to_owned())).await?;
            Ok((StatusCode::BAD_REQUEST, page).into_response())
        }
        Err(problem) => Err::<Response, _>(problem).shown(&frame),
    }
}

/// The text for a change that was made.
pub fn notice(frame: &Frame, done: &str) -> Option<&'static str> {
    let words = &frame.words.league;
    match done {
        "points" => Some(words.done_points),
        "nothing" => Some(words.done_nothing),
        "tier" => Some(words.done_tier),
        "text" => Some(words.done_text),
        "rules" => Some(words.done_rules),
        "removed" => Some(words.done_removed),
        _ => None,
    }
}

/// A member in a query string.
pub fn of_member(member: &Member) -> String {
    match std::str::from_utf8(&member.0) {
        Ok(text) => format!("member={}", encoded(text)),
        Err(_) => format!("member={}&b64=true", URL_SAFE_NO_PAD.encode(&member.0)),
    }
}
