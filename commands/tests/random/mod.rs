//! What holds for every call of every command, whatever it does:
//!
//! * its reply has the shape that its row says, its error one of the codes;
//! * a refused command, and a command that only reads, changes no key and sends replicas nothing;
//! * the stream alone makes a replica the same values, byte for byte, and the same replies;
//! * a value that is saved and loaded is saved the same again.

mod calls;

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::shapes;
use redis::Value;

use calls::Calls;

/// Calls of one test.
const CALLS: usize = 60_000;
/// Calls between two looks at the replica.
const BETWEEN_LOOKS: usize = 50;

struct Test {
    primary: PlainServer,
    replica: PlainServer,
    random: Random,
    calls: Calls,
    /// The last calls, for the message of a failure.
    last: Vec<String>,
}

impl Test {
    fn new(seed: u64) -> Self {
        let settings = Settings { clock: 1_700_000_000_000, ..Settings::default() };
        Self {
            primary: PlainServer::new(settings.clone()),
            replica: PlainServer::new(settings),
            random: Random::new(seed),
            calls: Calls::new(),
            last: Vec::new(),
        }
    }

    /// Moves the clocks: mostly by seconds, sometimes by days, sometimes back.
    fn pass_time(&mut self) {
        let clock = self.primary.settings.clock;
        let clock = match self.random.below(100) {
            0 => clock + 86_400_000 * self.random.below(20),
            1 => clock.saturating_sub(self.random.below(90_000)),
            2..10 => clock + self.random.below(90_000),
            10..60 => clock + self.random.below(50),
            _ => clock,
        };
        let is_put_back = clock < self.primary.settings.clock;
        (self.primary.settings.clock, self.replica.settings.clock) = (clock, clock);
        if is_put_back {
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

    fn call(&mut self) {
        self.pass_time();
        let (command, words) = self.calls.next(&mut self.random);
        let shown = words.iter().map(|word| word.escape_ascii().to_string()).collect::<Vec<_>>().join(" ");
        self.last.push(format!(
            "{} {}",
            self.primary.settings.clock,
            shown.chars().take(300).collect::<String>()
        ));
        let before = self.saved();
        let bytes = self.primary.run(&words);
        let stream = self.primary.take_stream();
        let error = bytes.strip_prefix(b"-").map(|text| String::from_utf8_lossy(text).trim_end().to_owned());
        match &error {
            Some(text) => shapes::check(&words, Err(text)),
            None => {
                let reply: Value = redis::parse_redis_value(&bytes).expect("a whole reply");
                shapes::check(&words, Ok(&reply));
            }
        }
        if error.is_some() || command.only_reads() {
            assert!(stream.is_empty(), "replicas got something: {}", self.story());
        }
        if stream.is_empty() {
            assert!(self.saved() == before, "something has changed: {}", self.story());
        }
        for words in &stream {
            let reply = self.replica.apply(words);
            assert!(!reply.starts_with(b"-"), "{}: {}", String::from_utf8_lossy(&reply), self.story());
        }
        stream.iter().for_each(|words| self.compare(&words[1]));
    }

    fn compare(&self, key: &[u8]) {
        let (one, other) = (self.primary.saved(key), self.replica.saved(key));
        assert!(one == other, "{} differs on the replica: {}", key.escape_ascii(), self.story());
    }

    fn saved(&self) -> Vec<(Vec<u8>, Option<Vec<Vec<u8>>>)> {
        let keys = self.primary.keys();
        keys.into_iter().map(|key| (key.clone(), self.primary.saved(&key))).collect()
    }

    fn story(&self) -> String {
        let from = self.last.len().saturating_sub(BETWEEN_LOOKS + 10);
        format!("seed {}\n{}", seed(), self.last[from..].join("\n"))
    }

    fn look(&mut self) {
        assert_eq!(self.primary.keys(), self.replica.keys(), "{}", self.story());
        self.primary.keys().iter().for_each(|key| self.compare(key));
        self.calls.chunks = self.saved().into_iter().filter_map(|(_, chunks)| chunks).flatten().collect();
        if self.random.percent(20) {
            let before = self.saved();
            assert_eq!(self.primary.reload(), Vec::<Vec<u8>>::new(), "{}", self.story());
            assert!(self.saved() == before, "loaded, it is saved otherwise: {}", self.story());
        }
        if self.random.percent(30) {
            let before = self.saved();
            self.primary.work(20);
            assert!(self.saved() == before, "work between commands shows: {}", self.story());
        }
    }
}

fn run(protocol: Protocol, seed: u64, calls: usize) {
    let mut test = Test::new(seed);
    test.primary.settings.protocol = protocol;
    for call in 0..calls {
        test.call();
        if call % BETWEEN_LOOKS == 0 {
            test.look();
        }
    }
}

#[test]
fn all_commands_keep_their_promises_in_resp2() {
    run(Protocol::Resp2, seed(), CALLS);
}

#[test]
fn all_commands_keep_their_promises_in_resp3() {
    run(Protocol::Resp3, seed() + 1, CALLS);
}
