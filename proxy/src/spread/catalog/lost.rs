//! Looks for the parts of a board whose root is gone. Only if there are none, a key without a root counts as absent.

use leaderboard_core::parts::{MAX_PARTS, Parts};
use redis::Value;
use tokio::time::Instant;

use super::survey::{Found, Held, hold, hold_parts};
use crate::nodes::{RetryingClient, Transport};
use crate::spread::refusal::{error, root_down};

/// The number of parts whose keys are looked at. A board with more parts has a part in each of these keys, and a board
/// with fewer parts in some of them: the key of a part follows from its share of the slots.
const LOOKED_AT: u16 = 8;

/// Returns the parts that were found in the keys that are looked at.
///
/// # Errors
/// If too few servers answered. A look that a server refuses counts as a look at an absent key: users who may not read
/// the parts cannot use them either.
pub async fn find<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    deadline: Instant,
) -> Result<Vec<Found>, Value> {
    let Ok(parts) = Parts::new(LOOKED_AT, "PARTS") else { return Ok(Vec::new()) };
    // A key with a hash tag is no root, and its name with a second tag would have the slot of the first tag.
    if name.contains(&b'{') {
        return Ok(Vec::new());
    }
    let held = hold_parts(sender, name, parts, deadline).await;
    let silent = held.iter().filter(|held| **held == Held::Silent).count();
    // A board over two parts has only these two of the keys.
    let ends = [held.first(), held.get(held.len() / 2)];
    let is_proof = silent < held.len() / 2 && ends.iter().flatten().any(|held| **held != Held::Silent);
    let found: Vec<_> = held.into_iter().filter_map(|held| part(name, held)).collect();
    if found.is_empty() && !is_proof { Err(root_down()) } else { Ok(found) }
}

/// Returns a part, if it has the number that belongs to its key.
fn part(name: &[u8], held: Held) -> Option<Found> {
    let Held::Part(found) = held else { return None };
    let looked_at =
        (0..LOOKED_AT).filter_map(|part| Some(Parts::new(LOOKED_AT, "PARTS").ok()?.key(name, part)));
    let key = found.parts.key(name, found.number);
    looked_at.into_iter().any(|other| other == key).then_some(found)
}

/// Returns all keys that can hold parts of boards with these numbers of parts, each key once.
pub fn keys(name: &[u8], found: &[Found]) -> Vec<Vec<u8>> {
    let most = found.iter().map(|found| found.parts.count()).max().unwrap_or_default().min(MAX_PARTS);
    let parts = Parts::new(most, "PARTS").ok();
    parts.map_or_else(Vec::new, |parts| (0..parts.count()).map(|part| parts.key(name, part)).collect())
}

/// Returns the parts in all keys that can hold parts of this board, each with its key.
///
/// # Errors
/// If a server does not answer, or refuses.
pub async fn all<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    deadline: Instant,
) -> Result<Vec<(Vec<u8>, Found)>, Value> {
    let (mut all, mut count) = (Vec::new(), LOOKED_AT);
    // Parts that were split, and copies of parts, are in the keys of twice the number of parts.
    while let Ok(parts) = Parts::new(count, "PARTS") {
        let keys: Vec<_> = (0..count).map(|part| parts.key(name, part)).collect();
        let held = hold(sender, keys.clone(), deadline).await;
        all.clear();
        for (key, held) in keys.into_iter().zip(held) {
            match held {
                Held::Part(found) => all.push((key, found)),
                Held::Silent => return Err(root_down()),
                Held::Refused(error) => return Err(error),
                Held::Root(_) | Held::Plain(_) | Held::Other | Held::Absent => {}
            }
        }
        let most = all.iter().map(|(_, found)| found.parts.count()).max().unwrap_or_default();
        let wanted = most.saturating_mul(2).min(MAX_PARTS);
        if wanted <= count {
            break;
        }
        count = wanted;
    }
    Ok(all)
}

/// Checks that no part of a board exists whose root would be in this key.
///
/// # Errors
/// The error that says which commands mend the board, or the errors of [`find`].
pub async fn prove_absent<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    deadline: Instant,
) -> Result<(), Value> {
    match find(sender, name, deadline).await?.first() {
        None => Ok(()),
        Some(found) => Err(mends(name, found)),
    }
}

/// Returns the error when parts exist, and their root does not.
pub fn mends(name: &[u8], found: &Found) -> Value {
    let (part, parts, name) = (found.number, found.parts.count(), name.escape_ascii());
    error(&format!(
        "PARTSDOWN the root of this board is lost, but part {part} of {parts} exists: LB.REPAIR {name} makes the root \
         again, DEL {name} deletes the parts"
    ))
}
