//! The HTTP server: all routes behind all checks. The order of the checks is: the head of the request, requests forged
//! by other sites, the sender (`guard`), the body (`bodies`), the share of the caller (`share`), and the number of
//! requests at once.

use std::time::Duration;

use axum::Router;
use axum::error_handling::HandleErrorLayer;
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use tokio::net::TcpListener;
use tower::ServiceBuilder;
use tower::limit::GlobalConcurrencyLimitLayer;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate as _, SizeAbove};
use tower_http::csrf::{CsrfLayer, ProtectionError};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::app::App;
use crate::problem::Problem;
use crate::{accept, api, bodies, cors, gains, guard, history, hooks, pages};

/// Scripts, styles and pictures may come only from the console itself, and no other site may show the console in a
/// frame.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/// Answers of fewer bytes are not compressed.
const COMPRESSED: u64 = 1_024;

/// Serves until the console is stopped, then waits for open requests to end.
pub async fn serve(app: App, listener: TcpListener) {
    tokio::spawn(follow_tokens(app.clone()));
    tokio::spawn(sample(app.clone()));
    tokio::spawn(record(app.clone()));
    tokio::spawn(follow_gains(app.clone()));
    let hooks = tokio::spawn(hooks::keep(app.desk(api::hooks::ROWS)));
    // Streams keep connections open, in addition to the connections that requests use.
    let connections = app.settings.max_requests.saturating_add(app.settings.max_listeners);
    let connections = usize::try_from(connections).unwrap_or(usize::MAX);
    accept::serve(listener, router(app.clone()), connections, app.stopping.clone(), app.settings.longest())
        .await;
    let _ = hooks.await;
}

async fn sample(app: App) {
    history::sample(&app.link, &app.history).await;
}

async fn record(app: App) {
    history::record(&app.link, &app.history, &app.kept).await;
}

async fn follow_gains(app: App) {
    gains::follow(&app.link, &app.history, &app.gains).await;
}

/// All routes behind all checks.
pub fn router(app: App) -> Router {
    let most = usize::try_from(app.settings.max_requests).unwrap_or(usize::MAX);
    let at_once = || {
        ServiceBuilder::new()
            .layer(HandleErrorLayer::new(guard::turned_away))
            .load_shed()
            .layer(GlobalConcurrencyLimitLayer::new(most))
            .timeout(app.settings.longest())
    };
    // Several layers are joined into one, because a router makes a box for each layer and request.
    let shares = ServiceBuilder::new()
        .layer(from_fn_with_state(app.clone(), bodies::receive))
        .layer(from_fn_with_state(app.clone(), guard::admit))
        .layer(at_once());
    // Small answers and streams stay as they are. A large one is compressed in a thread that serves others, too, so the fastest
    // level is the right one.
    let is_compressed = DefaultPredicate::new().and(SizeAbove::new(COMPRESSED));
    let csrf = CsrfLayer::new().with_rejection_response(|error: ProtectionError| guard::forged(&error));
    let csrf = cors::trusted(&app.settings.cors, csrf);
    let checks = ServiceBuilder::new()
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(is_compressed))
        .layer(cors::layer(&app.settings.cors))
        .layer(from_fn_with_state(app.clone(), guard::count))
        .layer(header(CACHE_CONTROL, "no-store"))
        .layer(header(REFERRER_POLICY, "same-origin"))
        .layer(header(X_FRAME_OPTIONS, "DENY"))
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(CONTENT_SECURITY_POLICY, POLICY))
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            Problem::internal("a fault").into_response()
        }))
        .layer(from_fn_with_state(app.clone(), guard::check_host))
        .layer(from_fn_with_state(app.clone(), cors::without_session))
        .layer(csrf)
        .layer(from_fn_with_state(app.clone(), guard::identify));
    Router::new()
        .nest("/api/v1", api::router())
        .merge(pages::router())
        .fallback(pages::unknown)
        .layer(shares)
        // Monitoring has its own places, so it works even if all places for other requests are taken.
        .merge(api::metrics::router().layer(at_once()))
        .layer(checks)
        .with_state(app)
}

fn header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

/// Follows changes of the tokens file.
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
