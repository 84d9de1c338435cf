//! A server in memory for tests of the engine, which has all keys. A test sets the faults of each key.
#![allow(clippy::arithmetic_side_effects, reason = "a test that fails ought to panic")]

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use redis::Value;

use crate::nodes::{AttemptError, Command, Transport};
use crate::spread::refusal::error;

/// The clock of the server.
pub const NOW: u64 = 1_700_000_000_000;

/// A fault of a key, from now on. The fault of the key `*` applies to all keys.
#[derive(Clone)]
pub enum Fault {
    /// No command reaches the server.
    Cut,
    /// Commands with this name are carried out, and their answers are lost.
    Lost(&'static str),
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

    /// Gives a key a value that was saved earlier, as a server that takes over may have it.
    pub fn restore(&self, key: &[u8], chunks: &[Vec<u8>]) {
        self.server.run(&[b"DEL", key]);
        for chunk in chunks {
            self.server.run(&[b"LB.RESTORE", key, chunk]);
        }
    }

    /// Carries out a command.
    pub fn run(&self, words: &[Vec<u8>]) -> Value {
        self.run_without(&[], words)
    }

    /// Carries out a command while the server does not have some keys.
    fn run_without(&self, keys: &[Vec<u8>], words: &[Vec<u8>]) -> Value {
        let reply = self.server.without(keys, |server| server.run(words));
        redis::parse_redis_value(&reply).unwrap()
    }
}

impl Simulated {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Returns the same servers for a gateway that dies after it has sent this number of commands.
    pub fn dying(&self, after: usize) -> Self {
        Self { state: Arc::clone(&self.state), life: Some(Arc::new(AtomicUsize::new(after))) }
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
        let (words, state) = (&command.words, self.state());
        let fault = words.get(1).and_then(|key| state.faults.get(key));
        let fault = fault.or_else(|| state.faults.get(b"*".as_slice()));
        let is = |name: &str| words[0].eq_ignore_ascii_case(name.as_bytes());
        match fault {
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

impl Transport for Simulated {
    async fn send(&self, commands: &[&Command]) -> Vec<Result<Value, AttemptError>> {
        let line =
            |command: &&Command| command.words.iter().map(|word| text(word)).collect::<Vec<_>>().join(" ");
        self.state().sent.push(commands.iter().map(line).collect());
        // Other tasks run now.
        tokio::task::yield_now().await;
        commands.iter().map(|command| self.one(command)).collect()
    }
}
