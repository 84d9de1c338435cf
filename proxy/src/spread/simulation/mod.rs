//! Tests of the gatherer over a simulated cluster, without I/O. The nodes run the real commands, and lose and delay
//! commands. One board with the members of all parts gives the expected replies.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

mod batches;
mod boundaries;
pub mod cases;
mod changed;
pub mod cluster;
mod deep;
mod disturbed;
mod ended;
mod meanwhile;
mod order;
pub mod quiet;
mod removing;
mod together;
pub mod truth;
pub mod values;
mod writing;
