//! Setting the scores of many members from a CSV file: what it would change, and a button that does it.

use askama::Template;
use axum::Router;
use axum::extract::multipart::Multipart;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::access::Role;
use crate::app::App;
use crate::pages::board::key_shown;
use crate::pages::frame::{Frame, Page, Shown, failure, page};
use crate::pages::names::{Member, board_path};
use crate::pages::options::upload::read as read_form;
use crate::problem::{Fault, Problem};
use crate::scores_csv::{Changes, LARGEST_FILE, apply as set_scores, compare as find_changes};

/// The routes.
pub fn router() -> Router<App> {
    Router::new()
        .route("/boards/{key}/scores", get(show).post(compare))
        .route("/boards/{key}/scores/apply", get(back).post(apply))
}

#[derive(Template)]
#[template(path = "scores.html")]
struct ScoresPage {
    frame: Frame,
    key: String,
    name: String,
    /// What the file would change; `None` before there is a file.
    changes: Option<Changes>,
    faults: Vec<Fault>,
    /// Why the file was not read or not applied.
    error: Option<String>,
    /// The file in Base64, because forms change the line breaks of texts.
    file: String,
}

impl ScoresPage {
    fn of(frame: Frame, key: String) -> Self {
        let name = key_shown(&key);
        Self { frame, key, name, changes: None, faults: Vec::new(), error: None, file: String::new() }
    }

    fn shown(&self, member: &[u8]) -> String {
        Member(member.to_vec()).shown()
    }
}

async fn show(frame: Frame, Path(key): Path<String>) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    page(&ScoresPage::of(frame, key))
}

async fn compare(State(app): State<App>, frame: Frame, Path(key): Path<String>, form: Multipart) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let sent = read_form(form).await.shown(&frame)?;
    let file = if sent.file.is_empty() { sent.text } else { sent.file };
    let mut found = ScoresPage::of(frame, key);
    let words = &found.frame.words.options;
    found.error = match file.len() {
        0 => Some(words.csv_none.to_owned()),
        size if size > LARGEST_FILE => Some(words.csv_too_large.to_owned()),
        _ => None,
    };
    if found.error.is_none() {
        match find_changes(&app, &found.key, &file).await {
            Ok(changes) => (found.changes, found.file) = (Some(changes), STANDARD.encode(file)),
            Err(problem) if !problem.errors().is_empty() => found.faults = problem.errors().to_vec(),
            Err(problem) => return Err(failure(&found.frame, &problem)),
        }
    }
    let is_refused = found.error.is_some() || !found.faults.is_empty();
    let status = if is_refused { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    page(&found).map(|page| (status, page).into_response())
}

async fn apply(State(app): State<App>, frame: Frame, Path(key): Path<String>, form: Multipart) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let sent = read_form(form).await.shown(&frame)?;
    let file = STANDARD.decode(&sent.file).map_err(|_| Problem::invalid("the file is not Base64"));
    let file = file.shown(&frame)?;
    match set_scores(&app, &frame.caller, &key, &file).await {
        Ok(_) => Ok(Redirect::to(&board_path(&key, "?notice=scores")).into_response()),
        Err(problem) if problem.status().is_client_error() => {
            let mut found = ScoresPage::of(frame, key);
            (found.faults, found.error) = (problem.errors().to_vec(), Some(problem.detail().to_owned()));
            page(&found).map(|page| (problem.status(), page).into_response())
        }
        Err(problem) => Err(failure(&frame, &problem)),
    }
}

/// Sends a browser that loads the address of the form again to the page.
async fn back(Path(key): Path<String>) -> Redirect {
    Redirect::to(&board_path(&key, "/scores"))
}
