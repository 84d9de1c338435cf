//! The options of a campaign: a list page by page, forms to add, change and remove one (`forms`), and CSV (`upload`).

mod forms;
pub mod upload;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use leaderboard_client::{VotingOption, info, options as options_of};
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::i18n::campaign::Campaign as Texts;
use crate::options::all as all_options;
use crate::pages::arguments::Query;
use crate::pages::campaign::takes_votes;
use crate::pages::frame::{Failure, Frame, Page, Shown, page};
use crate::pages::names::{Member, board_path, shown};
use crate::pages::options::forms::OptionForm;
use crate::problem::Problem;

/// The number of options on a page.
const PAGE: u64 = 50;
/// How many options with a name or text are shown.
const MOST_FOUND: usize = 200;

/// The routes.
pub fn router() -> Router<App> {
    Router::new()
        .route("/boards/{key}/options", get(show))
        .route("/boards/{key}/options/option", post(forms::save).get(back))
        .route("/boards/{key}/options/remove", post(forms::remove).get(back))
        .route("/boards/{key}/options/csv", post(upload::compare).get(back))
        .route("/boards/{key}/options/csv/apply", post(upload::apply).get(back))
}

#[derive(Template)]
#[template(path = "options.html")]
struct OptionsPage {
    words: &'static Texts,
    frame: Frame,
    key: String,
    takes_votes: bool,
    /// Whether options have weights and initial votes.
    has_shown: bool,
    /// Whether the shown votes are the votes of all time.
    has_all: bool,
    cursor: u64,
    next: u64,
    filter: String,
    /// How many options match the filter.
    matching: usize,
    options: Vec<Row>,
    notice: Option<&'static str>,
    form: OptionForm,
    /// The reason why an option was not removed.
    remove_error: Option<String>,
    csv_error: Option<&'static str>,
}

/// An option in the list.
struct Row {
    member: Member,
    weight: u64,
    initial: i64,
    meta: String,
    real: String,
    shown: String,
    voters: u64,
    /// The address of the form that changes the option.
    edit: String,
}

/// Which page of the list, and which of its options to change.
#[derive(Default, Deserialize)]
pub struct Choice {
    #[serde(default)]
    cursor: u64,
    /// A part of the name or text of options. Then they are all looked at.
    #[serde(default)]
    filter: String,
    edit: Option<String>,
    #[serde(default)]
    b64: bool,
    notice: Option<String>,
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(choice): Query<Choice>,
) -> Page {
    let (mut shown, found) = prepare(&app, frame, key, choice.cursor).await?;
    if !choice.filter.is_empty() {
        let all = all_options(&app.link, &shown.key).await.shown(&shown.frame)?;
        let is_sought = sought(&choice.filter);
        let matching: Vec<_> = all.iter().filter(|option| is_sought(option)).collect();
        let first = matching.iter().take(MOST_FOUND);
        shown.options = first.map(|option| Row::of(option, 0)).collect();
        (shown.matching, shown.cursor, shown.next) = (matching.len(), 0, 0);
        shown.filter = choice.filter;
    }
    shown.notice = choice.notice.and_then(|name| shown.frame.words.options.notice(&name));
    if let Some(name) = choice.edit {
        let member = Member::of_path(&name, choice.b64).shown(&shown.frame)?;
        shown.form = match found.iter().find(|option| option.member.as_bytes() == member.0) {
            Some(option) => OptionForm::of(option, choice.cursor),
            None => OptionForm::failed(shown.frame.words.options.gone.to_owned()),
        };
    }
    page(&shown)
}

/// A page of the list as it looks before the visitor chooses an option, and the options on it.
async fn prepare(
    app: &App,
    frame: Frame,
    key: String,
    cursor: u64,
) -> Result<(OptionsPage, Vec<VotingOption>), Failure> {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    let told = app.link.ask(&info(&key)).await.shown(&frame)?;
    let absent = || Problem::not_found(format!("no board at the key '{key}'"));
    let told = told.ok_or_else(absent).shown(&frame)?;
    let found = app.link.ask(&options_of(&key, cursor).count(PAGE)).await.shown(&frame)?;
    let list = OptionsPage {
        words: &frame.words.campaign,
        takes_votes: takes_votes(&told),
        has_all: told.text("views").is_some_and(|views| views.split(',').any(|view| view == "all")),
        has_shown: told.number("shown") == Some(1),
        cursor,
        next: found.cursor,
        filter: String::new(),
        matching: 0,
        options: found.options.iter().map(|option| Row::of(option, cursor)).collect(),
        frame,
        key,
        notice: None,
        form: OptionForm::default(),
        remove_error: None,
        csv_error: None,
    };
    Ok((list, found.options))
}

/// Whether an option has this part in its name or its text, in any case of letters.
fn sought(filter: &str) -> impl Fn(&VotingOption) -> bool + use<> {
    let filter = filter.to_lowercase();
    let contains = move |bytes: &[u8]| String::from_utf8_lossy(bytes).to_lowercase().contains(&filter);
    move |option| contains(option.member.as_bytes()) || option.meta.as_deref().is_some_and(&contains)
}

impl Row {
    fn of(option: &VotingOption, cursor: u64) -> Self {
        let member = Member::from(option.member.clone());
        let (name, b64) = forms::name_in_form(&member.0);
        let name = crate::pages::names::encoded(&name);
        Self {
            edit: format!("?cursor={cursor}&edit={name}&b64={b64}#option-form"),
            weight: option.weight,
            initial: option.initial,
            meta: option.meta.as_deref().map(shown).unwrap_or_default(),
            real: option.real.to_string(),
            shown: option.shown.to_string(),
            voters: option.voters,
            member,
        }
    }
}

/// The page with a refused form.
fn refused(list: &OptionsPage) -> Page {
    page(list).map(|page| (StatusCode::BAD_REQUEST, page).into_response())
}

/// A refused form is shown at its own address. A browser that loads this address again is sent to the list.
async fn back(Path(key): Path<String>) -> Redirect {
    Redirect::to(&board_path(&key, "/options"))
}

/// The address of the list after a change.
fn done(key: &str, cursor: u64, notice: &str) -> Response {
    Redirect::to(&board_path(key, &format!("/options?cursor={cursor}&notice={notice}"))).into_response()
}
