//! The page of a campaign: its dates, its rules and the votes that they held back, votes and voters. `facts` reads the
//! data of the page; `forms` and `limits` change dates and rules.

mod copy;
mod facts;
mod forms;
mod limits;
mod report;
mod report_options;
mod votes;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use crate::app::App;
use crate::history::BoardFigure;
use crate::i18n::campaign::Campaign as Texts;
use crate::pages::arguments::Query;
use crate::pages::campaign::copy::CopyForm;
use crate::pages::campaign::forms::DatesForm;
use crate::pages::campaign::limits::LimitForm;
use crate::pages::frame::{Failure, Frame, Page, Shown, page};
use crate::pages::names::board_path;
use crate::pages::plots::Figure;

/// The routes.
pub fn router() -> Router<App> {
    Router::new()
        .route("/boards/{key}/campaign", get(show))
        .route("/boards/{key}/campaign/dates", post(forms::change_dates).get(back))
        .route("/boards/{key}/campaign/copy", post(copy::copy).get(back))
        .route("/boards/{key}/campaign/report", get(report::show))
        .route("/boards/{key}/campaign/limits", post(limits::put).get(back))
        .route("/boards/{key}/campaign/limits/drop", post(limits::drop).get(back))
}

pub use facts::{Facts, Rule, State as Standing, read as read_facts, takes_votes};
pub use limits::refusal;

#[derive(Template)]
#[template(path = "campaign.html")]
struct CampaignPage {
    words: &'static Texts,
    frame: Frame,
    key: String,
    facts: Facts,
    plot: Figure,
    notice: Option<&'static str>,
    dates: DatesForm,
    limit: LimitForm,
    copy: CopyForm,
    /// The reason why a rule was not dropped.
    drop_error: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    notice: Option<String>,
    /// The rule to change, by its name in the written form.
    limit: Option<String>,
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(choice): Query<Choice>,
) -> Page {
    let mut shown = prepare(&app, frame, key).await?;
    shown.notice = choice.notice.and_then(|name| match name.as_str() {
        "copied" => Some(shown.frame.words.report.copied),
        name => shown.words.notice(name),
    });
    if let Some(rule) = choice.limit.and_then(|name| shown.facts.rule(&name)) {
        shown.limit = LimitForm::of(rule);
    }
    page(&shown)
}

/// The page as it looks before the visitor chooses a rule.
async fn prepare(app: &App, frame: Frame, key: String) -> Result<CampaignPage, Failure> {
    let facts = facts::read(app, &frame.caller, &key).await.shown(&frame)?;
    let dates = DatesForm::of(&facts);
    let words = &frame.words.campaign;
    let plot = Figure::board(app, &frame, &key, &facts.zone.name, BoardFigure::Votes);
    Ok(CampaignPage {
        words,
        frame,
        key,
        facts,
        plot,
        notice: None,
        dates,
        limit: LimitForm::default(),
        copy: CopyForm::default(),
        drop_error: None,
    })
}

/// The page with a refused form and the reason.
fn refused(shown: &CampaignPage) -> Page {
    page(shown).map(|page| (StatusCode::BAD_REQUEST, page).into_response())
}

/// A refused form is shown at its own address. A browser that loads this address again is sent to the page.
async fn back(Path(key): Path<String>) -> Redirect {
    Redirect::to(&board_path(&key, "/campaign"))
}

/// The address of the page after a change.
fn done(key: &str, notice: &str) -> Response {
    Redirect::to(&board_path(key, &format!("/campaign?notice={notice}"))).into_response()
}
