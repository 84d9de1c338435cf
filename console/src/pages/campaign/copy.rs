//! The form that makes a new board with the rules and the options of a campaign.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect};
use leaderboard_client::create;
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::candidates_csv::{Difference, Values};
use crate::options;
use crate::pages::arguments::Form;
use crate::pages::campaign::{prepare, refused};
use crate::pages::frame::{Frame, Page, Shown};
use crate::pages::names::board_path;
use crate::problem::Problem;

/// The contents of the field, and the reason if it was refused.
#[derive(Default, Deserialize)]
pub struct CopyForm {
    #[serde(default)]
    pub to: String,
    #[serde(skip)]
    pub error: Option<String>,
}

/// Makes the new board. Its members and votes begin anew; its dates are those of the campaign.
pub async fn copy(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Form(mut form): Form<CopyForm>,
) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    frame.caller.require_for(Role::Admin, &form.to).shown(&frame)?;
    match copied(&app, &frame, &key, &form.to).await {
        Ok(()) => Ok(Redirect::to(&board_path(&form.to, "/campaign?notice=copied")).into_response()),
        Err(problem) if problem.status().is_client_error() => {
            let mut shown = prepare(&app, frame, key).await?;
            form.error = Some(shown.words.rejected.replace("{}", problem.detail()));
            shown.copy = form;
            refused(&shown)
        }
        Err(problem) => Err(problem).shown(&frame),
    }
}

async fn copied(app: &App, frame: &Frame, key: &str, to: &str) -> Result<(), Problem> {
    let options = options::all(&app.link, key).await?;
    app.change(&frame.caller, "create", None, &create(to).like(key)).await?;
    let added = options.iter().map(|option| (option.member.clone(), Values::from(option))).collect();
    options::apply(app, &frame.caller, to, &Difference { added, ..Difference::default() }).await
}
