//! One attempt to copy, or to give away, boards or parts that take no writes meanwhile.

use std::pin::pin;
use std::time::Duration;

use redis::Value;
use tokio::time::{Instant, sleep};

use super::random;
use super::steps::{Step, carry_out, command};
use super::survey::{Found, Held, hold};
use crate::nodes::{Command, CommandError, RetryingClient, Transport, Wanted};
use crate::spread::refusal::{error, is_stale, parts_down, text, unknown};
use crate::spread::root::key_slot;

/// How long the old value takes no writes if the gateway dies, in milliseconds.
const HOLD: u64 = 5_000;
/// How many bytes a node takes in a millisecond, at the least.
const BYTES_A_MILLISECOND: u64 = 10_000;
/// How often this time is made longer while the value is copied.
const RENEWAL: Duration = Duration::from_secs(1);
/// The longest time of one attempt.
const LONGEST: Duration = Duration::from_secs(60);
/// How long an attempt waits until a replica has the copy.
const REPLICATION: Duration = Duration::from_secs(2);
/// The pause after a value is found to be held by another attempt.
pub const OTHERS: Duration = Duration::from_millis(100);

pub struct Attempt<'a, T> {
    pub sender: &'a RetryingClient<T>,
    pub name: &'a [u8],
    /// The root, or the plain board that becomes one.
    pub root: &'a Found,
    /// What has not happened if the attempt fails, in words.
    failure: String,
    pub token: u64,
    begun: Instant,
    deadline: Instant,
}

impl<'a, T: Transport> Attempt<'a, T> {
    /// Returns an attempt that has not begun yet.
    ///
    /// # Errors
    /// See [`random`].
    pub fn new(
        sender: &'a RetryingClient<T>,
        name: &'a [u8],
        root: &'a Found,
        failure: String,
    ) -> Result<Self, Value> {
        let begun = Instant::now();
        let deadline = begun.checked_add(LONGEST).unwrap_or(begun);
        Ok(Self { sender, name, root, failure, token: random()?, begun, deadline })
    }

    /// Sends a command that changes a root or a part.
    ///
    /// # Errors
    /// The reply to the client.
    pub async fn send(&self, command: Command) -> Result<Step, Value> {
        self.send_all(&[command]).await
    }

    /// Sends commands that change roots or parts.
    ///
    /// # Errors
    /// The reply to the client.
    pub async fn send_all(&self, commands: &[Command]) -> Result<Step, Value> {
        carry_out(self.sender, commands, self.root, self.deadline).await
    }

    /// Sends the commands with which the old values take no writes from now on.
    ///
    /// # Errors
    /// The reply to the client.
    pub async fn hold(&self, held: impl Fn(u64) -> Vec<Command>) -> Result<Step, Value> {
        self.send_all(&held(HOLD)).await
    }

    /// Does some work while the old values take no writes.
    ///
    /// # Errors
    /// The error of the work, or if an old value has taken writes.
    pub async fn holding<R>(
        &self,
        held: impl Fn(u64) -> Vec<Command>,
        work: impl Future<Output = Result<R, Value>>,
    ) -> Result<R, Value> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = sleep(RENEWAL) => {
                    if self.hold(&held).await? == Step::Stale {
                        return Err(self.late());
                    }
                }
            }
        }
    }

    /// Returns what a key holds.
    ///
    /// # Errors
    /// If no server answers, or a server refuses.
    pub async fn found(&self, key: &[u8]) -> Result<Held, Value> {
        match hold(self.sender, [key.to_vec()], self.deadline).await.pop() {
            Some(Held::Refused(error)) => Err(error),
            Some(Held::Silent) | None => Err(parts_down(1, self.root.layout)),
            Some(found) => Ok(found),
        }
    }

    /// Returns whether a value belongs to the same board.
    pub const fn is_own(&self, found: &Found) -> bool {
        found.entry.incarnation == self.root.entry.incarnation
    }

    /// Deletes the copy of an attempt.
    ///
    /// # Errors
    /// The reply to the client.
    pub async fn drop_copy(&self, key: &[u8], token: u64) -> Result<(), Value> {
        if self.send(drop(key, self.root.entry.incarnation, token)).await? == Step::Done {
            Ok(())
        } else {
            Err(self.late())
        }
    }

    /// Returns the dump of the old value.
    ///
    /// # Errors
    /// The reply to the client.
    pub async fn dump(&self, key: &[u8]) -> Result<Vec<u8>, Value> {
        match self.sender.ask(&[command(&[b"DUMP", key], std::iter::empty())], self.deadline).await.pop() {
            Some(Ok(Value::BulkString(dump))) => Ok(dump),
            Some(Ok(error @ Value::ServerError(_))) => Err(error),
            Some(Ok(_)) => Err(self.failed("it does not exist any more")),
            Some(Err(_)) | None => Err(parts_down(1, self.root.layout)),
        }
    }

    /// Returns what a part has that this attempt holds.
    ///
    /// # Errors
    /// The reply to the client.
    pub async fn saved(&self, key: &[u8]) -> Result<Vec<u8>, Value> {
        let numbers = [self.root.entry.incarnation, self.token].map(|number| number.to_string().into_bytes());
        let saved = command(&[b"LB.CATALOG", key, b"SAVED"], numbers.into_iter());
        match self.sender.ask(&[saved], self.deadline).await.pop() {
            Some(Ok(Value::BulkString(saved))) => Ok(saved),
            Some(Ok(error @ Value::ServerError(_))) if !is_stale(&error) => Err(error),
            Some(Ok(_)) => Err(self.late()),
            Some(Err(_)) | None => Err(parts_down(1, self.root.layout)),
        }
    }

    /// Makes a copy in a key that is absent. `halve` is the command that leaves it its own members. Waits until a replica
    /// has the copy.
    ///
    /// # Errors
    /// The reply to the client.
    pub async fn restore(&self, key: &[u8], dump: Vec<u8>, halve: Command) -> Result<(), Value> {
        let restore = Command {
            // The key must be absent. So a command that arrives late cannot replace the new part.
            repeatable: true,
            ..command(&[b"RESTORE", key, b"0"], std::iter::once(dump))
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
        if self.send(halve).await? == Step::Stale {
            return Err(self.late());
        }
        // A server that has just taken over may not have the copy.
        if self.replicated(key).await { Ok(()) } else { Err(self.late()) }
    }

    /// Waits until a replica of the node with this key has all that the node has now. Gives up after some time, or if
    /// the node has no replicas or does not tell. Returns false if the node has restarted or become a primary since
    /// the attempt began.
    pub async fn replicated(&self, key: &[u8]) -> bool {
        let transport = self.sender.transport();
        let Some(node) = transport.node(key_slot(key)) else { return true };
        let until = Instant::now().checked_add(REPLICATION).unwrap_or(self.deadline).min(self.deadline);
        transport.replicas(&node, Wanted::OneIfAny, self.begun, until).await != Ok(None)
    }

    fn failed(&self, why: &str) -> Value {
        error(&format!("ERR {}: {why}", self.failure))
    }

    /// Returns the error of an attempt that another one has overtaken.
    pub fn late(&self) -> Value {
        self.failed("it took too long, or another gateway does the same: repeat the command")
    }
}

/// Returns how long a value is held while this number of bytes are sent to it, in milliseconds.
pub fn time_to_send(bytes: usize) -> u64 {
    HOLD.saturating_add(bytes as u64 / BYTES_A_MILLISECOND)
}

/// Returns the command that deletes the copy of an attempt, or a part that it has given away.
pub fn drop(key: &[u8], incarnation: u64, token: u64) -> Command {
    let numbers = [incarnation.to_string(), "TOKEN".to_owned(), token.to_string()];
    command(&[b"LB.CATALOG", key, b"DROP"], numbers.into_iter().map(String::into_bytes))
}

/// Returns the error when the key of a new part is not free.
pub fn taken(key: &[u8]) -> Value {
    error(&format!("ERR the key of a new part holds something else: {}", key.escape_ascii()))
}

/// Returns whether a `RESTORE` was refused because its key exists.
fn is_taken(value: &Value) -> bool {
    matches!(value, Value::ServerError(error) if error.code() == "BUSYKEY") || is_stale(value)
}
