//! Boards that are voted on against a plain model written from the specification, and against
//! themselves: a replica that is told what was decided, a twin that is saved and loaded again on the
//! way, one that does ahead what can be done ahead, and one that sleeps for as long as it can.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

mod cases;
mod compare;
mod limit;
mod model;
mod play;
mod steps;
#[path = "../twin/mod.rs"]
mod twin;
mod view;
mod voter;

use proptest::prelude::*;

use play::Play;
use steps::{Rules, Step};
use twin::{loaded, saved};

/// How far ahead of now an `AT` may lie, in all tests.
const MAX_FUTURE: u64 = 60_000;

/// Plays a game whose names have so many bytes more than they need.
fn play(rules: &Rules, steps: &[Step], prefix: usize) {
    let mut play = Play::new(rules, prefix);
    for step in steps {
        play.step(step);
    }
    play.finish();
}

/// So many cases, or as many times more as `VOTES_TIMES` says.
fn cases(number: u32) -> ProptestConfig {
    let times = std::env::var("VOTES_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig { max_shrink_iters: 10_000, ..ProptestConfig::with_cases(number * times) }
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn few_members(rules in steps::rules(), steps in steps::steps(4, 80)) {
        play(&rules, &steps, 0);
    }

    #[test]
    fn a_clock_that_leaps(rules in steps::rules(), steps in steps::leaping_steps(4, 80)) {
        play(&rules, &steps, 0);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn as_many_as_need_the_large_form(rules in steps::rules(), steps in steps::steps(24, 80)) {
        play(&rules, &steps, 500);
    }
}
