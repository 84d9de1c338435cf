//! What one user knows of the nodes. It looks again when something tells that it is wrong, at most every 50 ms, and one
//! look at a time. Each user has a map of its own: answers to users who may run scripts can name any address, and other
//! users' passwords must not go there.

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

/// The least time between two looks.
const EVERY: Duration = Duration::from_millis(50);
/// How long a node has to tell before the next one is asked, too.
const TURN: Duration = Duration::from_millis(50);
/// How long a node has to tell at all.
const PATIENCE: Duration = Duration::from_secs(1);

/// The nodes, as one user sees them.
pub struct Map {
    /// The addresses that the operator gave, with this user.
    seeds: Vec<Arc<Node>>,
    figures: Arc<Figures>,
    table: RwLock<Option<Table>>,
    is_looking: AtomicBool,
    last_look: Mutex<Option<Instant>>,
    /// What was wrong at the last look.
    told: watch::Sender<Option<NodeError>>,
    turn: AtomicUsize,
}

/// What a server tells.
enum View {
    /// A node of a cluster, and the slots of all.
    Cluster(Arc<Node>, Vec<Range>),
    /// A node of a cluster that does not tell this user of the others. Redirects do.
    Hidden(Arc<Node>),
    /// A server that has all slots.
    Alone(Arc<Node>),
    /// The user is not let in.
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

    /// What is known now.
    pub fn read(&self) -> RwLockReadGuard<'_, Option<Table>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<Table>> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until anything is known.
    ///
    /// # Errors
    /// If no node tells, or by the deadline.
    pub async fn known(self: &Arc<Self>, deadline: Instant) -> Result<(), NodeError> {
        // Before the question, so that a look that ends just now is not missed.
        let mut told = self.told.subscribe();
        if self.read().is_some() {
            return Ok(());
        }
        self.look_again();
        let in_time = timeout_at(deadline, told.changed()).await;
        in_time.map_err(|_| NodeError::NotSent("no server told in time who has the slots".to_owned()))?.ok();
        told.borrow().clone().map_or(Ok(()), Err)
    }

    /// A node said that another one has a slot. That one is used at once, and all slots are looked up again.
    pub fn moved(self: &Arc<Self>, slot: u16, node: &Arc<Node>) {
        if let Some(table) = self.write().as_mut() {
            table.give(slot, slot, node);
        }
        self.look_again();
    }

    /// The node at a place that another one told.
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

    /// Looks in the background who has the slots, unless somebody is about to.
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
        // Before it is told, so that who sees a failure can ask for the next look.
        self.is_looking.store(false, Ordering::Release);
        self.told.send_replace(wrong);
    }

    fn last_look(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.last_look.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the first node says that says anything. They are asked one after another, but none waits for a silent one.
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

    /// Nodes with a connection first, each time another one of them; then the others, and the given addresses.
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
        // A node that slots are moved to may have none yet, and redirects lead there.
        for node in known.into_iter().flat_map(Table::nodes).filter(|node| node.is_open()) {
            table.add(node);
        }
        table
    }
}

/// The address of a place, with TLS where the teller has it.
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
        // Who is reached by a file is on this machine.
        _ => ConnectionAddr::Tcp(place.host.clone().unwrap_or_else(|| "127.0.0.1".to_owned()), port),
    }
}

/// What a node tells of itself and the others. HELLO tells every user, whatever else it may not do.
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
    // A replica alone is fine for reading.
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

/// A field of the answer to HELLO.
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
