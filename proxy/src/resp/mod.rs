//! The door: the gateway's port for clients of Redis. Through it, a client sees one board where the servers have many
//! parts.
//!
//! `request` and `reply` implement the protocol. `connection` reads and writes, and `pieces` bounds what is written at
//! once. `session` is the state of a client.
//! `own` has the commands about the connection itself. All other commands are carried out by `users`, with the client's
//! user of the servers.

mod connection;
mod counters;
mod inline;
mod listen;
mod own;
mod people;
mod pieces;
mod reply;
mod request;
mod room;
mod session;
mod settings;
mod tls;
#[cfg(test)]
mod trial;
#[cfg(test)]
mod unread;
mod users;

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Semaphore;

use counters::Counters;

pub use listen::Door;
pub use people::People;
pub use settings::Settings;
pub use users::Users;

/// The data that all connections share.
pub struct Shared<U> {
    pub users: U,
    pub counters: Counters,
    pub since: Instant,
    /// The maximum number of connections at the same time.
    pub most: usize,
    places: Arc<Semaphore>,
    /// The memory for large requests that have not arrived completely.
    memory: Arc<Semaphore>,
}

impl<U> Shared<U> {
    fn new(users: U, most: u32) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self {
            users,
            counters: Counters::default(),
            since: Instant::now(),
            most,
            places: Arc::new(Semaphore::new(most)),
            memory: room::all(),
        }
    }

    /// Returns how many connections there are at present.
    pub fn connected(&self) -> u64 {
        u64::try_from(self.most.saturating_sub(self.places.available_permits())).unwrap_or(u64::MAX)
    }
}
