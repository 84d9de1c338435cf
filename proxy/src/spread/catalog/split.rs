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

use leaderboard_core::catalog::Hold;
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::sleep;

use super::copying::{Attempt, OTHERS, taken};
use super::steps::{Step, halve, part};
use super::survey::{Found, Held};
use crate::nodes::{Command, RetryingClient, Transport};

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
    let failure = format!("part {number} of {} is not split", root.parts.count());
    let split = Split { attempt: Attempt::new(sender, name, root, failure)?, target, number };
    if split.attempt.hold(|millis| vec![split.held(millis)]).await? == Step::Stale {
        // Another gateway splits the part, or has split it.
        sleep(OTHERS).await;
        return Ok(());
    }
    let done = split.run().await;
    if done.is_err() {
        // If the part was not split, it takes writes again at once.
        let _ = split.attempt.send(split.held(0)).await;
    }
    done
}

/// One attempt to split a part.
struct Split<'a, T> {
    attempt: Attempt<'a, T>,
    target: Parts,
    /// The number of the old part.
    number: u16,
}

impl<T: Transport> Split<'_, T> {
    const fn upper(&self) -> u16 {
        self.number.saturating_mul(2) | 1
    }

    /// Returns the command with which the old part takes no writes for this number of milliseconds from now on.
    fn held(&self, millis: u64) -> Command {
        let Attempt { name, root, token, .. } = &self.attempt;
        let numbers = [root.entry.incarnation, *token, self.number.into(), root.parts.count().into(), millis];
        part(name, root.parts, self.number, "SPLIT", numbers)
    }

    fn halve(&self, number: u16) -> Command {
        let Attempt { name, root, token, .. } = &self.attempt;
        halve(name, root, self.target, number, *token)
    }

    async fn run(&self) -> Result<(), Value> {
        let (attempt, name) = (&self.attempt, self.attempt.name);
        if self.needs_copy().await? {
            attempt.holding(|millis| vec![self.held(millis)], self.copy()).await?;
        }
        if attempt.hold(|millis| vec![self.held(millis)]).await? == Step::Stale
            || attempt.send(self.halve(self.number.saturating_mul(2))).await? == Step::Stale
        {
            return Err(attempt.late());
        }
        let open = [attempt.root.entry.incarnation, attempt.token];
        attempt.send(part(name, self.target, self.upper(), "OPEN", open)).await?;
        for number in [self.upper(), self.number.saturating_mul(2)] {
            attempt.replicated(&self.target.key(name, number)).await;
        }
        Ok(())
    }

    /// Looks at the key of the new part. Returns false if the new part takes writes already. Deletes the copy of an
    /// earlier attempt: that attempt cannot go on, since this one holds the old part.
    async fn needs_copy(&self) -> Result<bool, Value> {
        let key = self.target.key(self.attempt.name, self.upper());
        let found = match self.attempt.found(&key).await? {
            Held::Absent => return Ok(true),
            Held::Part(found) if self.attempt.is_own(&found) => found,
            _ => return Err(taken(&key)),
        };
        // Only the half itself proves that the old part was split. It may be in the course of being split, too.
        let is_half = (found.parts, found.number) == (self.target, self.upper());
        match found.entry.hold {
            None | Some(Hold::Split { .. }) if is_half => Ok(false),
            None => Err(taken(&key)),
            Some(other) => self.attempt.drop_copy(&key, other.token()).await.map(|()| true),
        }
    }

    /// Makes the new part: a copy of the old part with the members of its half.
    async fn copy(&self) -> Result<(), Value> {
        let attempt = &self.attempt;
        let dump = attempt.dump(&attempt.root.parts.key(attempt.name, self.number)).await?;
        let new = self.target.key(attempt.name, self.upper());
        attempt.restore(&new, dump, self.halve(self.upper())).await
    }
}
