//! Random rules of counters.

use leaderboard_core::counter;
use leaderboard_core::time::{Clock, MAX_MILLIS};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::Profile;

/// Precisions of a few seconds, some of which are multiples of others.
pub const FINE: &[u32] = &[1, 2, 3, 5, 7, 10, 60];
/// More precisions than a counter can have, in seconds.
const MANY: &[u32] = &[
    1,
    2,
    3,
    4,
    5,
    7,
    10,
    15,
    30,
    60,
    61,
    300,
    3_600,
    18_000,
    86_400,
    604_800,
    31_536_000,
    315_359_999,
    315_360_000,
];

/// The rules of a counter, the moment at which its game begins, and the maximum time from now to an `AT`.
#[derive(Debug, Clone)]
pub struct Rules {
    pub rules: counter::Rules,
    pub begin: u64,
    pub max_future: u64,
}

pub fn rules(profile: Profile) -> impl Strategy<Value = Rules> {
    let numbers = (precisions(profile), samples(profile), clock(profile), dedup());
    let max_future = prop_oneof![2 => Just(60_000_u64), 2 => Just(3_000), 1 => Just(500), 1 => Just(0)];
    (numbers, begin(profile), max_future).prop_map(
        |((precisions, samples, clock, dedup), begin, max_future)| {
            let rules = counter::Rules { precisions, samples, clock, dedup };
            Rules { rules, begin, max_future }
        },
    )
}

/// Picks precisions in any order.
fn precisions(profile: Profile) -> impl Strategy<Value = Vec<u32>> {
    let fine = || subsequence(FINE, 1..4).prop_shuffle().boxed();
    let many = || subsequence(MANY, 1..=16).prop_shuffle().boxed();
    profile.pick(vec![([4, 4, 1, 2], fine()), ([0, 0, 3, 1], many())])
}

/// Picks a precision that the counter may have or not.
pub fn precision(profile: Profile) -> impl Strategy<Value = u32> {
    profile.pick(vec![([6, 6, 1, 2], select(FINE).boxed()), ([1, 0, 4, 1], select(MANY).boxed())])
}

pub fn samples(profile: Profile) -> impl Strategy<Value = u32> {
    profile.pick(vec![
        ([8, 8, 1, 3], (1..4_u32).boxed()),
        ([3, 3, 2, 2], (4..12_u32).boxed()),
        ([1, 1, 3, 1], (12..130_u32).boxed()),
        ([0, 0, 1, 0], (130..1_000_u32).boxed()),
        ([0, 0, 0, 1], Just(10_000).boxed()),
    ])
}

pub fn dedup() -> impl Strategy<Value = u32> {
    prop_oneof![1 => Just(0_u32), 3 => 1..5_u32, 3 => Just(600), 1 => Just(315_360_000)]
}

fn clock(profile: Profile) -> impl Strategy<Value = Clock> {
    profile
        .pick(vec![([3, 1, 2, 2], Just(Clock::Server).boxed()), ([2, 0, 1, 2], Just(Clock::Event).boxed())])
}

fn begin(profile: Profile) -> impl Strategy<Value = u64> {
    let day = (1_000_000_000..2_000_000_000_u64).prop_map(|second| second / 86_400 * 86_400_000);
    profile.pick(vec![
        ([1, 1, 1, 0], (1_000_000_000_000..2_000_000_000_000_u64).boxed()),
        ([1, 1, 1, 0], day.boxed()),
        ([0, 0, 0, 1], (0..100_000_u64).boxed()),
        ([0, 0, 0, 1], (MAX_MILLIS - 200_000..=MAX_MILLIS).boxed()),
    ])
}
