//! Deletes a board over parts. The root is marked first and deleted last. So a gateway that finds the mark can finish the
//! deletion, and no part is left without a root.

use leaderboard_core::catalog::State;
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use super::lost::{all, find};
use super::survey::{Found, Held, hold, hold_parts};
use crate::nodes::{Command, CommandError, RetryingClient, Transport};
use crate::spread::refusal::{
    begun, is_no_board, is_no_part, is_no_root, is_stale, is_wrong_type, parts_down, root_down, unknown,
};
use crate::spread::root::key_slot;

/// Deletes the board whose root is given.
///
/// # Errors
/// The reply to the client.
pub async fn delete<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    deadline: Instant,
) -> Result<(), Value> {
    if root.entry.state != State::Ending {
        let ending = catalog(name.to_vec(), "ENDING", root.entry.incarnation);
        one(sender, ending, deadline).await?;
    }
    finish(sender, name, root, deadline).await.map_err(begun)
}

/// Deletes what is left of a board whose root says that it is being deleted.
///
/// # Errors
/// The reply to the client.
pub async fn finish<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    deadline: Instant,
) -> Result<(), Value> {
    let parts = keyed(root);
    let keys = (0..parts.count()).map(|part| parts.key(name, part));
    let commands: Vec<_> = keys.map(|key| catalog(key, "DROP", root.entry.incarnation)).collect();
    if drop_all(sender, &commands, root, deadline).await? {
        drop_strangers(sender, name, root, deadline).await?;
    }
    one(sender, catalog(name.to_vec(), "DROP", root.entry.incarnation), deadline).await
}

/// Returns the number of parts whose keys can hold parts of this board. A board that grew, or began to grow, has parts in
/// the keys of twice the number of parts. A server that took over may have lost what the root said about that.
fn keyed(root: &Found) -> Parts {
    root.parts.doubled().unwrap_or(root.parts)
}

/// Deletes parts that an earlier board left in the keys of a board that is being deleted. Otherwise they would be parts
/// without a root afterwards, and LB.REPAIR would bring their members back.
async fn drop_strangers<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    deadline: Instant,
) -> Result<(), Value> {
    let mut commands = Vec::new();
    let parts = keyed(root);
    for (number, held) in (0_u16..).zip(hold_parts(sender, name, parts, deadline).await) {
        if let Held::Part(part) = held {
            commands.push(catalog(parts.key(name, number), "DROP", part.entry.incarnation));
        }
    }
    // A root that is gone may have been followed by a new board, and these may be its parts. While this root exists,
    // there is no new board. So the root is read after the parts.
    match hold(sender, [name.to_vec()], deadline).await.pop() {
        Some(Held::Root(now)) if now.entry.incarnation == root.entry.incarnation => {}
        Some(Held::Silent) | None => return Err(root_down()),
        Some(Held::Refused(error)) => return Err(error),
        Some(_) => return Ok(()),
    }
    drop_all(sender, &commands, root, deadline).await.map(|_| ())
}

/// Deletes the parts of a board whose root is lost. Returns whether there were any.
///
/// # Errors
/// The reply to the client.
pub async fn delete_lost<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    deadline: Instant,
) -> Result<bool, Value> {
    let found = find(sender, name, deadline).await?;
    let Some(first) = found.first() else { return Ok(false) };
    let parts = all(sender, name, deadline).await?;
    // Another gateway may have made a board, or the root, in the meantime. Then these are the parts of a board.
    match hold(sender, [name.to_vec()], deadline).await.pop() {
        Some(Held::Root(root)) => return delete(sender, name, &root, deadline).await.map(|()| true),
        Some(Held::Silent) | None => return Err(root_down()),
        Some(_) => {}
    }
    let commands: Vec<_> =
        parts.into_iter().map(|(key, part)| catalog(key, "DROP", part.entry.incarnation)).collect();
    drop_all(sender, &commands, first, deadline).await.map(|_| true).map_err(begun)
}

/// Sends `DROP` to parts. A key that holds something else now is left alone. Returns whether one of the keys holds a part
/// of another board.
pub async fn drop_all<T: Transport>(
    sender: &RetryingClient<T>,
    commands: &[Command],
    root: &Found,
    deadline: Instant,
) -> Result<bool, Value> {
    let answers = sender.ask(commands, deadline).await;
    let is_other = |value: &Value| is_stale(value) || is_no_part(value) || is_wrong_type(value);
    let error =
        answers.iter().flatten().find(|value| matches!(value, Value::ServerError(_)) && !is_other(value));
    if let Some(error) = error {
        return Err(error.clone());
    }
    match answers.iter().filter(|answer| answer.is_err()).count() {
        0 => Ok(answers.iter().flatten().any(is_stale)),
        silent => Err(parts_down(silent, root.parts)),
    }
}

/// Sends a command to the root. If another gateway has already deleted the root, this is no error, even if a plain board
/// is in the key now.
async fn one<T: Transport>(
    sender: &RetryingClient<T>,
    command: Command,
    deadline: Instant,
) -> Result<(), Value> {
    let is_gone =
        |value: &Value| is_no_board(value) || is_stale(value) || is_no_part(value) || is_no_root(value);
    match sender.ask(&[command], deadline).await.pop() {
        Some(Ok(value @ Value::ServerError(_))) if !is_gone(&value) => Err(value),
        Some(Ok(_)) => Ok(()),
        Some(Err(CommandError::Unknown(_))) => Err(unknown()),
        Some(Err(CommandError::Silent(_))) | None => Err(root_down()),
    }
}

/// Returns a form of `LB.CATALOG` that names the incarnation.
pub fn catalog(key: Vec<u8>, form: &str, incarnation: u64) -> Command {
    let slot = Some(key_slot(&key));
    let incarnation = incarnation.to_string().into_bytes();
    Command {
        slot,
        words: vec![b"LB.CATALOG".to_vec(), key, form.as_bytes().to_vec(), incarnation],
        repeatable: true,
    }
}
