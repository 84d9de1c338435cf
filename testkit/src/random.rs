//! Numbers that look random and come again with the same seed.

use std::ops::Range;

/// A source of numbers.
pub struct Random(u64);

impl Random {
    /// Makes a generator. The same seed gives the same numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number of 53 bits.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    /// A number less than `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.number() % end
    }

    /// A number in the range.
    pub fn within(&mut self, range: Range<i64>) -> i64 {
        range.start + self.below((range.end - range.start) as u64) as i64
    }

    /// True in `chance` of 100 cases.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// One of the values.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// Puts the values in any order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for end in (1..values.len()).rev() {
            values.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

/// `$LEADERBOARD_SEED` makes another run, or repeats a failed one.
pub fn seed() -> u64 {
    let seed = std::env::var("LEADERBOARD_SEED").map_or(1, |seed| seed.parse().expect("a number"));
    println!("LEADERBOARD_SEED={seed}");
    seed
}
