//! Commands that move members between a board over parts and a sorted set, which is on one node. The keys of such a command
//! can be on several nodes, so the gateway carries the members from one to the other.

mod export;
mod import;
mod scratch;
mod sorted_set;

use leaderboard_commands::table::OverParts;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::Transport;
use crate::spread::asked::{Asked, Row};
use crate::spread::engine::Engine;

/// Returns whether [`carry_out`] carries out a command.
pub const fn moves(row: &Row) -> bool {
    matches!(row.command.over_parts, OverParts::Exported | OverParts::Imported)
}

/// Carries out a command for which [`moves`] is true. Without a board over parts, it is sent to its key unchanged.
pub async fn carry_out<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    asked: &Asked<'_>,
    deadline: Instant,
) -> Value {
    let done = match asked.row.command.over_parts {
        OverParts::Exported => export::export(engine, words, asked, deadline).await,
        _ => import::import(engine, words, asked, deadline).await,
    };
    done.unwrap_or_else(|value| value)
}

/// Returns the key that follows the first key.
fn second_key<'a>(asked: &Asked<'a>) -> &'a [u8] {
    asked.fixed.first().map(Vec::as_slice).unwrap_or_default()
}
