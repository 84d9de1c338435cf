//! What replicas are told, word for word, and what they become.

pub mod failover;
pub mod stream;
