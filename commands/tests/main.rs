//! Whole commands in the server in memory: random calls of all commands, made from the rows of the table, and random
//! sessions on boards against a model.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

mod model;
mod moments;
mod names;
mod prizes;
mod put_back;
mod random;
mod rules;
