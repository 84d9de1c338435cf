//! What the tests of all crates share. With `servers`: servers that start on a free port and end with the test
//! (`server`), single commands and their replies (`client`), many commands at once (`pipeline`), the replication stream
//! (`stream`), and sessions written as text (`session`). Tests start no process and open no connection themselves. With
//! `core`: values that were saved and loaded again (`twin`). Always: names of members, random numbers, and the slots of
//! a cluster.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

pub mod name;
pub mod random;
pub mod slots;
#[cfg(feature = "core")]
pub mod twin;

#[cfg(feature = "servers")]
mod client;
#[cfg(feature = "servers")]
mod pipeline;
#[cfg(feature = "servers")]
mod server;
#[cfg(feature = "servers")]
pub mod session;
#[cfg(feature = "servers")]
pub mod shapes;
#[cfg(feature = "servers")]
mod stream;

#[cfg(feature = "servers")]
pub use {
    client::{bgrewriteaof_and_wait, digest, err, info, query, run, try_run, wait_for_sync, wait_until},
    pipeline::{Words, pipeline, words},
    server::{Builder, Flavor, Server},
    stream::ReplicationStream,
};
