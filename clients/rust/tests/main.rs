//! Tests of the client without a server, and of each family of commands with a real server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

mod boards;
mod client;
mod counters;
mod errors;
mod garbage;
mod grammar;
mod leagues;
mod moving;
mod prizes;
mod reads;
mod replies;
mod scores;
mod values;
mod vectors;
mod votes;
mod words;
