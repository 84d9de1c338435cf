//! Writes to members of spread boards. Each part gets the members that belong to it, and writes either all of them or
//! none.

mod attempt;
mod by_rank;
mod check;
mod many;
mod ranks;
mod remove;

use leaderboard_commands::table::OverParts;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, RetryingClient, Transport};
use crate::spread::asked::{Asked, List, Own};
use crate::spread::gather::Refused;
use crate::spread::prizes;
use crate::spread::root::{Root, key_slot};

pub use attempt::words as attempt;
pub use ranks::without_ranks;

/// Returns whether a command can be sent again, if it is not known whether its key has a root.
pub fn is_repeatable(asked: &Asked<'_>) -> bool {
    asked.has("ID") || asked.row.command.only_reads()
}

/// Returns the command for a part, if all members of a write belong to this one part. `None` if they belong to several
/// parts, or if the reply needs all parts.
pub fn by_itself(asked: &Asked<'_>, root: &Root) -> Option<Command> {
    if asked.row.command.over_parts == OverParts::InRoot
        || asked.wants(Own::WithRank)
        || asked.timeout().is_some()
    {
        return None;
    }
    let mut parts = members(asked).into_iter().map(|member| root.parts.of(member));
    let part = parts.next()?;
    let is_only_one = parts.all(|other| other == part);
    is_only_one.then(|| for_part(asked, root, part, asked.list.iter().map(Vec::as_slice)))
}

/// Carries out a write over the parts.
///
/// # Errors
/// See [`Refused`].
pub async fn write<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Refused> {
    match asked.row.name {
        "LB.REM" | "LB.HIDE" | "LB.UNHIDE" => return remove::members(sender, root, asked, deadline).await,
        "LB.PRIZES" | "LB.SETTLE" | "LB.CLAIM" => {
            return prizes::carry_out(sender, root, asked, deadline).await;
        }
        "LB.REMRANGE" => return by_rank::remove(sender, root, asked, deadline).await,
        "LB.REMRANGEBYSCORE" => return remove::by_score(sender, root, asked, deadline).await,
        _ => {}
    }
    let value = without_ranks(asked.row.name, many::write(sender, root, asked, deadline).await?);
    if asked.wants(Own::WithRank) {
        Ok(ranks::fill(sender, root, asked, value, deadline).await)
    } else {
        Ok(value)
    }
}

/// Returns the members that a command writes, in their order. It is empty for commands that remove or hide members.
fn members<'a>(asked: &Asked<'a>) -> Vec<&'a [u8]> {
    match (asked.member(), asked.row.list) {
        (Some(member), _) => vec![member],
        (None, List::Pairs(_)) => asked.pairs().map(|(_, member)| member).collect(),
        _ => Vec::new(),
    }
}

/// Returns the command for a part, with this list of members.
fn for_part<'a>(asked: &Asked<'_>, root: &Root, part: u16, list: impl Iterator<Item = &'a [u8]>) -> Command {
    let (key, parts) = (root.key(part), root.parts.share(part).of.count().to_string());
    let incarnation = root.entry.incarnation.to_string();
    let mut more = vec![&b"PARTS"[..], parts.as_bytes(), b"INCARNATION", incarnation.as_bytes()];
    // A board whose `DEDUP` is 0 does not remember the ids of requests.
    let repeatable = asked.has("ID") && root.schema.dedup > 0;
    let attempt = repeatable.then(|| attempt::words(asked)).flatten();
    more.extend(attempt.iter().flatten().map(Vec::as_slice));
    let words = asked.command(&key, &more, list);
    Command { slot: Some(key_slot(&key)), words, repeatable }
}
