//! The bodies of deliveries: JSON with the type, the time and the data of an event.

use chrono::{DateTime, SecondsFormat};
use leaderboard_client::{Name, Winner, mgetmeta, prizes, top};
use serde::Serialize;
use serde_json::Value;

use super::Desk;
use super::file::Hook;
use super::find::order;
use super::state::{Kind, Subject};
use crate::problem::Problem;

/// How many winners are on a page.
const PAGE: u64 = 100;

/// A body, and what follows from it.
#[derive(Debug, Default)]
pub struct Body {
    /// The JSON.
    pub json: Vec<u8>,
    /// The winners that it tells.
    pub winners: Vec<Name>,
    /// The cursor of the page of winners that comes next.
    pub next: Option<u64>,
    /// The order of members that it tells, if this is not the order that was found.
    pub order: Option<String>,
}

impl Body {
    /// Whether there is nothing to tell: a page can be empty before the last one.
    pub fn is_empty(&self, kind: Kind) -> bool {
        kind == Kind::PrizesWon && self.winners.is_empty()
    }
}

#[derive(Serialize)]
struct Envelope<D> {
    #[serde(rename = "type")]
    kind: Kind,
    /// When the event was.
    timestamp: String,
    data: D,
}

/// What all events of periods tell.
#[derive(Serialize)]
struct OfPeriod<'a> {
    board: &'a str,
    view: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    per: Option<&'a str>,
    period: &'a str,
    /// In ms.
    start: i64,
    /// In ms.
    end: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    members: Option<u64>,
    /// How many prizes were won.
    #[serde(skip_serializing_if = "Option::is_none")]
    prizes: Option<u64>,
}

#[derive(Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    of: OfPeriod<'a>,
    page: u64,
    winners: Vec<Value>,
    /// Whether more pages follow. The last one of them can be missing if all its winners are hidden.
    more: bool,
}

#[derive(Serialize)]
struct Top<'a> {
    board: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    view: &'a str,
    rows: Vec<Value>,
}

/// Writes the body of a delivery with what the board says now.
///
/// # Errors
/// If the server does not answer.
pub async fn write(desk: &Desk, key: &str, hook: &Hook, subject: &Subject) -> Result<Body, Problem> {
    match subject.kind {
        Kind::PeriodEnded => {
            // The first page begins behind it.
            let next = subject.winners.map(|_| 0);
            Ok(Body { json: json(subject.kind, subject.end, of(key, subject))?, next, ..Body::default() })
        }
        Kind::PrizesWon => page(desk, key, subject).await,
        Kind::TopChanged => changed(desk, key, hook, subject).await,
    }
}

async fn page(desk: &Desk, key: &str, subject: &Subject) -> Result<Body, Problem> {
    let request = prizes(key, subject.cursor).count(PAGE).view(&subject.view).at(subject.start);
    let request = if let Some(per) = &subject.per { request.per(per) } else { request };
    let told = desk.link.ask(&request).await?;
    let names: Vec<Name> = told.winners.iter().map(|winner| winner.member.clone()).collect();
    let members: Vec<&[u8]> = names.iter().map(Name::as_bytes).collect();
    let metas = if members.is_empty() { Vec::new() } else { desk.link.ask(&mgetmeta(key, &members)).await? };
    let won = |(winner, meta): (Winner, Option<Vec<u8>>)| (desk.rows.winner)(winner, meta);
    let next = Some(told.cursor).filter(|cursor| *cursor > 0);
    let page = Page {
        of: of(key, subject),
        page: subject.page,
        winners: told.winners.into_iter().zip(metas).map(won).collect::<Result<_, _>>().map_err(fault)?,
        more: next.is_some(),
    };
    Ok(Body { json: json(subject.kind, subject.end, page)?, winners: names, next, order: None })
}

async fn changed(desk: &Desk, key: &str, hook: &Hook, subject: &Subject) -> Result<Body, Problem> {
    let request = top(key, hook.count).with_meta();
    let request = if subject.view.is_empty() { request } else { request.view(&subject.view) };
    let rows = desk.link.ask(&request).await?;
    let order = order(rows.iter().map(|row| row.member.as_bytes()));
    let rows = rows.into_iter().map(desk.rows.line).collect::<Result<_, _>>().map_err(fault)?;
    let top = Top { board: key, view: &subject.view, rows };
    Ok(Body { json: json(subject.kind, subject.start, top)?, order: Some(order), ..Body::default() })
}

fn of<'a>(key: &'a str, subject: &'a Subject) -> OfPeriod<'a> {
    OfPeriod {
        board: key,
        view: &subject.view,
        per: subject.per.as_deref(),
        period: &subject.period,
        start: subject.start,
        end: subject.end,
        members: subject.members,
        prizes: subject.winners,
    }
}

fn json(kind: Kind, at: i64, data: impl Serialize) -> Result<Vec<u8>, Problem> {
    let timestamp = DateTime::from_timestamp_millis(at).unwrap_or_default();
    let timestamp = timestamp.to_rfc3339_opts(SecondsFormat::Millis, true);
    serde_json::to_vec(&Envelope { kind, timestamp, data }).map_err(fault)
}

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn fault(error: serde_json::Error) -> Problem {
    Problem::internal(error.to_string())
}
