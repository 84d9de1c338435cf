//! The list of boards, leagues and counters: SCAN by type over all primaries, page by page. If a server has many other
//! keys, a scan takes many steps. Therefore a page ends after a number of steps even if it is empty.

use std::collections::BTreeSet;

use leaderboard_client::info as info_request;
use leaderboard_core::parts::{self, Parts};
use redis::Value;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::Caller;
use crate::link::Link;
use crate::problem::Problem;

/// How many keys the server looks at in one step.
const STEP: usize = 1_000;

/// Where a list ends.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// When this number of keys is found.
    pub keys: usize,
    /// After this number of steps, each over 1,000 keys of the server.
    pub steps: usize,
}

/// The bounds of a page. 100,000 keys take a fraction of a second.
const PAGE: Bounds = Bounds { keys: 100, steps: 100 };

/// The type of the value of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Board,
    League,
    Counter,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Board, Self::League, Self::Counter];

    const fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::League => "league",
            Self::Counter => "counter",
        }
    }

    /// The name of this type in the server.
    const fn type_name(self) -> &'static str {
        match self {
            Self::Board => "lb-board1",
            Self::League => "lb-league",
            Self::Counter => "lb-countr",
        }
    }
}

/// A page of keys.
#[derive(Debug)]
pub struct Found {
    /// The keys that are UTF-8, in order. A key that a server listed twice occurs once in a page.
    pub keys: Vec<String>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<String>,
}

/// The keys of a kind that the caller sees and that contain `filter`. The counters of the console's own history, whose keys begin
/// with `own`, are left out.
///
/// # Errors
/// If the servers do not answer; 400 for a cursor that is not valid.
pub async fn list(
    link: &Link,
    caller: &Caller,
    kind: Kind,
    filter: Option<&str>,
    cursor: Option<&str>,
    own: Option<&str>,
) -> Result<Found, Problem> {
    list_within(link, caller, kind, (filter, own), cursor, PAGE).await
}

/// As [`list`], within other bounds. The last step can find more keys than the bound.
///
/// # Errors
/// As [`list`].
pub async fn list_within(
    link: &Link,
    caller: &Caller,
    kind: Kind,
    (filter, own): (Option<&str>, Option<&str>),
    cursor: Option<&str>,
    bounds: Bounds,
) -> Result<Found, Problem> {
    let is_own = |key: &str| kind == Kind::Counter && own.is_some_and(|own| key.starts_with(own));
    let nodes = link.primaries().await?;
    let mut place = Place::read(cursor, &nodes)?;
    let mut keys = Vec::new();
    for _ in 0..bounds.steps {
        let Some(node) = nodes.get(place.node) else { break };
        let (next, found) = scan(link, node, kind, filter, &place.cursor).await?;
        let readable = found.into_iter().filter_map(|key| String::from_utf8(key).ok());
        keys.extend(readable.filter(|key| caller.sees(key) && !is_own(key)));
        place.advance(next);
        if keys.len() >= bounds.keys {
            break;
        }
    }
    if kind == Kind::Board {
        keys = without_parts(link, keys).await;
    }
    keys.sort_unstable();
    keys.dedup();
    Ok(Found { keys, next: nodes.get(place.node).map(|_| place.to_string()) })
}

/// Leaves out the keys of parts: they belong to a board that is in the list. Where that board is gone or does not answer, its parts
/// stay in the list, so that they can be found. This takes one LB.INFO for each board with keys of parts among `keys`.
async fn without_parts(link: &Link, mut keys: Vec<String>) -> Vec<String> {
    let boards = keys.iter().filter_map(|key| parts::board_of(key.as_bytes()));
    let boards: BTreeSet<Vec<u8>> = boards.map(<[u8]>::to_vec).collect();
    for board in boards {
        let Some(parts) = parts_of(link, &board).await else { continue };
        // While a board grows, it has keys of twice as many parts.
        let numbers = [Some(parts), parts.doubled()];
        let is_part =
            |key: &[u8]| numbers.iter().flatten().any(|parts| parts.number_of(&board, key).is_some());
        keys.retain(|key| !is_part(key.as_bytes()));
    }
    keys
}

/// The number of parts of a board that is spread over keys; `None` if the board does not answer.
async fn parts_of(link: &Link, board: &[u8]) -> Option<Parts> {
    let info = link.ask(&info_request(board)).await.ok()??;
    let parts = u16::try_from(info.number("parts")?).ok()?;
    Parts::new(parts, "PARTS").ok()
}

/// A page of keys of several kinds.
#[derive(Debug)]
pub struct FoundAll {
    pub keys: Vec<(String, Kind)>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<String>,
}

/// As [`list`], for one kind or for all kinds, one kind after the other. A cursor is `kind-node-cursor`.
///
/// # Errors
/// As [`list`].
pub async fn list_all(
    link: &Link,
    caller: &Caller,
    only: Option<Kind>,
    filter: Option<&str>,
    cursor: Option<&str>,
    own: Option<&str>,
) -> Result<FoundAll, Problem> {
    let (first, mut cursor) = begin(only, cursor)?;
    let mut keys = Vec::new();
    for kind in Kind::ALL.into_iter().skip_while(|kind| *kind != first) {
        let found = list(link, caller, kind, filter, cursor.take(), own).await?;
        keys.extend(found.keys.into_iter().map(|key| (key, kind)));
        if let Some(next) = found.next {
            return Ok(FoundAll { keys, next: Some(format!("{}-{next}", kind.name())) });
        }
        if only == Some(kind) {
            break;
        }
    }
    Ok(FoundAll { keys, next: None })
}

/// The kind to begin with, and the cursor in its list.
fn begin(only: Option<Kind>, cursor: Option<&str>) -> Result<(Kind, Option<&str>), Problem> {
    let Some(cursor) = cursor else { return Ok((only.unwrap_or(Kind::Board), None)) };
    let (name, place) = cursor.split_once('-').ok_or_else(bad_cursor)?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    let kind = kind.filter(|kind| only.is_none_or(|only| only == *kind)).ok_or_else(bad_cursor)?;
    Ok((kind, Some(place)))
}

fn bad_cursor() -> Problem {
    Problem::invalid("cursor: not one that a list gave")
}

/// The next step: the number of a primary, and the cursor there. Written as `node-cursor`.
struct Place {
    node: usize,
    cursor: String,
}

impl Place {
    fn read(text: Option<&str>, nodes: &[String]) -> Result<Self, Problem> {
        let Some(text) = text else { return Ok(Self { node: 0, cursor: "0".to_owned() }) };
        let read = || {
            let (node, cursor) = text.split_once('-')?;
            let node = node.parse().ok().filter(|node| *node < nodes.len())?;
            cursor.parse::<u64>().ok()?;
            Some(Self { node, cursor: cursor.to_owned() })
        };
        read().ok_or_else(bad_cursor)
    }

    fn advance(&mut self, cursor: String) {
        if cursor == "0" {
            self.node = self.node.saturating_add(1);
        }
        self.cursor = cursor;
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.node, self.cursor)
    }
}

async fn scan(
    link: &Link,
    node: &str,
    kind: Kind,
    filter: Option<&str>,
    cursor: &str,
) -> Result<(String, Vec<Vec<u8>>), Problem> {
    let mut command = redis::cmd("SCAN");
    command.arg(cursor).arg("TYPE").arg(kind.type_name()).arg("COUNT").arg(STEP);
    if let Some(filter) = filter.filter(|filter| !filter.is_empty()) {
        command.arg("MATCH").arg(format!("*{}*", escaped(filter)));
    }
    let reply: Value = link.at_server(node, &command).await?;
    redis::from_redis_value(reply).map_err(|error| Problem::internal(error.to_string()))
}

/// The pattern that matches exactly this text.
pub fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| "*?[]\\^".contains(c).then_some('\\').into_iter().chain([c])).collect()
}
