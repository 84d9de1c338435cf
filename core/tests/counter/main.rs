//! Compares counters with a plain model that is written from their contract, and with each other. In each game, one
//! counter is saved and loaded, one is moved and copied between commands, and a replica gets only the decided writes.
//! At the end, a counter that reached the same value in another way is compared too.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

mod cases;
mod compare;
mod model;
mod mover;
mod play;
mod rebuilt;
mod steps;

use leaderboard_core::counter::Counter;
use leaderboard_testkit::twin::saved;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use play::Play;
use steps::{Profile, Rules, Step, rules, steps};

/// The maximum time from now to an `AT` in the future, in milliseconds. Used where a test names no other.
const MAX_FUTURE: u64 = 60_000;

/// Returns the counter that is loaded from these chunks.
fn loaded(chunks: &[Vec<u8>]) -> Counter {
    leaderboard_testkit::twin::loaded(chunks)
}

/// Plays a game, and compares everything after each step.
fn play(rules: &Rules, steps: &[Step]) {
    let mut play = Play::new(rules);
    steps.iter().for_each(|step| play.step(step));
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
    #![proptest_config(cases(160))]

    #[test]
    fn few_samples(rules in rules(Profile::Few), steps in steps(Profile::Few, 60)) {
        play(&rules, &steps);
    }
}

proptest! {
    #![proptest_config(cases(160))]

    #[test]
    fn a_clock_that_leaps(rules in rules(Profile::Leaps), steps in steps(Profile::Leaps, 60)) {
        play(&rules, &steps);
    }
}

proptest! {
    #![proptest_config(cases(50))]

    #[test]
    fn many_precisions_and_samples(rules in rules(Profile::Wide), steps in steps(Profile::Wide, 50)) {
        play(&rules, &steps);
    }
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn the_ends_of_time(rules in rules(Profile::Ends), steps in steps(Profile::Ends, 40)) {
        play(&rules, &steps);
    }
}
