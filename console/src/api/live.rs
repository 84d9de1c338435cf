//! A ranking that is followed live, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, StreamExt, unfold};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::ObjectBuilder;
use utoipa::openapi::{RefOr, Schema, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Caller;
use crate::access::tokens::now;
use crate::api::extract::{Key, Nothing, Params, Viewing};
use crate::api::numbers::whole;
use crate::api::paths::AtKey;
use crate::api::rankings::Line;
use crate::api::segments::{InSegment, in_base64, in_text};
use crate::app::App;
use crate::lease::Lease;
use crate::live::{Follower, Snapshot, Watch};
use crate::problem::Problem;

/// The most lines that can be followed.
const MOST: u64 = 100;
/// For how long streams can be opened with a ticket, in ms.
const TICKET: u64 = 60_000;
/// How often a stream without changes sends a comment, so that proxies leave it open.
const QUIET: Duration = Duration::from_secs(15);

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(follow)).routes(routes!(ticket))
}

/// Which ranking is followed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Following {
    /// The view; the default view of the board if absent.
    view: Option<String>,
    /// The number of lines, at most 100; 10 if absent.
    #[serde(default, deserialize_with = "whole")]
    #[param(example = 10, minimum = 0, maximum = 100)]
    count: Option<u64>,
    /// Show the real votes instead of the shown votes.
    #[serde(default)]
    real: bool,
    /// Include the texts of the members.
    #[serde(default)]
    meta: bool,
    /// Only the members of this segment: a dimension and a value.
    #[serde(rename = "in", default, deserialize_with = "in_text")]
    #[param(value_type = Option<String>, pattern = r"^[^:]+:", example = "country:SE")]
    in_segment: Option<InSegment>,
    /// Only the members of this segment: a dimension and a value in Base64.
    #[serde(default, deserialize_with = "in_base64")]
    #[param(value_type = Option<String>, pattern = r"^[^:]+:([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$")]
    in_b64: Option<InSegment>,
    /// A ticket for this board, in place of a token.
    ticket: Option<String>,
}

impl Following {
    fn watch(self, key: String) -> Result<Watch, Problem> {
        let count = self.count.unwrap_or(10);
        if count > MOST {
            return Err(Problem::invalid(format!("count: at most {MOST}")));
        }
        if self.in_segment.is_some() && self.in_b64.is_some() {
            return Err(Problem::invalid("in: in or in_b64, not both"));
        }
        let segment = self.in_segment.or(self.in_b64);
        let segment = segment.map(|InSegment { dimension, value }| (dimension, value));
        Ok(Watch { key, view: self.view, count, real: self.real, meta: self.meta, segment })
    }
}

/// The data of an event `rows`.
#[derive(Debug, Serialize, ToSchema)]
struct LiveRows {
    rows: Vec<Line>,
    /// The number of members that the view has.
    members: u64,
    /// The moment when the console first read the ranking in this state, in ms.
    at: i64,
}

/// An event of the stream.
struct LiveEvent;

impl PartialSchema for LiveEvent {
    fn schema() -> RefOr<Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        ObjectBuilder::new()
            .description(Some(
                "An event: `data` is JSON, `LiveRows` of an event `rows` and `Problem` of `problem`.",
            ))
            .property("event", text().enum_values(Some(["rows", "problem"])))
            .property("id", text())
            .property("data", text().content_media_type("application/json"))
            .required("data")
            .into()
    }
}

impl ToSchema for LiveEvent {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((LiveRows::name().into_owned(), LiveRows::schema()));
        LiveRows::schemas(schemas);
    }
}

/// Follows the best members live. An event `rows` comes at once and after each change. An event `problem` means that
/// the board cannot be read at present. The `id` of an event grows. A client that reads too slowly gets only the newest
/// state.
#[utoipa::path(get, path = "/boards/{key}/live", operation_id = "live", tag = "rankings",
    params(AtKey, Following),
    responses((status = 200, content_type = "text/event-stream", body = LiveEvent),
        (status = "default", body = Problem)))]
pub async fn follow(
    State(app): State<App>,
    board: Key<Viewing>,
    Params(following): Params<Following>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let lease = Lease::new(&headers, &board.name).with_ticket(following.ticket.clone());
    let mut follower = app.live.follow(&board.caller, following.watch(board.name)?)?;
    let first = follower.next().await;
    if let Some(problem) = &first.problem {
        return Err(problem.clone());
    }
    let events = events(first, follower).take_until(lease.ended(app));
    // Without this header, proxies such as nginx would delay events.
    let headers = [("x-accel-buffering", "no")];
    Ok((headers, Sse::new(events).keep_alive(KeepAlive::new().interval(QUIET))))
}

/// A ticket for a live stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket {
    /// The value of `ticket` in the address of the stream.
    ticket: String,
    /// The moment until which streams can be opened with it, in ms. Open streams go on.
    expires: u64,
}

/// A ticket for the live streams of this board, for an `EventSource`, which cannot send a token. For a minute, streams can be
/// opened with it.
#[utoipa::path(post, path = "/boards/{key}/live/tickets", operation_id = "liveTicket", tag = "rankings",
    params(AtKey),
    responses((status = 201, body = Ticket), (status = "default", body = Problem)))]
pub async fn ticket(
    State(app): State<App>,
    board: Key<Viewing>,
    _none: Params<Nothing>,
) -> Result<(StatusCode, Json<Ticket>), Problem> {
    let expires = now().saturating_add(TICKET);
    let tokens = app.tokens.as_ref().filter(|_| board.caller.has_token());
    let ticket = tokens.and_then(|tokens| tokens.ticket(board.caller.name(), &board.name, expires));
    let none =
        || Problem::invalid("only a token gets a ticket: a session, and a console without tokens, need none");
    Ok((StatusCode::CREATED, Json(Ticket { ticket: ticket.ok_or_else(none)?, expires })))
}

/// The caller that a request for a live stream names by a ticket.
pub fn ticket_holder(app: &App, request: &Request) -> Option<Caller> {
    let key = request.uri().path().strip_prefix("/api/v1/boards/")?.strip_suffix("/live")?;
    let key = percent_decode_str(key).decode_utf8().ok()?;
    let mut pairs = request.uri().query()?.split('&').filter_map(|pair| pair.strip_prefix("ticket="));
    let ticket = percent_decode_str(pairs.next()?).decode_utf8().ok()?;
    let (caller, until) = app.tokens.as_ref()?.holder(&ticket, &key)?;
    (now() < until && request.method() == Method::GET).then_some(caller)
}

fn events(first: Arc<Snapshot>, follower: Follower) -> impl Stream<Item = Result<Event, Infallible>> {
    unfold((Some(first), follower), async |(first, mut follower)| {
        let snapshot = match first {
            Some(first) => first,
            None => follower.next().await,
        };
        Some((Ok(event(&snapshot)), (None, follower)))
    })
}

fn event(snapshot: &Snapshot) -> Event {
    let name = if snapshot.problem.is_some() { "problem" } else { "rows" };
    let data = snapshot.json(|| json(snapshot).unwrap_or_default());
    Event::default().event(name).id(snapshot.number.to_string()).data(data)
}

fn json(snapshot: &Snapshot) -> serde_json::Result<String> {
    if let Some(problem) = &snapshot.problem {
        return serde_json::to_string(problem);
    }
    let rows = snapshot.rows.iter().cloned().map(Line::from).collect();
    serde_json::to_string(&LiveRows { rows, members: snapshot.members, at: snapshot.at })
}
