//! Compares boards with a plain model that is made from the specification alone: reversed orders, ties, hidden
//! members, boards that keep their best members, many scores set at once, levels, statistics and bounds. There are
//! random sessions, and cases with results worked out by hand.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

mod boards;
mod cases;
mod compare;
mod play;
mod session;
mod steps;

use std::fmt;

use leaderboard_core::Board;
use leaderboard_testkit::board::Rules;
use leaderboard_testkit::twin::saved;
use proptest::prelude::*;

use boards::rules;
use session::Session;
use steps::{Profile, Step, crowded, steps};

/// Returns the board that is loaded from these chunks.
fn loaded(chunks: &[Vec<u8>]) -> Board {
    leaderboard_testkit::twin::loaded(chunks)
}

/// The steps of a session. A failed session is printed with one step on each line.
struct Plan(Vec<Step>);

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| write!(f, "\n{step:?}"))
    }
}

/// The rules of a board. They are printed in one line.
struct Made(Rules);

impl fmt::Debug for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

fn made(profile: Profile) -> impl Strategy<Value = Made> {
    rules(profile).prop_map(Made)
}

fn few(profile: Profile, members: usize, len: usize, most: usize) -> impl Strategy<Value = Plan> {
    steps(profile, members, len, most).prop_map(Plan)
}

fn many(profile: Profile) -> impl Strategy<Value = Plan> {
    crowded(profile, 300, 40).prop_map(Plan)
}

fn play(rules: &Made, plan: &Plan) {
    let mut session = Session::new(&rules.0);
    plan.0.iter().for_each(|step| session.step(step));
    session.finish();
}

/// Returns the configuration for this number of cases. The environment variable `TIMES` multiplies it.
fn cases(number: u32) -> ProptestConfig {
    let times = std::env::var("TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig {
        max_shrink_iters: 5_000,
        max_shrink_time: 60_000,
        ..ProptestConfig::with_cases(number * times)
    }
}

/// Sessions of one kind: with very few members, with some, and with enough for the large form of a board.
macro_rules! sessions {
    ($name:ident, $profile:expr) => {
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(cases(80))]

                #[test]
                fn of_very_few(rules in made($profile), plan in few($profile, 4, 4, 60)) {
                    play(&rules, &plan);
                }

                #[test]
                fn of_some(rules in made($profile), plan in few($profile, 14, 8, 80)) {
                    play(&rules, &plan);
                }
            }

            proptest! {
                #![proptest_config(cases(10))]

                #[test]
                fn of_many(rules in made($profile), plan in many($profile)) {
                    play(&rules, &plan);
                }
            }
        }
    };
}

sessions!(views, Profile::Views);
sessions!(keeping, Profile::Keep);
sessions!(levels, Profile::Levels);
sessions!(shown, Profile::Shown);
