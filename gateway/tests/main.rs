//! Tests of the gateway: they send requests to the real program with real servers. They check its documented behaviour
//! and do not use its code. They run the release build: `make build servers` and then `cargo test -p
//! leaderboard-gateway`. All modules are in one program, so that it is linked only once; each subject has a module.
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
mod competitions;
mod core;
mod crowd;
mod documents;
mod door;
mod doors;
mod errors;
mod examples;
mod found;
mod greedy;
mod hooks;
mod hostile;
mod leagues;
mod live;
mod metrics;
mod oidc;
mod options;
mod outages;
mod parts;
mod reads;
mod reports;
mod roles;
mod scores;
mod segments;
mod setup;
mod sites;
mod spread;
mod support;
mod tokens;
mod votes;

use leaderboard_testkit as servers;
