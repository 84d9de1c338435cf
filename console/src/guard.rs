//! The checks that a request passes before a handler gets it, and the answers to refused requests.

use std::sync::Arc;
use std::time::Instant;

use axum::BoxError;
use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use tower::timeout::error::Elapsed;
use tower_http::csrf::ProtectionError;

use crate::access::Caller;
use crate::access::audit::{Event, UNKNOWN_TOKEN};
use crate::access::proxy::Origin;
use crate::app::App;
use crate::link::late;
use crate::problem::Problem;
use crate::share::{LIGHT, Visit, Who, holding};
use crate::traffic::Door;
use crate::{api, pages};

/// The answer to a request that took too long, or that came while there were too many requests.
pub async fn turned_away(method: Method, error: BoxError) -> Problem {
    match error.is::<Elapsed>() {
        true if method.is_safe() => Problem::unavailable("this took too long"),
        true => Problem::unknown("this took too long, and may have been carried out".to_owned()),
        false => Problem::unavailable("too many requests at once"),
    }
}

/// The answer to a change that a page of another site made the browser send.
pub fn forged(error: &ProtectionError) -> Response {
    Problem::forbidden(format!("a page of another site cannot send changes: {error}")).into_response()
}

/// Refuses a request that names another host, if a page of another site could have made a browser send it. A browser
/// adds cookies without being asked, and a console without tokens accepts every request. A request with a token in
/// Authorization cannot come from such a page. Requests of monitoring may name any host.
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
    matches!(path, "/healthz" | "/readyz" | "/metrics")
}

/// Counts the answer to a request, whatever check it did not pass.
pub async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let (door, begun) = (Door::of(request.uri().path()), Instant::now());
    let response = next.run(request).await;
    app.traffic.note(door, response.status().as_u16(), begun.elapsed());
    response
}

/// The header with the reason of a change, for the audit log.
const REASON: HeaderName = HeaderName::from_static("audit-reason");

/// Notes the caller of a request. Without a valid token, a request gets only the public paths.
pub async fn identify(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let from = Origin::of(request.extensions(), request.headers(), &app.settings.proxies).ok();
    let caller = app.caller(request.headers()).or_else(|| api::live::ticket_holder(&app, &request));
    match caller {
        Some(caller) => {
            let reason =
                request.headers().get(REASON).map(|reason| String::from_utf8_lossy(reason.as_bytes()));
            let caller = caller.at(from).because(&reason.unwrap_or_default());
            request.extensions_mut().insert(caller.clone());
            // Reads that are not allowed are not worth a line of the log.
            let tried =
                (!request.method().is_safe()).then(|| (request.method().clone(), request.uri().clone()));
            let is_free = is_public(request.uri().path());
            let response = match if is_free { Ok(()) } else { caller.count() } {
                Ok(()) => next.run(request).await,
                Err(problem) => problem.into_response(),
            };
            // Metrics show the names of tokens. Those of people are not for everybody who reads metrics.
            if caller.has_token() {
                app.traffic.note_token(caller.name(), response.status().as_u16());
            }
            if let Some((method, uri)) = tried.filter(|_| response.status() == StatusCode::FORBIDDEN) {
                let who = (caller.name(), from.map(|from| from.to_string()));
                app.audit.note_refused(who, event_of(&method, uri.path()), "not allowed".to_owned());
            }
            response
        }
        None if is_public(request.uri().path()) => next.run(request).await,
        None => {
            if request.headers().contains_key(AUTHORIZATION) {
                app.audit.note_stranger(from.map(|from| from.to_string()), UNKNOWN_TOKEN);
            }
            match pages::is_page(request.uri().path()) {
                true => Redirect::to("/login").into_response(),
                false => Problem::unauthorized().into_response(),
            }
        }
    }
}

/// What a request tries, for the audit log.
fn event_of(method: &Method, path: &str) -> Event {
    let key = path.strip_prefix("/api/v1").unwrap_or(path).split('/').nth(2).unwrap_or_default();
    let key = percent_encoding::percent_decode_str(key).decode_utf8_lossy().into_owned();
    Event { action: "try", key, detail: format!("{method} {path}"), ..Event::default() }
}

fn is_public(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/language" | "/api/v1/openapi.json")
        || matches!(path, "/login" | "/login/oidc" | "/login/callback")
        || path.starts_with("/assets/")
}

/// Takes a seat for a request. A request without a valid token needs no seat, because it can ask for very little.
pub async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(who) = who(&app, &request) else { return next.run(request).await };
    let share = app.shares.of(who);
    let Some(seat) = share.seat().await else { return no_seat(&app).into_response() };
    let visit = Visit::new(share, Some(seat));
    let response = Arc::clone(&visit).scope(next.run(request)).await;
    let bytes = response.body().size_hint().exact().unwrap_or(0);
    // A body that is still reading, such as a file, holds the visit itself. A live stream must not hold it.
    if visit.is_heavy() && bytes > LIGHT { holding(response, visit) } else { response }
}

/// The error for a request that gets no seat. If the server does not answer the requests that have the seats, the
/// caller is not at fault.
fn no_seat(app: &App) -> Problem {
    if app.link.is_late() {
        late()
    } else {
        Problem::too_many("too many requests of one token, or of one address, at once: see --max-per-token")
    }
}

fn who(app: &App, request: &Request) -> Option<Who> {
    if app.tokens.is_some() {
        let caller = request.extensions().get::<Caller>()?;
        return Some(Who::Token(caller.name().to_owned()));
    }
    Origin::of(request.extensions(), request.headers(), &app.settings.proxies).ok().map(Who::Origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_change_that_took_too_long_may_have_been_carried_out() {
        let late = |method| turned_away(method, Elapsed::new().into());
        assert!(late(Method::GET).await.is_unavailable());
        assert!(late(Method::POST).await.is_unknown() && late(Method::DELETE).await.is_unknown());
        assert!(turned_away(Method::POST, "overloaded".into()).await.is_unavailable());
        let gone = Problem::unavailable("gone").behind_a_change();
        assert!(gone.is_unknown() && gone.detail().ends_with("gone"));
        assert!(Problem::invalid("count").behind_a_change().is_invalid());
    }
}
