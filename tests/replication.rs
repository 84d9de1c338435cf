//! Tests of the exact commands that replicas get, and of the data of replicas.

pub mod failover;
mod lists;
pub mod stream;
