//! Boards that grow or shrink: finishes what attempts to split or to merge parts have left to do (see [`super::pairs`]).

use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use super::copying::{Attempt, drop};
use super::end::catalog;
use super::flat::take_back as take_back_flat;
use super::pairs::{Todo, assess, layout};
use super::split::split;
use super::steps::{Step, carry_out, done, grow, halve, open, part, shrink};
use super::survey::{Found, Held, hold, hold_parts};
use crate::nodes::{Command, RetryingClient, Transport};

/// Reads the root in a key and its layout, if the root is growing or shrinking. `None` if it is not any more. Attempts that
/// broke off are finished or taken back.
///
/// # Errors
/// The reply to the client.
pub async fn moving<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    deadline: Instant,
) -> Result<Option<Found>, Value> {
    loop {
        let Some(Held::Root(root)) = hold(sender, [name.to_vec()], deadline).await.pop() else {
            return Ok(None);
        };
        if !root.entry.is_moving() {
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

/// Finishes or takes back the attempts that broke off. Returns the root with its layout, or `None` if the board has changed
/// meanwhile, so that the root has to be read again.
///
/// # Errors
/// The reply to the client.
pub async fn settle<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: Found,
    deadline: Instant,
) -> Result<Option<Found>, Value> {
    let Some(target) = root.entry.target else {
        take_back_flat(sender, name, &root, deadline).await?;
        return Ok(Some(root));
    };
    let held = hold_parts(sender, name, target, deadline).await;
    let layout = layout(&root, target, &held);
    match finish(sender, name, (&root, target), &held, deadline).await? {
        Finished::Nothing | Finished::Settled => Ok(Some(Found { layout, ..root })),
        Finished::Changed => Ok(None),
    }
}

/// What [`finish`] has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finished {
    Nothing,
    /// Parts take writes now, or were deleted. The layout is as it was.
    Settled,
    /// The layout may have changed.
    Changed,
}

/// Finishes attempts that broke off. `root` has the smaller number of parts, and `held` is what the keys of twice this number
/// of parts, `target`, hold.
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
                commands.push(open(name, root, target, upper, token));
            }
            Todo::TakeBack { token } => {
                commands.extend(take_back(sender, name, (root, target), (number, token), deadline).await?);
            }
            Todo::Drop { token } => {
                commands.extend(given(sender, name, (root, target), number, token).await?)
            }
        }
    }
    if commands.is_empty() {
        return Ok(Finished::Nothing);
    }
    match carry_out(sender, &commands, root, deadline).await? {
        Step::Done => Ok(Finished::Settled),
        Step::Stale => Ok(Finished::Changed),
    }
}

/// Ends an attempt to merge two parts, if its time has passed. Returns the command that lets the part take writes again that
/// was given away, or `None` if the attempt may go on.
async fn take_back<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    (root, target): (&Found, Parts),
    (number, token): (u16, u64),
    deadline: Instant,
) -> Result<Option<Command>, Value> {
    // If another attempt holds the part, the first one cannot merge it any more.
    let other = Attempt::new(sender, name, root, String::new())?.token;
    let even = number.saturating_mul(2);
    let numbers = [root.entry.incarnation, other, even.into(), target.count().into(), 0];
    let ended = part(name, target, even, "SPLIT", numbers);
    let step = carry_out(sender, &[ended], root, deadline).await?;
    Ok((step == Step::Done).then(|| open(name, root, target, even | 1, token)))
}

/// Returns the command that deletes the second of two parts that were merged, after a replica has the merged part.
async fn given<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    (root, target): (&Found, Parts),
    number: u16,
    token: Option<u64>,
) -> Result<Option<Command>, Value> {
    let attempt = Attempt::new(sender, name, root, String::new())?;
    if !attempt.replicated(&root.parts.key(name, number)).await {
        return Ok(None);
    }
    let (key, incarnation) = (target.key(name, number.saturating_mul(2) | 1), root.entry.incarnation);
    Ok(Some(match token {
        Some(token) => drop(&key, incarnation, token),
        None => catalog(key, "DROP", incarnation),
    }))
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
    carry_out(sender, &[done(name, root, "GROWN", target)], root, deadline).await.map(|_| ())
}

/// Notes in the root that the board shrinks to half of its parts, or becomes a plain board. If the root has changed
/// meanwhile, nothing is done.
///
/// # Errors
/// The reply to the client.
pub async fn begin_shrinking<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    deadline: Instant,
) -> Result<(), Value> {
    carry_out(sender, &[shrink(name, root)], root, deadline).await.map(|_| ())
}

/// Notes in the root that all parts were merged. Afterwards, the parts get the next number of the rules.
///
/// # Errors
/// The reply to the client.
pub async fn end_shrinking<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    deadline: Instant,
) -> Result<(), Value> {
    carry_out(sender, &[done(name, root, "SHRUNK", root.parts)], root, deadline).await.map(|_| ())
}
