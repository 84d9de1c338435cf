//! Commands that make, alter and describe spread boards. The root is made or altered first. It says what is to be
//! finished, so every gateway can complete the board.

mod alter;
mod create;
mod like;
mod reshard;
mod tell;

use std::time::Duration;

use redis::Value;
use tokio::time::Instant;

use crate::nodes::Transport;
use crate::spread::asked::{Asked, Row};
use crate::spread::catalog;
use crate::spread::engine::Engine;

pub use tell::tell;

/// Returns whether a command is about all parts of a board, or may be. Such a command is carried out by [`carry_out`].
pub fn looks_first(asked: &Asked<'_>) -> bool {
    match asked.row.name {
        "LB.CREATE" => asked.has("PARTS"),
        name => ["LB.ALTER", "LB.PARTS", "LB.REPAIR", "LB.RESHARD"].contains(&name),
    }
}

/// Returns how long a command waits that does not name a TIMEOUT, if it is not the timeout of gathers.
pub fn patience(row: &Row) -> Option<Duration> {
    (row.name == "LB.RESHARD").then_some(reshard::PATIENCE)
}

/// Returns whether a command makes or alters boards.
pub fn are_rules(row: &Row) -> bool {
    ["LB.CREATE", "LB.ALTER"].contains(&row.name)
}

/// Returns whether a command makes a board that is not spread. The server of its key decides, even if the gateway knows
/// a root in this key.
pub fn makes_whole_board(asked: &Asked<'_>) -> bool {
    asked.row.name == "LB.CREATE" && !asked.has("PARTS")
}

/// Carries out a command for which [`looks_first`] is true.
pub async fn carry_out<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    asked: &Asked<'_>,
    deadline: Instant,
) -> Value {
    let done = match asked.row.name {
        "LB.ALTER" => alter::alter(engine, words, asked, deadline).await,
        "LB.PARTS" => catalog::list(engine.sender(), asked.key, deadline).await,
        "LB.RESHARD" => reshard::reshard(engine, asked, deadline).await,
        "LB.REPAIR" => repair(engine, asked, deadline).await,
        _ => create::create(engine, asked, deadline).await,
    };
    engine.forget(asked.key);
    done.unwrap_or_else(|value| value)
}

async fn repair<T: Transport>(
    engine: &Engine<T>,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let done = catalog::repair(engine.sender(), asked.key, asked.has("FORCE"), deadline).await?;
    Ok(Value::Array(done.into_iter().map(|text| Value::BulkString(text.into_bytes())).collect()))
}
