//! Compares the values that a part reports for a gatherer with plain lists of entries and their moments. Random steps
//! run on current and ended periods of all forms, on parts that are saved and loaded, and on parts with work done
//! ahead or never.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

mod cases;
mod list;
mod play;
mod steps;

use proptest::prelude::*;

use play::Play;
use steps::{Rules, Step, rules, step};

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
    ProptestConfig { max_shrink_iters: 2_000, ..ProptestConfig::with_cases(number * times) }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn few_members(rules in rules(), steps in proptest::collection::vec(step(8), 1..60)) {
        play(&rules, &steps);
    }
}

proptest! {
    #![proptest_config(cases(10))]

    #[test]
    fn many_members(rules in rules(), steps in proptest::collection::vec(step(300), 1..40)) {
        play(&rules, &steps);
    }

    /// Has more members than an ended period keeps moments.
    #[test]
    fn a_crowd(rules in rules(), steps in proptest::collection::vec(step(1_300), 1..25)) {
        play(&rules, &[&[Step::Crowd(1_300, 3)], &steps[..]].concat());
    }
}
