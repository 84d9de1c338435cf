//! Tests of the gateway: requests to the real program beside real servers. They know its promises, not its code. They
//! run the release build: `make build servers` and then `cargo test -p leaderboard-gateway`. One program, so that it
//! links once; a module for each subject.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

mod audit;
mod batch;
mod boards;
mod bodies;
mod bounds;
mod cluster;
mod core;
mod crowd;
mod documents;
mod door;
mod doors;
mod errors;
mod greedy;
mod hostile;
mod leagues;
mod live;
mod metrics;
mod options;
mod outages;
mod parts;
mod reads;
mod roles;
mod scores;
mod setup;
mod spread;
mod support;
mod tokens;
mod votes;

use leaderboard_testkit as servers;
