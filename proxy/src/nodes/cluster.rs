//! Sends commands to the nodes that have their slots: one pipeline for each node, all at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use redis::{Cmd, ConnectionInfo, Pipeline, ServerError, ServerErrorKind, Value};
use tokio::time::Instant;

use super::figures::{Figures, count};
use super::map::Map;
use super::node::{Node, NodeError};
use super::replicas::{Replicas, Wanted};
use super::slots::Place;
use super::{AttemptError, Command, Transport};

/// The longest time that an attempt waits for its answers if the caller gives no deadline.
const PATIENCE: Duration = Duration::from_secs(1);

/// The nodes of a cluster for one user. A single server and a replica set are treated as a cluster, too.
pub struct Cluster {
    map: Arc<Map>,
    since: Instant,
    /// When the cluster was last used, in milliseconds after `since`.
    used: AtomicU64,
    replicas: Replicas,
}

/// Commands for one node: their places in the list of all commands.
struct Batch {
    node: Arc<Node>,
    places: Vec<usize>,
}

type Answer = Result<Value, AttemptError>;

impl Cluster {
    /// Returns a cluster to which there is no connection yet. All the addresses name the same user.
    pub fn new(seeds: Vec<ConnectionInfo>, figures: &Arc<Figures>) -> Self {
        Self {
            map: Map::new(seeds, figures),
            since: Instant::now(),
            used: AtomicU64::new(0),
            replicas: Replicas::default(),
        }
    }

    /// Returns how long ago the last command was sent.
    pub fn idle(&self) -> Duration {
        self.since.elapsed().saturating_sub(Duration::from_millis(self.used.load(Ordering::Relaxed)))
    }

    /// Closes the connections. If this cluster is used again, they are opened again.
    pub fn close(&self) {
        let table = self.map.read();
        table.iter().flat_map(|table| table.nodes()).for_each(|node| node.close());
        self.replicas.close();
    }

    /// Returns whether the servers still accept the user. An open connection does not show this, because it stays open
    /// when the password of its user changes.
    ///
    /// # Errors
    /// The server's error, or why no server answered.
    pub async fn check(&self, deadline: Instant) -> Result<(), NodeError> {
        self.map.known(deadline).await?;
        let node = self.map.read().as_ref().and_then(|table| table.node(table.way(None)?).cloned());
        let node = node.ok_or_else(|| NodeError::NotSent("no server is known".to_owned()))?;
        let mut pipeline = Pipeline::new();
        pipeline.add_command(hello(node.info()));
        match node.ask(pipeline, deadline).await?.pop() {
            Some(error @ Value::ServerError(_)) => Err(NodeError::Refused(error)),
            _ => Ok(()),
        }
    }

    /// Returns the addresses of the nodes that have slots, sorted.
    ///
    /// # Errors
    /// If no node answers.
    pub async fn primaries(&self, deadline: Instant) -> Result<Vec<String>, NodeError> {
        self.map.known(deadline).await?;
        let mut found: Vec<String> = {
            let table = self.map.read();
            table.iter().flat_map(|table| table.owners()).map(|node| node.info().addr().to_string()).collect()
        };
        found.sort_unstable();
        Ok(found)
    }

    /// Sends a pipeline to the node that has a slot. The caller has to follow redirects.
    ///
    /// # Errors
    /// If not all commands were answered by the deadline.
    pub async fn exchange_whole(
        &self,
        slot: Option<u16>,
        pipeline: Pipeline,
        deadline: Instant,
    ) -> Result<Vec<Value>, NodeError> {
        self.touch();
        self.map.known(deadline).await?;
        let node = self.map.read().as_ref().and_then(|table| table.node(table.way(slot)?).cloned());
        let Some(node) = node else {
            self.map.look_again();
            return Err(NodeError::NotSent("no node has the slot".to_owned()));
        };
        let answers = node.ask(pipeline, deadline).await;
        let learned: Vec<Answer> = match &answers {
            Ok(answers) => answers.iter().cloned().map(Ok).collect(),
            Err(trouble) => vec![trouble.answer()],
        };
        self.learn(&node, &learned);
        answers
    }

    /// Returns a node with a connection of its own, to the same address as a known node.
    fn second(&self, address: &str) -> Option<Node> {
        let table = self.map.read();
        let known = table.as_ref()?.nodes().iter().find(|node| node.info().addr().to_string() == address)?;
        Some(Node::new(known.info().clone(), Arc::clone(self.map.shared_figures())))
    }

    fn touch(&self) {
        let now = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.used.store(now, Ordering::Relaxed);
    }

    /// Assigns commands to the nodes that have their slots. If no node has a slot, its commands get their error here.
    fn share(&self, commands: &[&Command], answers: &mut [Option<Answer>]) -> Vec<Batch> {
        let table = self.map.read();
        let Some(table) = table.as_ref() else { return Vec::new() };
        let mut batches: Vec<Batch> = Vec::new();
        for (place, (command, answer)) in commands.iter().zip(answers).enumerate() {
            let Some(node) = table.way(command.slot).and_then(|way| table.node(way)) else {
                *answer = Some(Err(AttemptError::NotSent("no node has the slot".to_owned())));
                self.map.look_again();
                continue;
            };
            match batches.iter_mut().find(|batch| Arc::ptr_eq(&batch.node, node)) {
                Some(batch) => batch.places.push(place),
                None => batches.push(Batch { node: Arc::clone(node), places: vec![place] }),
            }
        }
        batches
    }

    /// Sends the commands of a node. If the node answers `ASK` to some of them, sends these once to the node that it
    /// names.
    async fn deliver(&self, batch: &Batch, commands: &[&Command], deadline: Instant) -> Vec<Answer> {
        let mut answers = self.exchange(batch, commands, false, deadline).await;
        for other in self.elsewhere(batch, &answers) {
            let chosen: Vec<&Command> = other
                .places
                .iter()
                .filter_map(|at| batch.places.get(*at).and_then(|place| commands.get(*place)))
                .copied()
                .collect();
            let places = (0..chosen.len()).collect();
            let sent = Batch { node: other.node, places };
            let told = self.exchange(&sent, &chosen, true, deadline).await;
            for (at, answer) in other.places.iter().zip(told) {
                if let Some(place) = answers.get_mut(*at) {
                    *place = answer;
                }
            }
        }
        answers
    }

    /// Returns the nodes that are named in answers `ASK`, with the places of these answers.
    fn elsewhere(&self, batch: &Batch, answers: &[Answer]) -> Vec<Batch> {
        let mut others: Vec<Batch> = Vec::new();
        for (at, answer) in answers.iter().enumerate() {
            let Some((_, place)) = redirect(answer, ServerErrorKind::Ask) else { continue };
            let node = self.map.at(&place, &batch.node);
            match others.iter_mut().find(|other| Arc::ptr_eq(&other.node, &node)) {
                Some(other) => other.places.push(at),
                None => others.push(Batch { node, places: vec![at] }),
            }
        }
        others
    }

    /// Sends one pipeline to one node, and returns an answer for each command.
    async fn exchange(
        &self,
        batch: &Batch,
        commands: &[&Command],
        asking: bool,
        deadline: Instant,
    ) -> Vec<Answer> {
        let mut pipeline = Pipeline::with_capacity(batch.places.len());
        for command in batch.places.iter().filter_map(|place| commands.get(*place)) {
            if asking {
                pipeline.cmd("ASKING");
            }
            pipeline.add_command(packed(&command.words));
        }
        let answers: Vec<Answer> = match batch.node.ask(pipeline, deadline).await {
            Ok(answers) => answers
                .into_iter()
                .skip(usize::from(asking))
                .step_by(if asking { 2 } else { 1 })
                .map(Ok)
                .collect(),
            Err(trouble) => batch.places.iter().map(|_| trouble.answer()).collect(),
        };
        self.learn(&batch.node, &answers);
        answers
    }

    /// Updates the map of the nodes from answers.
    fn learn(&self, node: &Node, answers: &[Answer]) {
        for answer in answers {
            match kind(answer) {
                Some(ServerErrorKind::Moved) => {
                    count(&self.map.figures().redirected, 1);
                    if let Some((slot, place)) = redirect(answer, ServerErrorKind::Moved) {
                        let new = self.map.at(&place, node);
                        self.map.moved(slot, &new);
                    }
                }
                Some(ServerErrorKind::Ask) => count(&self.map.figures().redirected, 1),
                Some(kind) if tells_of_change(kind) => self.map.look_again(),
                _ if answer.is_err() => self.map.look_again(),
                _ => {}
            }
        }
    }
}

impl Transport for Cluster {
    async fn send(&self, commands: &[&Command]) -> Vec<Answer> {
        let deadline = Instant::now().checked_add(PATIENCE).unwrap_or_else(Instant::now);
        self.send_by(commands, deadline).await
    }

    async fn send_by(&self, commands: &[&Command], deadline: Instant) -> Vec<Answer> {
        self.touch();
        if let Err(trouble) = self.map.known(deadline).await {
            return commands.iter().map(|_| trouble.answer()).collect();
        }
        let mut answers: Vec<Option<Answer>> = commands.iter().map(|_| None).collect();
        let batches = self.share(commands, &mut answers);
        if let [batch] = batches.as_slice()
            && batch.places.len() == commands.len()
        {
            return self.deliver(batch, commands, deadline).await;
        }
        let delivered = join_all(batches.iter().map(|batch| self.deliver(batch, commands, deadline))).await;
        for (batch, delivered) in batches.iter().zip(delivered) {
            for (place, answer) in batch.places.iter().zip(delivered) {
                if let Some(place) = answers.get_mut(*place) {
                    *place = Some(answer);
                }
            }
        }
        let missing = || Err(AttemptError::Lost("fewer answers than commands".to_owned()));
        answers.into_iter().map(|answer| answer.unwrap_or_else(missing)).collect()
    }

    fn way(&self, slot: Option<u16>) -> usize {
        self.map.read().as_ref().and_then(|table| table.way(slot)).unwrap_or(usize::MAX)
    }

    fn node(&self, slot: u16) -> Option<String> {
        let table = self.map.read();
        let node = table.as_ref().and_then(|table| table.node(table.way(Some(slot))?));
        node.map(|node| node.info().addr().to_string())
    }

    async fn replicas(
        &self,
        node: &str,
        wanted: Wanted,
        written: Instant,
        deadline: Instant,
    ) -> Result<Option<u64>, Value> {
        self.touch();
        self.replicas.have(node, || self.second(node), (wanted, written), deadline).await
    }
}

/// Returns the command HELLO with the user and the password of a connection.
fn hello(info: &ConnectionInfo) -> Cmd {
    let mut hello = redis::cmd("HELLO");
    let user = info.redis_settings();
    if let Some(password) = user.password() {
        hello.arg("3").arg("AUTH").arg(user.username().unwrap_or("default")).arg(password);
    }
    hello
}

/// Returns a command with this name and these arguments, as the client library sends it.
pub fn packed(words: &[Vec<u8>]) -> Cmd {
    let bytes = words.iter().map(Vec::len).fold(0, usize::saturating_add);
    let mut command = Cmd::with_capacity(words.len(), bytes);
    for word in words {
        command.arg(word.as_slice());
    }
    command
}

fn kind(answer: &Answer) -> Option<ServerErrorKind> {
    match answer {
        Ok(Value::ServerError(error)) => error.kind(),
        _ => None,
    }
}

/// Returns whether an error of this kind means that another node may have the slots by now.
const fn tells_of_change(kind: ServerErrorKind) -> bool {
    use ServerErrorKind::{BusyLoading, ClusterDown, MasterDown, ReadOnly};
    matches!(kind, BusyLoading | ClusterDown | MasterDown | ReadOnly)
}

/// Returns the slot and the address that a redirect of this kind names.
fn redirect(answer: &Answer, wanted: ServerErrorKind) -> Option<(u16, Place)> {
    let Ok(Value::ServerError(error)) = answer else { return None };
    (error.kind() == Some(wanted)).then(|| ServerError::details(error)).flatten().and_then(Place::redirected)
}
