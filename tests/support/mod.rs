//! The test harness: servers that start on a free port and end with the test (`server`), single commands and their
//! replies (`client`), many commands at once (`pipeline`), and the replication stream (`replication`). Tests start no
//! process and open no connection themselves.
#![allow(dead_code, reason = "a harness is whole, whatever today's tests take of it")]

mod client;
mod pipeline;
mod replication;
mod server;

#[allow(unused_imports, reason = "as above")]
pub use {
    client::{bgrewriteaof_and_wait, digest, err, info, query, run, try_run, wait_for_sync, wait_until},
    pipeline::{Words, pipeline, words},
    replication::ReplicationStream,
    server::{Builder, Flavor, Server},
};
