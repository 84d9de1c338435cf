//! The commands that change roots and parts, and what servers answer to them.

use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use super::survey::Found;
use crate::nodes::{Command, RetryingClient, Transport};
use crate::spread::refusal::{is_no_board, is_no_part, is_no_root, is_stale, parts_down};
use crate::spread::root::key_slot;

/// What a server did with a command that changes its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Done,
    /// Another gateway has changed the key before.
    Stale,
}

/// Sends commands that change the root or parts.
///
/// # Errors
/// The reply to the client.
pub async fn carry_out<T: Transport>(
    sender: &RetryingClient<T>,
    commands: &[Command],
    root: &Found,
    deadline: Instant,
) -> Result<Step, Value> {
    let answers = sender.ask(commands, deadline).await;
    match answers.iter().filter(|answer| answer.is_err()).count() {
        0 => {}
        silent => return Err(parts_down(silent, root.layout)),
    }
    let mut step = Step::Done;
    for answer in answers.into_iter().flatten() {
        match answer {
            // Another gateway has deleted the root or the part, or has changed it before.
            error if is_stale(&error) || is_no_board(&error) || is_no_part(&error) || is_no_root(&error) => {
                step = Step::Stale;
            }
            error @ Value::ServerError(_) => return Err(error),
            _ => {}
        }
    }
    Ok(step)
}

/// Returns a command, which may be repeated. The second word is its key.
pub fn command(first: &[&[u8]], arguments: impl Iterator<Item = Vec<u8>>) -> Command {
    let words: Vec<_> = first.iter().map(|word| word.to_vec()).chain(arguments).collect();
    Command { slot: words.get(1).map(|key| key_slot(key)), words, repeatable: true }
}

/// Returns the command with which a root begins to grow.
pub fn grow(name: &[u8], root: &Found, target: Parts) -> Command {
    let numbers = [root.entry.incarnation, root.entry.revision, target.count().into()];
    command(
        &[b"LB.CATALOG", name, b"GROW"],
        numbers.into_iter().map(|number| number.to_string().into_bytes()),
    )
}

/// Returns the command with which a root begins to shrink.
pub fn shrink(name: &[u8], root: &Found) -> Command {
    let target = root.parts.halved().map_or(1, Parts::count);
    let numbers = [root.entry.incarnation, root.entry.revision, target.into()];
    command(
        &[b"LB.CATALOG", name, b"SHRINK"],
        numbers.into_iter().map(|number| number.to_string().into_bytes()),
    )
}

/// Returns the command that notes in the root that all parts were split or merged.
pub fn done(name: &[u8], root: &Found, form: &str, parts: Parts) -> Command {
    let numbers = [root.entry.incarnation, parts.count().into()];
    let numbers = numbers.into_iter().map(|number| number.to_string().into_bytes());
    command(&[b"LB.CATALOG", name, form.as_bytes()], numbers)
}

/// Returns the command that lets a part take writes again.
pub fn open(name: &[u8], root: &Found, parts: Parts, number: u16, token: u64) -> Command {
    part(name, parts, number, "OPEN", [root.entry.incarnation, token])
}

/// Returns the command with which a part becomes this half of it.
pub fn halve(name: &[u8], root: &Found, target: Parts, number: u16, token: u64) -> Command {
    let numbers = [root.entry.incarnation, token, number.into(), target.count().into()];
    part(name, target, number, "HALVE", numbers)
}

/// Returns a form of `LB.CATALOG` for the key of a part.
pub fn part<const N: usize>(
    name: &[u8],
    parts: Parts,
    number: u16,
    form: &str,
    numbers: [u64; N],
) -> Command {
    let numbers = numbers.map(|number| number.to_string().into_bytes());
    command(&[b"LB.CATALOG", &parts.key(name, number), form.as_bytes()], numbers.into_iter())
}
