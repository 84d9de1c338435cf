//! A server in memory: whole commands from words to reply bytes, with keys, a clock, events, and the stream for replicas.
//! Tests, fuzzers and simulations run commands in it without a server.

mod held;
mod reply;
mod session;
mod sorted_set;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use leaderboard_core::counter;
use leaderboard_core::native::Work;
use leaderboard_core::time::Millis;

use crate::argument::Argument;
use crate::call::serve;
use crate::table::{self, Command, Row, Visitor};
use held::Held;
pub use reply::Protocol;
use session::Session;

/// A command as words.
pub type Words = Vec<Vec<u8>>;

/// What the server is set to. All may change between two commands.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The server's clock, in milliseconds since the epoch.
    pub clock: Millis,
    /// The setting `max-future-ms`.
    pub max_future: Millis,
    /// The setting `auto-create`.
    pub auto_create: bool,
    /// The settings `counter-precisions` and `counter-samples`.
    pub counter_rules: counter::Rules,
    /// How many bytes the data may grow by; none without a limit.
    pub free_memory: Option<u64>,
    /// The protocol of replies.
    pub protocol: Protocol,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            clock: 0,
            max_future: 60_000,
            auto_create: true,
            counter_rules: counter::Rules::default(),
            free_memory: None,
            protocol: Protocol::Resp2,
        }
    }
}

/// A command of the table, and the function that serves it.
type Served = (&'static Command, fn(&Session, &[Argument]));

/// A server in memory.
pub struct PlainServer {
    /// What it is set to.
    pub settings: Settings,
    commands: HashMap<String, Served>,
    keys: RefCell<HashMap<Vec<u8>, Held>>,
    /// Whether the running command comes from another server.
    decided: Cell<bool>,
    stream: RefCell<Vec<Words>>,
    events: RefCell<Vec<(String, Vec<u8>)>>,
}

impl Default for PlainServer {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl PlainServer {
    /// An empty server.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let mut commands = Commands(HashMap::new());
        table::visit(&mut commands);
        Self {
            settings,
            commands: commands.0,
            keys: RefCell::default(),
            decided: Cell::new(false),
            stream: RefCell::default(),
            events: RefCell::default(),
        }
    }

    /// Runs a client's command. Returns the bytes of the reply.
    pub fn run<W: AsRef<[u8]>>(&self, words: &[W]) -> Vec<u8> {
        let words: Vec<_> =
            words.iter().enumerate().map(|(place, word)| Argument::new(word.as_ref(), place)).collect();
        let session = Session::new(self, &words);
        let name = words.first().map(|name| String::from_utf8_lossy(name.bytes()).to_ascii_uppercase());
        match self.commands.get(&name.unwrap_or_default()) {
            Some((command, serve)) if accepts(command, words.len()) => serve(&session, &words),
            Some(_) => session.refuse_arity(),
            None => session.run_own(),
        }
        session.into_reply()
    }

    /// Runs a command of another server's stream. Returns the bytes of the reply.
    pub fn apply<W: AsRef<[u8]>>(&self, words: &[W]) -> Vec<u8> {
        self.decided.set(true);
        let reply = self.run(words);
        self.decided.set(false);
        reply
    }

    /// Takes what was sent to replicas since the last call, in order.
    pub fn take_stream(&self) -> Vec<Words> {
        self.stream.take()
    }

    /// Takes the events since the last call: their names and keys.
    pub fn take_events(&self) -> Vec<(String, Vec<u8>)> {
        self.events.take()
    }

    /// The names of all keys, sorted.
    #[must_use]
    pub fn keys(&self) -> Vec<Vec<u8>> {
        let mut keys: Vec<_> = self.keys.borrow().keys().cloned().collect();
        keys.sort_unstable();
        keys
    }

    /// A key's value as it is saved; none for an absent key and for a sorted set.
    #[must_use]
    pub fn saved(&self, key: &[u8]) -> Option<Vec<Vec<u8>>> {
        self.keys.borrow().get(key)?.saved()
    }

    /// Saves and loads all values, as a restart does. Returns the keys whose values could not be loaded: those are gone.
    pub fn reload(&self) -> Vec<Vec<u8>> {
        let mut lost = Vec::new();
        self.keys.borrow_mut().retain(|name, held| {
            let is_loaded = held.reload();
            if !is_loaded {
                lost.push(name.clone());
            }
            is_loaded
        });
        lost
    }

    /// Does up to `steps` steps of each value's work between commands.
    pub fn work(&self, steps: usize) {
        for held in self.keys.borrow_mut().values_mut() {
            let mut left = steps;
            while left > 0 && held.work(self.settings.clock, self.settings.max_future) == Some(Work::Now) {
                left = left.saturating_sub(1);
            }
        }
    }
}

/// Whether a command takes this number of words, its name included.
fn accepts(command: &Command, words: usize) -> bool {
    let (words, arity) = (i32::try_from(words).unwrap_or(i32::MAX), command.arity());
    if arity < 0 { words >= arity.saturating_neg() } else { words == arity }
}

/// The commands by name.
struct Commands(HashMap<String, Served>);

impl Visitor for Commands {
    fn visit<R: Row>(&mut self) {
        let command = R::command();
        let name = command.name.to_string_lossy().into_owned();
        self.0.insert(name, (command, |session, words| serve::<R, Session>(session, words)));
    }
}

#[cfg(test)]
mod tests;
