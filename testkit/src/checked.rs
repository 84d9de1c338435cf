//! A server in memory and its replica, which are checked after each call. For every call of every command:
//!
//! * the reply has the shape that the row says, an error one of its codes;
//! * a refused command, and a command that only reads, sends replicas nothing; a command that sends nothing changes no
//!   key;
//! * the stream alone gives the replica the same values, byte for byte;
//! * a value that is saved and loaded is saved the same again, and work between commands does not show.

use std::collections::BTreeSet;

use leaderboard_commands::argument::Argument;
use leaderboard_commands::command::Command;
use leaderboard_commands::plain::{PlainServer, Protocol, Settings, Words};
use redis::Value;

use crate::calls::Calls;
use crate::random::Random;
use crate::shapes;

/// The clock at the beginning.
const BEGIN: u64 = 1_700_000_000_000;
/// Calls that a failure shows.
const SHOWN: usize = 60;

/// A key, and its value as it is saved.
type Saved = (Vec<u8>, Option<Vec<Vec<u8>>>);

/// A server and its replica.
pub struct Checked {
    primary: PlainServer,
    replica: PlainServer,
    calls: Calls,
    /// The last calls, for the message of a failure.
    last: Vec<String>,
}

impl Checked {
    /// Both without keys.
    pub fn new(protocol: Protocol) -> Self {
        let settings = Settings { clock: BEGIN, protocol, ..Settings::default() };
        Self {
            primary: PlainServer::new(settings.clone()),
            replica: PlainServer::new(settings),
            calls: Calls::default(),
            last: Vec::new(),
        }
    }

    /// Moves the clocks: mostly by milliseconds, sometimes by days, sometimes back, also across boundaries.
    pub fn pass_time(&mut self, random: &mut Random) {
        let clock = self.primary.settings.clock;
        let next = match random.below(100) {
            0 => clock + 86_400_000 * random.below(20),
            1 => clock.saturating_sub(random.below(90_000)),
            2 if random.percent(30) => clock.saturating_sub(random.below(3 * 86_400_000)),
            2..10 => clock + random.below(90_000),
            10..60 => clock + random.below(50),
            _ => clock,
        };
        (self.primary.settings.clock, self.replica.settings.clock) = (next, next);
        if next < clock {
            self.read_all();
        }
    }

    /// Reads all keys on both servers. A value whose clock was put back goes back at the next command, and is saved as
    /// it is then; a replica does the same when it is read.
    fn read_all(&self) {
        for key in self.primary.keys() {
            for command in ["LB.COUNT", "LB.LEAGUE.INFO", "LB.COUNTER.INFO"] {
                let words = [command.as_bytes(), &key];
                self.primary.run(&words);
                self.replica.run(&words);
            }
        }
    }

    /// Makes a random call, and checks what holds after it.
    pub fn call(&mut self, random: &mut Random) {
        let (command, words) = self.calls.draw(random);
        self.note(&words);
        let keys = keys(command, &words);
        let before = self.saved(&keys);
        let reply = self.primary.run(&words);
        let stream = self.primary.take_stream();
        let is_error = reply.starts_with(b"-");
        check_shape(&words, &reply);
        if is_error || command.only_reads() {
            assert!(stream.is_empty(), "replicas got something: {}", self.story());
        }
        if stream.is_empty() {
            assert!(self.saved(&keys) == before, "something has changed: {}", self.story());
        }
        for words in &stream {
            let reply = self.replica.apply(words);
            assert!(!reply.starts_with(b"-"), "{}: {}", String::from_utf8_lossy(&reply), self.story());
        }
        keys.iter().for_each(|key| self.compare(key));
    }

    /// Compares all keys; now and then loads all values, or works between commands.
    pub fn look(&mut self, random: &mut Random) {
        let keys = self.primary.keys();
        assert_eq!(keys, self.replica.keys(), "{}", self.story());
        keys.iter().for_each(|key| self.compare(key));
        let before = self.saved(&keys);
        if random.percent(20) {
            // Each server frees used votes on its own, when it has seen its clock past a period for some time. Both must have
            // seen the same.
            for server in [&self.primary, &self.replica] {
                assert_eq!(server.reload(), Vec::<Vec<u8>>::new(), "{}", self.story());
            }
            assert!(self.saved(&keys) == before, "loaded, it is saved otherwise: {}", self.story());
        }
        if random.percent(30) {
            [&self.primary, &self.replica].into_iter().for_each(|server| server.work(20));
            assert!(self.saved(&keys) == before, "work between commands shows: {}", self.story());
        }
        self.calls.chunks = before.into_iter().filter_map(|(_, chunks)| chunks).flatten().collect();
    }

    /// Returns the saved values of all keys.
    pub fn values(&self) -> Vec<Vec<Vec<u8>>> {
        self.primary.keys().iter().filter_map(|key| self.primary.saved(key)).collect()
    }

    fn compare(&self, key: &[u8]) {
        let (one, other) = (self.primary.saved(key), self.replica.saved(key));
        assert!(
            one == other,
            "{} differs on the replica: {}{}",
            key.escape_ascii(),
            self.story(),
            differences(one, other)
        );
    }

    fn saved(&self, keys: &[Vec<u8>]) -> Vec<Saved> {
        keys.iter().map(|key| (key.clone(), self.primary.saved(key))).collect()
    }

    fn note(&mut self, words: &Words) {
        let shown = words.iter().map(|word| word.escape_ascii().to_string()).collect::<Vec<_>>().join(" ");
        let shown: String = shown.chars().take(300).collect();
        if self.last.len() >= 2 * SHOWN {
            self.last.drain(..SHOWN);
        }
        self.last.push(format!("{} {shown}", self.primary.settings.clock));
    }

    fn story(&self) -> String {
        format!("the last calls, each after the clock:\n{}", self.last.join("\n"))
    }
}

/// Returns the parts of a saved value that only the primary or only its replica has.
pub fn differences(own: Option<Vec<Vec<u8>>>, other: Option<Vec<Vec<u8>>>) -> String {
    let [own, other] =
        [own, other].map(|chunks| chunks.unwrap_or_default().into_iter().collect::<BTreeSet<_>>());
    let shown = |chunk: &Vec<u8>| chunk.escape_ascii().to_string();
    let here: Vec<_> = own.difference(&other).map(shown).collect();
    let there: Vec<_> = other.difference(&own).map(shown).collect();
    format!("\nonly here:\n{}\nonly on the replica:\n{}", here.join("\n"), there.join("\n"))
}

fn check_shape(words: &Words, reply: &[u8]) {
    match reply.strip_prefix(b"-") {
        Some(text) => shapes::check(words, Err(String::from_utf8_lossy(text).trim_end())),
        None => {
            let reply: Value = redis::parse_redis_value(reply).expect("a whole reply");
            shapes::check(words, Ok(&reply));
        }
    }
}

/// The keys that a call names, each once.
fn keys(command: &Command, words: &Words) -> Vec<Vec<u8>> {
    let arguments: Vec<_> =
        words.iter().enumerate().map(|(place, word)| Argument::new(word, place)).collect();
    let places = command.key_places(&arguments).filter_map(|(place, _)| words.get(place).cloned());
    let mut keys: Vec<_> = places.collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}
