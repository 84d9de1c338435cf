//! The users of the servers, and for each user the known data of boards.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use redis::Value;

use super::users::Users;
use crate::nodes::{Cluster, Credentials, Pools};
use crate::spread::{self, Engine};

/// The number of users that are remembered. Beyond this number, users with no connection are forgotten.
const KEPT: usize = 256;

type Person = Arc<Engine<Cluster>>;

/// The users of the servers.
pub struct People {
    pools: Pools,
    settings: spread::Timing,
    known: Mutex<HashMap<Credentials, Person>>,
}

impl People {
    /// Users of servers to which there is no connection yet.
    ///
    /// # Errors
    /// If the address of a server is invalid.
    pub fn new(servers: &[String], settings: spread::Timing) -> Result<Self, String> {
        Ok(Self { pools: Pools::new(servers)?, settings, known: Mutex::default() })
    }
}

impl Users for People {
    type User = Engine<Cluster>;

    async fn of(&self, credentials: &Credentials) -> Result<Person, String> {
        let sender = self.pools.of(credentials).await.map_err(said)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(person) = known.get(credentials)
            && std::ptr::eq(person.sender(), &raw const *sender)
        {
            return Ok(Arc::clone(person));
        }
        if known.len() >= KEPT {
            known.retain(|_, person| Arc::strong_count(person) > 1);
        }
        let person = Arc::new(Engine::new(sender, self.settings));
        known.insert(credentials.clone(), Arc::clone(&person));
        Ok(person)
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        let figures = self.pools.figures();
        let count = |figure: &AtomicU64| figure.load(Relaxed);
        vec![
            ("node_connections", count(&figures.connections)),
            ("node_commands_sent", count(&figures.sent)),
            ("node_commands_repeated", count(&figures.repeated)),
            ("node_commands_unanswered", count(&figures.silent)),
            ("node_redirects", count(&figures.redirected)),
        ]
    }
}

/// Returns the text of a server's error.
fn said(value: Value) -> String {
    match value {
        Value::ServerError(error) => format!("{} {}", error.code(), error.details().unwrap_or_default()),
        _ => "ERR no server answers".to_owned(),
    }
}
