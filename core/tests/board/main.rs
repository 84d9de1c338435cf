//! Compares boards with a simple model that is written from the specification, and with each other. In each
//! game, one board is read all the time, one does work ahead, and one is saved and loaded. A replica gets
//! only the applied changes, and is advanced as rarely as possible.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

mod cases;
mod compare;
mod lists;
mod model;
mod pipeline_cases;
mod play;
mod steps;

use leaderboard_testkit::name::{self, Name};
use leaderboard_testkit::twin::saved;
use proptest::prelude::*;

use play::Play;
use steps::{Profile, Rules, Step, crowded_steps, leaping_steps, rules, steps};

/// The maximum time from now to an `AT` in the future, in milliseconds. All tests use it.
const MAX_FUTURE: u64 = 60_000;

/// Returns the board that is loaded from these chunks.
fn loaded(chunks: &[Vec<u8>]) -> leaderboard_core::Board {
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

/// Returns the configuration for this number of cases. The environment variable `TIMES` multiplies it.
fn cases(number: u32) -> ProptestConfig {
    let times = std::env::var("TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig { max_shrink_iters: 10_000, ..ProptestConfig::with_cases(number * times) }
}

/// Boards with the one view `all`, on a clock that is often wrong.
mod plain {
    use super::*;

    proptest! {
        #![proptest_config(cases(160))]

        #[test]
        fn few_members(rules in rules(Profile::Plain), steps in steps(Profile::Plain, 12, 3, 160)) {
            play(&rules, &steps, name::any, 8);
        }

        #[test]
        fn about_as_many_as_fit_the_small_form(
            rules in rules(Profile::Plain),
            steps in steps(Profile::Plain, 150, 12, 90),
        ) {
            play(&rules, &steps, name::any, 16);
        }
    }

    proptest! {
        #![proptest_config(cases(24))]

        #[test]
        fn several_hundred_members(
            rules in rules(Profile::Plain),
            steps in steps(Profile::Plain, 700, 120, 100),
        ) {
            play(&rules, &steps, name::any, 25);
        }
    }
}

/// Boards with many views, over time.
mod views {
    use super::*;

    proptest! {
        #![proptest_config(cases(100))]

        #[test]
        fn few_members(rules in rules(Profile::Views), steps in steps(Profile::Views, 4, 4, 120)) {
            play(&rules, &steps, name::short, usize::MAX);
        }

        #[test]
        fn few_members_with_long_names(
            rules in rules(Profile::Views),
            steps in steps(Profile::Views, 60, 30, 120),
        ) {
            play(&rules, &steps, name::long, usize::MAX);
        }
    }

    proptest! {
        #![proptest_config(cases(24))]

        #[test]
        fn many_members(rules in rules(Profile::Views), steps in crowded_steps(300, 100)) {
            play(&rules, &steps, name::mixed, usize::MAX);
        }
    }
}

/// Boards that are voted on.
mod votes {
    use super::*;

    proptest! {
        #![proptest_config(cases(120))]

        #[test]
        fn few_members(rules in rules(Profile::Votes), steps in steps(Profile::Votes, 4, 1, 80)) {
            play(&rules, &steps, name::short, usize::MAX);
        }

        #[test]
        fn a_clock_that_leaps(rules in rules(Profile::Votes), steps in leaping_steps(4, 80)) {
            play(&rules, &steps, name::short, usize::MAX);
        }
    }

    proptest! {
        #![proptest_config(cases(60))]

        #[test]
        fn as_many_as_need_the_large_form(
            rules in rules(Profile::Votes),
            steps in steps(Profile::Votes, 60, 12, 80),
        ) {
            play(&rules, &steps, name::long, usize::MAX);
        }
    }
}
