//! The forms that change the rules of a league, remove a member, and delete the league.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use leaderboard_client::leagues;
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::pages::arguments::Form;
use crate::pages::frame::{Frame, Page, Shown};
use crate::pages::league::rules::League;
use crate::pages::league::{Choice, render};
use crate::pages::names::{Member, encoded};
use crate::problem::Problem;

/// The rules that the form has. A field that is as before is not sent to the server.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Rules {
    promote: String,
    demote: String,
    group: String,
    reward: String,
    join_until: String,
    idle: String,
    retain: String,
    reason: String,
}

/// Changes the rules that differ from those that the league has.
pub async fn rules(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(given): Form<Rules>,
) -> Page {
    frame.caller.require_for(Role::Admin, &key).shown(&frame)?;
    let told = app.link.ask(&leagues::info(&key)).await.shown(&frame)?;
    let told = told.ok_or_else(|| Problem::not_found(format!("no league '{key}'"))).shown(&frame)?;
    let league = League::of(&told);
    let fields = [
        ("PROMOTE", &given.promote, league.promote()),
        ("DEMOTE", &given.demote, league.demote()),
        ("GROUP", &given.group, league.group_size.to_string()),
        ("REWARD", &given.reward, league.reward.to_string()),
        ("JOINUNTIL", &given.join_until, league.join_until.clone()),
        ("IDLE", &given.idle, league.idle.to_string()),
        ("RETAIN", &given.retain, league.retain.to_string()),
    ];
    let changed = fields.into_iter().filter(|(_, given, before)| given.trim() != before);
    let changed: Vec<_> = changed.map(|(name, given, _)| (name, given.trim())).collect();
    if changed.is_empty() {
        return done(&key, "nothing");
    }
    let alter = leagues::alter(&key);
    let request = changed.into_iter().fold(alter, |request, (name, value)| request.option(name, value));
    let caller = frame.caller.clone().because(&given.reason);
    match app.change(&caller, "alter", None, &request).await {
        Ok(()) => done(&key, "rules"),
        Err(problem) => refused(&app, frame, key, Choice::default(), problem).await,
    }
}

/// What is deleted, and the confirmation.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Deletion {
    member: String,
    b64: bool,
    confirm: String,
    reason: String,
}

/// Removes a member.
pub async fn remove(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(given): Form<Deletion>,
) -> Page {
    frame.caller.require_for(Role::Admin, &key).shown(&frame)?;
    let member = Member::of_path(&given.member, given.b64).shown(&frame)?;
    let is_meant = given.confirm.as_bytes() == member.0 || given.confirm == member.shown();
    let caller = frame.caller.clone().because(&given.reason);
    let removed = if is_meant {
        app.change(&caller, "remove", Some(&member.0), &leagues::rem(&key, [&member.0])).await
    } else {
        Err(Problem::invalid(frame.words.member.confirm_differs))
    };
    match removed {
        Ok(_) => done(&key, "removed"),
        Err(problem) => {
            let choice = Choice { member: given.member, b64: given.b64, ..Choice::default() };
            refused(&app, frame, key, choice, problem).await
        }
    }
}

/// Deletes the league.
pub async fn delete(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(given): Form<Deletion>,
) -> Page {
    frame.caller.require_for(Role::Admin, &key).shown(&frame)?;
    if given.confirm != key {
        let problem = Problem::invalid(frame.words.league.confirm_differs);
        return refused(&app, frame, key, Choice::default(), problem).await;
    }
    let caller = frame.caller.clone().because(&given.reason);
    if !app.delete(&caller, &key, &leagues::info(&key)).await.shown(&frame)? {
        return Err(Problem::not_found(format!("no league '{key}'"))).shown(&frame);
    }
    Ok(Redirect::to(&format!("/boards?kind=league&deleted={}", encoded(&key))).into_response())
}

/// Sends a browser that loads the address of a form again to the page.
pub async fn back(Path(key): Path<String>) -> Redirect {
    Redirect::to(&format!("/leagues/{}", encoded(&key)))
}

fn done(key: &str, notice: &str) -> Page {
    Ok(Redirect::to(&format!("/leagues/{}?notice={notice}", encoded(key))).into_response())
}

async fn refused(app: &App, frame: Frame, key: String, choice: Choice, problem: Problem) -> Page {
    if problem.status() != StatusCode::BAD_REQUEST {
        return Err(problem).shown(&frame);
    }
    let page = render(app, frame, key, choice, Some(problem.detail().to_owned())).await?;
    Ok((StatusCode::BAD_REQUEST, page).into_response())
}
