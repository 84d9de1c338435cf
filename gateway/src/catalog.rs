//! Which boards, leagues and counters there are: SCAN by type over all primaries, page by page. Looking through a server
//! with many other keys takes many steps, so a page ends after some steps even if it found nothing.

use redis::Value;

use crate::access::Caller;
use crate::link::{Link, Node};
use crate::problem::Problem;

/// Keys that a step looks at.
const STEP: usize = 1_000;
/// Steps for a page: some 100,000 keys, a fraction of a second.
const STEPS: usize = 100;
/// Keys found that end a page.
const ENOUGH: usize = 100;

/// What a key holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Board,
    League,
    Counter,
}

impl Kind {
    /// The name of its type in the server.
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
    /// Keys that are UTF-8, in order. A key that a server listed twice comes once a page.
    pub keys: Vec<String>,
    /// Where the next page begins; `None` after the last one.
    pub next: Option<String>,
}

/// The keys of a kind that the caller sees and that contain `filter`.
///
/// # Errors
/// If the servers do not answer; 400 for a cursor that is none.
pub async fn list(
    link: &Link,
    caller: &Caller,
    kind: Kind,
    filter: Option<&str>,
    cursor: Option<&str>,
) -> Result<Found, Problem> {
    let nodes = link.primaries().await?;
    let mut place = Place::read(cursor, &nodes)?;
    let mut keys = Vec::new();
    for _ in 0..STEPS {
        let Some(node) = nodes.get(place.node) else { break };
        let (next, found) = scan(link, node, kind, filter, &place.cursor).await?;
        keys.extend(
            found.into_iter().filter_map(|key| String::from_utf8(key).ok()).filter(|key| caller.sees(key)),
        );
        place.advance(next);
        if keys.len() >= ENOUGH {
            break;
        }
    }
    keys.sort_unstable();
    keys.dedup();
    Ok(Found { keys, next: nodes.get(place.node).map(|_| place.to_string()) })
}

/// The next step: which primary, and its cursor. Written `node-cursor`.
struct Place {
    node: usize,
    cursor: String,
}

impl Place {
    fn read(text: Option<&str>, nodes: &[Node]) -> Result<Self, Problem> {
        let Some(text) = text else { return Ok(Self { node: 0, cursor: "0".to_owned() }) };
        let read = || {
            let (node, cursor) = text.split_once('-')?;
            let node = node.parse().ok().filter(|node| *node < nodes.len())?;
            cursor.parse::<u64>().ok()?;
            Some(Self { node, cursor: cursor.to_owned() })
        };
        read().ok_or_else(|| Problem::invalid("cursor: not one that a list gave"))
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
    node: &Node,
    kind: Kind,
    filter: Option<&str>,
    cursor: &str,
) -> Result<(String, Vec<Vec<u8>>), Problem> {
    let mut command = redis::cmd("SCAN");
    command.arg(cursor).arg("TYPE").arg(kind.type_name()).arg("COUNT").arg(STEP);
    if let Some(filter) = filter.filter(|filter| !filter.is_empty()) {
        command.arg("MATCH").arg(format!("*{}*", escaped(filter)));
    }
    let reply: Value = link.on_node(node, &command).await?;
    redis::from_redis_value(reply).map_err(|error| Problem::internal(error.to_string()))
}

/// The pattern that matches just this text.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| "*?[]\\^".contains(c).then_some('\\').into_iter().chain([c])).collect()
}
