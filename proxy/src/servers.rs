//! The servers, as the program itself uses them, with the users in the operator's addresses. There are three uses:
//! commands, carried out by the same engine that serves clients of Redis; transactions; and commands to one certain
//! server.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::{ConnectionInfo, Pipeline, Value};
use tokio::time::Instant;

use crate::load::Load;
use crate::nodes::{
    Cluster, CommandError, Figures, Node, NodeError, RetryingClient, packed, reached_at, seeds,
};
use crate::spread::{Effect, Engine, Timing, key_slot, unanswered};

/// A command: its name and its arguments.
type Words = Vec<Vec<u8>>;

/// Sends the commands of the program to the servers.
pub struct Servers {
    engine: Engine<Cluster>,
    seeds: Vec<ConnectionInfo>,
    figures: Arc<Figures>,
    timeout: Duration,
    load: Arc<Load>,
    /// Connections to single servers, by address. They are separate: a silent server here does not delay other
    /// commands.
    single: Mutex<HashMap<String, Arc<Node>>>,
}

impl Servers {
    /// Servers to which there is no connection yet.
    ///
    /// # Errors
    /// If an address is invalid.
    pub fn new(addresses: &[String], timing: Timing) -> Result<Self, String> {
        Self::sharing(addresses, timing, Arc::default())
    }

    /// Servers to which there is no connection yet, with the limits and counts of a gateway.
    ///
    /// # Errors
    /// If an address is invalid.
    pub fn sharing(addresses: &[String], timing: Timing, load: Arc<Load>) -> Result<Self, String> {
        let seeds = seeds(addresses)?;
        let figures = Arc::<Figures>::default();
        let sender = RetryingClient::counting(Cluster::new(seeds.clone(), &figures), Arc::clone(&figures));
        let engine = Engine::sharing(Arc::new(sender), timing, Arc::clone(&load));
        Ok(Self { engine, seeds, figures, timeout: timing.timeout, load, single: Mutex::default() })
    }

    /// Returns the limits and counts of the gateway.
    pub fn load(&self) -> &Load {
        &self.load
    }

    /// Carries out commands in their order. The replies are in the same order; errors are among the replies.
    pub async fn execute(&self, batch: Vec<Words>) -> Vec<Value> {
        self.engine.execute(batch).await
    }

    /// Carries out commands as a transaction. All their keys have to be of one slot.
    ///
    /// # Errors
    /// The error with which a server refused the whole transaction, or an error that says that no server answered.
    pub async fn transaction(&self, commands: &[Words]) -> Result<Vec<Value>, Value> {
        let slot = commands.first().and_then(|words| words.get(1)).map(|key| key_slot(key));
        let done = self.engine.sender().transaction(slot, commands, self.deadline(self.timeout)).await;
        done.unwrap_or_else(|failure| Err(unanswered(&failure, None, Effect::Each)))
    }

    /// Returns a number for the node that has a key. All keys of a node have the same number, and their commands are
    /// sent together.
    pub fn way(&self, key: &[u8]) -> usize {
        self.engine.way(key)
    }

    /// Returns whether servers still have to answer commands whose senders have stopped waiting. Only commands that
    /// hold something are counted; see [`holding`](crate::holding).
    pub fn is_late(&self) -> bool {
        self.figures.late.load(Ordering::Relaxed) > 0
    }

    /// Returns the addresses that the operator gave, with the passwords left out.
    pub fn addresses(&self) -> Vec<String> {
        self.seeds.iter().map(|seed| seed.addr().to_string()).collect()
    }

    /// Returns the addresses of the servers that have slots, sorted.
    ///
    /// # Errors
    /// If no server answers.
    pub async fn primaries(&self) -> Result<Vec<String>, Value> {
        let found = self.engine.sender().transport().primaries(self.deadline(self.timeout)).await;
        found.map_err(silent)
    }

    /// Sends commands to one server, even if it does not have their keys. Errors that the server answers are among the
    /// answers. If `patience` is `None`, the server has as much time as for other commands.
    ///
    /// # Errors
    /// If the server does not answer in time.
    pub async fn ask_at(
        &self,
        address: &str,
        commands: &[Words],
        patience: Option<Duration>,
    ) -> Result<Vec<Value>, Value> {
        let node =
            self.node(address).ok_or_else(|| silent(NodeError::NotSent("no such server".to_owned())))?;
        let mut pipeline = Pipeline::with_capacity(commands.len());
        for words in commands {
            pipeline.add_command(packed(words));
        }
        let answered = node.ask(pipeline, self.deadline(patience.unwrap_or(self.timeout))).await;
        if answered.is_err() {
            self.single().remove(address);
        }
        answered.map_err(silent)
    }

    fn node(&self, address: &str) -> Option<Arc<Node>> {
        if let Some(node) = self.single().get(address) {
            return Some(Arc::clone(node));
        }
        let info = reached_at(&self.seeds, address)?;
        let node = Arc::new(Node::new(info, Arc::clone(&self.figures)));
        self.single().insert(address.to_owned(), Arc::clone(&node));
        Some(node)
    }

    fn single(&self) -> MutexGuard<'_, HashMap<String, Arc<Node>>> {
        self.single.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deadline(&self, timeout: Duration) -> Instant {
        let now = Instant::now();
        now.checked_add(timeout).unwrap_or(now)
    }
}

/// Returns the error for a server that did not answer.
fn silent(trouble: NodeError) -> Value {
    match trouble {
        NodeError::Refused(error) => error,
        NodeError::NotSent(reason) | NodeError::Lost(reason) => {
            unanswered(&CommandError::Silent(reason), None, Effect::Each)
        }
    }
}
