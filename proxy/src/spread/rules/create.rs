//! `LB.CREATE name … PARTS n`: it makes the root, then the parts, and then says in the root that the board is whole. The
//! server checks all rules when it makes the root, so parts are made only with rules that they can have.

use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use super::like;
use crate::nodes::{Command, CommandError, Transport};
use crate::spread::asked::Asked;
use crate::spread::catalog::{self, CatalogEntry, Held, hold, prove_absent};
use crate::spread::engine::Engine;
use crate::spread::refusal::{self, error, parts_down, root_down, unknown};
use crate::spread::root::key_slot;

/// Makes the board. What an earlier command with the same words has made is not made again.
///
/// # Errors
/// The reply with the reason why the board is not made.
pub async fn create<T: Transport>(
    engine: &Engine<T>,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let command = asked.command(asked.key, &[], std::iter::empty());
    let Some(parts) = parts(asked) else { return Ok(engine.pass(&command, deadline).await) };
    let made = if asked.has("NX") { Value::Int(1) } else { Value::Okay };
    let request = catalog::request(&command);
    let is_mine = |entry: CatalogEntry| entry.request == request;
    // This finishes what another gateway has begun with this key.
    let is_free = match engine.learn(asked.key, Instant::now(), deadline).await? {
        Some(root) if is_mine(root.entry) => {
            return finish(engine, asked, request, deadline).await.map(|()| made);
        }
        // If the key is not free, the server returns the best error. The key can become free before the command arrives.
        // So the command always has the numbers of a board over parts.
        Some(_) => false,
        None => hold(engine.sender(), [asked.key.to_vec()], deadline).await == [Held::Absent],
    };
    let command = match asked.value("LIKE") {
        Some(_) if !is_free => return Ok(engine.pass(&like::itself(asked), deadline).await),
        Some(other) => like::written_out(engine, asked, other, deadline).await?,
        None => command,
    };
    if is_free {
        are_free(engine, asked, parts, deadline).await?;
    }
    let incarnation = catalog::random()?;
    let numbers = [("INCARNATION", incarnation), ("REQUEST", request)];
    let numbers = numbers.into_iter().flat_map(|(word, number)| [word.to_owned(), number.to_string()]);
    let words = command.iter().cloned().chain(numbers.map(String::into_bytes)).collect();
    // If this is sent twice, the second answer is that the board exists. Then the root shows who has made it.
    let command = Command { slot: Some(key_slot(asked.key)), words, repeatable: true };
    let answer = engine.one(command, deadline).await;
    let found = match (&answer, begun(engine, asked.key, deadline).await) {
        (_, Ok(found)) => found,
        (Err(CommandError::Silent(_)), Err(_)) => return Err(root_down()),
        (_, Err(_)) => return Err(unknown()),
    };
    match (answer, found) {
        (_, Some(entry)) if entry.incarnation == incarnation || is_mine(entry) => {
            finish(engine, asked, request, deadline).await.map(|()| made)
        }
        (Ok(value), _) => Ok(value),
        (Err(CommandError::Silent(_)), _) => Err(root_down()),
        // The server may still carry out the command.
        (Err(CommandError::Unknown(_)), _) => Err(unknown()),
    }
}

/// Returns the entry of the root in a key, whatever its state.
///
/// # Errors
/// If no server answers.
async fn begun<T: Transport>(
    engine: &Engine<T>,
    key: &[u8],
    deadline: Instant,
) -> Result<Option<CatalogEntry>, Value> {
    match hold(engine.sender(), [key.to_vec()], deadline).await.pop() {
        Some(Held::Root(root)) => Ok(Some(root.entry)),
        Some(Held::Silent) | None => Err(root_down()),
        Some(_) => Ok(None),
    }
}

/// Completes the board, and notes that the client gets the reply.
async fn finish<T: Transport>(
    engine: &Engine<T>,
    asked: &Asked<'_>,
    request: u64,
    deadline: Instant,
) -> Result<(), Value> {
    match catalog::mend(engine.sender(), asked.key, Some(request), deadline).await.map_err(refusal::begun)? {
        Some(_) => Ok(()),
        None => Err(error("NOBOARD another client has deleted the board")),
    }
}

/// Returns the number of parts, or `None` if the command is wrong and the server has to give the error.
fn parts(asked: &Asked<'_>) -> Option<Parts> {
    let number = std::str::from_utf8(asked.value("PARTS")?).ok()?.parse().ok()?;
    let parts = Parts::new(number, "PARTS").ok()?;
    (!asked.has("PART") && !asked.key.contains(&b'{')).then_some(parts)
}

/// Checks that the keys of all parts are free, so that nothing is left if the board cannot be made.
async fn are_free<T: Transport>(
    engine: &Engine<T>,
    asked: &Asked<'_>,
    parts: Parts,
    deadline: Instant,
) -> Result<(), Value> {
    // The keys of a board with another number of parts are looked at, too.
    prove_absent(engine.sender(), asked.key, deadline).await?;
    let keys = (0..parts.count()).map(|part| parts.key(asked.key, part));
    let held = hold(engine.sender(), keys, deadline).await;
    match held.iter().filter(|held| **held == Held::Silent).count() {
        0 => {}
        silent => return Err(parts_down(silent, parts)),
    }
    for (number, held) in (0_u16..).zip(held) {
        match held {
            Held::Absent => {}
            Held::Part(found) => return Err(catalog::mends(asked.key, &found)),
            Held::Refused(error) => return Err(error),
            Held::Root(_) | Held::Plain(_) | Held::Other | Held::Silent => {
                let key = parts.key(asked.key, number);
                let text =
                    format!("ERR the key of part {number} holds something else: {}", key.escape_ascii());
                return Err(error(&text));
            }
        }
    }
    Ok(())
}
