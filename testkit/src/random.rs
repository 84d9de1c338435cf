//! Numbers that look random. The same seed gives the same numbers.

use std::ops::Range;

/// A generator of numbers.
pub struct Random(u64);

impl Random {
    /// Makes a generator. The same seed gives the same numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number of 53 bits.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    /// Returns a number less than `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.number() % end
    }

    /// Returns a number in the range.
    pub fn within(&mut self, range: Range<i64>) -> i64 {
        range.start + self.below((range.end - range.start) as u64) as i64
    }

    /// Returns true in `chance` of 100 cases.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// Returns one of the values.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// Puts the values into a random order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for end in (1..values.len()).rev() {
            values.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

/// Returns the seed for a test: `$LEADERBOARD_SEED`, or 1. A new seed makes another run, and an old one repeats a
/// failed run.
pub fn seed() -> u64 {
    let seed = std::env::var("LEADERBOARD_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    println!("LEADERBOARD_SEED={seed}");
    seed
}
