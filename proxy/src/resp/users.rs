//! Who carries out what the door does not answer itself: each client is served as the user that it says it is.

use std::sync::Arc;

use redis::Value;

use super::request::Words;
use crate::nodes::{Credentials, Transport};
use crate::spread::Engine;

/// Finds users of the servers.
pub trait Users: Send + Sync + 'static {
    /// What serves one user.
    type User: User;

    /// The user with these credentials.
    ///
    /// # Errors
    /// What the servers say of them, with its code.
    fn of(&self, credentials: &Credentials) -> impl Future<Output = Result<Arc<Self::User>, String>> + Send;

    /// Counts of what was done for all of them, with names for `INFO`.
    fn counts(&self) -> Vec<(&'static str, u64)>;
}

/// A user of the servers. Many connections can be the same user.
pub trait User: Send + Sync + 'static {
    /// Carries out commands in their order. The replies are in this order, too.
    fn execute(&self, batch: Vec<Words>) -> impl Future<Output = Vec<Value>> + Send;
}

impl<T: Transport + 'static> User for Engine<T> {
    fn execute(&self, batch: Vec<Words>) -> impl Future<Output = Vec<Value>> + Send {
        Self::execute(self, batch)
    }
}
