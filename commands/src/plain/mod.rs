//! A server in memory. It runs whole commands, from words to reply bytes, with keys, a clock, events, and the stream
//! for replicas. Tests, fuzzers and simulations run commands in it without a real server.

mod held;
mod own;
mod reply;
mod session;
mod sorted_set;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::LazyLock;

use leaderboard_core::counter;
use leaderboard_core::native::Work;
use leaderboard_core::time::Millis;

use crate::argument::Argument;
use crate::host::Value;
use crate::native::Native;
use crate::table::{self, Row, Visitor, serve};
use held::Held;
pub use reply::Protocol;
use session::Session;

/// A command as words.
pub type Words = Vec<Vec<u8>>;

/// The settings of the server. All settings may change between two commands.
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
    /// The number of bytes that the data may still grow by; `None` if there is no limit.
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

/// The number of words that a command of the table takes, and the function that serves it.
struct Served {
    arity: i32,
    serve: fn(&Session, &[Argument]),
}

/// The commands by name.
static COMMANDS: LazyLock<Commands> = LazyLock::new(|| {
    let mut commands = Commands(HashMap::new());
    table::visit(&mut commands);
    commands
});

/// A server in memory.
pub struct PlainServer {
    /// The server's settings.
    pub settings: Settings,
    keys: RefCell<HashMap<Vec<u8>, Held>>,
    /// The keys that expire, and the time to live that they were given, in milliseconds.
    expiries: RefCell<HashMap<Vec<u8>, i64>>,
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
    /// Returns an empty server.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            keys: RefCell::default(),
            expiries: RefCell::default(),
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
        match COMMANDS.0.get(&name.unwrap_or_default()) {
            Some(command) if command.accepts(words.len()) => (command.serve)(&session, &words),
            Some(_) => session.refuse_arity(),
            None => session.run_own(),
        }
        session.into_reply()
    }

    /// Runs a command from another server's stream. Returns the bytes of the reply.
    pub fn apply<W: AsRef<[u8]>>(&self, words: &[W]) -> Vec<u8> {
        self.decided.set(true);
        let reply = self.run(words);
        self.decided.set(false);
        reply
    }

    /// Takes the commands that were sent to replicas since the last call, in order.
    pub fn take_stream(&self) -> Vec<Words> {
        self.stream.take()
    }

    /// Takes the events since the last call: their names and keys.
    pub fn take_events(&self) -> Vec<(String, Vec<u8>)> {
        self.events.take()
    }

    /// Stores this value in a key.
    pub fn put<T: Native>(&self, key: &[u8], data: T) {
        let held = Held::Value(Value::boxed::<Session>(data, None));
        self.keys.borrow_mut().insert(key.to_vec(), held);
    }

    /// Calls a function that reads or changes the value of a key. Returns `None` for an absent key and for other types.
    pub fn with<T: Native, A>(&self, key: &[u8], look: impl FnOnce(&mut T) -> A) -> Option<A> {
        match self.keys.borrow_mut().get_mut(key)? {
            Held::Value(value) => {
                value.as_any().downcast_mut::<Value<T>>().map(|value| look(&mut value.data))
            }
            _ => None,
        }
    }

    /// Calls a function while some keys are absent, as if another server had them.
    pub fn without<A>(&self, names: &[Vec<u8>], run: impl FnOnce(&Self) -> A) -> A {
        let held: Vec<_> =
            names.iter().filter_map(|name| self.keys.borrow_mut().remove_entry(name)).collect();
        let result = run(self);
        self.keys.borrow_mut().extend(held);
        result
    }

    /// Returns the names of all keys, sorted.
    #[must_use]
    pub fn keys(&self) -> Vec<Vec<u8>> {
        let mut keys: Vec<_> = self.keys.borrow().keys().cloned().collect();
        keys.sort_unstable();
        keys
    }

    /// Returns a key's saved value; `None` for an absent key and for types that are not native.
    #[must_use]
    pub fn saved(&self, key: &[u8]) -> Option<Vec<Vec<u8>>> {
        self.keys.borrow().get(key)?.saved()
    }

    /// Saves and loads all values, as a restart does. Removes values that cannot be loaded, and returns their keys.
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

impl Served {
    /// Returns whether the command takes this number of words, including its name.
    fn accepts(&self, words: usize) -> bool {
        let words = i32::try_from(words).unwrap_or(i32::MAX);
        if self.arity < 0 { words >= self.arity.saturating_neg() } else { words == self.arity }
    }
}

/// Commands by name.
struct Commands(HashMap<String, Served>);

impl Visitor for Commands {
    fn visit<R: Row>(&mut self) {
        let command = R::command();
        let name = command.name.to_string_lossy().into_owned();
        let serve = |session: &Session, words: &[Argument]| serve::<R, Session>(session, words);
        self.0.insert(name, Served { arity: command.arity(), serve });
    }
}

#[cfg(test)]
mod tests;
