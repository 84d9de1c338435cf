//! Signing in by an OpenID Connect provider: the way to its page, and the way back.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, Html, IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::access::audit::{Event, SIGN_IN};
use crate::access::oidc::{Answer, Fault, Oidc, PENDING, User};
use crate::access::sessions::{Owner, SESSION};
use crate::app::App;
use crate::i18n::{Words, fill};
use crate::pages::arguments::Query;
use crate::pages::sign_in::{Sender, form};
use crate::problem::Problem;

/// The routes. Everybody can ask for them.
pub fn router() -> Router<App> {
    Router::new().route("/login/oidc", get(begin)).route("/login/callback", get(finish))
}

#[derive(Template)]
#[template(path = "signed_in.html")]
struct SignedIn {
    words: &'static Words,
}

async fn begin(State(app): State<App>, words: &'static Words, sender: Sender) -> Response {
    let Some(oidc) = &app.oidc else { return Redirect::to("/login").into_response() };
    match oidc.begin(sender.0).await {
        // The provider is another site, so the cookie must come along when its page leads back.
        Ok((page, value)) => {
            let cookie = pending(oidc, &value, "Max-Age=600; ");
            ([(SET_COOKIE, cookie)], Redirect::to(page.as_str())).into_response()
        }
        Err(fault) => refused(&app, oidc, words, &fault),
    }
}

async fn finish(
    State(app): State<App>,
    words: &'static Words,
    sender: Sender,
    headers: HeaderMap,
    Query(answer): Query<Answer>,
) -> Response {
    let Some(oidc) = &app.oidc else { return Redirect::to("/login").into_response() };
    match oidc.finish(&headers, answer).await {
        Ok(user) => enter(&app, oidc, words, sender, user),
        Err(fault) => {
            if let Some(reason) = reason(&fault) {
                app.audit.note_stranger(sender.0, &reason);
            }
            refused(&app, oidc, words, &fault)
        }
    }
}

/// Opens a session for a user. The answer is a page that leads on: a redirect would still belong to the visit that the
/// other site began, and browsers do not send a cookie that is `SameSite=Strict` then.
fn enter(app: &App, oidc: &Oidc, words: &'static Words, sender: Sender, user: User) -> Response {
    let User { caller, subject } = user;
    let event = Event { action: SIGN_IN, detail: format!("subject {subject}"), ..Event::default() };
    app.audit.note_of((caller.name(), sender.0), None, event, Ok(()));
    let session = match app.sessions.open(Owner::User(caller.limited(app.settings.limits()))) {
        Ok(session) => session,
        Err(reason) => return Problem::internal(reason).into_response(),
    };
    let session = format!("{SESSION}={session}; HttpOnly; {}Path=/; SameSite=Strict", secure(oidc));
    let cookies = [(SET_COOKIE, session), (SET_COOKIE, pending(oidc, "", "Max-Age=0; "))];
    (AppendHeaders(cookies), Html(SignedIn { words }.render().unwrap_or_default())).into_response()
}

/// What the audit log says of a sign-in that did not succeed; `None` if nobody but the provider is at fault.
fn reason(fault: &Fault) -> Option<String> {
    match fault {
        Fault::Unknown => Some("unknown sign-in".to_owned()),
        Fault::Refused(_) => Some("refused by the provider".to_owned()),
        Fault::NoRole(name) => Some(format!("no role for {name}")),
        Fault::Busy | Fault::Provider(_) => None,
    }
}

fn refused(app: &App, oidc: &Oidc, words: &'static Words, fault: &Fault) -> Response {
    let (texts, host) = (&words.sign_in, oidc.host());
    let (status, text) = match fault {
        Fault::Unknown => (StatusCode::BAD_REQUEST, texts.unknown.to_owned()),
        Fault::Refused(reason) => (StatusCode::FORBIDDEN, fill(texts.refused, &[host, reason])),
        Fault::NoRole(name) => (StatusCode::FORBIDDEN, fill(texts.no_role, &[name])),
        Fault::Busy => (StatusCode::SERVICE_UNAVAILABLE, texts.busy.to_owned()),
        Fault::Provider(reason) => {
            eprintln!("leaderboard-gateway: sign-in by {host}: {reason}");
            (StatusCode::BAD_GATEWAY, fill(texts.fault, &[host, reason]))
        }
    };
    form(app, words, status, Some(&text))
}

/// The cookie of a sign-in that has begun.
fn pending(oidc: &Oidc, value: &str, more: &str) -> String {
    format!("{PENDING}={value}; HttpOnly; {}{more}Path=/login; SameSite=Lax", secure(oidc))
}

fn secure(oidc: &Oidc) -> &'static str {
    if oidc.is_secure() { "Secure; " } else { "" }
}
