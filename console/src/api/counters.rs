//! Counters of events.

use axum::Json;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use leaderboard_client::counters::{alter as alter_request, create as create_request, get, incr, info};
use leaderboard_client::{Created, Request, Sample};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::encoding::segment;
use crate::api::extract::{Administering, Body, Editing, Key, Nothing, Params, RequestId, Viewing};
use crate::api::info::Described;
use crate::api::league_replies::MadeKey;
use crate::api::league_rules::put;
use crate::api::members::Confirmation;
use crate::api::numbers::{digits, whole};
use crate::api::paths::{AtKey, WithId};
use crate::app::App;
use crate::problem::Problem;

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(read, count, create, alter, delete))
}

/// Which counts. If no field is given, the answer is the rules and the total of the counter.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Slices {
    /// The length of a slice in seconds.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 60, minimum = 1, maximum = 315_360_000)]
    precision: Option<u64>,
    /// The first slice is the slice that holds this moment, in ms.
    #[serde(default, deserialize_with = "whole")]
    #[param(minimum = 0, maximum = 253_402_300_799_999_i64)]
    from: Option<i64>,
    /// The last slice is the slice that holds this moment, in ms.
    #[serde(default, deserialize_with = "whole")]
    #[param(minimum = 0, maximum = 253_402_300_799_999_i64)]
    to: Option<i64>,
    /// Include the slices that have no count.
    #[serde(default)]
    fill: bool,
}

impl Slices {
    /// The request; `None` if no precision is given.
    fn request(&self, key: &str) -> Result<Option<Request<Vec<Sample>>>, Problem> {
        let Some(precision) = self.precision else {
            let others = [("from", self.from.is_some()), ("to", self.to.is_some()), ("fill", self.fill)];
            return match others.into_iter().find(|(_, is_given)| *is_given) {
                Some((name, _)) => Err(Problem::invalid(format!("precision: missing, {name} needs it"))),
                None => Ok(None),
            };
        };
        let request = put(put(get(key, precision), "FROM", self.from), "TO", self.to);
        Ok(Some(if self.fill { request.fill() } else { request }))
    }
}

/// The counts of a precision, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Samples {
    samples: Vec<Slice>,
}

/// The count of a slice.
#[derive(Debug, Serialize, ToSchema)]
pub struct Slice {
    /// The moment when the slice begins, in ms.
    #[schema(example = 1_767_225_600_000_i64)]
    start: i64,
    /// A whole number as text, since it can be beyond 2^53.
    #[schema(example = "12", pattern = "^-?[0-9]+$")]
    count: String,
}

impl From<Vec<Sample>> for Samples {
    fn from(samples: Vec<Sample>) -> Self {
        let slice = |sample: Sample| Slice { start: sample.start, count: sample.count.to_string() };
        Self { samples: samples.into_iter().map(slice).collect() }
    }
}

/// The counts of slices, or the rules and the total of the counter.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Told {
    Samples(Samples),
    Described(Described),
}

/// Events to count.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"by": 1, "at": 1_767_225_600_000_i64}))]
#[serde(deny_unknown_fields)]
pub struct Events {
    /// The number of events; 1 if absent. It can be below 0.
    #[serde(default, deserialize_with = "whole")]
    #[schema(example = 1)]
    by: Option<i64>,
    /// The moment of the events, in ms; now if absent.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 253_402_300_799_999_i64)]
    at: Option<i64>,
}

impl Events {
    fn request(&self, key: &str, id: Option<&[u8]>) -> Request<i64> {
        put(put(put(incr(key), "BY", self.by), "AT", self.at), "ID", id)
    }
}

/// The sum of all counted events.
#[derive(Debug, Serialize, ToSchema)]
pub struct Total {
    /// The sum as a text of digits.
    #[schema(example = "12")]
    total: String,
}

/// A counter to make. An absent field has the default of LB.COUNTER.CREATE.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"precisions": "1,60,3600", "samples": 120}))]
#[serde(deny_unknown_fields)]
pub struct CreateCounter {
    /// The lengths of its slices in seconds.
    #[serde(default, deserialize_with = "digits")]
    #[schema(example = "1,60,3600")]
    precisions: Option<String>,
    /// How many slices of each precision are kept.
    #[serde(default, deserialize_with = "whole")]
    #[schema(example = 120, minimum = 1, maximum = 10_000)]
    samples: Option<u64>,
    /// The clock that counts: `server` (the clock of the server) or `event` (the times of the events).
    #[schema(schema_with = crate::api::words::clock)]
    clock: Option<String>,
    /// The least time for which a request id is remembered, in seconds.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 315_360_000)]
    dedup: Option<u64>,
}

impl CreateCounter {
    fn request(&self, key: &str) -> Request<Created> {
        let request = put(create_request(key), "PRECISIONS", self.precisions.as_deref());
        let request = put(put(request, "SAMPLES", self.samples), "CLOCK", self.clock.as_deref());
        put(request, "DEDUP", self.dedup)
    }
}

/// The counts of a precision. If no precision is given, the rules and the total of the counter.
#[utoipa::path(get, path = "/counters/{key}", operation_id = "counter", tag = "counters",
    params(AtKey, Slices),
    responses((status = 200, body = Told), (status = "default", body = Problem)))]
pub async fn read(
    State(app): State<App>,
    counter: Key<Viewing>,
    Params(slices): Params<Slices>,
) -> Result<Json<Told>, Problem> {
    if let Some(request) = slices.request(&counter.name)? {
        return Ok(Json(Told::Samples(app.link.ask(&request).await?.into())));
    }
    match app.link.ask(&info(&counter.name)).await? {
        Some(told) => Ok(Json(Told::Described(Described::new(&counter.name, told)))),
        None => Err(Problem::not_found("no such counter")),
    }
}

/// Counts one event or several events.
#[utoipa::path(post, path = "/counters/{key}", operation_id = "countEvents", tag = "counters",
    params(AtKey, WithId), request_body = Events,
    responses((status = 200, body = Total), (status = "default", body = Problem)))]
pub async fn count(
    State(app): State<App>,
    counter: Key<Editing>,
    _none: Params<Nothing>,
    id: RequestId,
    Body(events): Body<Events>,
) -> Result<Json<Total>, Problem> {
    let total = app.link.ask(&events.request(&counter.name, id.id())).await?;
    Ok(Json(Total { total: total.to_string() }))
}

/// Makes a counter.
#[utoipa::path(put, path = "/counters/{key}", operation_id = "createCounter", tag = "counters",
    params(AtKey), request_body = CreateCounter,
    responses(
        (status = 201, body = MadeKey, headers(("Location" = String, description = "The path of the counter"))),
        (status = "default", body = Problem)))]
pub async fn create(
    State(app): State<App>,
    counter: Key<Administering>,
    _none: Params<Nothing>,
    Body(rules): Body<CreateCounter>,
) -> Result<Response, Problem> {
    app.change(&counter.caller, "create", None, &rules.request(&counter.name)).await?;
    let place: [(HeaderName, String); 1] =
        [(LOCATION, format!("/api/v1/counters/{}", segment(&counter.name)))];
    Ok((StatusCode::CREATED, place, Json(MadeKey { key: counter.name })).into_response())
}

/// Changes of a counter. An absent field stays as it is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(example = json!({"precisions": "+10,-1", "samples": 240}))]
#[serde(deny_unknown_fields)]
pub struct AlterCounter {
    /// Precisions to add and to drop, in seconds. An added one begins empty.
    #[schema(example = "+10,-5")]
    precisions: Option<String>,
    /// The number of slices that are kept of each precision.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 1, maximum = 10_000)]
    samples: Option<u64>,
    /// The least time for which a request id is remembered, in seconds.
    #[serde(default, deserialize_with = "whole")]
    #[schema(minimum = 0, maximum = 315_360_000)]
    dedup: Option<u64>,
}

impl AlterCounter {
    fn request(&self, key: &str) -> Request<()> {
        let request = put(alter_request(key), "PRECISIONS", self.precisions.as_deref());
        put(put(request, "SAMPLES", self.samples), "DEDUP", self.dedup)
    }
}

fn absent() -> Problem {
    Problem::not_found("no such counter")
}

/// Changes rules of a counter.
#[utoipa::path(patch, path = "/counters/{key}", operation_id = "alterCounter", tag = "counters", params(AtKey),
    request_body = AlterCounter,
    responses((status = 200, body = Described), (status = "default", body = Problem)))]
pub async fn alter(
    State(app): State<App>,
    counter: Key<Administering>,
    _none: Params<Nothing>,
    Body(changes): Body<AlterCounter>,
) -> Result<Json<Described>, Problem> {
    app.change(&counter.caller, "alter", None, &changes.request(&counter.name)).await?;
    let told =
        app.link.ask(&info(&counter.name)).await.map_err(Problem::behind_a_change)?.ok_or_else(absent)?;
    Ok(Json(Described::new(&counter.name, told)))
}

/// Deletes a counter.
#[utoipa::path(delete, path = "/counters/{key}", operation_id = "deleteCounter", tag = "counters",
    params(AtKey, Confirmation),
    responses((status = 204), (status = "default", body = Problem)))]
pub async fn delete(
    State(app): State<App>,
    counter: Key<Administering>,
    Params(confirmation): Params<Confirmation>,
) -> Result<StatusCode, Problem> {
    confirmation.require(&counter.name)?;
    app.delete(&counter.caller, &counter.name, &info(&counter.name))
        .await?
        .then_some(())
        .ok_or_else(absent)?;
    Ok(StatusCode::NO_CONTENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::parse::{body, query};

    #[test]
    fn arguments_become_commands() {
        let slices = |text: &str| query::<Slices>(text).unwrap().request("c").unwrap();
        assert_eq!(
            format!("{:?}", slices("precision=60&from=1&to=2&fill=true").unwrap()),
            "LB.COUNTER.GET c 60 FROM 1 TO 2 FILL"
        );
        assert!(slices("").is_none());
        let events = body::<Events>(br#"{"by":"-2","at":7}"#).unwrap();
        assert_eq!(format!("{:?}", events.request("c", Some(b"r"))), "LB.COUNTER.INCR c BY -2 AT 7 ID r");
        let rules =
            body::<CreateCounter>(br#"{"precisions":60,"samples":5,"clock":"event","dedup":0}"#).unwrap();
        assert_eq!(
            format!("{:?}", rules.request("c")),
            "LB.COUNTER.CREATE c PRECISIONS 60 SAMPLES 5 CLOCK event DEDUP 0"
        );
    }

    #[test]
    fn a_range_needs_a_precision() {
        let said = query::<Slices>("to=2").unwrap().request("c").unwrap_err();
        assert_eq!(said.detail(), "precision: missing, to needs it");
    }
}
