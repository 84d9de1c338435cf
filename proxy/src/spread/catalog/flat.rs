//! Makes a board over two parts a plain board.
//!
//! ```text
//!  1  HOLD, SPLIT  the root waits for its members, and both parts take no writes, for a few seconds
//!  2  SAVED  the gateway reads what the parts have
//!  3  GIVE   the parts take no writes any more
//!  4  PLAIN  the root becomes the plain board with what the parts had, and takes writes
//!  5  DROP   the parts are deleted
//! ```
//!
//! Before step 4, nothing has changed for clients, and any gateway opens the parts again. After step 4, the key holds a
//! plain board; LB.RESHARD and DEL delete parts that are left. Step 4 is refused unless the root is held by the same attempt
//! without a break. The plain board keeps the incarnation of the root, so that these parts are recognized.

use leaderboard_core::catalog::Hold;
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::{Instant, sleep};

use super::copying::{Attempt, OTHERS, drop, time_to_send};
use super::plain::BOTH;
use super::steps::{Step, carry_out, command, open, part};
use super::survey::{Found, hold_parts};
use crate::nodes::{Command, RetryingClient, Transport};

/// Makes a root that shrinks to a plain board this board. Returns when it is a plain board, or when the key has to be read
/// again.
///
/// # Errors
/// The reply to the client. The parts take writes again, after some seconds at the latest, or after the next command.
pub async fn flatten<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
) -> Result<(), Value> {
    let failure = "the parts do not become a plain board".to_owned();
    let flat = Flat { attempt: Attempt::new(sender, name, root, failure)? };
    if flat.attempt.hold(|millis| flat.held(millis)).await? == Step::Stale {
        // Another gateway does this, or has done so.
        flat.take_back().await;
        sleep(OTHERS).await;
        return Ok(());
    }
    let done = flat.run().await;
    if done.is_err() {
        flat.take_back().await;
    }
    done
}

/// Lets parts take writes again that an attempt has given away, if its time has passed. The root is still a root.
///
/// # Errors
/// The reply to the client.
pub async fn take_back<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    deadline: Instant,
) -> Result<(), Value> {
    let held = hold_parts(sender, name, Parts::TWO, deadline).await;
    let given = held.iter().zip(BOTH).filter_map(|(held, number)| {
        let part = held.part_of(Parts::TWO, number)?;
        let is_own = part.entry.incarnation == root.entry.incarnation;
        match part.entry.hold {
            Some(Hold::Copy { token }) if is_own => Some((number, token)),
            _ => None,
        }
    });
    let given: Vec<_> = given.collect();
    if given.is_empty() {
        return Ok(());
    }
    // If another attempt holds the root, the first one cannot make it a plain board any more.
    let other = Attempt::new(sender, name, root, String::new())?.token;
    if carry_out(sender, &[held_root(name, root, other, 0)], root, deadline).await? == Step::Stale {
        return Ok(());
    }
    let open = |(number, token)| open(name, root, Parts::TWO, number, token);
    carry_out(sender, &given.into_iter().map(open).collect::<Vec<_>>(), root, deadline).await.map(|_| ())
}

fn held_root(name: &[u8], root: &Found, token: u64, millis: u64) -> Command {
    let numbers = [root.entry.incarnation, token, millis].map(|number| number.to_string().into_bytes());
    command(&[b"LB.CATALOG", name, b"HOLD"], numbers.into_iter())
}

/// One attempt to make a plain board.
struct Flat<'a, T> {
    attempt: Attempt<'a, T>,
}

impl<T: Transport> Flat<'_, T> {
    fn key(&self, number: u16) -> Vec<u8> {
        Parts::TWO.key(self.attempt.name, number)
    }

    fn form<const N: usize>(&self, number: u16, form: &str, more: [u64; N]) -> Command {
        let numbers = [self.attempt.root.entry.incarnation, self.attempt.token];
        let mut command = part(self.attempt.name, Parts::TWO, number, form, numbers);
        command.words.extend(more.map(|number| number.to_string().into_bytes()));
        command
    }

    fn held_part(&self, number: u16, millis: u64) -> Command {
        self.form(number, "SPLIT", [number.into(), Parts::TWO.count().into(), millis])
    }

    fn held_root(&self, millis: u64) -> Command {
        held_root(self.attempt.name, self.attempt.root, self.attempt.token, millis)
    }

    /// Returns the commands with which the root and both parts are held for this number of milliseconds from now on.
    fn held(&self, millis: u64) -> Vec<Command> {
        let parts = BOTH.map(|number| self.held_part(number, millis));
        std::iter::once(self.held_root(millis)).chain(parts).collect()
    }

    async fn run(&self) -> Result<(), Value> {
        let boards = self.give().await?;
        self.decide(boards).await
    }

    /// Gives both parts away, and returns what they have.
    async fn give(&self) -> Result<[Vec<u8>; 2], Value> {
        let attempt = &self.attempt;
        let saved = async {
            let [low, high] = BOTH.map(|number| self.key(number));
            Ok([attempt.saved(&low).await?, attempt.saved(&high).await?])
        };
        let boards = attempt.holding(|millis| self.held(millis), saved).await?;
        let give = BOTH.map(|number| self.form(number, "GIVE", []));
        if attempt.hold(|millis| self.held(millis)).await? == Step::Stale
            || attempt.send_all(&give).await? == Step::Stale
        {
            return Err(attempt.late());
        }
        for number in BOTH {
            // A server that has just taken over may not know that the part was given away.
            if !attempt.replicated(&self.key(number)).await {
                return Err(attempt.late());
            }
        }
        Ok(boards)
    }

    /// Makes the root the plain board, and deletes the parts.
    async fn decide(&self, boards: [Vec<u8>; 2]) -> Result<(), Value> {
        let Attempt { name, root, token, .. } = self.attempt;
        let bytes = boards.iter().map(Vec::len).fold(0, usize::saturating_add);
        let held = self.held_root(time_to_send(bytes));
        let numbers = [root.entry.incarnation, token].map(|number| number.to_string().into_bytes());
        let plain = command(&[b"LB.CATALOG", name, b"PLAIN"], numbers.into_iter().chain(boards));
        if self.attempt.send(held).await? == Step::Stale || self.attempt.send(plain).await? == Step::Stale {
            return Err(self.attempt.late());
        }
        if !self.attempt.replicated(name).await {
            return Err(self.attempt.late());
        }
        let drops = BOTH.map(|number| drop(&self.key(number), root.entry.incarnation, token));
        self.attempt.send_all(&drops).await.map(|_| ())
    }

    /// Ends the attempt, if the root has not become a plain board. The parts take writes again at once. If it is a plain
    /// board, or if a server does not answer, the parts stay as they are.
    async fn take_back(&self) {
        let Attempt { name, root, token, .. } = self.attempt;
        if let Ok(Step::Done) = self.attempt.send(self.held_root(0)).await {
            let _ =
                self.attempt.send_all(&BOTH.map(|number| open(name, root, Parts::TWO, number, token))).await;
        }
        let _ = self.attempt.send_all(&BOTH.map(|number| self.held_part(number, 0))).await;
    }
}
