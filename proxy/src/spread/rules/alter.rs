//! `LB.ALTER` of a spread board: it alters the root, then gives the parts the rules of the root. The new rules get the
//! next number. So of two commands at the same time, the second is carried out on the rules that the first has made.

use leaderboard_core::Error;
use redis::Value;
use tokio::time::Instant;

use super::create::begun;
use crate::nodes::{Command, CommandError, Transport};
use crate::spread::asked::Asked;
use crate::spread::catalog;
use crate::spread::engine::Engine;
use crate::spread::refusal::{self, error, is_stale, root_down, unknown};
use crate::spread::root::{Root, key_slot};

/// Alters the board. A command that was carried out, but whose client did not get the reply, is not carried out again.
///
/// # Errors
/// The reply with the reason why the board is not altered.
pub async fn alter<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    if asked.options.is_empty() {
        return Ok(engine.pass(words, deadline).await);
    }
    let command = asked.command(asked.key, &[], std::iter::empty());
    let request = catalog::request(&command);
    loop {
        let Some(root) = engine.learn(asked.key, Instant::now(), deadline).await? else {
            return Ok(engine.pass(words, deadline).await);
        };
        if root.is_growing() {
            return Err(error(&format!("ERR {}", Error::Growing)));
        }
        if root.entry.request == request || alter_root(engine, &root, &command, request, deadline).await? {
            let mended = catalog::mend(engine.sender(), asked.key, Some(request), deadline).await;
            return match mended.map_err(refusal::begun)? {
                Some(_) => Ok(Value::Okay),
                None => Err(error("NOBOARD another client has deleted the board")),
            };
        }
        if Instant::now() >= deadline {
            return Err(error("PARTSDOWN other clients alter this board all the time"));
        }
    }
}

/// Alters the root. Returns whether its rules are those of this command now; `false` if another client has altered it
/// first.
async fn alter_root<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    command: &[Vec<u8>],
    request: u64,
    deadline: Instant,
) -> Result<bool, Value> {
    let revision = root.entry.revision.saturating_add(1);
    let numbers = [("REVISION", revision), ("REQUEST", request)];
    let numbers = numbers.into_iter().flat_map(|(word, number)| [word.to_owned(), number.to_string()]);
    let words = command.iter().cloned().chain(numbers.map(String::into_bytes)).collect();
    // A repetition is refused as stale, because its number is used then.
    let command = Command { slot: Some(key_slot(&root.name)), words, repeatable: true };
    let answer = engine.one(command, deadline).await;
    let may_come_later = match answer {
        Ok(error @ Value::ServerError(_)) if !is_stale(&error) => return Err(error),
        Ok(Value::ServerError(_)) => false,
        Err(CommandError::Unknown(_)) => true,
        Err(CommandError::Silent(_)) => return Err(root_down()),
        Ok(_) => return Ok(true),
    };
    match begun(engine, &root.name, deadline).await {
        Ok(Some(entry)) if (entry.revision, entry.request) == (revision, request) => Ok(true),
        Ok(_) if !may_come_later => Ok(false),
        _ => Err(unknown()),
    }
}
