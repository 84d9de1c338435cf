//! Boards with many views against a plain model written from the specification, and against
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
mod model;
mod play;
mod steps;
#[path = "../twin/mod.rs"]
mod twin;
mod view;

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn few_members(rules in steps::rules(), steps in steps::steps(4, 4, 120)) {
        play(&rules, &steps, 0);
    }

    #[test]
    fn few_members_with_long_names(rules in steps::rules(), steps in steps::steps(24, 20, 120)) {
        play(&rules, &steps, 500);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn many_members(rules in steps::rules(), steps in steps::crowded_steps(300, 100)) {
        play(&rules, &steps, 0);
    }
}
