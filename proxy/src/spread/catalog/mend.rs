//! Reads a root, and finishes what the root says is to be finished.

use leaderboard_core::catalog::State;
use redis::Value;
use tokio::time::{Instant, sleep};

use super::complete::{Completion, complete};
use super::end::finish;
use super::growth::settle;
use super::repair::root;
use super::survey::{Found, Held, hold};
use crate::nodes::{RetryingClient, Transport, pause};
use crate::spread::refusal::{error, root_down};

/// Checks that all members of a board are there. A board that is being restored can be finished only by the program that
/// has its backup.
///
/// # Errors
/// The reply that says which commands go on.
pub fn check_members(name: &[u8], root: &Found) -> Result<(), Value> {
    if root.entry.state != State::Restoring {
        return Ok(());
    }
    let name = name.escape_ascii();
    Err(error(&format!(
        "PARTSDOWN this board is being restored from a backup: if `leaderboard-gateway restore` broke off, repeat it, or \
         DEL {name} deletes what is there"
    )))
}

/// Makes a board whole. Returns its root, or `None` if the key has no root any more. `request` names the
/// command whose client gets the reply now, if there is one.
///
/// # Errors
/// The reply to the client: the part that prevents the completion, or the server that does not answer.
pub async fn mend<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    request: Option<u64>,
    deadline: Instant,
) -> Result<Option<Found>, Value> {
    loop {
        let found = match hold(sender, [name.to_vec()], deadline).await.pop() {
            Some(Held::Root(root)) => root,
            Some(Held::Refused(error)) => return Err(error),
            Some(Held::Silent) | None => return Err(root_down()),
            Some(Held::Part(_) | Held::Plain(_) | Held::Other | Held::Absent) => return Ok(None),
        };
        if found.entry.state == State::Ending {
            finish(sender, name, &found, deadline).await?;
            return Ok(None);
        }
        check_members(name, &found)?;
        let found = if found.entry.is_moving() {
            match settle(sender, name, found, deadline).await? {
                Some(found) => found,
                None => {
                    again(deadline).await?;
                    continue;
                }
            }
        } else {
            found
        };
        let told = request.is_some_and(|request| request == found.entry.request);
        let how = Completion { told, ..Completion::default() };
        if complete(sender, name, &found, how, deadline).await?.is_some() {
            if found.entry.is_moving() {
                return Ok(Some(found));
            }
            return root(sender, name, deadline).await;
        }
        again(deadline).await?;
    }
}

/// Pauses before the board is read again. Without the pause, a step that stays stale would send commands without a break
/// until the deadline.
///
/// # Errors
/// The reply to the client, at the deadline.
async fn again(deadline: Instant) -> Result<(), Value> {
    if Instant::now() >= deadline {
        return Err(error("PARTSDOWN other gateways change this board all the time"));
    }
    sleep(pause(1)).await;
    Ok(())
}
