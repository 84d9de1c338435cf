//! The servers of the service: a primary and a replica in memory, which gets only the stream, and the model that says what they must
//! answer.

use std::collections::VecDeque;

use leaderboard_commands::plain::{PlainServer, Settings, Words};
use leaderboard_testkit::random::Random;
use redis::Value;

use super::expected::{Model, Reply};
use super::request::Request;

/// Requests that a failure shows.
const SHOWN: usize = 40;

/// How many requests were answered in which way.
#[derive(Default, Clone, Copy)]
pub struct Tally {
    pub applied: u64,
    /// Repeated, held back, or without effect.
    pub unchanged: u64,
    pub refused: u64,
    /// Reads that were compared on both servers.
    pub reads: u64,
}

/// What came of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Done,
    Refused,
}

/// The servers and the model.
pub struct Service {
    primary: PlainServer,
    replica: PlainServer,
    pub model: Model,
    /// What the replica has not got yet.
    pending: VecDeque<Words>,
    /// How far the clock of the primary is ahead of the right time.
    ahead: i64,
    /// The right time.
    time: u64,
    pub tally: Tally,
    last: VecDeque<String>,
}

impl Service {
    /// A service that these commands make.
    pub fn new(model: Model, creation: &[String], time: u64) -> Self {
        let server = || PlainServer::new(Settings { clock: time, ..Settings::default() });
        let mut service = Self {
            primary: server(),
            replica: server(),
            model,
            pending: VecDeque::new(),
            ahead: 0,
            time,
            tally: Tally::default(),
            last: VecDeque::new(),
        };
        for line in creation {
            let words: Words = line.split_whitespace().map(|word| word.as_bytes().to_vec()).collect();
            let reply = service.primary.run(&words);
            assert_eq!(String::from_utf8_lossy(&reply), "+OK\r\n", "{line}");
        }
        service.pending.extend(service.primary.take_stream());
        service
    }

    /// The right time.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.model.arena.views[0].entries.len()
    }

    /// The time of the primary's clock.
    pub fn wall(&self) -> u64 {
        self.time.wrapping_add_signed(self.ahead)
    }

    /// Lets time go on to this moment.
    pub fn pass_to(&mut self, time: u64) {
        self.time = time;
        (self.primary.settings.clock, self.replica.settings.clock) = (self.wall(), self.wall());
    }

    /// Carries out a request on the primary, and compares the reply with the model's.
    pub fn run(&mut self, request: &Request) -> Fate {
        let words = request.words();
        self.note(&words);
        let got = self.primary.run(&words);
        let stream = self.primary.take_stream();
        let expected = self.model.run(request, self.wall());
        let is_right = match &expected {
            Reply::Applied(value) | Reply::Unchanged(value) => parsed(&got).as_ref() == Some(value),
            Reply::Refused => got.starts_with(b"-"),
        };
        assert!(is_right, "{expected:#?}\ngot: {}{}", got.escape_ascii(), self.story());
        let is_applied = matches!(expected, Reply::Applied(_));
        assert!(is_applied || stream.is_empty(), "replicas got something{}", self.story());
        self.pending.extend(stream);
        match expected {
            Reply::Applied(_) => self.tally.applied += 1,
            Reply::Unchanged(_) => self.tally.unchanged += 1,
            Reply::Refused => self.tally.refused += 1,
        }
        if expected == Reply::Refused { Fate::Refused } else { Fate::Done }
    }

    /// The replica gets all that it has not got yet.
    pub fn sync(&mut self) {
        while let Some(words) = self.pending.pop_front() {
            let reply = self.replica.apply(&words);
            assert!(!reply.starts_with(b"-"), "{}{}", reply.escape_ascii(), self.story());
        }
        // Nobody follows the replica.
        self.replica.take_stream();
    }

    /// Does a step of the work between commands on both servers.
    pub fn work(&self, random: &mut Random) {
        self.primary.work(random.below(60) as usize);
        self.replica.work(random.below(60) as usize);
    }

    /// Reads on both servers, and compares the replies with what is expected.
    pub fn read(&mut self, line: &str, expected: &Value) {
        let found = self.ask(line);
        assert!(found == *expected, "{line}\n{}{}", difference(&found, expected), self.story());
    }

    /// Reads on both servers, and returns the reply.
    pub fn ask(&mut self, line: &str) -> Value {
        let words: Words = line.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        let [one, other] = [&self.primary, &self.replica].map(|server| server.run(&words));
        let differs = || format!("{line}: {}\n{}", one.escape_ascii(), other.escape_ascii());
        assert!(one == other, "the replica answers otherwise: {}{}", differs(), self.story());
        self.tally.reads += 1;
        parsed(&one).unwrap_or_else(|| panic!("{line}: {}{}", one.escape_ascii(), self.story()))
    }

    /// Compares the saved values of both servers, but for these keys.
    pub fn compare_saved(&self, but_for: &[&str]) {
        assert_eq!(self.primary.keys(), self.replica.keys(), "{}", self.story());
        let is_compared = |key: &Vec<u8>| !but_for.iter().any(|other| other.as_bytes() == key);
        for key in self.primary.keys().into_iter().filter(is_compared) {
            let [one, other] =
                [&self.primary, &self.replica].map(|server| server.saved(&key).expect("a saved value"));
            let place = one.iter().zip(&other).position(|(one, other)| one != other);
            let shown = |chunks: &[Vec<u8>]| {
                place.map(|place| chunks[place].escape_ascii().to_string()).unwrap_or_default()
            };
            assert!(
                one == other,
                "{} differs on the replica, from chunk {place:?} of {} and {} on:\n{}\n{}{}",
                key.escape_ascii(),
                one.len(),
                other.len(),
                shown(&one),
                shown(&other),
                self.story()
            );
        }
    }

    /// Both servers save, and load what they have saved into a new process.
    pub fn restart(&mut self) {
        self.sync();
        for server in [&self.primary, &self.replica] {
            assert!(server.reload().is_empty(), "a value cannot be loaded{}", self.story());
        }
    }

    /// The primary starts again from the commands of a rewritten append-only file.
    pub fn rewrite(&mut self) {
        self.sync();
        self.primary = self.restored(&self.primary);
    }

    /// Returns a server that has got all values of another one, by the commands that restore them.
    fn restored(&self, from: &PlainServer) -> PlainServer {
        let server = PlainServer::new(from.settings.clone());
        for key in from.keys() {
            let command = match parsed(&from.run(&[b"TYPE", &key[..]])) {
                Some(Value::BulkString(name)) if name == b"lb-league" => "LB.LEAGUE.RESTORE",
                Some(Value::BulkString(name)) if name == b"lb-countr" => "LB.COUNTER.RESTORE",
                _ => "LB.RESTORE",
            };
            for chunk in from.saved(&key).expect("a saved value") {
                let reply = server.apply(&[command.as_bytes(), &key[..], &chunk[..]]);
                assert!(!reply.starts_with(b"-"), "{command}: {}{}", reply.escape_ascii(), self.story());
            }
        }
        server.take_stream();
        server
    }

    /// The primary fails: these are the last requests that it answers, and the replica got only the first `arrived` of them. The
    /// replica is the primary from then on, with its own clock, and gets a new replica.
    pub fn fail_over(&mut self, last: &[(u64, Request)], arrived: usize, ahead: i64) {
        self.sync();
        let mut before_loss = None;
        for (number, (time, request)) in last.iter().enumerate() {
            if number == arrived {
                self.sync();
                before_loss = Some((self.model.clone(), self.tally));
            }
            self.pass_to(*time);
            self.run(request);
        }
        if let Some((model, tally)) = before_loss {
            (self.model, self.tally) = (model, tally);
            self.pending.clear();
        }
        self.sync();
        let replica = self.restored(&self.replica);
        self.primary = std::mem::replace(&mut self.replica, replica);
        self.ahead = ahead;
        self.pass_to(self.time);
        self.note(&[b"(failover)".to_vec()]);
    }

    fn note(&mut self, words: &[Vec<u8>]) {
        if self.last.len() >= SHOWN {
            self.last.pop_front();
        }
        let line = words.join(&b" "[..]).escape_ascii().to_string();
        self.last.push_back(format!("{} {line}", self.wall()));
    }

    fn story(&self) -> String {
        let lines: Vec<&str> = self.last.iter().map(String::as_str).collect();
        format!("\nthe last requests, each after the clock:\n{}", lines.join("\n"))
    }
}

/// Returns a reply as a value. `None` for an error.
fn parsed(reply: &[u8]) -> Option<Value> {
    if reply.starts_with(b"-") { None } else { redis::parse_redis_value(reply).ok() }
}

/// Shows where two replies differ.
fn difference(found: &Value, expected: &Value) -> String {
    if let (Value::Array(one), Value::Array(other)) = (found, expected) {
        let place = one.iter().zip(other).position(|(one, other)| one != other);
        let place = place.unwrap_or(one.len().min(other.len()));
        let (from, to) = (place.saturating_sub(1), place + 3);
        let part = |values: &[Value]| format!("{:?}", &values[from.min(values.len())..to.min(values.len())]);
        let lengths = format!("{} and {} elements, from {from} on", one.len(), other.len());
        return format!("{lengths}:\ngot:      {}\nexpected: {}", part(one), part(other));
    }
    format!("got:      {found:?}\nexpected: {expected:?}")
}
