//! Signing in with a token, signing out, and choosing a language.

use std::convert::Infallible;

use askama::Template;
use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use crate::access::audit::{Event, SIGN_IN, UNKNOWN_TOKEN};
use crate::access::proxy::Origin;
use crate::access::sessions::{Owner, SESSION};
use crate::access::tokens::hash;
use crate::app::App;
use crate::i18n::{LANGUAGE, Words, fill};
use crate::pages::arguments::{Form, Query};
use crate::problem::Problem;

/// The routes.
pub fn router() -> Router<App> {
    Router::new()
        .route("/login", get(show).post(sign_in))
        .route("/logout", post(sign_out))
        .route("/language", get(choose_language))
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn<'a> {
    words: &'static Words,
    /// What went wrong.
    notice: Option<&'a str>,
    /// The text of the link to the provider, if there is one.
    provider: Option<String>,
}

async fn show(State(app): State<App>, words: &'static Words) -> Response {
    form(&app, words, StatusCode::OK, None)
}

/// The page to sign in, with what went wrong.
pub fn form(app: &App, words: &'static Words, status: StatusCode, notice: Option<&str>) -> Response {
    let provider = app.oidc.as_ref().map(|oidc| fill(words.sign_in.with, &[oidc.host()]));
    (status, Html(SignIn { words, notice, provider }.render().unwrap_or_default())).into_response()
}

/// The address of a request, as a text.
pub struct Sender(pub Option<String>);

impl FromRequestParts<App> for Sender {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let origin = Origin::of(&parts.extensions, &parts.headers, &app.settings.proxies);
        Ok(Self(origin.ok().map(|origin| origin.to_string())))
    }
}

#[derive(Deserialize)]
struct Token {
    token: String,
}

async fn sign_in(
    State(app): State<App>,
    words: &'static Words,
    sender: Sender,
    Form(given): Form<Token>,
) -> Response {
    let hash = hash(given.token.trim());
    // A console without tokens needs no signing in.
    let Some(tokens) = &app.tokens else { return Redirect::to("/boards").into_response() };
    let Some(caller) = tokens.find(&hash) else {
        app.audit.note_stranger(sender.0, UNKNOWN_TOKEN);
        return form(&app, words, StatusCode::UNAUTHORIZED, Some(words.common.token_unknown));
    };
    let event = Event { action: SIGN_IN, ..Event::default() };
    app.audit.note_of((caller.name(), sender.0), None, event, Ok(()));
    match app.sessions.open(Owner::Token(hash)) {
        Ok(session) => (cookie(SESSION, &session, "HttpOnly; "), Redirect::to("/boards")).into_response(),
        Err(reason) => Problem::internal(reason).into_response(),
    }
}

async fn sign_out(State(app): State<App>, headers: HeaderMap) -> Response {
    app.sessions.close(&headers);
    (cookie(SESSION, "", "HttpOnly; Max-Age=0; "), Redirect::to("/login")).into_response()
}

#[derive(Deserialize)]
struct Choice {
    to: String,
    #[serde(default)]
    back: String,
}

async fn choose_language(Query(choice): Query<Choice>) -> Response {
    let language = if choice.to == "zh" { "zh" } else { "en" };
    // The redirect must lead to a page of the console. Browsers ignore tabs in an address, and treat a backslash like a
    // slash.
    let is_plain = choice.back.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let is_own = is_plain && choice.back.starts_with('/') && !choice.back.starts_with("//");
    let back = if is_own { choice.back.as_str() } else { "/" };
    (cookie(LANGUAGE, language, "Max-Age=31536000; "), Redirect::to(back)).into_response()
}

fn cookie(name: &str, value: &str, more: &str) -> [(axum::http::HeaderName, String); 1] {
    [(SET_COOKIE, format!("{name}={value}; {more}Path=/; SameSite=Strict"))]
}
