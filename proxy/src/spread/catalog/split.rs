//! Splits one part of a growing board.
//!
//! ```text
//!  1  SPLIT  the old part takes no writes, for a few seconds, and is read as before
//!  2  DUMP, RESTORE, HALVE  the new part is a copy with the members of its half, and takes no writes
//!  3  HALVE  the old part removes the members of the other half, and takes writes again
//!  4  OPEN   the new part takes writes
//! ```
//!
//! Before step 3, nothing has changed for clients, and a new attempt deletes the copy of this one. After step 3, any
//! gateway opens the copy. The token of an attempt is a random number: step 3 is refused unless the old part has taken no
//! writes since step 1 of the same attempt.

use std::pin::pin;
use std::time::Duration;

use leaderboard_core::catalog::Hold;
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::{Instant, sleep};

use super::complete::{Step, carry_out, command};
use super::growth::{halve, part};
use super::random;
use super::survey::{Found, Held, hold};
use crate::nodes::{Command, CommandError, RetryingClient, Transport, Wanted};
use crate::spread::refusal::{error, is_stale, parts_down, text, unknown};
use crate::spread::root::key_slot;

/// How long the old part takes no writes if the gateway dies, in milliseconds.
const HOLD: u64 = 5_000;
/// How often this time is made longer while the part is copied.
const RENEWAL: Duration = Duration::from_secs(1);
/// The longest time of one attempt.
const LONGEST: Duration = Duration::from_secs(60);
/// How long an attempt waits until a replica has the copy.
const REPLICATION: Duration = Duration::from_secs(2);
/// The pause after a part is found to be held by another attempt.
const OTHERS: Duration = Duration::from_millis(100);

/// Splits a part of a growing root. Returns when the part was split, by this or another gateway, or when the state of
/// the part has to be read again.
///
/// # Errors
/// The reply to the client. The part takes writes again, after some seconds at the latest.
pub async fn split<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    (root, target): (&Found, Parts),
    number: u16,
) -> Result<(), Value> {
    let begun = Instant::now();
    let deadline = begun.checked_add(LONGEST).unwrap_or(begun);
    let attempt = Attempt { sender, name, root, target, number, token: random()?, begun, deadline };
    match attempt.hold(HOLD).await? {
        Step::Stale => {
            // Another gateway splits the part, or has split it.
            sleep(OTHERS).await;
            return Ok(());
        }
        Step::Done => {}
    }
    let done = attempt.run().await;
    if done.is_err() {
        // If the part was not split, it takes writes again at once.
        let _ = attempt.hold(0).await;
    }
    done
}

/// One attempt to split a part.
struct Attempt<'a, T> {
    sender: &'a RetryingClient<T>,
    name: &'a [u8],
    root: &'a Found,
    target: Parts,
    /// The number of the old part.
    number: u16,
    token: u64,
    begun: Instant,
    deadline: Instant,
}

impl<T: Transport> Attempt<'_, T> {
    const fn upper(&self) -> u16 {
        self.number.saturating_mul(2) | 1
    }

    /// Makes the old part take no writes for this number of milliseconds from now on.
    async fn hold(&self, millis: u64) -> Result<Step, Value> {
        let numbers = [
            self.root.entry.incarnation,
            self.token,
            self.number.into(),
            self.root.parts.count().into(),
            millis,
        ];
        let command = part(self.name, self.root.parts, self.number, "SPLIT", numbers);
        carry_out(self.sender, &[command], self.root, self.deadline).await
    }

    async fn run(&self) -> Result<(), Value> {
        if self.needs_copy().await? {
            let mut copying = pin!(self.copy());
            loop {
                tokio::select! {
                    copied = &mut copying => {
                        copied?;
                        break;
                    }
                    () = sleep(RENEWAL) => {
                        if self.hold(HOLD).await? == Step::Stale {
                            return Err(self.late());
                        }
                    }
                }
            }
        }
        if self.hold(HOLD).await? == Step::Stale
            || self.halve(self.number.saturating_mul(2)).await? == Step::Stale
        {
            return Err(self.late());
        }
        let open = [self.root.entry.incarnation, self.token];
        let open = part(self.name, self.target, self.upper(), "OPEN", open);
        carry_out(self.sender, &[open], self.root, self.deadline).await?;
        for number in [self.upper(), self.number.saturating_mul(2)] {
            self.replicated(&self.target.key(self.name, number)).await;
        }
        Ok(())
    }

    /// Looks at the key of the new part. Returns false if the new part takes writes already. Deletes the copy of an
    /// earlier attempt: that attempt cannot go on, since this one holds the old part.
    async fn needs_copy(&self) -> Result<bool, Value> {
        let key = self.target.key(self.name, self.upper());
        let found = match hold(self.sender, [key.clone()], self.deadline).await.pop() {
            Some(Held::Absent) => return Ok(true),
            Some(Held::Part(found)) if found.entry.incarnation == self.root.entry.incarnation => found,
            Some(Held::Refused(error)) => return Err(error),
            Some(Held::Silent) | None => return Err(parts_down(1, self.root.layout)),
            Some(Held::Part(_) | Held::Root(_) | Held::Other) => return Err(taken(&key)),
        };
        // Only the half itself proves that the old part was split. It may be in the course of being split, too.
        let is_half = (found.parts, found.number) == (self.target, self.upper());
        let other = match found.entry.hold {
            None | Some(Hold::Split { .. }) if is_half => return Ok(false),
            None => return Err(taken(&key)),
            Some(other) => other,
        };
        let numbers =
            [self.root.entry.incarnation.to_string(), "TOKEN".to_owned(), other.token().to_string()];
        let drop = command(&[b"LB.CATALOG", &key, b"DROP"], numbers.into_iter().map(String::into_bytes));
        match carry_out(self.sender, &[drop], self.root, self.deadline).await? {
            Step::Done => Ok(true),
            Step::Stale => Err(self.late()),
        }
    }

    /// Makes the new part: a copy of the old part with the members of its half.
    async fn copy(&self) -> Result<(), Value> {
        let (old, new) =
            (self.root.parts.key(self.name, self.number), self.target.key(self.name, self.upper()));
        let dump = match self.one(command(&[b"DUMP", &old], std::iter::empty())).await? {
            Value::BulkString(dump) => dump,
            _ => return Err(self.failed("it does not exist any more")),
        };
        let restore = Command {
            // The key must be absent. So a command that arrives late cannot replace the new part.
            repeatable: true,
            ..command(&[b"RESTORE", &new, b"0"], std::iter::once(dump))
        };
        let restored = self.sender.ask(&[restore], self.deadline).await.pop();
        match restored {
            Some(Ok(value @ Value::ServerError(_))) if !is_taken(&value) => {
                return Err(self.failed(&text(&value).unwrap_or_default()));
            }
            Some(Ok(_)) => {}
            Some(Err(CommandError::Unknown(_))) => return Err(unknown()),
            Some(Err(CommandError::Silent(_))) | None => return Err(parts_down(1, self.root.layout)),
        }
        // If the key was taken, this is refused unless the value is the copy of this attempt.
        if self.halve(self.upper()).await? == Step::Stale {
            return Err(self.late());
        }
        // A server that has just taken over may not have the copy.
        if self.replicated(&new).await { Ok(()) } else { Err(self.late()) }
    }

    async fn halve(&self, number: u16) -> Result<Step, Value> {
        let halve = halve(self.name, self.root, self.target, number, self.token);
        carry_out(self.sender, &[halve], self.root, self.deadline).await
    }

    async fn one(&self, command: Command) -> Result<Value, Value> {
        match self.sender.ask(&[command], self.deadline).await.pop() {
            Some(Ok(error @ Value::ServerError(_))) => Err(error),
            Some(Ok(value)) => Ok(value),
            Some(Err(_)) | None => Err(parts_down(1, self.root.layout)),
        }
    }

    /// Waits until a replica of the node with this key has all that the node has now. Gives up after some time, or if
    /// the node has no replicas or does not tell. Returns false if the node has restarted or become a primary since
    /// the attempt began.
    async fn replicated(&self, key: &[u8]) -> bool {
        let transport = self.sender.transport();
        let Some(node) = transport.node(key_slot(key)) else { return true };
        let until = Instant::now().checked_add(REPLICATION).unwrap_or(self.deadline).min(self.deadline);
        transport.replicas(&node, Wanted::OneIfAny, self.begun, until).await != Ok(None)
    }

    fn failed(&self, why: &str) -> Value {
        error(&format!("ERR part {} of {} is not split: {why}", self.number, self.root.parts.count()))
    }

    fn late(&self) -> Value {
        self.failed("the copy took too long, or another gateway splits it: repeat the command")
    }
}

fn taken(key: &[u8]) -> Value {
    error(&format!("ERR the key of a new part holds something else: {}", key.escape_ascii()))
}

/// Returns whether a `RESTORE` was refused because its key exists.
fn is_taken(value: &Value) -> bool {
    matches!(value, Value::ServerError(error) if error.code() == "BUSYKEY") || is_stale(value)
}
