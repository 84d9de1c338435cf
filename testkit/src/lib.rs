//! Tools that the tests of all crates share. Tests start no process and open no connection themselves.
//!
//! - With the feature `servers`: servers and sentinels that start on a free port and end with the test (`server`, `sentinel`), single commands
//!   and their replies (`client`), many commands at once (`pipeline`), the replication stream (`stream`), sessions
//!   written as text (`session`), payloads of DUMP (`payload`), the shapes of replies (`shapes`), random calls of commands (`calls`), and a server in
//!   memory that is checked after each call (`checked`).
//! - With the feature `core`: values that were saved and loaded again (`twin`), and the model of a board (`board`).
//! - With both features: random calls on a board and its model (`pair`), and whole sessions of them in a server in memory
//!   (`played`).
//! - Always: names of members (`name`), random numbers (`random`), commands as words (`words`), and the slots of a
//!   cluster (`slots`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

#[cfg(feature = "core")]
pub mod board;
pub mod name;
pub mod random;
pub mod slots;
#[cfg(feature = "core")]
pub mod twin;
mod words;

#[cfg(feature = "servers")]
pub mod calls;
#[cfg(feature = "servers")]
pub mod checked;
#[cfg(feature = "servers")]
mod checker;
#[cfg(feature = "servers")]
mod client;
#[cfg(feature = "servers")]
mod clock;
#[cfg(all(feature = "core", feature = "servers"))]
pub mod pair;
#[cfg(feature = "servers")]
pub mod payload;
#[cfg(feature = "servers")]
mod pipeline;
#[cfg(all(feature = "core", feature = "servers"))]
pub mod played;
#[cfg(feature = "servers")]
mod sentinel;
#[cfg(feature = "servers")]
mod server;
#[cfg(feature = "servers")]
pub mod session;
#[cfg(feature = "servers")]
mod settled;
#[cfg(feature = "servers")]
pub mod shapes;
#[cfg(feature = "servers")]
mod stream;
#[cfg(feature = "servers")]
mod wait;
#[cfg(feature = "servers")]
mod workspace;

pub use words::{Words, words};
#[cfg(feature = "servers")]
pub use {
    client::{digest, err, info, query, run, try_run},
    pipeline::pipeline,
    sentinel::Sentinel,
    server::{Builder, Flavor, Server, free_port},
    settled::{bgrewriteaof_and_wait, rewrite_and_restart, wait_for_sync},
    stream::ReplicationStream,
    wait::{wait_until, wait_within},
};
