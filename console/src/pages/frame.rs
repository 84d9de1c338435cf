//! The frame around all pages: navigation, language, and the signed-in visitor. It also contains the page that shows an
//! error.

use std::convert::Infallible;

use askama::Template;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use leaderboard_client::Period;

use crate::access::{Caller, Role};
use crate::app::App;
use crate::i18n::numbers;
use crate::i18n::{self, Words};
use crate::problem::Problem;

/// What every page shows around its own content. Templates call it `frame`.
pub struct Frame {
    pub words: &'static Words,
    pub caller: Caller,
    /// Whether the console has tokens, so that visitors can sign out.
    pub has_tokens: bool,
    pub read_only: bool,
    /// Whether the gateway has hooks.
    pub has_hooks: bool,
    /// The path of this page, for links that return to it.
    pub path: String,
}

impl Frame {
    /// Whether the visitor has the role editor for this key. Templates hide controls that would be refused.
    pub fn edits(&self, key: &str) -> bool {
        self.caller.sees(key) && self.caller.has(Role::Editor)
    }

    /// Whether the visitor has the role admin for this key.
    pub fn administers(&self, key: &str) -> bool {
        self.caller.sees(key) && self.caller.has(Role::Admin)
    }

    /// A number as a person reads it: `1,234,567`.
    pub fn number(&self, number: impl std::fmt::Display) -> String {
        numbers::grouped(&number.to_string())
    }

    /// A period with the number of its members: `2026-11-22 (1,200)`.
    pub fn period(&self, period: &Period) -> String {
        format!("{} ({})", period.label, self.number(period.members))
    }

    /// An amount of memory with its unit: `1.5 MB`.
    pub fn bytes(&self, bytes: &u64) -> String {
        numbers::bytes(*bytes)
    }
}

impl FromRequestParts<App> for Frame {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        Ok(Self {
            words: i18n::of(&parts.headers),
            caller: <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await?,
            has_tokens: app.tokens.is_some(),
            read_only: app.settings.read_only,
            has_hooks: app.settings.hooks.is_some(),
            path: parts.uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string),
        })
    }
}

/// For the page that answers an unknown path: it has a frame if the visitor is signed in.
impl OptionalFromRequestParts<App> for Frame {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Infallible> {
        Ok(<Self as FromRequestParts<App>>::from_request_parts(parts, app).await.ok())
    }
}

/// A page, or the page that shows why the requested page is not available.
pub type Page = Result<Response, Failure>;

/// An error to show inside the frame. Made with [`Shown::shown`].
pub struct Failure(Box<Response>);

impl From<Response> for Failure {
    fn from(response: Response) -> Self {
        Self(Box::new(response))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        *self.0
    }
}

/// Renders a template.
///
/// # Errors
/// If the template has a fault.
pub fn page(template: &impl Template) -> Page {
    match template.render() {
        Ok(text) => Ok(Html(text).into_response()),
        Err(error) => Err(Failure(Box::new(Problem::internal(error.to_string()).into_response()))),
    }
}

#[derive(Template)]
#[template(path = "failure.html")]
struct FailurePage<'a> {
    frame: &'a Frame,
    problem: &'a Problem,
    /// Whether the server does not answer. The page then loads itself again after a while.
    is_gone: bool,
}

/// Turns the error of a command into a page that shows it.
pub trait Shown<T> {
    /// # Errors
    /// The page that shows the error, with the status of the error.
    fn shown(self, frame: &Frame) -> Result<T, Failure>;
}

impl<T> Shown<T> for Result<T, Problem> {
    fn shown(self, frame: &Frame) -> Result<T, Failure> {
        self.map_err(|problem| failure(frame, &problem))
    }
}

/// The page that shows this error.
pub fn failure(frame: &Frame, problem: &Problem) -> Failure {
    let is_gone = problem.status() == StatusCode::SERVICE_UNAVAILABLE;
    let text =
        FailurePage { frame, problem, is_gone }.render().unwrap_or_else(|_| problem.detail().to_owned());
    let mut response = (problem.status(), Html(text)).into_response();
    if is_gone {
        response.headers_mut().insert(header::REFRESH, header::HeaderValue::from_static("2"));
    }
    Failure(Box::new(response))
}
