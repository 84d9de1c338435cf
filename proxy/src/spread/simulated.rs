//! A server in memory for tests of the engine, which has all keys. A test sets the faults of each key.
#![allow(clippy::arithmetic_side_effects, reason = "a test that fails ought to panic")]

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use redis::Value;

use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

use crate::nodes::{Attempt, AttemptError, Command, Transactional, Transport};
use crate::spread::asked::Row;
use crate::spread::refusal::error;
use crate::spread::root::key_slot;

/// The clock of the server.
pub const NOW: u64 = 1_700_000_000_000;

/// The RDB version of its payloads.
const RDB: u16 = 11;

/// Longer than any pause of a gateway, and shorter than any of its time limits.
const PAUSE: Duration = Duration::from_millis(200);

/// A fault of a key, from now on. The fault of the key `*` applies to all keys.
#[derive(Clone)]
pub enum Fault {
    /// No command reaches the server.
    Cut,
    /// Commands with this name are carried out, and their answers are lost.
    Lost(&'static str),
    /// One command with this name is carried out, and its answer is lost. Then the fault is over.
    LostOnce(&'static str),
    /// Commands with this name get this error.
    Refuses(&'static str, &'static str),
    /// The server's rules do not allow votes.
    HoldsBack,
}

/// All clones share the same servers.
#[derive(Clone, Default)]
pub struct Simulated {
    state: Arc<Mutex<State>>,
    /// How many commands the gateway can still send before it dies; no limit if it is `None`.
    life: Option<Arc<AtomicUsize>>,
    /// How many pipelines the gateway may send now; then it waits. No limit if it is `None`.
    steps: Option<Arc<Semaphore>>,
}

pub struct State {
    server: PlainServer,
    faults: HashMap<Vec<u8>, Fault>,
    /// The commands that were sent, in order: for each pipeline, the words of its commands.
    pub sent: Vec<Vec<String>>,
}

impl Default for State {
    fn default() -> Self {
        let settings = Settings { clock: NOW, protocol: Protocol::Resp3, ..Settings::default() };
        Self { server: PlainServer::new(settings), faults: HashMap::new(), sent: Vec::new() }
    }
}

fn text(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

impl State {
    /// Returns the saved value of a key, as chunks.
    pub fn save(&self, key: &[u8]) -> Vec<Vec<u8>> {
        self.server.saved(key).unwrap()
    }

    /// Lets the clock of the server go on, in ms.
    pub fn pass(&mut self, millis: u64) {
        self.server.settings.clock += millis;
    }

    /// Gives a key a value that was saved earlier, as a server that takes over may have it.
    pub fn restore(&self, key: &[u8], chunks: &[Vec<u8>]) {
        self.server.run(&[b"DEL", key]);
        for chunk in chunks {
            self.server.run(&[b"LB.RESTORE", key, chunk]);
        }
    }

    /// Carries out a command.
    pub fn run(&self, words: &[Vec<u8>]) -> Value {
        match words {
            [name, key] if name == b"DUMP" => {
                self.server.saved(key).map_or(Value::Nil, |chunks| Value::BulkString(payload(&chunks)))
            }
            [name, key, _, payload, ..] if name == b"RESTORE" => self.load(key, payload, words.len() > 4),
            [name, from, to] if name == b"RENAMENX" => {
                if self.server.saved(from).is_none() {
                    return error("ERR no such key");
                }
                let is_free = self.server.saved(to).is_none();
                if is_free {
                    self.restore(to, &self.save(from));
                    self.server.run(&[b"DEL", from.as_slice()]);
                }
                Value::Int(is_free.into())
            }
            words => self.run_without(&[], words),
        }
    }

    /// Carries out a command while the server does not have some keys.
    fn run_without(&self, keys: &[Vec<u8>], words: &[Vec<u8>]) -> Value {
        let reply = self.server.without(keys, |server| server.run(words));
        redis::parse_redis_value(&reply).unwrap()
    }

    /// Gives a key the value of a payload.
    fn load(&self, key: &[u8], payload: &[u8], replaces: bool) -> Value {
        let Some(chunks) = chunks(payload) else {
            return error("ERR DUMP payload version or checksum are wrong");
        };
        if self.server.saved(key).is_some() && !replaces {
            return error("BUSYKEY Target key name already exists.");
        }
        self.restore(key, &chunks);
        Value::Okay
    }
}

impl Simulated {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Returns the same servers for a gateway that dies after it has sent this number of commands.
    pub fn dying(&self, after: usize) -> Self {
        Self { life: Some(Arc::new(AtomicUsize::new(after))), ..self.clone() }
    }

    /// Returns the same servers for a gateway that waits before each pipeline until the test lets it send the pipeline.
    pub fn stepping(&self) -> Self {
        Self { steps: Some(Arc::new(Semaphore::new(0))), ..self.clone() }
    }

    /// Lets the gateway send this number of pipelines, as far as it has any to send.
    pub async fn go_on(&self, pipelines: usize) {
        if let Some(steps) = &self.steps {
            steps.add_permits(pipelines);
        }
        sleep(PAUSE).await;
    }

    /// Returns whether the gateway is dead.
    pub fn is_dead(&self) -> bool {
        self.life.as_ref().is_some_and(|life| life.load(Ordering::Relaxed) == 0)
    }

    /// Counts a command that the gateway sends. Returns whether the gateway still lives.
    fn lives(&self) -> bool {
        let Some(life) = &self.life else { return true };
        life.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    pub fn fault(&self, key: &[u8], fault: Option<Fault>) {
        match fault {
            Some(fault) => self.state().faults.insert(key.to_vec(), fault),
            None => self.state().faults.remove(key),
        };
    }

    /// Carries out a command at once, without the gateway.
    pub fn direct(&self, line: &str) -> Value {
        let words: Vec<_> = line.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        self.state().run(&words)
    }

    pub fn keys(&self) -> Vec<String> {
        self.state().server.keys().iter().map(|key| text(key)).collect()
    }

    fn one(&self, command: &Command) -> Result<Value, AttemptError> {
        if !self.lives() {
            return Err(AttemptError::NotSent("the gateway is dead".to_owned()));
        }
        let words = &command.words;
        // There is one server here. A cluster refuses keys of several slots, wherever they are.
        let keys =
            words.first().and_then(|name| Row::any(name)).map(|row| row.keys(words)).unwrap_or_default();
        let mut slots = keys.into_iter().map(key_slot);
        if let Some(first) = slots.next()
            && slots.any(|slot| slot != first)
        {
            return Ok(error("CROSSSLOT Keys in request don't hash to the same slot"));
        }
        let mut state = self.state();
        let fault = words.get(1).and_then(|key| state.faults.get(key));
        let fault = fault.or_else(|| state.faults.get(b"*".as_slice()));
        let is = |name: &str| words[0].eq_ignore_ascii_case(name.as_bytes());
        match fault {
            Some(Fault::LostOnce(name)) if is(name) => {
                state.run(words);
                state.faults.retain(|_, fault| !matches!(fault, Fault::LostOnce(_)));
                Err(AttemptError::Lost("lost".to_owned()))
            }
            Some(Fault::Cut) => Err(AttemptError::NotSent("cut".to_owned())),
            Some(Fault::Refuses(name, said)) if is(name) => Ok(error(said)),
            Some(Fault::Lost(name)) if is(name) => {
                state.run(words);
                Err(AttemptError::Lost("lost".to_owned()))
            }
            Some(Fault::HoldsBack) if is("LB.MVOTE") => {
                let rule = Value::BulkString(b"daily".to_vec());
                Ok(Value::Array(vec![Value::Int(0), rule, Value::Int(5)]))
            }
            // The keys with faults are on other servers.
            _ if is("LB.GATHER") => {
                Ok(state.run_without(&state.faults.keys().cloned().collect::<Vec<_>>(), words))
            }
            _ => Ok(state.run(words)),
        }
    }
}

/// Returns a payload with these chunks: each with its length, and the RDB version and a checksum behind them.
fn payload(chunks: &[Vec<u8>]) -> Vec<u8> {
    let framed =
        |chunk: &Vec<u8>| [&u32::try_from(chunk.len()).unwrap().to_le_bytes(), chunk.as_slice()].concat();
    let mut bytes: Vec<u8> = chunks.iter().flat_map(framed).collect();
    bytes.extend(RDB.to_le_bytes());
    let sum = blake3::hash(&bytes);
    bytes.extend(&sum.as_bytes()[..8]);
    bytes
}

/// Returns the chunks of a payload, if its checksum is right.
fn chunks(payload: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (bytes, sum) = payload.split_last_chunk::<8>()?;
    let (mut rest, version) = bytes.split_last_chunk::<2>()?;
    if blake3::hash(bytes).as_bytes()[..8] != *sum || u16::from_le_bytes(*version) > RDB {
        return None;
    }
    let mut chunks = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let (chunk, behind) = behind.split_at(usize::try_from(u32::from_le_bytes(*length)).unwrap());
        chunks.push(chunk.to_vec());
        rest = behind;
    }
    Some(chunks)
}

impl Transactional for Simulated {
    async fn transact(&self, _slot: Option<u16>, commands: &[Vec<Vec<u8>>], _deadline: Instant) -> Attempt {
        tokio::task::yield_now().await;
        if !self.lives() {
            return Attempt::Again("the gateway is dead".to_owned());
        }
        let state = self.state();
        let last_key = commands.last().and_then(|words| words.get(1)).cloned().unwrap_or_default();
        let fault = state.faults.get(&last_key).or_else(|| state.faults.get(b"*".as_slice()));
        match fault {
            Some(Fault::Cut) => return Attempt::Again("cut".to_owned()),
            Some(Fault::Refuses("EXEC", said)) => return Attempt::Done(Err(error(said))),
            _ => {}
        }
        let answers = commands.iter().map(|words| state.run(words)).collect();
        match fault {
            Some(Fault::Lost("EXEC")) => Attempt::Unknown("lost".to_owned()),
            _ => Attempt::Done(Ok(answers)),
        }
    }
}

impl Transport for Simulated {
    async fn send(&self, commands: &[&Command]) -> Vec<Result<Value, AttemptError>> {
        if let Some(steps) = &self.steps {
            steps.acquire().await.unwrap().forget();
        }
        let line =
            |command: &&Command| command.words.iter().map(|word| text(word)).collect::<Vec<_>>().join(" ");
        self.state().sent.push(commands.iter().map(line).collect());
        // Other tasks run now.
        tokio::task::yield_now().await;
        commands.iter().map(|command| self.one(command)).collect()
    }
}
