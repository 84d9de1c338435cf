//! Carries out the commands that the gateway does not answer itself, with the user that each client has given.

use std::sync::Arc;

use redis::Value;
use tokio::time::Instant;

use super::request::Words;
use crate::load::Load;
use crate::nodes::{Credentials, Transport, Written};
use crate::spread::Engine;

/// Finds the user for the credentials of a client.
pub trait Users: Send + Sync + 'static {
    /// Carries out the commands of one user.
    type User: User;

    /// Returns the user with these credentials.
    ///
    /// # Errors
    /// The servers' error about these credentials, with its code.
    fn of(&self, credentials: &Credentials) -> impl Future<Output = Result<Arc<Self::User>, String>> + Send;

    /// Returns the limits of the gateway, which all users share.
    fn load(&self) -> &Load;

    /// Returns counts over all users, with the names of the counts in `INFO`.
    fn counts(&self) -> Vec<(&'static str, u64)>;
}

/// A user of the servers. Many connections can have the same user.
pub trait User: Send + Sync + 'static {
    /// Carries out commands in their order. The replies are in the same order.
    fn execute(&self, batch: Vec<Words>) -> impl Future<Output = Vec<Value>> + Send;

    /// Waits until `wanted` replicas have what a client has written, but not longer than until the deadline. Returns how
    /// many replicas have it.
    ///
    /// # Errors
    /// The error of a server, if the user may not wait.
    fn wait(
        &self,
        written: &Written,
        wanted: u64,
        deadline: Instant,
    ) -> impl Future<Output = Result<u64, Value>> + Send;
}

impl<T: Transport + 'static> User for Engine<T> {
    fn execute(&self, batch: Vec<Words>) -> impl Future<Output = Vec<Value>> + Send {
        Self::execute(self, batch)
    }

    fn wait(
        &self,
        written: &Written,
        wanted: u64,
        deadline: Instant,
    ) -> impl Future<Output = Result<u64, Value>> + Send {
        Self::wait(self, written, wanted, deadline)
    }
}
