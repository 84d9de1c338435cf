//! Leagues against a plain model written from their contract, and against themselves: a replica that is told
//! what was decided, a twin that is saved and loaded again on the way, and one that works between commands.
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

/// How far ahead of now an `AT` may lie, in all tests.
const MAX_FUTURE: u64 = 60_000;

/// The league that chunks are loaded as.
fn loaded(chunks: &[Vec<u8>]) -> leaderboard_core::league::League {
    leaderboard_testkit::twin::loaded(chunks)
}

/// Plays a game with such names, and compares everything after every so many steps and at the end.
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

/// So many cases, the same each time; or as many times more as `TIMES` says, and others each time.
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
