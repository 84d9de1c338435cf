//! A board as the specification tells it, in the plainest way: a list, sorted anew after each write.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aggregate {
    Sum,
    Max,
    Min,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ties {
    First,
    Last,
    Lex,
    RevLex,
}

#[derive(Clone, Debug)]
pub struct Schema {
    pub ascending: bool,
    pub aggregate: Aggregate,
    pub ties: Ties,
    pub decimals: u32,
    /// Seconds.
    pub dedup: u64,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub member: Vec<u8>,
    pub score: i64,
    /// When it got this score.
    pub moment: u64,
    /// The latest event that it knows of.
    event: u64,
    /// Counts the writes that gave somebody a score.
    arrival: u64,
}

/// When LB.SET may write.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Condition {
    pub present: Option<bool>,
    /// `Greater`: only a greater score.
    pub compared: Option<Ordering>,
}

/// What a request stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Add(i64, Vec<u8>),
    AddMany(Vec<(i64, Vec<u8>)>),
    Set(i64, Vec<u8>, Condition),
}

#[derive(Clone, Debug)]
pub struct Write {
    pub action: Action,
    pub id: Option<Vec<u8>>,
    pub at: u64,
    pub change: bool,
}

#[derive(Debug)]
pub enum Refused {
    Overflow,
    IdReused,
}

#[derive(Clone)]
pub struct Board {
    pub schema: Schema,
    /// The greatest time seen.
    pub now: u64,
    /// Best first.
    pub entries: Vec<Entry>,
    pub metas: BTreeMap<Vec<u8>, Vec<u8>>,
    requests: HashMap<Vec<u8>, (Action, u64)>,
    arrivals: u64,
}

impl Board {
    pub fn new(schema: Schema) -> Board {
        let (entries, metas, requests) = (Vec::new(), BTreeMap::new(), HashMap::new());
        Board { schema, now: 0, entries, metas, requests, arrivals: 0 }
    }

    /// Whether it was applied; a repeat and a write held back are not.
    pub fn write(&mut self, write: &Write) -> Result<bool, Refused> {
        let now = self.now.max(write.at);
        if self.repeats(write, now)? || !self.allows(&write.action) {
            return Ok(false);
        }
        let before = self.entries.clone();
        if let Err(refused) = self.act(&write.action, write.at) {
            self.entries = before;
            return Err(refused);
        }
        self.sort();
        self.now = now;
        if let (Some(id), true) = (&write.id, self.schema.dedup > 0) {
            self.requests.insert(id.clone(), (write.action.clone(), now));
        }
        Ok(true)
    }

    fn repeats(&self, write: &Write, now: u64) -> Result<bool, Refused> {
        let known = write.id.as_ref().and_then(|id| self.requests.get(id));
        match known {
            Some((action, time)) if self.schema.dedup > 0 && self.remembers(*time, now) => {
                if *action == write.action { Ok(true) } else { Err(Refused::IdReused) }
            }
            _ => Ok(false),
        }
    }

    fn remembers(&self, time: u64, now: u64) -> bool {
        now - time <= self.schema.dedup * 1000
    }

    fn allows(&self, action: &Action) -> bool {
        let Action::Set(score, member, condition) = action else { return true };
        let old = self.entry(member).map(|entry| entry.score);
        condition.present.is_none_or(|wanted| wanted == old.is_some())
            && condition.compared.is_none_or(|wanted| old.is_none_or(|old| score.cmp(&old) == wanted))
    }

    fn act(&mut self, action: &Action, at: u64) -> Result<(), Refused> {
        match action {
            Action::Add(points, member) => self.add(*points, member, at),
            Action::AddMany(pairs) => {
                pairs.iter().try_for_each(|(points, member)| self.add(*points, member, at))
            }
            Action::Set(score, member, _) => {
                self.set(*score, member, at);
                Ok(())
            }
        }
    }

    fn add(&mut self, points: i64, member: &[u8], at: u64) -> Result<(), Refused> {
        let Some(old) = self.entry(member).cloned() else {
            self.put(member, points, at);
            return Ok(());
        };
        match self.schema.aggregate {
            Aggregate::Sum if points == 0 => {}
            Aggregate::Sum => {
                let sum = old.score.checked_add(points).filter(|sum| *sum != i64::MIN);
                self.put(member, sum.ok_or(Refused::Overflow)?, old.moment.max(at));
            }
            Aggregate::Max if points > old.score => self.put(member, points, at),
            Aggregate::Min if points < old.score => self.put(member, points, at),
            Aggregate::Max | Aggregate::Min => {}
            Aggregate::Last => self.put_latest(&old, points, at),
        }
        Ok(())
    }

    fn set(&mut self, score: i64, member: &[u8], at: u64) {
        match (self.entry(member).cloned(), self.schema.aggregate) {
            (None, _) => self.put(member, score, at),
            (Some(old), Aggregate::Last) => self.put_latest(&old, score, at),
            (Some(old), _) if old.score == score => {}
            (Some(old), Aggregate::Sum) => self.put(member, score, old.moment.max(at)),
            (Some(_), _) => self.put(member, score, at),
        }
    }

    fn put_latest(&mut self, old: &Entry, score: i64, at: u64) {
        if at < old.event {
            return;
        }
        if score != old.score {
            return self.put(&old.member, score, at);
        }
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.member == old.member) {
            entry.event = at;
        }
    }

    fn put(&mut self, member: &[u8], score: i64, moment: u64) {
        self.entries.retain(|entry| entry.member != member);
        self.arrivals += 1;
        let (member, arrival) = (member.to_vec(), self.arrivals);
        self.entries.push(Entry { member, score, moment, event: moment, arrival });
    }

    fn sort(&mut self) {
        let Schema { ascending, ties, .. } = self.schema;
        self.entries.sort_by(|a, b| {
            let scores = a.score.cmp(&b.score);
            let times = (a.moment, a.arrival).cmp(&(b.moment, b.arrival));
            let scores = if ascending { scores } else { scores.reverse() };
            scores.then_with(|| match ties {
                Ties::First => times,
                Ties::Last => times.reverse(),
                Ties::Lex => a.member.cmp(&b.member),
                Ties::RevLex => b.member.cmp(&a.member),
            })
        });
    }

    pub fn entry(&self, member: &[u8]) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.member == member)
    }

    /// From 0.
    pub fn place(&self, member: &[u8]) -> Option<usize> {
        self.entries.iter().position(|entry| entry.member == member)
    }

    /// Whether it was there.
    pub fn remove(&mut self, member: &[u8]) -> bool {
        let ranked = self.entry(member).is_some();
        self.entries.retain(|entry| entry.member != member);
        self.metas.remove(member).is_some() || ranked
    }

    pub fn set_meta(&mut self, member: &[u8], meta: &[u8]) {
        if meta.is_empty() {
            self.metas.remove(member);
        } else {
            self.metas.insert(member.to_vec(), meta.to_vec());
        }
    }

    /// What is forgotten stays forgotten, even if ids are remembered for longer from now on. 0 seconds forget all.
    pub fn set_dedup(&mut self, seconds: u64) {
        let (now, keep) = (self.now, self.schema.dedup * 1000);
        self.requests.retain(|_, (_, time)| seconds > 0 && now - *time <= keep);
        self.schema.dedup = seconds;
    }

    pub fn remembered(&self) -> usize {
        let all = self.requests.values().filter(|(_, time)| self.remembers(*time, self.now));
        if self.schema.dedup == 0 { 0 } else { all.count() }
    }
}
