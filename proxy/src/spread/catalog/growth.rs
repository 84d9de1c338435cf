//! Which parts of a growing board were split, and what the attempts that broke off have left to do.
//!
//! To split part `i` of `n`, its value is copied to the key of part `2i + 1` of `2n`. Then the part in the old key removes
//! the half that the copy has, and becomes part `2i` of `2n`. Only after that, the copy takes writes. So a copy that takes
//! writes proves that the old part was split, even if a server that took over has lost this.

use leaderboard_core::catalog::{Hold, State};
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use super::complete::{Step, carry_out, command, grow};
use super::split::split;
use super::survey::{Found, Held, hold, hold_parts};
use crate::nodes::{Command, RetryingClient, Transport};
use crate::spread::layout::Layout;

/// What is to be done with a part.
enum Todo {
    /// The copy has to become its half, if it is not yet, and then takes writes.
    Open { token: u64, is_half: bool },
    /// The old part has still all of its members, although it was split: a server that took over has lost that.
    Split,
}

/// Reads the root in a key and its layout, if the root is growing. `None` if it is not growing any more. Copies that can
/// take writes are opened.
///
/// # Errors
/// The reply to the client.
pub async fn growing<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    deadline: Instant,
) -> Result<Option<Found>, Value> {
    loop {
        let Some(Held::Root(root)) = hold(sender, [name.to_vec()], deadline).await.pop() else {
            return Ok(None);
        };
        if root.entry.state != State::Growing {
            return Ok(None);
        }
        if let Some(root) = settle(sender, name, root, deadline).await? {
            return Ok(Some(root));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
    }
}

/// Finishes the attempts that broke off after the old part was split. Returns the root with its layout, or `None` if the
/// board has changed meanwhile, so that the root has to be read again.
///
/// # Errors
/// The reply to the client.
pub async fn settle<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: Found,
    deadline: Instant,
) -> Result<Option<Found>, Value> {
    let Some(target) = root.entry.target else { return Ok(Some(root)) };
    let held = hold_parts(sender, name, target, deadline).await;
    let layout = layout(&root, target, &held);
    match finish(sender, name, (&root, target), &held, deadline).await? {
        Finished::Nothing | Finished::Opened => Ok(Some(Found { layout, ..root })),
        Finished::Changed => Ok(None),
    }
}

/// What [`finish`] has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finished {
    Nothing,
    /// Copies take writes now. The layout is as it was.
    Opened,
    /// The layout may have changed.
    Changed,
}

/// Finishes attempts that broke off after the old part was split. `root` has the old number of parts, and `held` is what
/// the keys of the new number of parts hold.
///
/// # Errors
/// The reply to the client.
pub async fn finish<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    (root, target): (&Found, Parts),
    held: &[Held],
    deadline: Instant,
) -> Result<Finished, Value> {
    let mut commands = Vec::new();
    for (number, todo) in assess(root, target, held).1 {
        match todo {
            Todo::Split => {
                split(sender, name, (root, target), number).await?;
                return Ok(Finished::Changed);
            }
            Todo::Open { token, is_half } => {
                let upper = number.saturating_mul(2) | 1;
                if !is_half {
                    commands.push(halve(name, root, target, upper, token));
                }
                commands.push(part(name, target, upper, "OPEN", [root.entry.incarnation, token]));
            }
        }
    }
    if commands.is_empty() {
        return Ok(Finished::Nothing);
    }
    match carry_out(sender, &commands, root, deadline).await? {
        Step::Done => Ok(Finished::Opened),
        Step::Stale => Ok(Finished::Changed),
    }
}

/// Notes in the root that the board grows to twice its parts. If the root has changed meanwhile, nothing is done.
///
/// # Errors
/// The reply to the client.
pub async fn begin_growth<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    deadline: Instant,
) -> Result<(), Value> {
    let Some(target) = root.parts.doubled() else { return Ok(()) };
    carry_out(sender, &[grow(name, root, target)], root, deadline).await.map(|_| ())
}

/// Notes in the root that all parts were split.
///
/// # Errors
/// The reply to the client.
pub async fn end_growth<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    (root, target): (&Found, Parts),
    deadline: Instant,
) -> Result<(), Value> {
    let numbers = [root.entry.incarnation, target.count().into()];
    let numbers = numbers.into_iter().map(|number| number.to_string().into_bytes());
    let grown = command(&[b"LB.CATALOG", name, b"GROWN"], numbers);
    carry_out(sender, &[grown], root, deadline).await.map(|_| ())
}

/// Returns the layout of a growing board, whose keys over the new number of parts hold these values.
pub fn layout(root: &Found, target: Parts, held: &[Held]) -> Layout {
    assess(root, target, held).0
}

fn assess(root: &Found, target: Parts, held: &[Held]) -> (Layout, Vec<(u16, Todo)>) {
    let (mut halved, mut todo) = (Vec::new(), Vec::new());
    for (number, pair) in (0_u16..).zip(held.chunks(2)) {
        let [lower, upper] = pair else { continue };
        let even = number.saturating_mul(2);
        let own = |held: &'_ Held, number| {
            held.part_of(target, number)
                .filter(|part| part.entry.incarnation == root.entry.incarnation)
                .is_some()
        };
        let copy = match upper {
            Held::Part(part) if part.entry.incarnation == root.entry.incarnation => Some(part),
            _ => None,
        };
        let is_half = own(upper, even | 1);
        let held = copy.and_then(|copy| copy.entry.hold);
        // A half that is being split itself took writes before that.
        let is_open = is_half && !matches!(held, Some(Hold::Copy { .. }));
        if own(lower, even) || is_open {
            halved.push(number);
        }
        let is_behind = lower.part_of(root.parts, number).is_some();
        match held {
            _ if is_open && is_behind => todo.push((number, Todo::Split)),
            _ if is_open => {}
            Some(hold) if own(lower, even) => {
                todo.push((number, Todo::Open { token: hold.token(), is_half }))
            }
            Some(_) if is_behind && root.entry.state != State::Growing => todo.push((number, Todo::Split)),
            _ => {}
        }
    }
    (Layout::split(root.parts, halved), todo)
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
