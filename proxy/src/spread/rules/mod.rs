//! Commands that make, alter and describe spread boards. Parts are made or altered first and the root last, so a board
//! whose root exists is complete. If a gateway stops halfway, the board is completed when the client repeats the
//! command, by any gateway.

mod alter;
mod create;
mod tell;
mod trial;

use redis::Value;
use tokio::time::Instant;

use crate::nodes::{CommandError, RetryingClient, Transport};
use crate::spread::asked::Asked;
use crate::spread::engine::Engine;
use crate::spread::look::{look, present};
use crate::spread::refusal::{parts_down, reply, unknown};
use crate::spread::root::Root;

pub use tell::tell;

/// Returns whether a command is about all parts of a board, or may be. Such a command is carried out by [`carry_out`].
pub fn looks_first(asked: &Asked<'_>) -> bool {
    match asked.row.name {
        "LB.CREATE" => asked.has("PARTS"),
        name => name == "LB.ALTER",
    }
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
    let done = if asked.row.name == "LB.ALTER" {
        alter::alter(engine, words, asked, deadline).await
    } else {
        create::create(engine, asked, deadline).await
    };
    engine.forget(asked.key);
    done.unwrap_or_else(|value| value)
}

/// Returns the hash of the rules of each part.
///
/// # Errors
/// The reply to the client, unless all parts are there.
async fn hashes<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    parts: &[u16],
    deadline: Instant,
) -> Result<Vec<(u16, u64)>, Value> {
    present(root, &look(sender, root, parts, deadline).await)
        .map_err(|refused| reply(Err(refused), root.parts))
}

/// Returns the error if some parts did not answer.
fn unanswered(answers: &[Result<Value, CommandError>], root: &Root) -> Result<(), Value> {
    if answers.iter().any(|answer| matches!(answer, Err(CommandError::Unknown(_)))) {
        return Err(unknown());
    }
    match answers.iter().filter(|answer| answer.is_err()).count() {
        0 => Ok(()),
        silent => Err(parts_down(silent, root.parts)),
    }
}

/// Returns the first error of a part.
fn first_error(answers: Vec<Result<Value, CommandError>>) -> Result<(), Value> {
    match answers.into_iter().flatten().find(|value| matches!(value, Value::ServerError(_))) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}
