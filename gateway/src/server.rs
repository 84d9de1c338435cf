//! The HTTP server: what each request passes before a handler sees it, in this order: limits, the Host header, requests
//! forged by other sites, and who sends it.

use std::net::SocketAddr;
use std::time::Duration;

use axum::error_handling::HandleErrorLayer;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{
    AUTHORIZATION, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{BoxError, Router};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::csrf::CsrfLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

use crate::access::Caller;
use crate::access::tokens::hash;
use crate::app::App;
use crate::problem::Problem;
use crate::{api, pages};

/// The largest body, in bytes. Routes that take more say so themselves.
const LARGEST_BODY: usize = 1 << 20;
/// Scripts, styles and pictures come from the console itself, and no other site shows it in a frame.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/// Serves until SIGINT or SIGTERM.
///
/// # Errors
/// An address that cannot be listened on.
pub async fn run(app: App) -> Result<(), String> {
    let address = app.settings.http;
    let listener = TcpListener::bind(address).await.map_err(|error| format!("--http {address}: {error}"))?;
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    println!("leaderboard-gateway: http://{bound}");
    tokio::spawn(follow_tokens(app.clone()));
    tokio::spawn(crate::history::sample(app.clone()));
    let service = router(app.clone()).into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(stop_at_the_end(app.stopping.clone()));
    let served = axum::serve(listener, service)
        .with_graceful_shutdown(app.stopping.clone().cancelled_owned())
        .into_future();
    // A client that takes nothing any more must not keep the process from ending.
    let patience = async {
        app.stopping.cancelled().await;
        tokio::time::sleep(longest(&app)).await;
    };
    tokio::select! {
        served = served => served.map_err(|error| format!("cannot serve: {error}")),
        () = patience => Ok(()),
    }
}

/// All routes behind all checks.
pub fn router(app: App) -> Router {
    let limits = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(turned_away))
        .load_shed()
        .concurrency_limit(usize::try_from(app.settings.max_requests).unwrap_or(usize::MAX))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, longest(&app)));
    Router::new()
        .nest("/api/v1", api::router())
        .merge(api::metrics::router())
        .merge(pages::router())
        .layer(from_fn_with_state(app.clone(), identify))
        .layer(CsrfLayer::new())
        .layer(from_fn_with_state(app.clone(), check_host))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(limits)
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            Problem::internal("a fault").into_response()
        }))
        .layer(header(CONTENT_SECURITY_POLICY, POLICY))
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(X_FRAME_OPTIONS, "DENY"))
        .layer(header(REFERRER_POLICY, "same-origin"))
        .with_state(app)
}

fn header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

/// No request takes longer: a few answers of the server, one after another.
fn longest(app: &App) -> Duration {
    app.settings.timeout().saturating_mul(5)
}

async fn turned_away(_: BoxError) -> Problem {
    Problem::unavailable("too many requests at once")
}

async fn check_host(State(app): State<App>, request: Request, next: Next) -> Response {
    if app.hosts.accept(request.headers()) {
        next.run(request).await
    } else {
        Problem::misdirected().into_response()
    }
}

/// Notes who sends a request. Without a valid token it goes no further, but for what everybody may see.
async fn identify(State(app): State<App>, mut request: Request, next: Next) -> Response {
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
        Some(value) => tokens.find(&hash(value.to_str().ok()?.strip_prefix("Bearer ")?.trim())),
        None => tokens.find(&app.sessions.token(headers)?),
    }
}

fn is_public(path: &str) -> bool {
    matches!(path, "/healthz" | "/login" | "/language" | "/api/v1/openapi.json")
        || path.starts_with("/assets/")
}

/// Takes over changes of the tokens file.
async fn follow_tokens(app: App) {
    let Some(tokens) = &app.tokens else { return };
    let mut said = None;
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let failure = tokens.refresh().err();
        if let Some(reason) = failure.as_ref().filter(|reason| said.as_ref() != Some(*reason)) {
            eprintln!("leaderboard-gateway: the tokens stay as they were: {reason}");
        }
        said = failure;
    }
}

async fn stop_at_the_end(stopping: CancellationToken) {
    end().await;
    stopping.cancel();
}

async fn end() {
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate => {}
    }
}
