//! The HTTP API, `/api/v1`: JSON in, JSON out. A handler takes its arguments, sends one command, and turns the reply
//! into JSON. Fields have the names of the commands' options, in lower case. Scores are strings, because a score may
//! have more digits than a JSON number keeps.

mod batch;
mod boards;
mod bounds;
mod counters;
mod description;
mod encoding;
mod entrants;
mod export;
mod extract;
pub mod found;
pub mod hooks;
mod info;
mod league_changes;
mod league_prizes;
mod league_replies;
mod league_rules;
mod leagues;
mod limits;
pub mod live;
mod load;
mod members;
pub mod metrics;
mod names;
mod numbers;
pub mod options;
mod parse;
mod paths;
mod prizes;
mod quota;
mod ranges;
mod rankings;
mod reading;
mod ready;
mod replicas;
mod rules;
mod scores;
mod scores_csv;
mod segments;
mod spread;
mod totals;
mod votes;
mod words;

use axum::Router;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::problem::Problem;

fn described() -> OpenApiRouter<App> {
    description::head()
        .merge(boards::routes())
        .merge(rankings::routes())
        .merge(ranges::routes())
        .merge(members::routes())
        .merge(found::routes())
        .merge(scores::routes())
        .merge(scores_csv::routes())
        .merge(segments::routes())
        .merge(entrants::routes())
        .merge(prizes::routes())
        .merge(export::routes())
        .merge(hooks::routes())
        .merge(votes::routes())
        .merge(quota::routes())
        .merge(totals::routes())
        .merge(spread::routes())
        .merge(live::routes())
        .merge(options::routes())
        .merge(leagues::routes())
        .merge(league_changes::routes())
        .merge(league_prizes::routes())
        .merge(counters::routes())
        .merge(batch::routes())
}

/// The routes of the API.
pub fn router() -> Router<App> {
    let (routes, description) = described().split_for_parts();
    let description = description::text(description);
    routes
        .route(
            "/openapi.json",
            get(async move || ([("content-type", "application/json")], description.clone())),
        )
        .fallback(async || Problem::not_found("no such path"))
        .method_not_allowed_fallback(async || Problem::method_not_allowed())
}
