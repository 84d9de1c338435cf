//! Compares leagues with a plain model that is written from their contract, and with each other. In each game, one
//! league is saved and loaded, one works between commands, and a replica gets only the decided writes.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

mod cases;
mod compare;
mod model;
mod play;
mod steps;

use leaderboard_testkit::name::{self, Name};
use leaderboard_testkit::twin::saved;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use play::Play;
use steps::{Profile, Rules, Step, crowded_steps, rules, steps};

/// The maximum time from now to an `AT` in the future, in milliseconds. All tests use it.
const MAX_FUTURE: u64 = 60_000;

/// Returns the league that is loaded from these chunks.
fn loaded(chunks: &[Vec<u8>]) -> leaderboard_core::league::League {
    leaderboard_testkit::twin::loaded(chunks)
}

/// Plays a game with names of this form. Compares everything after each `every` steps, and at the end.
fn play(rules: &Rules, steps: &[Step], name: fn(usize) -> Name, every: usize) {
    let mut play = Play::new(rules, name);
    for (number, step) in steps.iter().enumerate() {
        play.step(step);
        if (number + 1) % every == 0 {
            play.compare();
        }
    }
    play.finish();
}

/// Returns the configuration for this number of cases, which are the same in each run. If the environment variable
/// `TIMES` is set, it multiplies the number, and each run has other cases.
fn cases(number: u32) -> ProptestConfig {
    let times = std::env::var("TIMES").ok().and_then(|times| times.parse().ok());
    let rng_seed = if times.is_some() { RngSeed::Random } else { RngSeed::Fixed(0) };
    let config = ProptestConfig::with_cases(number * times.unwrap_or(1));
    ProptestConfig { max_shrink_iters: 10_000, rng_seed, ..config }
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn few_members(rules in rules(Profile::Few), steps in steps(Profile::Few, 8, 100)) {
        play(&rules, &steps, name::short, 10);
    }
}

proptest! {
    #![proptest_config(cases(240))]

    #[test]
    fn a_clock_that_leaps(rules in rules(Profile::Leaps), steps in steps(Profile::Leaps, 6, 80)) {
        play(&rules, &steps, name::any, 10);
    }
}

proptest! {
    #![proptest_config(cases(50))]

    #[test]
    fn some_members_with_long_names(
        rules in rules(Profile::Few),
        steps in steps(Profile::Few, 30, 100),
    ) {
        play(&rules, &steps, name::long, 25);
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn many_members(rules in rules(Profile::Crowd), steps in crowded_steps(220, 60)) {
        play(&rules, &steps, name::any, usize::MAX);
    }
}
