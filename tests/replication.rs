//! What replicas are told, word for word, and what they become.

pub mod failover;
mod lists;
pub mod stream;
