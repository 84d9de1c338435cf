//! Hostile tests of the catalogue, made from the documentation: gateways die at each step, several gateways work on one
//! board at once, commands arrive late, and nodes lose their last writes. A board must be whole, or an error must say
//! which command mends it.
//!
//! `cluster` has the nodes and the gateways, `step` kills a gateway at each of its commands, `pairs` runs two commands
//! at once, `storm` runs random commands of several gateways with random faults and checks them with `history`, and
//! `damage` destroys parts of a board and asks LB.PARTS and LB.REPAIR.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

mod cluster;
mod damage;
mod gateway;
mod history;
mod pairs;
mod state;
mod step;
mod storm;

use std::ops::Range;

/// Returns the seeds of a random test: this number of seeds, multiplied by the number in `SIMULATION_TIMES`. With
/// `LEADERBOARD_SEED`, it is only the seed with this number.
fn seeds(count: u64) -> Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("LEADERBOARD_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..count * number("SIMULATION_TIMES").unwrap_or(1),
    }
}
