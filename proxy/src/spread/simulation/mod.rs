//! The gatherer over a simulated cluster, without I/O: the nodes run the real commands, and lose and delay what they are
//! asked, and one board with the members of all parts tells what is right.
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
mod quiet;
mod together;
pub mod truth;
pub mod values;
mod writing;
