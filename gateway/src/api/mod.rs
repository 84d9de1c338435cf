//! The HTTP API, `/api/v1`: JSON in, JSON out. A handler takes its arguments, sends one command, and turns the reply
//! into JSON. Names of fields are those of the commands' options, in lower case; scores are strings, since a score may
//! have more digits than a JSON number keeps.

mod boards;
mod extract;
mod live;
pub mod metrics;
mod names;
mod reads;

use axum::Router;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::problem::Problem;

/// The head of the description.
#[derive(OpenApi)]
#[openapi(
    info(title = "Leaderboard gateway", description = "Boards, votes, leagues and counters over HTTP."),
    servers((url = "/api/v1"))
)]
struct Head;

fn described() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Head::openapi())
        .routes(routes!(boards::list))
        .routes(routes!(reads::top))
        .routes(routes!(live::follow))
}

/// The routes of the API.
pub fn router() -> Router<App> {
    let (routes, description) = described().split_for_parts();
    let description = description.to_pretty_json().unwrap_or_default();
    routes
        .route(
            "/openapi.json",
            get(async move || ([("content-type", "application/json")], description.clone())),
        )
        .fallback(async || Problem::not_found("no such path"))
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
}
