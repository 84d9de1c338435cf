//! Three nodes in memory that remember what they changed, so that they can lose it again.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_testkit::random::Random;
use redis::Value;
use tokio::time::Instant;

use super::super::simulation::cluster::{NODES, node_of};
use super::super::tests::shown;
use super::state::NAME;

/// The clock of the nodes at the start of a test, in milliseconds.
const START: u64 = 1_700_000_000_000;

/// Commands that change nothing.
const READS: [&str; 6] = ["LB.INFO", "LB.PART", "LB.TOP", "LB.COUNT", "LB.SCORE", "PTTL"];

/// A change of a key, with the value before it.
struct Change {
    moment: u64,
    key: Vec<u8>,
    before: Option<Vec<Vec<u8>>>,
}

/// A key that a node lost or took back to an earlier value.
#[derive(Debug, Clone)]
pub struct Loss {
    /// When the node lost it.
    pub at: u64,
    pub key: Vec<u8>,
    /// The first change that is lost.
    pub since: u64,
}

/// The probabilities of faults, in percent for each command, and delays in ms.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    pub unsent: u64,
    pub lost: u64,
    pub deaf: u64,
    pub refused: u64,
    /// The probability that a pipeline takes up to 1,500 ms to its node, so that its gateway may have given up.
    pub late: u64,
    /// The longest usual delay to a node and back.
    pub slowest: u64,
}

/// What happens to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Fine,
    Unsent,
    Lost,
    Deaf,
    Refused,
}

struct Node {
    server: PlainServer,
    changes: Vec<Change>,
}

/// The nodes and their data.
pub struct World {
    nodes: [Node; NODES],
    expiring: Vec<(Vec<u8>, Instant)>,
    pub faults: Faults,
    pub losses: Vec<Loss>,
    /// For each moment at which the key of the board changed: whether it has had a plain board since.
    pub plain: Vec<(u64, bool)>,
    pub random: Random,
    log: String,
    moment: u64,
    started: Instant,
}

/// All clones are the same cluster.
#[derive(Clone)]
pub struct Cluster(Arc<Mutex<World>>);

impl Cluster {
    pub fn new(seed: u64) -> Self {
        let node = || {
            let settings = Settings { clock: START, protocol: Protocol::Resp3, ..Settings::default() };
            Node { server: PlainServer::new(settings), changes: Vec::new() }
        };
        Self(Arc::new(Mutex::new(World {
            nodes: std::array::from_fn(|_| node()),
            expiring: Vec::new(),
            faults: Faults::default(),
            losses: Vec::new(),
            plain: Vec::new(),
            random: Random::new(seed + 1),
            log: String::new(),
            moment: 0,
            started: Instant::now(),
        })))
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap()
    }

    /// Carries out a command without a gateway.
    pub fn direct(&self, line: &str) -> Value {
        let words: Vec<_> = line.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        self.world().run("-", &words)
    }

    /// Returns a field of a root or part; an empty text if the key is absent or has no such field.
    pub fn field(&self, key: &str, name: &str) -> String {
        let Value::Map(info) = self.world().quietly(&[b"LB.INFO", key.as_bytes()]) else {
            return String::new();
        };
        let field = info.iter().find(|(field, _)| shown(field) == name);
        field.map(|(_, value)| shown(value)).unwrap_or_default()
    }

    /// Returns all keys, sorted.
    pub fn keys(&self) -> Vec<String> {
        let mut world = self.world();
        world.expire();
        let keys = world.nodes.iter().flat_map(|node| node.server.keys());
        let mut keys: Vec<_> = keys.map(|key| String::from_utf8(key).unwrap()).collect();
        keys.sort_unstable();
        keys
    }

    pub fn note(&self, text: &str) {
        self.world().note(text);
    }

    /// Returns everything that happened.
    pub fn log(&self) -> String {
        self.world().log.clone()
    }

    /// Returns the number of a new moment. Moments order all that happens.
    pub fn tick(&self) -> u64 {
        let mut world = self.world();
        world.moment += 1;
        world.moment
    }
}

impl World {
    fn note(&mut self, text: &str) {
        let at = self.started.elapsed().as_millis();
        _ = writeln!(self.log, "{:>4} {at:>5} ms  {text}", self.moment);
    }

    /// Carries out a command without a note.
    fn quietly<W: AsRef<[u8]>>(&mut self, words: &[W]) -> Value {
        let node = words.get(1).map_or(0, |key| node_of(key.as_ref()));
        let server = &mut self.nodes[node].server;
        server.settings.clock = START + self.started.elapsed().as_millis() as u64;
        redis::parse_redis_value(&server.run(words)).unwrap()
    }

    /// Deletes the keys whose time is over.
    fn expire(&mut self) {
        let now = Instant::now();
        let due: Vec<_> = self.expiring.iter().filter(|(_, at)| *at <= now).cloned().collect();
        self.expiring.retain(|(_, at)| *at > now);
        for (key, _) in due {
            if self.quietly(&[b"PTTL".as_slice(), &key]) != Value::Int(-1) {
                self.quietly(&[b"DEL".as_slice(), &key]);
            }
        }
    }

    /// Carries out a command for a gateway, and remembers what it changes.
    pub fn run(&mut self, by: &str, words: &[Vec<u8>]) -> Value {
        self.expire();
        let key = words.get(1).cloned().unwrap_or_default();
        let node = node_of(&key);
        let is_read = READS.iter().any(|name| words[0].eq_ignore_ascii_case(name.as_bytes()));
        let saved = |world: &Self| if is_read { None } else { world.nodes[node].server.saved(&key) };
        let before = saved(self);
        let reply = self.quietly(words);
        self.moment += 1;
        if words[0].eq_ignore_ascii_case(b"PEXPIRE") {
            let left = String::from_utf8_lossy(&words[2]).parse().unwrap();
            self.expiring.push((key.clone(), Instant::now() + Duration::from_millis(left)));
        }
        let is_changed = before != saved(self);
        if is_changed && key == NAME.as_bytes() {
            let is_plain = match self.quietly(&[b"LB.INFO".as_slice(), &key]) {
                info @ Value::Map(_) => !shown(&info).contains("game:{"),
                _ => false,
            };
            self.plain.push((self.moment, is_plain));
        }
        if is_changed {
            let change = Change { moment: self.moment, key, before };
            self.nodes[node].changes.push(change);
        }
        let words: Vec<_> = words.iter().map(|word| String::from_utf8_lossy(word)).collect();
        let mut told = match &reply {
            Value::Map(_) => "a map".to_owned(),
            reply => shown(reply),
        };
        if told.chars().count() > 90 {
            told = told.chars().take(90).chain("…".chars()).collect();
        }
        let mark = if is_changed { '*' } else { ' ' };
        self.note(&format!("    {mark}{by}→{node} {} = {told}", words.join(" ")));
        reply
    }

    /// Decides what happens to the next command.
    pub fn fate(&mut self) -> Fate {
        let faults = self.faults;
        for (percent, fate) in [
            (faults.unsent, Fate::Unsent),
            (faults.lost, Fate::Lost),
            (faults.deaf, Fate::Deaf),
            (faults.refused, Fate::Refused),
        ] {
            if percent > 0 && self.random.percent(percent) {
                return fate;
            }
        }
        Fate::Fine
    }

    /// Returns the time that a pipeline takes to its node, or back.
    pub fn delay(&mut self) -> Duration {
        let faults = self.faults;
        let is_late = faults.late > 0 && self.random.percent(faults.late);
        let longest = if is_late { 1_500 } else { faults.slowest };
        Duration::from_millis(if longest == 0 { 0 } else { self.random.below(longest + 1) })
    }

    /// A node loses its last changes: its replica, which did not have them yet, has taken over.
    pub fn fail_over(&mut self, node: usize, changes: usize) {
        self.moment += 1;
        let lost: Vec<_> = (0..changes).map_while(|_| self.nodes[node].changes.pop()).collect();
        self.note(&format!("--- node {node} loses its last {} changes", lost.len()));
        for Change { moment, key, before } in lost {
            self.quietly(&[b"DEL".as_slice(), &key]);
            for chunk in before.unwrap_or_default() {
                let reply = self.quietly(&[b"LB.RESTORE".as_slice(), &key, &chunk]);
                assert_eq!(shown(&reply), "OK", "{}", String::from_utf8_lossy(&key));
            }
            self.note(&format!("      {} is as before {moment}", String::from_utf8_lossy(&key)));
            self.losses.push(Loss { at: self.moment, key, since: moment });
        }
    }

    /// A node loses all keys.
    pub fn flush(&mut self, node: usize) {
        self.moment += 1;
        self.note(&format!("--- node {node} loses all keys"));
        self.nodes[node].changes.clear();
        for key in self.nodes[node].server.keys() {
            self.quietly(&[b"DEL".as_slice(), &key]);
            self.losses.push(Loss { at: self.moment, key, since: 0 });
        }
    }

    /// Returns the saved value of a key.
    pub fn save(&self, key: &str) -> Vec<Vec<u8>> {
        self.nodes[node_of(key.as_bytes())].server.saved(key.as_bytes()).unwrap_or_default()
    }

    /// Gives a key a value that was saved.
    pub fn restore(&mut self, key: &str, chunks: &[Vec<u8>]) {
        self.quietly(&["DEL", key]);
        for chunk in chunks {
            self.quietly(&[b"LB.RESTORE".as_slice(), key.as_bytes(), chunk]);
        }
    }
}
