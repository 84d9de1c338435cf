//! Three nodes without I/O. Each node is a server in memory with its own clock. Nodes lose, delay and refuse commands
//! as the test orders.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use leaderboard_commands::answers::{Answers, Element, PartAnswer};
use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_core::parts::{SLOTS, slot};
use leaderboard_core::{Board, NativeType as _, Schema};
use redis::Value;
use tokio::time::{Instant, sleep};

use super::values::error;
use crate::nodes::{AttemptError, Command, Transport};

/// The number of nodes.
pub const NODES: usize = 3;
/// The clock of the simulation at its start, in milliseconds. It is 1 hour and 10 minutes after the start of a day.
pub const START: u64 = 1_700_006_400_000 + 4_200_000;

/// The probability of each fault, in percent, for each command.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// The command is refused with MOVED, ASK, TRYAGAIN, LOADING or CLUSTERDOWN.
    pub refused: u8,
    /// The command is not sent.
    pub unsent: u8,
    /// The command is lost before it is carried out.
    pub lost: u8,
    /// The command is carried out, and its answer is lost.
    pub deaf: u8,
    /// Random faults end at this time.
    pub until: Duration,
    /// The nodes that never answer.
    pub silent: Vec<usize>,
    /// The maximum of the random delay of a command and of its answer, in ms. The fixed delay `way` is added to it.
    pub slowest: u64,
    /// The fixed delay of a command, in ms. `None` means 1 ms.
    pub way: Option<u64>,
    /// The nodes that do not know `LB.GATHER`.
    pub old: Vec<usize>,
}

/// A change on a node while commands run.
#[derive(Debug, Clone)]
pub enum Event {
    /// A write of another client to the keys of the parts.
    Write(Vec<Vec<u8>>),
    /// Time passes, in ms.
    Pass(u64),
    /// A key is deleted.
    Delete(Vec<u8>),
    /// A part is replaced by a part with another rule and no members.
    MakeAnew(Vec<u8>),
}

/// The work that the nodes got.
#[derive(Debug, Default, Clone)]
pub struct Asked {
    /// The number of commands that reached a node.
    pub commands: usize,
    /// The number of rows that parts sent.
    pub rows: usize,
    /// The number of words of the longest command.
    pub longest: usize,
    /// The number of commands for each name and operation.
    pub by_name: BTreeMap<String, usize>,
    /// The commands whose slot was not the slot of their key.
    pub astray: Vec<String>,
}

/// The nodes and their data.
pub struct World {
    nodes: [PlainServer; NODES],
    pub faults: Faults,
    /// How far ahead the clock of each node is, in ms.
    pub skews: [u64; NODES],
    /// The time that was skipped at once, in ms.
    pub passed: u64,
    /// The events, each with the number of commands that are carried out before it.
    pub events: VecDeque<(usize, Event)>,
    pub asked: Asked,
    /// Keys that nodes do not have when they are asked for several parts.
    pub not_gathered: Vec<Vec<u8>>,
    started: Instant,
    faults_from: Instant,
    random: u64,
}

impl World {
    pub fn new(boards: Vec<(Vec<u8>, Board)>, seed: u64) -> Self {
        let mut world = Self {
            nodes: empty(),
            faults: Faults { slowest: 2, ..Faults::default() },
            skews: [0; NODES],
            passed: 0,
            events: VecDeque::new(),
            asked: Asked::default(),
            not_gathered: Vec::new(),
            started: Instant::now(),
            faults_from: Instant::now(),
            random: seed,
        };
        world.hold(boards);
        world
    }

    /// Replaces all keys by these keys.
    pub fn hold(&mut self, boards: Vec<(Vec<u8>, Board)>) {
        self.nodes = empty();
        for (key, board) in boards {
            self.nodes[node_of(&key)].put(&key, board);
        }
    }

    /// Sets the faults from now on.
    pub fn disturb(&mut self, faults: Faults) {
        self.faults_from = Instant::now();
        self.faults = faults;
    }

    /// Returns a node's clock.
    pub fn wall(&self, node: usize) -> u64 {
        START + self.passed + self.started.elapsed().as_millis() as u64 + self.skews[node]
    }

    /// Advances all boards to the clocks of their nodes.
    pub fn advance(&mut self) {
        let keys: Vec<_> = self.nodes.iter().flat_map(PlainServer::keys).collect();
        keys.iter().for_each(|key| _ = self.look(key, |_, _| ()));
    }

    /// Calls a function with a board and the current time of its node.
    pub fn look<A>(&self, key: &[u8], look: impl FnOnce(&Board, u64) -> A) -> Option<A> {
        let node = node_of(key);
        let (wall, server) = (self.wall(node), &self.nodes[node]);
        server.with(key, |board: &mut Board| {
            let now = board.now(wall, server.settings.max_future);
            board.advance(now);
            look(board, now)
        })
    }

    /// Carries out a command on the node that has its key.
    pub fn run(&mut self, words: &[Vec<u8>]) -> Value {
        self.run_on(words.get(1).map_or(0, |key| node_of(key)), words, &[])
    }

    /// Returns a random number below another number.
    fn below(&mut self, most: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % most.max(1)
    }

    fn happens(&mut self, percent: u8) -> bool {
        percent > 0 && self.faults_from.elapsed() < self.faults.until && self.below(100) < percent.into()
    }

    /// Carries out a command on a node. If the command asks several parts, `absent` are the keys that the node does not
    /// have at present.
    fn run_on(&mut self, node: usize, words: &[Vec<u8>], absent: &[Vec<u8>]) -> Value {
        if is_gather(words) && self.faults.old.contains(&node) {
            return error("ERR unknown command 'LB.GATHER', with args beginning with: 'game' ");
        }
        self.nodes[node].settings.clock = self.wall(node);
        self.nodes[node].without(absent, |server| run(server, words))
    }

    fn carry_out(&mut self, command: &Command, absent: &[Vec<u8>]) -> Value {
        let reply = self.run_on(place(command), &command.words, absent);
        self.asked.commands += 1;
        self.asked.longest = self.asked.longest.max(command.words.len());
        let names = command.words.iter().map(|word| String::from_utf8_lossy(word).to_uppercase());
        let names: Vec<_> = names.collect();
        let operation = match names[0].as_str() {
            "LB.PART" => Some(2),
            "LB.GATHER" => Some(4),
            _ => None,
        };
        let name = operation.map_or(names[0].clone(), |at| format!("{} {}", names[0], names[at]));
        *self.asked.by_name.entry(name).or_default() += 1;
        if let Some(at) = operation
            && !names.iter().any(|name| name == "WITHMETA")
            && !["STATS", "VOTERS"].contains(&names[at].as_str())
        {
            self.asked.rows += rows_in(&reply);
        }
        if let Some(key) = command.words.get(1)
            && !is_gather(&command.words)
            && command.slot != Some(slot_of(key))
        {
            self.asked.astray.push(names.join(" "));
        }
        self.happen();
        reply
    }

    /// Carries out the events that are due.
    pub fn happen(&mut self) {
        if let Some((left, _)) = self.events.front_mut() {
            *left = left.saturating_sub(1);
        }
        while self.events.front().is_some_and(|(left, _)| *left == 0) {
            let Some((_, event)) = self.events.pop_front() else { break };
            match event {
                Event::Write(words) => _ = self.run(&words),
                Event::Pass(millis) => self.passed += millis,
                Event::Delete(key) => _ = self.run(&[b"DEL".to_vec(), key]),
                Event::MakeAnew(key) => self.make_anew(&key),
            }
        }
    }

    fn make_anew(&self, key: &[u8]) {
        let known = self.look(key, |board, _| {
            let schema = Schema { dedup: 77, ..board.schema().clone() };
            Board::new(schema, &board.specs().copied().collect::<Vec<_>>()).unwrap()
        });
        if let Some(anew) = known {
            self.nodes[node_of(key)].put(key, anew);
        }
    }

    /// Carries out a command on a node, with the faults of the node.
    fn serve(&mut self, command: &Command) -> Result<Value, AttemptError> {
        let faults = self.faults.clone();
        if self.happens(faults.unsent) {
            return Err(AttemptError::NotSent("the connection is closed".to_owned()));
        }
        if self.happens(faults.lost) {
            return Err(AttemptError::Lost("the connection broke".to_owned()));
        }
        if self.happens(faults.refused) {
            let errors = [
                "MOVED 866 127.0.0.1:7002",
                "ASK 866 127.0.0.1:7002",
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "LOADING the server is loading the dataset in memory",
                "CLUSTERDOWN Hash slot not served",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "READONLY You can't write against a read only replica.",
            ];
            if is_gather(&command.words) && self.below(2) == 0 {
                // Some slots are being moved, so their keys are on another node.
                let mut keys = self.nodes[place(command)].keys();
                keys.retain(|_| self.below(2) == 0);
                return Ok(self.carry_out(command, &keys));
            }
            let which = self.below(errors.len() as u64) as usize;
            return Ok(error(errors[which]));
        }
        let absent = if is_gather(&command.words) { self.not_gathered.clone() } else { Vec::new() };
        let reply = self.carry_out(command, &absent);
        if self.happens(faults.deaf) {
            return Err(AttemptError::Lost("no answer came".to_owned()));
        }
        Ok(reply)
    }
}

fn empty() -> [PlainServer; NODES] {
    let settings = Settings { protocol: Protocol::Resp3, ..Settings::default() };
    std::array::from_fn(|_| PlainServer::new(settings.clone()))
}

/// Returns the reply of a server, as a client library reads it.
pub fn run(server: &PlainServer, words: &[Vec<u8>]) -> Value {
    let reply = redis::parse_redis_value(&server.run(words)).unwrap();
    // No task waits for the answer.
    server.take_stream();
    server.take_events();
    reply
}

/// Returns the slot of a key, by its hash tag if it has one.
pub fn slot_of(key: &[u8]) -> u16 {
    let tag = key.iter().position(|byte| *byte == b'{').and_then(|open| {
        let rest = &key[open + 1..];
        let end = rest.iter().position(|byte| *byte == b'}')?;
        (end > 0).then(|| &rest[..end])
    });
    slot(tag.unwrap_or(key))
}

/// Returns the node that has a key.
pub fn node_of(key: &[u8]) -> usize {
    usize::from(slot_of(key)) * NODES / usize::from(SLOTS)
}

/// Returns whether a command asks several parts, whose keys it does not name.
fn is_gather(words: &[Vec<u8>]) -> bool {
    words.first().is_some_and(|name| name == b"LB.GATHER")
}

/// Returns the node to which a command is sent.
fn place(command: &Command) -> usize {
    match command.slot {
        Some(slot) if is_gather(&command.words) => usize::from(slot) * NODES / usize::from(SLOTS),
        _ => command.words.get(1).map_or(0, |key| node_of(key)),
    }
}

/// Returns the packed strings of a reply.
fn packed_in(reply: &Value) -> Vec<&[u8]> {
    let mut found = Vec::new();
    match reply {
        Value::Array(items) => found.extend(items.iter().filter_map(|item| match item {
            Value::BulkString(rows) => Some(rows.as_slice()),
            _ => None,
        })),
        Value::BulkString(all) => {
            let mut answers = Answers::new(all);
            while let Some((_, answer)) = answers.next_part() {
                let PartAnswer::Answer(_, mut elements) = answer else { continue };
                while let Some(element) = elements.next_element() {
                    if let Element::Bytes(rows) = element {
                        found.push(rows);
                    }
                }
            }
        }
        _ => {}
    }
    found
}

/// Returns the number of rows in the packed strings of a reply.
fn rows_in(reply: &Value) -> usize {
    packed_in(reply)
        .into_iter()
        .map(|rows| {
            let (mut count, mut rest) = (0, rows);
            while let Some(length) = rest.get(16..18) {
                let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
                rest = rest.get(18 + length..).unwrap_or_default();
                count += 1;
            }
            count
        })
        .sum()
}

/// The transport to the simulated nodes.
#[derive(Clone)]
pub struct Simulated(pub Arc<Mutex<World>>);

impl Simulated {
    pub fn new(world: World) -> Self {
        Self(Arc::new(Mutex::new(world)))
    }

    /// Calls a function that reads or changes the simulated cluster.
    pub fn with<A>(&self, look: impl FnOnce(&mut World) -> A) -> A {
        look(&mut self.0.lock().unwrap())
    }

    /// Carries out a pipeline on one node.
    async fn pipeline(&self, node: usize, commands: Vec<&Command>) -> Vec<Result<Value, AttemptError>> {
        let (there, back, is_silent) = self.with(|world| {
            let slowest = world.faults.slowest;
            let (there, back) = (world.below(slowest / 2), world.below(slowest / 2));
            (world.faults.way.unwrap_or(1) + there, back, world.faults.silent.contains(&node))
        });
        sleep(Duration::from_millis(there)).await;
        if is_silent {
            return std::future::pending().await;
        }
        let replies = self.with(|world| commands.iter().map(|command| world.serve(command)).collect());
        if back > 0 {
            sleep(Duration::from_millis(back)).await;
        }
        replies
    }
}

impl Transport for Simulated {
    async fn send(&self, commands: &[&Command]) -> Vec<Result<Value, AttemptError>> {
        let node = place;
        let nodes = (0..NODES).map(|number| {
            let own = commands.iter().filter(|command| node(command) == number).copied().collect();
            async move { self.pipeline(number, own).await.into_iter() }
        });
        // A node without commands returns no answers, even if it is silent.
        let asked: Vec<_> =
            (0..NODES).filter(|number| commands.iter().any(|command| node(command) == *number)).collect();
        let pipelines =
            nodes.enumerate().filter(|(number, _)| asked.contains(number)).map(|(_, pipeline)| pipeline);
        let mut answers: BTreeMap<usize, _> = asked.iter().copied().zip(join_all(pipelines).await).collect();
        commands.iter().map(|command| answers.get_mut(&node(command)).unwrap().next().unwrap()).collect()
    }

    fn way(&self, slot: Option<u16>) -> usize {
        slot.map_or(0, |slot| usize::from(slot) * NODES / usize::from(SLOTS))
    }
}
