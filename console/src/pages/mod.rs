//! The admin pages. The console renders them, and any browser can show them. Forms and links do everything; scripts
//! only avoid reloading pages. There is a file for each page, with its handlers and the structs for its templates in
//! `templates/`.

mod arguments;
mod assets;
mod audit;
mod board;
mod board_csv;
mod board_history;
mod board_info;
mod board_live;
mod board_rules;
mod boards;
mod campaign;
mod counter;
mod event_time;
mod found;
mod frame;
mod health;
mod hooks;
mod league;
mod member;
mod member_changes;
mod member_history;
mod names;
mod new_board;
mod new_fields;
pub mod options;
mod plots;
mod ranking;
mod reading;
mod scores;
mod segments;
mod sign_in;
mod sign_in_oidc;
mod suspects;
mod times;
mod tokens;
mod voter;
mod winners;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;

use crate::app::App;

/// The routes of the pages.
pub fn router() -> Router<App> {
    Router::new()
        .route("/", get(async || Redirect::to("/boards")))
        .merge(assets::router())
        .merge(board::router())
        .merge(audit::router())
        .merge(board_history::router())
        .merge(boards::router())
        .merge(campaign::router())
        .merge(counter::router())
        .merge(found::router())
        .merge(health::router())
        .merge(hooks::router())
        .merge(league::router())
        .merge(member::router())
        .merge(new_board::router())
        .merge(options::router())
        .merge(plots::router())
        .merge(scores::router())
        .merge(segments::router())
        .merge(sign_in::router())
        .merge(sign_in_oidc::router())
        .merge(suspects::router())
        .merge(tokens::router())
        .merge(voter::router())
        .merge(winners::router())
}

/// Whether a person requests this path with a browser. A request without the necessary rights is then answered with a
/// page.
pub fn is_page(path: &str) -> bool {
    !path.starts_with("/api/") && !matches!(path, "/api" | "/healthz" | "/readyz" | "/metrics")
}

/// The answer to a path that does not exist.
pub async fn unknown(uri: axum::http::Uri, frame: Option<frame::Frame>) -> axum::response::Response {
    use axum::response::IntoResponse;
    let problem = crate::problem::Problem::not_found("no such path");
    match frame.filter(|_| is_page(uri.path())) {
        Some(frame) => frame::failure(&frame, &problem).into_response(),
        None => problem.into_response(),
    }
}
