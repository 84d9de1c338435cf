//! Keeps the root and the parts of a board together. A gateway can stop at any moment, and a failover can lose what a
//! server had acknowledged. So the root says what is to be finished, and every gateway can finish it.
//!
//! `survey` asks the keys of a board what they hold. `mend` finishes what the root says:
//! `complete` finishes a command that makes or alters a board, and `end` one that deletes it. `lost` looks for the parts of a board whose root is gone. `repair` and `list` are
//! `LB.REPAIR` and `LB.PARTS`. `steps` has the commands that change roots and parts. `growth`, `pairs`, `split`, `plain`, `merge` and `flat` are the parts of `LB.RESHARD` that
//! another gateway can finish; `copying` is what the last four have in common.

mod complete;
mod copying;
mod end;
mod flat;
mod growth;
mod list;
mod lost;
mod mend;
mod merge;
mod pairs;
mod plain;
mod repair;
mod split;
mod steps;
mod survey;
mod words;

pub use end::{delete, delete_lost};
pub use flat::flatten;
pub use growth::{begin_growth, begin_shrinking, end_growth, end_shrinking, moving};
pub use leaderboard_core::catalog::{CatalogEntry, State};
pub use list::list;
pub use lost::{mends, prove_absent};
pub use mend::mend;
pub use merge::merge;
pub use plain::{drop_copies, drop_given, spread};
pub use repair::repair;
pub use split::split;
pub use survey::{Found, Held, entry, grown, hold, hold_parts};
pub use words::{prizes as prizes_of, rules as rules_of};

/// Returns a new number below 2^63 and above 0, for an incarnation.
///
/// # Errors
/// If the system has no random bytes. Two boards must not get the same number, so no other number is used.
pub fn random() -> Result<u64, redis::Value> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| super::refusal::error(&format!("ERR the gateway has no random bytes: {error}")))?;
    Ok((u64::from_le_bytes(bytes) >> 1).max(1))
}

/// Returns a number that names a command: a hash of its words, below 2^63 and above 0. All versions of the gateway
/// compute the same number, so each of them recognizes a command that is repeated.
pub fn request(words: &[Vec<u8>]) -> u64 {
    let mut hash = blake3::Hasher::new();
    for word in words {
        hash.update(&word.len().to_le_bytes()).update(word);
    }
    let first = hash.finalize().as_bytes().first_chunk().copied().unwrap_or_default();
    (u64::from_le_bytes(first) >> 1).max(1)
}
