//! The deliveries of hooks: what has arrived, what waits, and sending one again.

use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Caller;
use crate::api::extract::{Administering, Key, Nothing, Params};
use crate::api::names::Meta;
use crate::api::prizes::PrizeRow;
use crate::api::rankings::Line;
use crate::app::App;
use crate::hooks::state::{Delivery, Pending};
use crate::hooks::{Event, Hook, Rows, Told, Waiting, resend};
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(hooks)).routes(routes!(again))
}

/// How deliveries write rows.
pub const ROWS: Rows = Rows {
    winner: |winner, meta| serde_json::to_value(Won { row: winner.into(), meta: meta.into() }),
    line: |row| serde_json::to_value(Line::from(row)),
};

/// A winner with the text of the member.
#[derive(Serialize)]
struct Won {
    #[serde(flatten)]
    row: PrizeRow,
    #[serde(flatten)]
    meta: Meta,
}

/// A hook of the file, and what it has done since this gateway was started.
#[derive(Debug, Serialize, ToSchema)]
pub struct HookState {
    #[schema(example = "payouts")]
    name: String,
    event: Event,
    /// The pattern of the keys.
    #[schema(example = "cup:*")]
    keys: String,
    /// The address, without its query.
    #[schema(example = "https://shop.example.org/hooks")]
    url: String,
    /// Deliveries that have arrived.
    delivered: u64,
    /// Tries that failed.
    failed: u64,
    /// Deliveries that were given up.
    given_up: u64,
    /// Winners that were marked as claimed.
    claimed: u64,
}

impl From<&Hook> for HookState {
    fn from(hook: &Hook) -> Self {
        let [delivered, failed, given_up, claimed] =
            hook.counts.all().map(|count| count.load(Ordering::Relaxed));
        Self {
            name: hook.name.clone(),
            event: hook.event,
            keys: hook.pattern.clone(),
            url: hook.receiver.shown().to_owned(),
            delivered,
            failed,
            given_up,
            claimed,
        }
    }
}

/// A delivery of a board that has arrived, or that was given up.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryOf {
    /// The board.
    #[schema(example = "cup:7")]
    board: String,
    #[serde(flatten)]
    delivery: Delivery,
}

/// A delivery of a board that is tried again.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingOf {
    /// The board.
    #[schema(example = "cup:7")]
    board: String,
    /// The name of the hook.
    #[schema(example = "payouts")]
    hook: String,
    #[serde(flatten)]
    pending: Pending,
}

/// A board that cannot be told.
#[derive(Debug, Serialize, ToSchema)]
pub struct Trouble {
    /// The board.
    #[schema(example = "cup:7")]
    board: String,
    /// The reason.
    error: String,
}

/// The hooks and their deliveries.
#[derive(Debug, Serialize, ToSchema)]
pub struct Deliveries {
    hooks: Vec<HookState>,
    /// The last deliveries, latest first.
    deliveries: Vec<DeliveryOf>,
    waiting: Vec<WaitingOf>,
    troubles: Vec<Trouble>,
}

/// The hooks of the gateway, their last 500 deliveries, and what waits. Only admins may read it.
#[utoipa::path(get, path = "/hooks", operation_id = "hooks", tag = "hooks",
    responses((status = 200, body = Deliveries), (status = "default", body = Problem)))]
pub async fn hooks(
    State(app): State<App>,
    caller: Caller,
    _none: Params<Nothing>,
) -> Result<Json<Deliveries>, Problem> {
    caller.require_audit()?;
    let sees = |key: &str| caller.sees(key);
    let latest = app.hooks.watched.latest(sees).into_iter();
    let waiting = app.hooks.waiting(sees).into_iter();
    let troubles = app.hooks.watched.troubles(sees).into_iter();
    Ok(Json(Deliveries {
        hooks: app.hooks.list.iter().map(HookState::from).collect(),
        deliveries: latest.map(|Told { key, delivery }| DeliveryOf { board: key, delivery }).collect(),
        waiting: waiting
            .map(|Waiting { key, hook, pending }| WaitingOf { board: key, hook, pending })
            .collect(),
        troubles: troubles.map(|(board, error)| Trouble { board, error }).collect(),
    }))
}

/// Sends a delivery of the board again, with the same id. The board's list has its last 50 deliveries.
#[utoipa::path(post, path = "/boards/{key}/deliveries/{id}", operation_id = "resend", tag = "hooks",
    params(
        ("key" = String, Path, description = "The key.", example = "cup:7"),
        ("id" = String, Path, description = "The id of the delivery.", example = "msg_0f2c6a1d9b8e4f70a1b2c3d4e5f60718")),
    responses((status = 200, body = DeliveryOf), (status = "default", body = Problem)))]
pub async fn again(
    State(app): State<App>,
    key: Key<Administering>,
    path: Path<(String, String)>,
    _none: Params<Nothing>,
) -> Result<Json<DeliveryOf>, Problem> {
    let delivery = resend(&app.desk(ROWS), &key.caller, &key.name, &path.1).await?;
    Ok(Json(DeliveryOf { board: key.name, delivery }))
}
