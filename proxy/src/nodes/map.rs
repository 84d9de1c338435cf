//! The map of the nodes and their slots, as one user knows them. A look is a request to the nodes that shows which node
//! has which slots. There is a new look when an answer shows that the map is wrong, but only one look at a time, and at
//! most one every 50 ms. Each user has a separate map: a user who may run scripts can make a server answer with any
//! address, and the passwords of other users must not be sent there.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, select_ok};
use redis::{ConnectionAddr, ConnectionInfo, Pipeline, ServerErrorKind, Value};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::figures::Figures;
use super::node::{Node, NodeError};
use super::slots::{Place, Range, ranges};
use super::table::Table;

/// The shortest time between two looks.
const EVERY: Duration = Duration::from_millis(50);
/// How long a node may take to answer before the next node is asked, too.
const TURN: Duration = Duration::from_millis(50);
/// How long a node may take to answer at all.
const PATIENCE: Duration = Duration::from_secs(1);

/// The nodes of a cluster and their slots, according to the answers that one user got.
pub struct Map {
    /// The nodes at the addresses that the operator gave, with this user.
    seeds: Vec<Arc<Node>>,
    figures: Arc<Figures>,
    table: RwLock<Option<Table>>,
    is_looking: AtomicBool,
    last_look: Mutex<Option<Instant>>,
    /// The error of the last look, if it failed.
    told: watch::Sender<Option<NodeError>>,
    turn: AtomicUsize,
}

/// The result of a look at one server.
enum View {
    /// The server is a node of a cluster. Its answer contains the slots of all nodes.
    Cluster(Arc<Node>, Vec<Range>),
    /// The server is a node of a cluster, but this user may not request the list of the other nodes. Redirects show the
    /// other nodes later.
    Hidden(Arc<Node>),
    /// The server has all slots.
    Alone(Arc<Node>),
    /// The server does not accept the user.
    Refused(NodeError),
}

impl Map {
    pub fn new(seeds: Vec<ConnectionInfo>, figures: &Arc<Figures>) -> Arc<Self> {
        let node = |info| Arc::new(Node::new(info, Arc::clone(figures)));
        Arc::new(Self {
            seeds: seeds.into_iter().map(node).collect(),
            figures: Arc::clone(figures),
            table: RwLock::default(),
            is_looking: AtomicBool::new(false),
            last_look: Mutex::default(),
            told: watch::Sender::new(None),
            turn: AtomicUsize::new(0),
        })
    }

    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    pub const fn shared_figures(&self) -> &Arc<Figures> {
        &self.figures
    }

    /// Returns the nodes and slots that are known at present.
    pub fn read(&self) -> RwLockReadGuard<'_, Option<Table>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<Table>> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the nodes are known.
    ///
    /// # Errors
    /// If no node gives a useful answer, or the deadline passes.
    pub async fn known(self: &Arc<Self>, deadline: Instant) -> Result<(), NodeError> {
        // Subscribes before it checks, so that a look that ends in between is not missed.
        let mut told = self.told.subscribe();
        if self.read().is_some() {
            return Ok(());
        }
        self.look_again();
        let in_time = timeout_at(deadline, told.changed()).await;
        in_time.map_err(|_| NodeError::NotSent("no server told in time who has the slots".to_owned()))?.ok();
        told.borrow().clone().map_or(Ok(()), Err)
    }

    /// Notes the answer of a node that another node has a slot. From now on, that other node is used for the slot.
    /// Starts a new look.
    pub fn moved(self: &Arc<Self>, slot: u16, node: &Arc<Node>) {
        if let Some(table) = self.write().as_mut() {
            table.give(slot, slot, node);
        }
        self.look_again();
    }

    /// Returns the node at an address that the node `teller` gave.
    pub fn at(&self, place: &Place, teller: &Node) -> Arc<Node> {
        let mut table = self.write();
        let node = self.node(table.as_ref(), place, teller);
        if let Some(table) = table.as_mut() {
            table.add(&node);
        }
        node
    }

    fn node(&self, known: Option<&Table>, place: &Place, teller: &Node) -> Arc<Node> {
        let address = address(place, teller.info().addr());
        let seed = || self.seeds.iter().find(|seed| *seed.info().addr() == address);
        if let Some(node) = known.and_then(|table| table.find(&address)).or_else(seed) {
            return Arc::clone(node);
        }
        Arc::new(Node::new(teller.info().clone().set_addr(address), Arc::clone(&self.figures)))
    }

    /// Starts a look in the background, unless one has already been started.
    pub fn look_again(self: &Arc<Self>) {
        if !self.is_looking.swap(true, Ordering::AcqRel) {
            tokio::spawn(Arc::clone(self).look());
        }
    }

    async fn look(self: Arc<Self>) {
        let last = *self.last_look();
        if let Some(next) = last.and_then(|last| last.checked_add(EVERY)) {
            sleep_until(next).await;
        }
        *self.last_look() = Some(Instant::now());
        let wrong = self.ask_around().await.and_then(|view| self.take(view)).err();
        // Cleared before the result is published, so that a task that gets a failure can start the next look.
        self.is_looking.store(false, Ordering::Release);
        self.told.send_replace(wrong);
    }

    fn last_look(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.last_look.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the first useful answer of a node. The nodes are asked one after another. If a node is silent for the
    /// time `TURN`, the next node is asked, too.
    async fn ask_around(&self) -> Result<View, NodeError> {
        let asked = self.candidates().into_iter().zip(0_u32..).map(|(node, number)| {
            let is_only = self.seeds.len() == 1;
            async move {
                sleep(TURN.saturating_mul(number)).await;
                ask(node, is_only).await
            }
            .boxed()
        });
        let asked: Vec<BoxFuture<'_, _>> = asked.collect();
        if asked.is_empty() {
            return Err(NodeError::NotSent("no address of a server was given".to_owned()));
        }
        select_ok(asked).await.map(|(view, _)| view)
    }

    /// Returns the nodes to ask, in their order: first the nodes with an open connection, beginning with a different
    /// node each time; then the other known nodes; then the addresses that the operator gave.
    fn candidates(&self) -> Vec<Arc<Node>> {
        let mut known = self.read().as_ref().map(|table| table.nodes().to_vec()).unwrap_or_default();
        if !known.is_empty() {
            let turn = self.turn.fetch_add(1, Ordering::Relaxed).checked_rem(known.len());
            known.rotate_left(turn.unwrap_or_default());
        }
        known.sort_by_key(|node| !node.is_open());
        for seed in &self.seeds {
            if !known.iter().any(|node| node.info().addr() == seed.info().addr()) {
                known.push(Arc::clone(seed));
            }
        }
        known
    }

    fn take(&self, view: View) -> Result<(), NodeError> {
        let mut table = self.write();
        let known = table.take();
        *table = match view {
            View::Cluster(teller, ranges) => Some(self.drawn(known.as_ref(), &teller, &ranges)),
            View::Alone(node) => Some(Table::of_one(node)),
            View::Hidden(node) => {
                let mut table = known.unwrap_or_else(Table::empty);
                table.take_over(&node);
                Some(table)
            }
            View::Refused(trouble) => {
                *table = known;
                return Err(trouble);
            }
        };
        Ok(())
    }

    fn drawn(&self, known: Option<&Table>, teller: &Arc<Node>, ranges: &[Range]) -> Table {
        let mut table = Table::empty();
        for range in ranges {
            let node = match table.find(&address(&range.place, teller.info().addr())) {
                Some(node) => Arc::clone(node),
                None => self.node(known, &range.place, teller),
            };
            table.give(range.first, range.last, &node);
        }
        // A node to which slots are being moved may have no slot yet. Redirects name it, so it is kept.
        for node in known.into_iter().flat_map(Table::nodes).filter(|node| node.is_open()) {
            table.add(node);
        }
        table
    }
}

/// Returns the address of a node, with TLS if the node `teller` is reached with TLS.
fn address(place: &Place, teller: &ConnectionAddr) -> ConnectionAddr {
    let port = place.port;
    match teller {
        ConnectionAddr::TcpTls { host, insecure, tls_params, .. } => ConnectionAddr::TcpTls {
            host: place.host.as_ref().unwrap_or(host).clone(),
            port,
            insecure: *insecure,
            tls_params: tls_params.clone(),
        },
        ConnectionAddr::Tcp(host, _) => {
            ConnectionAddr::Tcp(place.host.as_ref().unwrap_or(host).clone(), port)
        }
        // A server that is reached by a socket file is on this machine.
        _ => ConnectionAddr::Tcp(place.host.clone().unwrap_or_else(|| "127.0.0.1".to_owned()), port),
    }
}

/// Requests the data of a node about itself and the other nodes. Each user may send HELLO, even a user with no other
/// rights.
async fn ask(node: Arc<Node>, is_only: bool) -> Result<View, NodeError> {
    let mut pipeline = Pipeline::new();
    pipeline.cmd("HELLO").cmd("CLUSTER").arg("SLOTS");
    let deadline = Instant::now().checked_add(PATIENCE).unwrap_or_else(Instant::now);
    let answers = match node.ask(pipeline, deadline).await {
        Err(trouble @ NodeError::Refused(_)) => return Ok(View::Refused(trouble)),
        answers => answers?,
    };
    let [hello, slots] = answers.as_slice() else {
        return Err(useless(&node, "it does not answer as servers do"));
    };
    if field(hello, "mode") == Some("cluster") {
        return in_cluster(node, slots);
    }
    // For reading, a single replica is enough.
    if is_only || field(hello, "role") == Some("master") {
        return Ok(View::Alone(node));
    }
    Err(useless(&node, "it is no primary"))
}

fn in_cluster(node: Arc<Node>, slots: &Value) -> Result<View, NodeError> {
    match (slots, ranges(slots)) {
        (_, Some(ranges)) if !ranges.is_empty() => Ok(View::Cluster(node, ranges)),
        (Value::ServerError(error), _) if error.kind() == Some(ServerErrorKind::NoPerm) => {
            Ok(View::Hidden(node))
        }
        (Value::ServerError(error), _) => Err(useless(&node, &error.to_string())),
        _ => Err(useless(&node, "it knows of no slots")),
    }
}

fn useless(node: &Node, reason: &str) -> NodeError {
    NodeError::NotSent(format!("{}: {reason}", node.info().addr()))
}

/// Returns a field of the answer to HELLO.
fn field<'a>(hello: &'a Value, name: &str) -> Option<&'a str> {
    let Value::Map(fields) = hello else { return None };
    fields.iter().find(|(key, _)| text(key) == Some(name)).and_then(|(_, value)| text(value))
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::BulkString(bytes) => str::from_utf8(bytes).ok(),
        Value::SimpleString(text) => Some(text),
        _ => None,
    }
}
