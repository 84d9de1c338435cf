//! Compares views that decay with a plain model that goes from period to period. Games last for thousands of periods,
//! on both kinds of clocks, with few and with many members. Boards are saved and loaded, and do work ahead or never.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

mod cases;
mod model;
mod play;
mod steps;

use leaderboard_core::time::Clock;
use proptest::prelude::*;

use play::Play;
use steps::{Rules, Step, decaying_rules, leaping_step, rules, step};

fn play(rules: &Rules, steps: &[Step]) {
    let mut play = Play::new(rules);
    steps.iter().for_each(|step| play.step(step));
    play.compare();
    play.step(&Step::Work(u16::MAX));
    play.compare();
}

/// Returns the configuration for this number of cases. The environment variable `TIMES` multiplies it.
fn cases(number: u32) -> ProptestConfig {
    let times = std::env::var("TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig { max_shrink_iters: 10_000, ..ProptestConfig::with_cases(number * times) }
}

fn clock() -> impl Strategy<Value = Clock> {
    prop_oneof![Just(Clock::Server), Just(Clock::Event)]
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn few_members(rules in rules(clock()), steps in proptest::collection::vec(step(6), 1..80)) {
        play(&rules, &steps);
    }

    #[test]
    fn a_clock_that_is_put_right(
        rules in decaying_rules(),
        steps in proptest::collection::vec(leaping_step(6), 1..80),
    ) {
        play(&rules, &steps);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn many_members(rules in rules(clock()), steps in proptest::collection::vec(step(300), 1..60)) {
        play(&rules, &steps);
    }

    #[test]
    fn many_members_and_a_clock_that_is_put_right(
        rules in decaying_rules(),
        steps in proptest::collection::vec(leaping_step(300), 1..60),
    ) {
        play(&rules, &steps);
    }
}
