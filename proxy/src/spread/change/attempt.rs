//! The numbers of attempts. The gateway sends a write with an id again if no answer comes. The first answer may then be
//! that the request was applied before. With the number of the attempt, the part knows that this very attempt was
//! applied, so the client gets `applied` 1.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use leaderboard_core::MAX_ATTEMPT;

use crate::spread::asked::Asked;

/// The option's word.
const ATTEMPT: &[u8] = b"ATTEMPT";

/// Returns the words that number an attempt, if the command can have them: the option and a new number.
pub fn words(asked: &Asked<'_>) -> Option<[Vec<u8>; 2]> {
    let is_numbered = asked.has("ID") && asked.row.takes("ATTEMPT");
    is_numbered.then(|| [ATTEMPT.to_vec(), number().to_string().into_bytes()])
}

/// Returns a number for an attempt. Two gateways that get the same request at the same time give it different numbers,
/// except in one of 16,777,215 cases.
fn number() -> u64 {
    static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(getrandom::u64().unwrap_or_default()));
    // The steps and the mixing are those of SplitMix64.
    let next = NEXT.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
    let mixed = (next ^ (next >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)).checked_rem(u64::from(MAX_ATTEMPT)).unwrap_or_default().saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_their_range_and_differ() {
        let numbers: std::collections::BTreeSet<_> = (0..1_000).map(|_| number()).collect();
        assert!(numbers.len() > 990, "{} numbers", numbers.len());
        assert!(numbers.iter().all(|number| (1..=u64::from(MAX_ATTEMPT)).contains(number)));
    }
}
