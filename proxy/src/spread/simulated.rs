//! Servers for tests: one map of keys, with just enough of boards to see what the gateway makes of parts. A test says
//! what goes wrong at which key.
#![allow(clippy::arithmetic_side_effects, reason = "a test that fails ought to panic")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use leaderboard_core::parts::Parts;
use redis::Value;

use crate::nodes::{AttemptError, Command, Transport};
use crate::spread::refusal::error;

/// What goes wrong at a key, from now on; at the key `*`, what goes wrong everywhere.
#[derive(Clone)]
pub enum Fault {
    /// Nothing reaches it.
    Cut,
    /// Commands of this name are carried out, and their answers are lost.
    Lost(&'static str),
    /// Commands of this name get this error.
    Refuses(&'static str, &'static str),
    /// Votes are held back.
    HoldsBack,
}

/// Clones are the same servers.
#[derive(Clone, Default)]
pub struct Simulated(Arc<Mutex<State>>);

#[derive(Default)]
pub struct State {
    keys: BTreeMap<Vec<u8>, Kept>,
    faults: HashMap<Vec<u8>, Fault>,
    /// What was sent, in order: the words of each command, and which were sent together.
    pub sent: Vec<Vec<String>>,
}

#[derive(Clone)]
enum Kept {
    Text(Vec<u8>),
    Board(Board),
}

#[derive(Clone, Default)]
struct Board {
    /// Which part it is, and of how many.
    part: Option<u16>,
    parts: Option<Parts>,
    rules: BTreeMap<String, String>,
    scores: BTreeMap<Vec<u8>, i64>,
    ids: BTreeSet<Vec<u8>>,
}

type Words<'a> = &'a [&'a [u8]];

fn text(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

fn number(word: &[u8]) -> Option<i64> {
    text(word).parse().ok()
}

fn bulk(text: impl AsRef<[u8]>) -> Value {
    Value::BulkString(text.as_ref().to_vec())
}

impl Board {
    /// Any number that differs where rules differ.
    fn hash(&self) -> i64 {
        let bytes = format!("{:?} {:?}", self.rules, self.parts.map(Parts::count));
        let hash = blake3::hash(bytes.as_bytes());
        i64::from_le_bytes(*hash.as_bytes().first_chunk().unwrap()) >> 1 & i64::MAX
    }

    fn count(&self) -> i64 {
        self.parts.map_or(0, Parts::count).into()
    }

    fn info(&self) -> Value {
        let texts = [
            ("views", "all"),
            ("order", "DESC"),
            ("aggregate", "SUM"),
            ("ties", "FIRST"),
            ("tz", "UTC"),
            ("weekstart", "MON"),
            ("levels", ""),
        ];
        let dedup = self.rules.get("DEDUP").map_or(600, |dedup| dedup.parse().unwrap());
        let numbers = [
            ("decimals", 0),
            ("dedup", dedup),
            ("members", self.scores.len() as i64),
            ("memory", 100),
            ("now", 1_000),
            ("parts", self.count()),
            ("schema", self.hash()),
        ];
        let texts = texts.map(|(name, value)| (bulk(name), bulk(value)));
        let numbers = numbers.map(|(name, value)| (bulk(name), Value::Int(value)));
        let part = self.part.map_or(Value::Nil, |part| Value::Int(part.into()));
        Value::Map(texts.into_iter().chain(numbers).chain([(bulk("part"), part)]).collect())
    }

    /// Adds points, and tells score and rank within this board.
    fn add(&mut self, pairs: &[(i64, Vec<u8>)], id: Option<&[u8]>) -> Vec<Value> {
        let is_new = id.is_none_or(|id| self.ids.insert(id.to_vec()));
        if is_new {
            for (points, member) in pairs {
                *self.scores.entry(member.clone()).or_default() += points;
            }
        }
        let position = |member: &Vec<u8>| {
            let score = self.scores.get(member).copied().unwrap_or_default();
            let rank = 1 + self.scores.values().filter(|other| **other > score).count() as i64;
            Value::Array([score, rank, i64::from(is_new)].map(Value::Int).to_vec())
        };
        pairs.iter().map(|(_, member)| position(member)).collect()
    }
}

impl State {
    fn board(&mut self, key: &[u8]) -> Option<&mut Board> {
        match self.keys.get_mut(key) {
            Some(Kept::Board(board)) => Some(board),
            _ => None,
        }
    }

    fn answer(&mut self, words: Words) -> Value {
        let (name, key) = (text(words[0]).to_uppercase(), words.get(1).copied().unwrap_or_default());
        let is_text = matches!(self.keys.get(key), Some(Kept::Text(_)));
        let rest = words.get(2..).unwrap_or_default();
        match name.as_str() {
            "SET" => {
                self.keys.insert(key.to_vec(), Kept::Text(rest[0].to_vec()));
                Value::Okay
            }
            "GET" => match self.keys.get(key) {
                Some(Kept::Text(text)) => bulk(text),
                _ => Value::Nil,
            },
            "DEL" | "UNLINK" => {
                Value::Int(words[1..].iter().filter(|key| self.keys.remove(**key).is_some()).count() as i64)
            }
            "EXISTS" => Value::Int(self.keys.contains_key(key).into()),
            name if name.starts_with("LB.") && is_text => error("WRONGTYPE not a board"),
            "LB.CREATE" => self.create(key, rest),
            "LB.INFO" => self.board(key).map_or(Value::Nil, |board| board.info()),
            "LB.ALTER" => self.alter(key, rest),
            "LB.PART" => self.part(key),
            _ => self.write(&name, key, rest),
        }
    }

    fn create(&mut self, key: &[u8], mut rest: Words) -> Value {
        let (mut board, mut is_nx) = (Board::default(), false);
        while let [word, left @ ..] = rest {
            rest = match (text(word).as_str(), left) {
                ("NX", left) => {
                    is_nx = true;
                    left
                }
                ("PART", [part, _, parts, left @ ..]) => {
                    board.part = number(part).map(|part| part as u16);
                    board.parts = Parts::new(number(parts).unwrap() as u16, "PARTS").ok();
                    left
                }
                ("PARTS", [parts, left @ ..]) => {
                    board.parts = Parts::new(number(parts).unwrap() as u16, "PARTS").ok();
                    left
                }
                ("LIKE", [other, left @ ..]) => {
                    board.rules = self.board(other).unwrap().rules.clone();
                    left
                }
                (word, [value, left @ ..]) => {
                    board.rules.insert(word.to_owned(), text(value));
                    left
                }
                (word, []) => return error(&format!("ERR option {word} needs a value")),
            };
        }
        match (self.keys.contains_key(key), is_nx) {
            (true, true) => return Value::Int(0),
            (true, false) => return error("BOARDEXISTS the board exists already"),
            _ => self.keys.insert(key.to_vec(), Kept::Board(board)),
        };
        if is_nx { Value::Int(1) } else { Value::Okay }
    }

    /// As the real one with views, it fails where it was done before.
    fn alter(&mut self, key: &[u8], rest: Words) -> Value {
        let Some(board) = self.board(key) else { return error("NOBOARD the board does not exist") };
        for pair in rest.chunks(2) {
            let old = board.rules.insert(text(pair[0]), text(pair[1]));
            if old == Some(text(pair[1])) {
                return error("ERR it has that already");
            }
        }
        Value::Okay
    }

    fn part(&mut self, key: &[u8]) -> Value {
        match self.board(key) {
            Some(board) if board.part.is_some() => {
                let head = [board.part.unwrap().into(), board.count(), board.hash(), 1_000, 0, 0];
                Value::Array(head.map(Value::Int).into_iter().chain([bulk("")]).collect())
            }
            _ => error("NOPART the key is no part"),
        }
    }

    fn write(&mut self, name: &str, key: &[u8], rest: Words) -> Value {
        let mut options = HashMap::new();
        let mut words: Vec<&[u8]> = Vec::new();
        let mut left = rest.iter();
        while let Some(word) = left.next() {
            if [&b"PARTS"[..], b"ID"].contains(word) {
                options.insert(text(word), *left.next().unwrap());
            } else {
                words.push(word);
            }
        }
        let holds_back = matches!(self.faults.get(key), Some(Fault::HoldsBack));
        let wanted = options.get("PARTS").and_then(|count| number(count));
        let board = match self.board(key) {
            Some(Board { part: None, parts: Some(parts), .. }) => {
                return error(&format!("ERR spread over {} parts: use a gateway or LB.INFO", parts.count()));
            }
            Some(board) if wanted.is_none_or(|count| count == board.count()) => board,
            _ if wanted.is_some() => return error("NOPART the key is no part"),
            Some(board) => board,
            None => {
                self.keys.insert(key.to_vec(), Kept::Board(Board::default()));
                self.board(key).unwrap()
            }
        };
        let id = options.get("ID").copied();
        let pairs: Vec<_> = words
            .chunks(2)
            .filter_map(|pair| Some((number(pair[0])?, pair.get(1).copied().unwrap_or_default().to_vec())))
            .collect();
        match name {
            "LB.ADD" => board.add(&pairs, id).remove(0),
            "LB.MADD" => Value::Array(board.add(&pairs, id)),
            "LB.MVOTE" if holds_back => Value::Array(vec![Value::Int(0), bulk("daily"), Value::Int(5)]),
            "LB.MVOTE" => Value::Array(vec![Value::Int(1), Value::Array(board.add(&pairs, id))]),
            "LB.REM" => {
                let gone = words.iter().filter(|member| board.scores.remove(**member).is_some());
                Value::Int(gone.count() as i64)
            }
            "LB.REMRANGEBYSCORE" => {
                let before = board.scores.len();
                let (min, max) = (number(words[0]).unwrap(), number(words[1]).unwrap());
                board.scores.retain(|_, score| !(min..=max).contains(score));
                Value::Int((before - board.scores.len()) as i64)
            }
            "LB.SETMETA" => Value::Okay,
            "LB.SCORE" => board.scores.get(words[0]).map_or(Value::Nil, |score| Value::Int(*score)),
            other => error(&format!("ERR unknown command '{other}'")),
        }
    }
}

impl Simulated {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub fn fault(&self, key: &[u8], fault: Option<Fault>) {
        match fault {
            Some(fault) => self.state().faults.insert(key.to_vec(), fault),
            None => self.state().faults.remove(key),
        };
    }

    /// Carries out a command at once, as one who goes around the gateway.
    pub fn direct(&self, line: &str) -> Value {
        let words: Vec<_> = line.split(' ').map(str::as_bytes).collect();
        self.state().answer(&words)
    }

    pub fn keys(&self) -> Vec<String> {
        self.state().keys.keys().map(|key| text(key)).collect()
    }

    fn one(&self, command: &Command) -> Result<Value, AttemptError> {
        let words: Vec<_> = command.words.iter().map(Vec::as_slice).collect();
        let mut state = self.state();
        let fault = words.get(1).and_then(|key| state.faults.get(*key));
        let fault = fault.or_else(|| state.faults.get(b"*".as_slice())).cloned();
        let is = |name: &str| words[0].eq_ignore_ascii_case(name.as_bytes());
        match fault {
            Some(Fault::Cut) => Err(AttemptError::NotSent("cut".to_owned())),
            Some(Fault::Refuses(name, said)) if is(name) => Ok(error(said)),
            Some(Fault::Lost(name)) if is(name) => {
                state.answer(&words);
                Err(AttemptError::Lost("lost".to_owned()))
            }
            _ => Ok(state.answer(&words)),
        }
    }
}

impl Transport for Simulated {
    async fn send(&self, commands: &[&Command]) -> Vec<Result<Value, AttemptError>> {
        let line =
            |command: &&Command| command.words.iter().map(|word| text(word)).collect::<Vec<_>>().join(" ");
        self.state().sent.push(commands.iter().map(line).collect());
        // Others get their turn.
        tokio::task::yield_now().await;
        commands.iter().map(|command| self.one(command)).collect()
    }
}
