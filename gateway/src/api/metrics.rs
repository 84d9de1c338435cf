//! `/healthz` and `/metrics`.

use axum::Router;
use axum::extract::State;
use axum::routing::get;

use crate::app::App;
use crate::problem::Problem;

/// The routes, at the root and not below `/api/v1`.
pub fn router() -> Router<App> {
    Router::new().route("/healthz", get(health))
}

/// 200 if the server answers, else 503.
async fn health(State(app): State<App>) -> Result<&'static str, Problem> {
    app.link.command(&redis::cmd("PING")).await?;
    Ok("ok\n")
}
