//! What is done about several members at once. The first form only shows what would happen; a second one does it.

use askama::Template;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use leaderboard_client::{hide, mscore, rem};
use serde::Deserialize;

use super::{Choice, render};
use crate::access::Role;
use crate::access::audit::Event;
use crate::app::App;
use crate::pages::board::key_shown;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{Member, board_path};
use crate::problem::Problem;

/// How many members one form is about at most.
const MOST: usize = 200;

/// The fields of both forms.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Given {
    #[serde(rename = "member")]
    members: Vec<String>,
    action: Action,
    reason: String,
    /// `true` in the second form.
    confirmed: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    #[default]
    Hide,
    Remove,
    Note,
}

impl Action {
    const fn name(self) -> &'static str {
        match self {
            Self::Hide => "hide",
            Self::Remove => "remove",
            Self::Note => "note",
        }
    }

    const fn role(self) -> Role {
        match self {
            Self::Hide | Self::Note => Role::Editor,
            Self::Remove => Role::Admin,
        }
    }
}

#[derive(Template)]
#[template(path = "suspects_bulk.html")]
struct DryRun {
    frame: Frame,
    name: String,
    path: String,
    action: &'static str,
    reason: String,
    /// The members: their names as shown and as the form sends them, and their scores.
    members: Vec<(String, String, Option<String>)>,
}

pub async fn post(State(app): State<App>, frame: Frame, Path(key): Path<String>, body: Bytes) -> Page {
    let given: Given = serde_html_form::from_bytes(&body)
        .map_err(|error| Problem::invalid(error.to_string()))
        .shown(&frame)?;
    frame.caller.require_for(given.action.role(), &key).shown(&frame)?;
    let words = &frame.words.suspects;
    let refusal = if given.members.is_empty() {
        Some(words.none_chosen.to_owned())
    } else if given.members.len() > MOST {
        Some(words.too_many.replace("{}", &MOST.to_string()))
    } else if given.action == Action::Note && given.reason.trim().is_empty() {
        Some(words.note_empty.to_owned())
    } else {
        None
    };
    if refusal.is_some() {
        let page = render(&app, frame, key, Choice::default(), refusal).await?;
        return Ok((StatusCode::BAD_REQUEST, page).into_response());
    }
    if given.confirmed != "true" {
        return dry_run(&app, frame, &key, given).await;
    }
    let count = carry_out(&app, &frame, &key, &given).await.shown(&frame)?;
    let notice = given.action.name();
    Ok(Redirect::to(&board_path(&key, &format!("/suspects?notice={notice}&count={count}"))).into_response())
}

async fn dry_run(app: &App, frame: Frame, key: &str, given: Given) -> Page {
    let places = app.link.ask(&mscore(key, &given.members)).await.shown(&frame)?;
    let scores = places.into_iter().map(|place| place.map(|place| frame.number(&place.score)));
    let shown = |member: &String| Member(member.clone().into_bytes()).shown();
    let members =
        given.members.into_iter().zip(scores).map(|(member, score)| (shown(&member), member, score));
    page(&DryRun {
        name: key_shown(key),
        path: board_path(key, "/suspects"),
        action: given.action.name(),
        reason: given.reason,
        members: members.collect(),
        frame,
    })
}

/// Does it, member by member: each has a record in the audit log. Returns how many members it was done to.
async fn carry_out(app: &App, frame: &Frame, key: &str, given: &Given) -> Result<u64, Problem> {
    let caller = frame.caller.clone().because(&given.reason);
    let mut count = 0_u64;
    for member in &given.members {
        let name = Some(member.as_bytes());
        let done = match given.action {
            Action::Hide => app.change(&caller, "hide", name, &hide(key, [member])).await?,
            Action::Remove => app.change(&caller, "remove", name, &rem(key, [member])).await?,
            Action::Note => {
                let event = Event {
                    action: "note",
                    key: key.to_owned(),
                    member: Some(member.clone()),
                    ..Event::default()
                };
                app.audit.note(&caller, event, Ok(()));
                1
            }
        };
        count = count.saturating_add(done);
    }
    Ok(count)
}
