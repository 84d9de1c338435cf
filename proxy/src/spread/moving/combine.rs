//! `LB.UNION` and `LB.INTER` of boards over the same number of parts. A member is in the same part of each of these boards,
//! and the same parts of all boards are in one slot. So each part of the result is made by one server in one step.
//!
//! The root of the result is made first, in the state `restoring`: nobody reads or completes the board until all parts have
//! their members. If the gateway stops, the same command goes on with this root.

use std::collections::BTreeSet;
use std::sync::Arc;

use leaderboard_core::Error;
use leaderboard_core::catalog::State;
use leaderboard_core::error::Quoted;
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, Transport};
use crate::spread::asked::Asked;
use crate::spread::catalog::{self, Found, Held, hold, hold_parts, rules_of};
use crate::spread::engine::Engine;
use crate::spread::refusal::{begun, error, parts_down, root_down};
use crate::spread::root::{Root, key_slot};
use crate::spread::rules::are_free;

/// How often the key of the result is looked at, while other clients change it.
const LOOKS: usize = 3;
/// The rules that the result takes from the first source, as for boards without parts.
const TAKEN: [&str; 8] = ["ORDER", "TIES", "DECIMALS", "CLOCK", "DEDUP", "TZ", "WEEKSTART", "ORIGIN"];

/// Carries out a combination.
///
/// # Errors
/// The reply with the reason why there is no result.
pub async fn combine<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let keys = asked.row.keys(words);
    let Some((dest, sources)) = keys.split_first() else {
        return Ok(engine.pass(words, deadline).await);
    };
    let mut roots = Vec::with_capacity(sources.len());
    for key in sources {
        roots.push(engine.learn(key, Instant::now(), deadline).await?);
    }
    let dest_root = engine.learn(dest, Instant::now(), deadline).await;
    let Some(first) = roots.iter().flatten().next().cloned() else {
        return match dest_root? {
            Some(_) => Err(error(&format!("ERR {}", Error::BoundKey))),
            None => Ok(engine.pass(words, deadline).await),
        };
    };
    // The words after the keys are options, and the options are known.
    if let Some(word) = asked.fixed.get(keys.len()) {
        return Err(error(&format!("ERR {}", Error::UnknownOption(Quoted::new(word)))));
    }
    let parts = whole(&first, asked)?;
    let mut agreed = Vec::with_capacity(roots.len());
    for (key, root) in sources.iter().zip(roots) {
        let Some(root) = root.filter(|root| root.parts.count() == parts.count()) else {
            let (name, key, first) = (asked.row.name, key.escape_ascii(), first.name.escape_ascii());
            let parts = parts.count();
            return Err(error(&format!(
                "ERR {name} over parts needs boards over the same number of parts: {first} has {parts}, {key} has not"
            )));
        };
        whole(&root, asked)?;
        agreed.push(root);
    }
    let result = Combination { engine, asked, sources: agreed, parts, deadline };
    let reply = result.run(dest).await;
    engine.forget(dest);
    reply
}

/// Returns the number of parts of a board that is not growing.
fn whole(root: &Root, asked: &Asked<'_>) -> Result<Parts, Value> {
    let growing = || {
        let (name, key) = (asked.row.name, root.name.escape_ascii());
        error(&format!("ERR {name}: {key} is growing: LB.RESHARD goes on with that"))
    };
    if root.is_growing() {
        return Err(growing());
    }
    Parts::new(root.parts.count(), "PARTS").map_err(|_| growing())
}

/// A combination of boards over the same number of parts.
struct Combination<'a, T> {
    engine: &'a Engine<T>,
    asked: &'a Asked<'a>,
    sources: Vec<Arc<Root>>,
    parts: Parts,
    deadline: Instant,
}

/// What a part says about its result.
struct Filled {
    members: i64,
    /// For each source: the hash of its rules, and the start of the period that was read.
    sources: Vec<(i64, Option<i64>)>,
}

impl<T: Transport> Combination<'_, T> {
    async fn run(&self, dest: &[u8]) -> Result<Value, Value> {
        let root = self.root(dest).await?;
        match self.fill(dest, &root).await {
            Ok(0) => catalog::delete(self.engine.sender(), dest, &root, self.deadline).await.map(|()| 0),
            Ok(members) => self.finish(dest, &root).await.map(|()| members),
            Err(Failure::Refused(refused)) => {
                catalog::delete(self.engine.sender(), dest, &root, self.deadline).await?;
                Err(refused)
            }
            Err(Failure::Down(value)) => Err(begun(value)),
        }
        .map(Value::Int)
    }

    /// Returns the root of the result. If there is none, makes it.
    async fn root(&self, dest: &[u8]) -> Result<Found, Value> {
        let request = catalog::request(&self.asked.command(dest, &[], std::iter::empty()));
        for _ in 0..LOOKS {
            match hold(self.engine.sender(), [dest.to_vec()], self.deadline).await.pop() {
                Some(Held::Root(root))
                    if root.entry.request == request && root.entry.state == State::Restoring =>
                {
                    return Ok(root);
                }
                Some(Held::Absent) => {}
                Some(Held::Refused(refused)) => return Err(refused),
                Some(Held::Silent) | None => return Err(root_down()),
                Some(Held::Root(_) | Held::Part(_) | Held::Plain(_) | Held::Other) => {
                    let text = "BOARDEXISTS the key of a result over parts has to be free: DEL it before";
                    return Err(error(text));
                }
            }
            are_free(self.engine, dest, self.parts, self.deadline).await?;
            self.make_root(dest, request).await?;
        }
        Err(error("ERR other clients change the key of the result all the time"))
    }

    /// Makes the root. If another client has made one meanwhile, this is no error: the root shows who has made it.
    async fn make_root(&self, dest: &[u8], request: u64) -> Result<(), Value> {
        let first = self.sources.first().map(|root| root.name.clone()).unwrap_or_default();
        let info = match hold(self.engine.sender(), [first], self.deadline).await.pop() {
            Some(Held::Root(root)) => root.info,
            _ => return Err(root_down()),
        };
        let numbers = [
            ("PARTS", u64::from(self.parts.count())),
            ("INCARNATION", catalog::random()?),
            ("REQUEST", request),
        ];
        let numbers = numbers.into_iter().flat_map(|(word, number)| [word.to_owned(), number.to_string()]);
        let fixed = ["VIEWS", "all", "AGGREGATE", "SUM", "RESTORING", "NX"].map(str::to_owned);
        let mut words = vec![b"LB.CREATE".to_vec(), dest.to_vec()];
        words.extend(taken(&rules_of(&info)));
        words.extend(numbers.chain(fixed).map(String::into_bytes));
        self.tell(words).await
    }

    /// Sends a command to the root of the result, which may be repeated.
    async fn tell(&self, words: Vec<Vec<u8>>) -> Result<(), Value> {
        let slot = words.get(1).map(|key| key_slot(key));
        match self.engine.one(Command { slot, words, repeatable: true }, self.deadline).await {
            Ok(refused @ Value::ServerError(_)) => Err(refused),
            Ok(_) => Ok(()),
            Err(_) => Err(begun(root_down())),
        }
    }

    /// Makes the parts, and gives them their members. Returns the number of members of all parts.
    async fn fill(&self, dest: &[u8], root: &Found) -> Result<i64, Failure> {
        let rules = rules_of(&root.info);
        self.each_part(|part| self.empty_part(dest, root, &rules, part)).await?;
        loop {
            let answers = self.each_part(|part| self.filling(dest, root, part)).await?;
            let filled: Option<Vec<Filled>> = answers.into_iter().map(Filled::of).collect();
            let filled = filled.ok_or_else(|| refused("the parts do not answer as parts do"))?;
            for part in &filled {
                let hashes = part.sources.iter().map(|(hash, _)| *hash);
                if !hashes.eq(self.sources.iter().map(|root| root.hash.cast_signed())) {
                    return Err(refused("a source was altered or made again meanwhile"));
                }
            }
            // At the boundary of two periods, the clocks of the parts may not agree on the period.
            let starts: BTreeSet<Vec<Option<i64>>> =
                filled.iter().map(|part| part.sources.iter().map(|(_, start)| *start).collect()).collect();
            if starts.len() <= 1 {
                return Ok(filled.iter().map(|part| part.members).fold(0, i64::saturating_add));
            }
            if Instant::now() >= self.deadline {
                return Err(Failure::Down(parts_down(1, self.parts)));
            }
        }
    }

    /// Sends a command to each part of the result. Returns the answers, in the order of the parts.
    async fn each_part(&self, command: impl Fn(u16) -> Vec<Vec<u8>>) -> Result<Vec<Value>, Failure> {
        let command = |part: u16| {
            let words = command(part);
            Command { slot: words.get(1).map(|key| key_slot(key)), words, repeatable: true }
        };
        let commands: Vec<_> = (0..self.parts.count()).map(command).collect();
        let answers = self.engine.sender().ask(&commands, self.deadline).await;
        let silent = answers.iter().filter(|answer| answer.is_err()).count();
        let answers: Vec<_> = answers.into_iter().flatten().collect();
        match answers.iter().find(|answer| matches!(answer, Value::ServerError(_))) {
            Some(error) => Err(Failure::Refused(error.clone())),
            None if silent > 0 => Err(Failure::Down(parts_down(silent, self.parts))),
            None => Ok(answers),
        }
    }

    /// Returns the command that makes a part of the result, without members.
    fn empty_part(&self, dest: &[u8], root: &Found, rules: &[Vec<u8>], part: u16) -> Vec<Vec<u8>> {
        let numbers = [
            ("PART", u64::from(part)),
            ("OF", self.parts.count().into()),
            ("INCARNATION", root.entry.incarnation),
            ("REVISION", root.entry.revision),
        ];
        let numbers = numbers.into_iter().flat_map(|(word, number)| [word.to_owned(), number.to_string()]);
        let numbers = numbers.chain(["NX".to_owned()]).map(String::into_bytes);
        let head = [b"LB.CREATE".to_vec(), self.parts.key(dest, part)];
        head.into_iter().chain(rules.iter().cloned()).chain(numbers).collect()
    }

    /// Returns the command of the client for a part of the result.
    fn filling(&self, dest: &[u8], root: &Found, part: u16) -> Vec<Vec<u8>> {
        let name = self.asked.row.name.as_bytes().to_vec();
        let mut words = vec![name, self.parts.key(dest, part), self.sources.len().to_string().into_bytes()];
        words.extend(self.sources.iter().map(|source| self.parts.key(&source.name, part)));
        for given in &self.asked.options {
            words.push(given.word().as_bytes().to_vec());
            words.extend_from_slice(given.values);
        }
        words.extend([b"INCARNATION".to_vec(), root.entry.incarnation.to_string().into_bytes()]);
        words
    }

    /// Checks that all parts are there, and makes the root whole.
    async fn finish(&self, dest: &[u8], root: &Found) -> Result<(), Value> {
        let held = hold_parts(self.engine.sender(), dest, self.parts, self.deadline).await;
        let is_there = |(part, held): (u16, &Held)| {
            let found = held.part_of(self.parts, part);
            found.is_some_and(|found| {
                (found.entry.incarnation, found.hash) == (root.entry.incarnation, root.hash)
            })
        };
        let missing = (0..).zip(&held).filter(|part| !is_there(*part)).count();
        if missing > 0 {
            return Err(begun(parts_down(missing, self.parts)));
        }
        let numbers = [root.entry.incarnation, root.entry.revision];
        let numbers = numbers.map(|number| number.to_string().into_bytes());
        let words = [b"LB.CATALOG".to_vec(), dest.to_vec(), b"WHOLE".to_vec()].into_iter().chain(numbers);
        self.tell(words.chain([b"TOLD".to_vec()]).collect()).await
    }
}

/// The reason why the parts of a result have no members.
enum Failure {
    /// An error that a repetition would give again. What was made is deleted.
    Refused(Value),
    /// Parts do not answer. A repetition goes on.
    Down(Value),
}

fn refused(reason: &str) -> Failure {
    Failure::Refused(error(&format!("ERR {reason}")))
}

impl Filled {
    fn of(answer: Value) -> Option<Self> {
        let Value::Array(answer) = answer else { return None };
        let [Value::Int(members), Value::Array(sources)] = answer.as_slice() else { return None };
        let source = |source: &Value| {
            let Value::Array(source) = source else { return None };
            match source.as_slice() {
                [Value::Int(hash), Value::Int(start)] => Some((*hash, Some(*start))),
                [Value::Int(hash), Value::Nil] => Some((*hash, None)),
                _ => None,
            }
        };
        Some(Self { members: *members, sources: sources.iter().map(source).collect::<Option<_>>()? })
    }
}

/// Returns the options that the result takes from these options of a source.
fn taken(rules: &[Vec<u8>]) -> impl Iterator<Item = Vec<u8>> {
    let is_taken = |option: &&[Vec<u8>]| {
        TAKEN.iter().any(|taken| option.first().is_some_and(|word| word == taken.as_bytes()))
    };
    rules.chunks_exact(2).filter(is_taken).flatten().cloned()
}
