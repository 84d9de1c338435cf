//! The board against a plain model written from the specification, and against itself: a replica
//! that is told what was decided, and a twin that is saved and loaded again on the way.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that is wrong about a number or a place is meant to panic"
)]

mod cases;
mod compare;
mod model;
mod pipeline_cases;
mod play;
mod steps;
mod time_cases;
#[path = "../twin/mod.rs"]
mod twin;

use leaderboard_core::board::{Reading, When};
use leaderboard_core::schema::Tally;
use leaderboard_core::time::TimeSource;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Schema};
use proptest::prelude::*;

use play::Play;
use steps::Step;
use twin::{loaded, saved};

/// How far ahead of now an `AT` may lie, in all tests.
const MAX_FUTURE: u64 = 60_000;
/// When all tests begin.
const START: u64 = 1_700_000_000_000;

fn client(wall: u64) -> TimeSource {
    TimeSource::Client { wall, max_future: MAX_FUTURE }
}

/// A board with the one view `all`.
fn new(schema: Schema) -> Board {
    Board::new(schema, &[Spec::new(Kind::All)]).unwrap()
}

fn now(board: &Board) -> Reading<'_> {
    board.read(None, When::Now, Tally::Shown).unwrap()
}

fn play(schema: Schema, steps: &[Step], every: usize) {
    let mut play = Play::new(schema);
    for (number, step) in steps.iter().enumerate() {
        play.step(step);
        if number % every == 0 {
            play.compare();
        }
    }
    play.compare();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn few_members(schema in steps::schemas(), steps in steps::steps(12, 3, 160)) {
        play(schema, &steps, 8);
    }

    #[test]
    fn about_as_many_as_fit_the_small_form(schema in steps::schemas(), steps in steps::steps(150, 12, 90)) {
        play(schema, &steps, 16);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn several_hundred_members(schema in steps::schemas(), steps in steps::steps(700, 120, 100)) {
        play(schema, &steps, 25);
    }
}
