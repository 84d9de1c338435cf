//! What replicas are told, word for word, and what they become.

mod failover;
mod stream;
