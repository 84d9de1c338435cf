//! Competitions, prizes and segments in random sessions of whole commands, against a model that was written from the
//! contract alone. The model keeps what was applied, and works all out anew for each reply.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

mod altering;
mod board;
mod calendar;
mod claims;
mod findings;
mod judge;
mod leaps;
mod looking;
mod making;
mod paying;
mod prizes;
mod ranking;
mod reads;
mod replies;
mod rules;
mod segments;
mod session;
mod sessions;
mod standings;
mod towns;
mod writes;
