//! Makes a plain board a board over two parts.
//!
//! ```text
//!  1  SPREAD  the plain board takes no writes, for a few seconds, and is read as before
//!  2  DUMP, RESTORE, HALVE  parts 0 and 1 of 2 are copies with the members of their halves, and take no writes
//!  3  ROOT    the plain board becomes the root
//!  4  OPEN    the parts take writes
//! ```
//!
//! Before step 3, nothing has changed for clients, and a new attempt deletes the copies of this one. After step 3, any
//! gateway opens the copies, because the state of the root is not `whole`. Step 3 is refused unless the plain board has
//! taken no writes since step 1 of the same attempt. All attempts have the same incarnation, which the plain board
//! remembers.

use leaderboard_core::catalog::{CatalogEntry, Hold};
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::{Instant, sleep};

use super::copying::{Attempt, OTHERS, drop, taken};
use super::random;
use super::steps::{Step, carry_out, command, halve};
use super::survey::{Found, Held, expiries, hold};
use crate::nodes::{Command, RetryingClient, Transport};
use crate::spread::refusal::error;

/// The numbers of the parts.
pub const BOTH: [u16; 2] = [0, 1];

/// Makes a plain board the root of two parts. Returns when it is a root, or when the key has to be read again.
///
/// # Errors
/// The reply to the client. Unless the board has become a root, it takes writes again, after some seconds at the latest.
pub async fn spread<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    board: Found,
    deadline: Instant,
) -> Result<(), Value> {
    if let Some(Some(left)) = expiries(sender, &[name.to_vec()], deadline).await.pop() {
        let name = name.escape_ascii();
        return Err(error(&format!("ERR the key expires in {left} ms, and a root cannot: PERSIST {name}")));
    }
    let is_unwritten = board.entry.hold.is_some();
    let incarnation = if board.entry.incarnation > 0 { board.entry.incarnation } else { random()? };
    let root = Found { entry: CatalogEntry { incarnation, ..board.entry }, ..board };
    let spreading =
        Spreading { attempt: Attempt::new(sender, name, &root, "the board is not split".to_owned())? };
    if spreading.attempt.hold(|millis| vec![spreading.held(millis)]).await? == Step::Stale {
        // Another gateway spreads the board, or has done so.
        sleep(OTHERS).await;
        return Ok(());
    }
    let done = match spreading.prepare(is_unwritten).await {
        Ok(()) => return spreading.decide().await,
        failed => failed,
    };
    spreading.take_back().await;
    done
}

/// Deletes the copies of a plain board that was deleted.
///
/// # Errors
/// The reply to the client.
pub async fn drop_copies<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    deadline: Instant,
) -> Result<(), Value> {
    let keys = BOTH.map(|number| Parts::TWO.key(name, number));
    for (key, held) in keys.iter().zip(hold(sender, keys.clone(), deadline).await) {
        let (Held::Part(copy) | Held::Plain(copy)) = held else { continue };
        // Without a hold, it is no copy.
        let Some(token) = copy.entry.hold.map(Hold::token) else { continue };
        carry_out(sender, &[drop(key, copy.entry.incarnation, token)], &copy, deadline).await?;
    }
    Ok(())
}

/// Deletes parts of which a plain board was made, if an attempt to do that has left them.
///
/// # Errors
/// The reply to the client.
pub async fn drop_given<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    board: &Found,
    deadline: Instant,
) -> Result<(), Value> {
    let attempt = Attempt::new(sender, name, board, String::new())?;
    let keys = BOTH.map(|number| Parts::TWO.key(name, number));
    let held = hold(sender, keys.clone(), deadline).await;
    let drops = keys.iter().zip(&held).filter_map(|(key, held)| match held {
        Held::Part(part) if attempt.is_own(part) => {
            Some(drop(key, part.entry.incarnation, part.entry.hold.map(Hold::token)?))
        }
        _ => None,
    });
    let drops: Vec<_> = drops.collect();
    // An attempt to spread the board holds it before it makes copies. So these parts are not its copies.
    let is_at_rest = match attempt.found(name).await? {
        Held::Plain(now) => attempt.is_own(&now) && now.entry.incarnation > 0 && now.entry.hold.is_none(),
        _ => false,
    };
    if !drops.is_empty() && is_at_rest && attempt.replicated(name).await {
        carry_out(sender, &drops, board, deadline).await?;
    }
    Ok(())
}

/// One attempt to spread a plain board.
struct Spreading<'a, T> {
    attempt: Attempt<'a, T>,
}

impl<T: Transport> Spreading<'_, T> {
    fn form(&self, form: &str, more: Option<u64>) -> Command {
        let numbers = [self.attempt.root.entry.incarnation, self.attempt.token];
        let numbers = numbers.into_iter().chain(more).map(|number| number.to_string().into_bytes());
        command(&[b"LB.CATALOG", self.attempt.name, form.as_bytes()], numbers)
    }

    /// Returns the command with which the plain board takes no writes for this number of milliseconds from now on.
    fn held(&self, millis: u64) -> Command {
        self.form("SPREAD", Some(millis))
    }

    fn key(&self, number: u16) -> Vec<u8> {
        Parts::TWO.key(self.attempt.name, number)
    }

    /// Makes the parts that are missing. `is_unwritten` says that the board has taken no writes since an earlier attempt.
    async fn prepare(&self, is_unwritten: bool) -> Result<(), Value> {
        let found = [self.attempt.found(&self.key(0)).await?, self.attempt.found(&self.key(1)).await?];
        let is_open = |held: &Held| match held {
            Held::Part(part) => {
                self.attempt.is_own(part) && !matches!(part.entry.hold, Some(Hold::Copy { .. }))
            }
            _ => false,
        };
        if found.iter().any(is_open) {
            // Only a root opens parts: a server that took over has lost the root.
            return if is_unwritten { Ok(()) } else { Err(self.forked()) };
        }
        for (number, held) in BOTH.into_iter().zip(found) {
            let key = self.key(number);
            match held {
                Held::Absent => {}
                Held::Part(copy) | Held::Plain(copy) if self.attempt.is_own(&copy) => {
                    let token = copy.entry.hold.map(Hold::token).ok_or_else(|| taken(&key))?;
                    self.attempt.drop_copy(&key, token).await?;
                }
                _ => return Err(taken(&key)),
            }
        }
        self.attempt.holding(|millis| vec![self.held(millis)], self.copy()).await
    }

    async fn copy(&self) -> Result<(), Value> {
        let Attempt { name, root, token, .. } = &self.attempt;
        let dump = self.attempt.dump(name).await?;
        for number in BOTH {
            let halve = halve(name, root, Parts::TWO, number, *token);
            self.attempt.restore(&self.key(number), dump.clone(), halve).await?;
        }
        Ok(())
    }

    /// Makes the plain board the root. If there is no answer, it may be one, so the copies stay.
    async fn decide(&self) -> Result<(), Value> {
        if self.attempt.hold(|millis| vec![self.held(millis)]).await? == Step::Stale
            || self.attempt.send(self.form("ROOT", None)).await? == Step::Stale
        {
            self.take_back().await;
            return Err(self.attempt.late());
        }
        self.attempt.replicated(self.attempt.name).await;
        Ok(())
    }

    /// Deletes the copies of this attempt. The plain board takes writes again at once.
    async fn take_back(&self) {
        for number in BOTH {
            let _ = self.attempt.drop_copy(&self.key(number), self.attempt.token).await;
        }
        let _ = self.attempt.send(self.held(0)).await;
    }

    fn forked(&self) -> Value {
        let name = self.attempt.name.escape_ascii();
        error(&format!(
            "ERR this board is a root that a server has lost, and was written to since: rename {name} away, then \
             LB.REPAIR {name} makes the root again from the parts"
        ))
    }
}
