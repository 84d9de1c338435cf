//! What a request has to pass before a handler sees it, and what it is told if it does not.

use axum::BoxError;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use tower::timeout::error::Elapsed;
use tower_http::csrf::ProtectionError;

use crate::access::Caller;
use crate::access::tokens::hash;
use crate::app::App;
use crate::pages;
use crate::problem::Problem;

/// Tells a request that waited too long, or that came while there were too many.
pub async fn turned_away(error: BoxError) -> Problem {
    match error.is::<Elapsed>() {
        true => Problem::unavailable("this took too long"),
        false => Problem::unavailable("too many requests at once"),
    }
}

/// Tells a browser that another site made it send a change.
pub fn forged(error: &ProtectionError) -> Response {
    Problem::forbidden(format!("a page of another site cannot send changes: {error}")).into_response()
}

/// Refuses requests for other hosts where a browser can be made to send them: a browser adds cookies by itself, and
/// without tokens everything that reaches the console counts.
pub async fn check_host(State(app): State<App>, request: Request, next: Next) -> Response {
    let shows_token = app.tokens.is_some() && request.headers().contains_key(AUTHORIZATION);
    let is_free = shows_token || is_probe(request.uri().path());
    if is_free || app.hosts.accept(request.uri(), request.headers(), request.extensions()) {
        return next.run(request).await;
    }
    Problem::misdirected().into_response()
}

/// Whether monitoring asks for this path.
fn is_probe(path: &str) -> bool {
    matches!(path, "/healthz" | "/metrics")
}

/// Notes who sends a request. Without a valid token it goes no further, but for what everybody may see.
pub async fn identify(State(app): State<App>, mut request: Request, next: Next) -> Response {
    match caller(&app, request.headers()) {
        Some(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        None if is_public(request.uri().path()) => next.run(request).await,
        None if pages::is_page(request.uri().path()) => Redirect::to("/login").into_response(),
        None => Problem::unauthorized().into_response(),
    }
}

/// Whose token or session a request with these headers shows.
pub fn caller(app: &App, headers: &HeaderMap) -> Option<Caller> {
    let Some(tokens) = &app.tokens else { return Some(app.anybody.clone()) };
    match headers.get(AUTHORIZATION) {
        Some(value) => {
            let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
            tokens.find(&hash(token.trim())).filter(|_| scheme.eq_ignore_ascii_case("Bearer"))
        }
        None => tokens.find(&app.sessions.token(headers)?),
    }
}

fn is_public(path: &str) -> bool {
    matches!(path, "/healthz" | "/login" | "/language" | "/api/v1/openapi.json")
        || path.starts_with("/assets/")
}
