//! The engine over simulated servers.

mod catalog;
mod competitions;
mod growth;
mod load;
mod meanwhile;
mod moving;
mod order;
mod plain;
mod prizes;
mod revisions;
mod rows;
mod rules;
mod shrink;
mod votes;
mod writes;

use std::sync::Arc;
use std::time::Duration;

use redis::Value;

use super::refusal::text;
use super::simulated::Simulated;
use super::{Engine, Timing};
use crate::nodes::RetryingClient;

/// Returns the servers, and an engine that does not know any board yet.
fn start() -> (Simulated, Engine<Simulated>) {
    let servers = Simulated::default();
    (servers.clone(), engine(&servers))
}

fn engine(servers: &Simulated) -> Engine<Simulated> {
    let settings =
        Timing { timeout: Duration::from_secs(1), gather: Duration::from_secs(1), cache: Duration::ZERO };
    Engine::new(Arc::new(RetryingClient::new(servers.clone())), settings)
}

/// Returns the servers with a board of four parts, and an engine.
async fn with_board() -> (Simulated, Engine<Simulated>) {
    let (servers, engine) = start();
    assert_eq!(say(&engine, "LB.CREATE game VIEWS all PARTS 4").await, "OK");
    servers.state().sent.clear();
    (servers, engine)
}

fn words(line: &str) -> Vec<Vec<u8>> {
    line.split(' ').map(|word| word.as_bytes().to_vec()).collect()
}

async fn say(engine: &Engine<Simulated>, line: &str) -> String {
    shown(&engine.execute(vec![words(line)]).await[0])
}

async fn say_all(engine: &Engine<Simulated>, lines: &[&str]) -> Vec<String> {
    engine.execute(lines.iter().map(|line| words(line)).collect()).await.iter().map(shown).collect()
}

/// Returns a reply as text on one line.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Okay => "OK".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::BulkString(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Array(all) => format!("[{}]", all.iter().map(shown).collect::<Vec<_>>().join(" ")),
        Value::Map(all) => {
            let pair = |(name, value): &(Value, Value)| format!("{}={}", shown(name), shown(value));
            all.iter().map(pair).collect::<Vec<_>>().join(" ")
        }
        other => text(other).unwrap_or_else(|| format!("{other:?}")),
    }
}

fn parts(count: u16) -> leaderboard_core::parts::Parts {
    leaderboard_core::parts::Parts::new(count, "PARTS").unwrap()
}

/// Returns the key of a part of the board `game`.
fn key(part: u16) -> Vec<u8> {
    parts(4).key(b"game", part)
}

/// Returns a member that belongs to this part of four parts.
fn member(part: u16) -> String {
    (0..).map(|number| format!("m{number}")).find(|name| parts(4).of(name.as_bytes()) == part).unwrap()
}
