//! Merges two parts of a shrinking board.
//!
//! ```text
//!  1  SPLIT  both parts take no writes, for a few seconds, and are read as before
//!  2  SAVED  the gateway reads what the second part has
//!  3  GIVE   the second part takes no writes any more
//!  4  MERGE  the first part gets what the second part had, and takes writes for both
//!  5  DROP   the second part is deleted
//! ```
//!
//! Before step 4, nothing has changed for clients, and any gateway opens the second part again. After step 4, any gateway
//! deletes it. The token of an attempt is a random number: step 4 is refused unless the first part has taken no writes since
//! step 1 of the same attempt.

use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::sleep;

use super::copying::{Attempt, OTHERS, drop, time_to_send};
use super::steps::{Step, open, part};
use super::survey::Found;
use crate::nodes::{Command, RetryingClient, Transport};

/// Merges both halves of a part of a shrinking root, which has this number on the root. Returns when they were merged, by
/// this or another gateway, or when their state has to be read again.
///
/// # Errors
/// The reply to the client. The parts take writes again, after some seconds at the latest, or after the next command.
pub async fn merge<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    (root, halves): (&Found, Parts),
    number: u16,
) -> Result<(), Value> {
    let low = number.saturating_mul(2);
    let failure = format!("parts {low} and {} of {} are not merged", low | 1, halves.count());
    let merge = Merge { attempt: Attempt::new(sender, name, root, failure)?, halves, low };
    if merge.attempt.hold(|millis| merge.held(millis)).await? == Step::Stale {
        // Another gateway merges the parts, or has merged them.
        merge.take_back().await;
        sleep(OTHERS).await;
        return Ok(());
    }
    let done = merge.run().await;
    if done.is_err() {
        merge.take_back().await;
    }
    done
}

/// One attempt to merge two parts.
struct Merge<'a, T> {
    attempt: Attempt<'a, T>,
    /// The number of parts before.
    halves: Parts,
    /// The number of the first of both parts.
    low: u16,
}

impl<T: Transport> Merge<'_, T> {
    fn key(&self, number: u16) -> Vec<u8> {
        self.halves.key(self.attempt.name, number)
    }

    fn form<const N: usize>(&self, number: u16, form: &str, more: [u64; N]) -> Command {
        let numbers = [self.attempt.root.entry.incarnation, self.attempt.token];
        let mut command = part(self.attempt.name, self.halves, number, form, numbers);
        command.words.extend(more.map(|number| number.to_string().into_bytes()));
        command
    }

    /// Returns the commands with which both parts take no writes for this number of milliseconds from now on.
    fn held(&self, millis: u64) -> Vec<Command> {
        vec![self.held_one(self.low, millis), self.held_one(self.low | 1, millis)]
    }

    fn held_one(&self, number: u16, millis: u64) -> Command {
        self.form(number, "SPLIT", [number.into(), self.halves.count().into(), millis])
    }

    async fn run(&self) -> Result<(), Value> {
        let board = self.give().await?;
        self.decide(board).await
    }

    /// Gives the second part away, and returns what it has.
    async fn give(&self) -> Result<Vec<u8>, Value> {
        let (attempt, high) = (&self.attempt, self.key(self.low | 1));
        let board = attempt.holding(|millis| self.held(millis), attempt.saved(&high)).await?;
        if attempt.hold(|millis| self.held(millis)).await? == Step::Stale
            || attempt.send(self.form(self.low | 1, "GIVE", [])).await? == Step::Stale
            // A server that has just taken over may not know that the part was given away.
            || !attempt.replicated(&high).await
        {
            return Err(attempt.late());
        }
        Ok(board)
    }

    /// Merges the parts, and deletes the second one.
    async fn decide(&self, board: Vec<u8>) -> Result<(), Value> {
        let attempt = &self.attempt;
        let held = self.held_one(self.low, time_to_send(board.len()));
        let mut merge = self.form(self.low, "MERGE", [self.low.into(), self.halves.count().into()]);
        merge.words.push(board);
        if attempt.send(held).await? == Step::Stale || attempt.send(merge).await? == Step::Stale {
            return Err(attempt.late());
        }
        if !attempt.replicated(&self.key(self.low)).await {
            return Err(attempt.late());
        }
        let high = self.key(self.low | 1);
        attempt.send(drop(&high, attempt.root.entry.incarnation, attempt.token)).await.map(|_| ())
    }

    /// Ends the attempt, if it has not merged the parts. They take writes again at once. If the parts were merged, or if a
    /// server does not answer, the second part stays as it is.
    async fn take_back(&self) {
        let Attempt { name, root, token, .. } = self.attempt;
        if let Ok(Step::Done) = self.attempt.send(self.held_one(self.low, 0)).await {
            let _ = self.attempt.send(open(name, root, self.halves, self.low | 1, token)).await;
        }
        let _ = self.attempt.send(self.held_one(self.low | 1, 0)).await;
    }
}
