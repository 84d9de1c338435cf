//! One command in the server in memory.

use std::ffi::CStr;
use std::ops::ControlFlow;

use leaderboard_core::counter::Rules;
use leaderboard_core::time::Millis;

use super::PlainServer;
use super::held::Held;
use super::reply::Reply;
use crate::argument::Argument;
use crate::host::Value;
use crate::host::{Client, Count, Direction, Host, Mode, OpenKey, Refusal};
use crate::native::Native;
use crate::word::Word;

/// One command: the words of the call, and the reply so far.
pub struct Session<'a> {
    server: &'a PlainServer,
    words: &'a [Argument<'a>],
    reply: Reply,
}

impl<'a> Session<'a> {
    /// Returns a command with these words.
    pub const fn new(server: &'a PlainServer, words: &'a [Argument<'a>]) -> Self {
        Self { server, words, reply: Reply::new(server.settings.protocol) }
    }

    /// Refuses a wrong number of words, as servers do before the command runs.
    pub fn refuse_arity(&self) {
        self.wrong_arity();
    }

    /// Returns the bytes of the reply.
    pub fn into_reply(self) -> Vec<u8> {
        self.reply.into_bytes()
    }

    /// Returns the words of the call.
    pub const fn words(&self) -> &'a [Argument<'a>] {
        self.words
    }

    /// Calls a function with the value of a key.
    pub fn look<A>(&self, key: Argument, look: impl FnOnce(Option<&Held>) -> A) -> A {
        look(self.server.keys.borrow().get(key.bytes()))
    }

    /// Replaces the value of a key.
    pub fn hold(&self, key: Argument, held: Held) {
        self.server.keys.borrow_mut().insert(key.bytes().to_vec(), held);
    }

    /// Returns the time to live that a key was given, in milliseconds.
    pub fn expiry(&self, key: Argument) -> Option<i64> {
        self.server.expiries.borrow().get(key.bytes()).copied()
    }

    /// Gives a key a time to live in milliseconds, or takes it away. Returns whether the key exists.
    pub fn set_expiry(&self, key: Argument, left: Option<i64>) -> bool {
        let exists = self.server.keys.borrow().contains_key(key.bytes());
        let mut expiries = self.server.expiries.borrow_mut();
        match left.filter(|_| exists) {
            Some(left) => expiries.insert(key.bytes().to_vec(), left),
            None => expiries.remove(key.bytes()),
        };
        exists
    }

    /// Gives the value of a key to another key, with its time to live. Returns whether there was a value.
    pub fn rename(&self, key: Argument, other: Argument) -> bool {
        let mut keys = self.server.keys.borrow_mut();
        let Some(held) = keys.remove(key.bytes()) else { return false };
        keys.insert(other.bytes().to_vec(), held);
        let mut expiries = self.server.expiries.borrow_mut();
        expiries.remove(other.bytes());
        if let Some(left) = expiries.remove(key.bytes()) {
            expiries.insert(other.bytes().to_vec(), left);
        }
        true
    }

    /// Returns the members of a sorted set with their scores, in the order of `ZRANGE`.
    pub fn sorted_set_rows(&self, key: Argument) -> Vec<(f64, Vec<u8>)> {
        self.look(key, |held| match held {
            Some(Held::SortedSet(set)) => set.rows().to_vec(),
            _ => Vec::new(),
        })
    }

    /// Removes a member of a sorted set. Returns whether it was there.
    pub fn remove_from_sorted_set(&self, key: Argument, member: &[u8]) -> bool {
        match self.server.keys.borrow_mut().get_mut(key.bytes()) {
            Some(Held::SortedSet(set)) => set.remove(member),
            _ => false,
        }
    }

    /// Takes the value of a key out of the server, until it is put back.
    fn take(&self, name: &[u8]) -> Option<Held> {
        let mut keys = self.server.keys.borrow_mut();
        let held = std::mem::replace(keys.get_mut(name)?, Held::Open);
        assert!(!matches!(held, Held::Open), "a command opens a key once");
        Some(held)
    }
}

/// An open key of the server in memory.
pub struct Key<'a> {
    server: &'a PlainServer,
    name: Vec<u8>,
    held: Option<Held>,
}

impl OpenKey for Key<'_> {
    fn is_empty(&self) -> bool {
        self.held.is_none()
    }

    fn sorted_set_len(&self) -> Option<u64> {
        match &self.held {
            Some(Held::SortedSet(set)) => Some(set.rows().len() as u64),
            _ => None,
        }
    }

    fn value<T: Native>(&mut self) -> Result<Option<&mut Value<T>>, Refusal> {
        match &mut self.held {
            None => Ok(None),
            Some(Held::Value(value)) => value.as_any().downcast_mut().map(Some).ok_or(Refusal::WrongType),
            Some(Held::SortedSet(_) | Held::Text(_) | Held::Open) => Err(Refusal::WrongType),
        }
    }

    fn set<T: Native>(&mut self, value: Box<Value<T>>) {
        self.held = Some(Held::Value(value));
    }
}

impl Drop for Key<'_> {
    fn drop(&mut self) {
        if let Some(held) = self.held.take() {
            self.server.keys.borrow_mut().insert(std::mem::take(&mut self.name), held);
        }
    }
}

impl Client for Session<'_> {
    fn array(&self, len: usize) {
        self.reply.line(b'*', &len.to_string());
    }

    fn map(&self, len: usize) {
        self.reply.map(len);
    }

    fn integer(&self, value: i64) {
        self.reply.line(b':', &value.to_string());
    }

    fn bulk(&self, bytes: &[u8]) {
        self.reply.bulk(bytes);
    }

    fn nil(&self) {
        self.reply.nil();
    }

    fn ok(&self) {
        self.reply.line(b'+', "OK");
    }

    fn error(&self, text: &str) {
        self.reply.line(b'-', text);
    }

    fn wrong_arity(&self) {
        let name = self.words.first().map(|name| String::from_utf8_lossy(name.bytes()).to_ascii_lowercase());
        let name = name.unwrap_or_default();
        self.error(&format!("ERR wrong number of arguments for '{name}' command"));
    }
}

impl Host for Session<'_> {
    type Key<'h>
        = Key<'h>
    where
        Self: 'h;

    fn clock(&self) -> Millis {
        self.server.settings.clock
    }

    fn is_decided(&self) -> bool {
        self.server.decided.get()
    }

    fn is_loading(&self) -> bool {
        false
    }

    fn publishes_ends(&self) -> bool {
        !self.is_decided()
    }

    fn free_memory(&self) -> Option<u64> {
        self.server.settings.free_memory.filter(|_| !self.is_decided())
    }

    fn max_future(&self) -> Millis {
        self.server.settings.max_future
    }

    fn makes_boards(&self) -> bool {
        self.server.settings.auto_create
    }

    fn counter_rules(&self) -> Rules {
        self.server.settings.counter_rules.clone()
    }

    fn open(&self, key: Argument, mode: Mode) -> Option<Key<'_>> {
        let held = self.take(key.bytes());
        let is_open = held.is_some() || mode == Mode::Write;
        is_open.then(|| Key { server: self.server, name: key.bytes().to_vec(), held })
    }

    fn open_unnamed(&self, name: &[u8], _like: [&[u8]; 2]) -> Result<Option<Key<'_>>, Refusal> {
        Ok(self.open(Argument::new(name, 0), Mode::Read))
    }

    fn follow_ends<T: Native>(&self, _value: &Value<T>, _key: Argument) {}

    fn count(&self, _count: Count) {}

    fn replicate<'w>(&self, command: &CStr, words: impl Iterator<Item = Word<'w>>) {
        let words = words.map(|word| word.with_bytes(<[u8]>::to_vec));
        let words = std::iter::once(command.to_bytes().to_vec()).chain(words).collect();
        self.server.stream.borrow_mut().push(words);
    }

    fn replicate_as_it_is(&self) {
        let words = self.words.iter().map(|word| word.bytes().to_vec()).collect();
        self.server.stream.borrow_mut().push(words);
    }

    fn signal_change(&self, _key: Argument) {}

    fn notify(&self, event: &CStr, key: Argument) {
        let event = event.to_string_lossy().into_owned();
        self.server.events.borrow_mut().push((event, key.bytes().to_vec()));
    }

    fn sorted_set_page(
        &self,
        key: Argument,
        direction: Direction,
        from: u64,
        count: u64,
        mut each: impl FnMut(&[u8], f64) -> ControlFlow<()>,
    ) -> ControlFlow<(), u64> {
        let keys = self.server.keys.borrow();
        let Some(Held::SortedSet(set)) = keys.get(key.bytes()) else { return ControlFlow::Continue(0) };
        let rows = set.rows();
        let len = rows.len() as u64;
        let end = from.saturating_add(count).min(len);
        for place in from..end {
            let place = match direction {
                Direction::Up => place,
                Direction::Down => len.saturating_sub(1).saturating_sub(place),
            };
            if let Some((score, member)) = usize::try_from(place).ok().and_then(|place| rows.get(place)) {
                each(member, *score)?;
            }
        }
        ControlFlow::Continue(end.saturating_sub(from))
    }

    fn delete(&self, key: Argument) {
        if self.server.keys.borrow_mut().remove(key.bytes()).is_some() {
            self.server.expiries.borrow_mut().remove(key.bytes());
            self.replicate(c"DEL", std::iter::once(key.into()));
        }
    }

    fn add_to_sorted_set(&self, key: Argument, rows: &[(f64, &[u8])]) {
        let mut keys = self.server.keys.borrow_mut();
        let held = keys.entry(key.bytes().to_vec()).or_insert_with(|| Held::SortedSet(Default::default()));
        let Held::SortedSet(set) = held else {
            return self.error("WRONGTYPE Operation against a key holding the wrong kind of value");
        };
        rows.iter().for_each(|(score, member)| set.add(*score, member));
        let scores: Vec<_> = rows.iter().map(|(score, _)| score.to_string()).collect();
        let rows =
            scores.iter().zip(rows).flat_map(|(score, (_, member))| [Word::of(score), Word::of(*member)]);
        self.replicate(c"ZADD", std::iter::once(key.into()).chain(rows));
    }
}
