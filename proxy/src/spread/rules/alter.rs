//! `LB.ALTER` of a spread board: it alters the first part, then the other parts, then the root. If a part already has
//! the new rules, it got them from an earlier command that was not completed.

use redis::Value;
use tokio::time::Instant;

use super::{first_error, hashes, trial, unanswered};
use crate::nodes::Transport;
use crate::spread::asked::Asked;
use crate::spread::engine::Engine;
use crate::spread::refusal::error;
use crate::spread::root::Root;

/// Alters the board. What an earlier, incomplete command has altered is not altered again.
///
/// # Errors
/// The reply with the reason why the board is not altered.
pub async fn alter<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let Some(root) = engine.learn(asked.key, Instant::now(), deadline).await? else {
        return Ok(engine.pass(words, deadline).await);
    };
    let options: Vec<_> = asked.command(b"", &[], std::iter::empty()).split_off(2);
    let like = [b"LIKE".to_vec(), root.name.clone()];
    let new = trial::hash(engine, &root, &like, Some(&options), deadline).await?;
    let all: Vec<_> = (0..root.parts.count()).collect();
    let old = left(&root, new, &hashes(engine.sender(), &root, &all, deadline).await?)?;
    let (first, others): (Vec<_>, Vec<_>) = old.into_iter().partition(|part| *part == 0);
    change(engine, &root, new, &options, &first, deadline).await?;
    change(engine, &root, new, &options, &others, deadline).await?;
    change_root(engine, &root, new, asked, deadline).await
}

/// Returns the parts that still have the old rules.
///
/// # Errors
/// If a part has neither the old nor the new rules.
fn left(root: &Root, new: u64, hashes: &[(u16, u64)]) -> Result<Vec<u16>, Value> {
    match hashes.iter().find(|(_, hash)| ![root.hash, new].contains(hash)) {
        Some((part, _)) => Err(disagreement(*part)),
        None => Ok(hashes.iter().filter(|(_, hash)| *hash != new).map(|(part, _)| *part).collect()),
    }
}

fn disagreement(part: u16) -> Value {
    error(&format!("ERR the parts do not agree: part {part} has other rules, of another LB.ALTER"))
}

/// Alters these parts, then checks that each of them has the new rules.
async fn change<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    new: u64,
    options: &[Vec<u8>],
    parts: &[u16],
    deadline: Instant,
) -> Result<(), Value> {
    if parts.is_empty() {
        return Ok(());
    }
    let words = || options.iter().map(Vec::as_slice);
    let commands = parts.iter().map(|part| root.command(*part, b"LB.ALTER", words(), false));
    let answers = engine.sender().ask(&commands.collect::<Vec<_>>(), deadline).await;
    unanswered(&answers, root)?;
    let hashes = hashes(engine.sender(), root, parts, deadline).await?;
    match hashes.into_iter().find(|(_, hash)| *hash != new) {
        // If another gateway has altered the part first, the part refuses this command, but already has the new rules.
        Some((part, _)) => first_error(answers).and(Err(disagreement(part))),
        None => Ok(()),
    }
}

async fn change_root<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    new: u64,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let altered = if root.hash == new {
        Value::Okay
    } else {
        let command = asked.command(&root.name, &[], std::iter::empty());
        engine.pass(&command, deadline).await
    };
    if !matches!(altered, Value::ServerError(_)) {
        return Ok(altered);
    }
    let now = engine.learn(&root.name, Instant::now(), deadline).await?;
    if now.is_some_and(|root| root.hash == new) { Ok(Value::Okay) } else { Err(altered) }
}
