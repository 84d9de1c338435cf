//! Tests of the module on real servers. They load the release build: `make test`, or `make build servers` and then
//! `cargo test`. All modules are in one program, so that it is linked only once; each subject has a module.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

mod arguments;
mod cluster;
mod commands;
mod competitions;
mod counters;
mod docs;
mod hidden;
mod integration;
mod keep;
mod leagues;
mod levels;
mod links;
mod migrating;
mod model;
mod moving;
mod natives;
#[cfg(feature = "panics")]
mod panics;
mod parts;
mod periods;
mod prizes;
mod questions;
mod replication;
mod saved;
mod segments;
mod smoke;
mod statistics;
mod torn;
mod votes;
