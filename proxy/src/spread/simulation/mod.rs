//! The gatherer over a simulated cluster, without I/O: parts are real boards, the nodes lose and delay what they are
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
mod cases;
mod changed;
mod cluster;
mod deep;
mod disturbed;
mod ended;
mod key;
mod meanwhile;
mod module;
mod part;
mod plain;
mod quiet;
mod together;
mod truth;
mod values;
mod words;
mod writing;
