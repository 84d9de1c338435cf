//! The users of the servers, and for each user the known data of boards.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use redis::Value;

use super::users::Users;
use crate::load::Load;
use crate::nodes::{Cluster, Credentials, Pools};
use crate::spread::{self, Engine};

/// The number of users that are remembered. Beyond this number, users with no connection are forgotten.
const KEPT: usize = 256;

type Person = Arc<Engine<Cluster>>;

/// The users of the servers.
pub struct People {
    pools: Pools,
    settings: spread::Timing,
    load: Arc<Load>,
    known: Mutex<HashMap<Credentials, Person>>,
}

impl People {
    /// Users of servers to which there is no connection yet. They share the limits and counts of the gateway.
    ///
    /// # Errors
    /// If the address of a server is invalid.
    pub fn new(servers: &[String], settings: spread::Timing, load: Arc<Load>) -> Result<Self, String> {
        Ok(Self { pools: Pools::new(servers)?, settings, load, known: Mutex::default() })
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
        let person = Arc::new(Engine::sharing(sender, self.settings, Arc::clone(&self.load)));
        known.insert(credentials.clone(), Arc::clone(&person));
        Ok(person)
    }

    fn load(&self) -> &Load {
        &self.load
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        let figures = self.pools.figures();
        let count = |figure: &AtomicU64| figure.load(Relaxed);
        let of = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        vec![
            ("gathers", self.load.gathers.total()),
            ("gathers_busy", self.load.gathers.errors("BUSY")),
            ("gathers_partsdown", self.load.gathers.errors("PARTSDOWN")),
            ("gathers_waiting", of(self.load.gate.waiting())),
            ("gather_places", self.load.gate.limit().into()),
            ("gather_places_taken", self.load.gate.taken().into()),
            ("unread_bytes", self.load.replies.unread()),
            ("clients_overflowed", count(&self.load.replies.overflowed)),
            ("clients_stalled", count(&self.load.replies.stalled)),
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
