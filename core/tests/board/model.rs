//! What the specification says, done in the plainest way: a list of members, looked through and
//! sorted as needed. It shares no code with the board.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Deref;

use leaderboard_core::board::{Condition, Effect, Position};
use leaderboard_core::schema::{Aggregate, Order, Ranks, Ties};
use leaderboard_core::time::{Clock, Stamp};
use leaderboard_core::{Error, Schema, Score};

use crate::MAX_FUTURE;

/// The greatest score; the least is minus this.
const MOST: i128 = i64::MAX as i128;

/// Points as a client sends them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Points {
    /// So many smallest units of the board.
    Units(i64),
    /// A number with one digit more than the board keeps.
    TooFine,
}

/// A member's name, shown short, so that a failing case can be read.
#[derive(Clone, PartialEq, Eq)]
pub struct Name(pub Vec<u8>);

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bytes) = self;
        let end = bytes.len().saturating_sub(4).max(bytes.len().min(12));
        write!(f, "{}..{}", bytes[..bytes.len().min(12)].escape_ascii(), bytes[end..].escape_ascii())
    }
}

impl Deref for Name {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// What a write asks for. Two requests are the same if these are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    Add(Points, Name),
    Set(Points, Name, Condition),
    Many(Vec<(Points, Name)>),
}

/// A write on its way to the board.
#[derive(Debug, Clone)]
pub struct Sent {
    pub op: Op,
    pub id: Option<Vec<u8>>,
    pub with_change: bool,
}

/// What is answered.
#[derive(Debug, PartialEq, Eq)]
pub struct Told {
    pub effect: Effect,
    pub now: Vec<Option<Position>>,
    pub before: Option<Position>,
}

#[derive(Debug, Clone)]
pub struct Member {
    pub name: Vec<u8>,
    pub score: i128,
    pub moment: u64,
    /// When, among all writes, it got this score.
    sequence: u64,
    /// The latest event of the member, whatever came of it.
    event: u64,
}

#[derive(Debug)]
pub struct Model {
    pub schema: Schema,
    pub last: u64,
    pub members: Vec<Member>,
    pub metas: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Payload and time of each request; times go back with the clock.
    requests: HashMap<Vec<u8>, (Op, i128)>,
    sequences: u64,
}

/// The later of a moment and an event; but a moment after now comes from a clock that was wrong.
fn later(moment: u64, stamp: Stamp) -> u64 {
    if moment > stamp.now { stamp.at } else { moment.max(stamp.at) }
}

impl Model {
    pub fn new(schema: Schema) -> Self {
        Self {
            schema,
            last: 0,
            members: Vec::new(),
            metas: BTreeMap::new(),
            requests: HashMap::new(),
            sequences: 0,
        }
    }

    /// Now: a clock that is a little behind stands still, one that is far behind was put right.
    pub fn now(&self, wall: u64) -> u64 {
        let behind = self.last.saturating_sub(wall);
        match self.schema.clock {
            Clock::Event => self.last,
            Clock::Server if behind > 0 && behind <= MAX_FUTURE => self.last,
            Clock::Server => wall,
        }
    }

    fn stamp(&self, at: Option<u64>, wall: u64) -> Result<Stamp, Error> {
        if self.schema.clock == Clock::Event {
            let at = at.ok_or(Error::MissingAt)?;
            return Ok(Stamp { now: at.max(self.last), at });
        }
        let now = self.now(wall);
        match at {
            Some(at) if at > now + MAX_FUTURE => Err(Error::AtInFuture),
            at => Ok(Stamp { now, at: at.unwrap_or(now).min(now) }),
        }
    }

    pub fn write(&mut self, sent: &Sent, at: Option<u64>, wall: u64) -> Result<Told, Error> {
        self.check_points(&sent.op)?;
        let stamp = self.stamp(at, wall)?;
        if self.is_repeated(sent, stamp.now)? {
            return Ok(self.told(sent, Effect::Repeated, self.position_of_first(sent)));
        }
        let before = self.position_of_first(sent);
        if let Op::Set(Points::Units(units), name, condition) = &sent.op
            && !allows(*condition, self.find(name).map(|member| member.score), i128::from(*units))
        {
            return Ok(self.told(sent, Effect::HeldBack, before));
        }
        self.change(&sent.op, stamp)?;
        self.finish(sent, stamp);
        Ok(self.told(sent, Effect::Applied(stamp), before))
    }

    fn check_points(&self, op: &Op) -> Result<(), Error> {
        let (argument, mut points) = match op {
            Op::Add(points, _) => ("points", vec![*points]),
            Op::Set(points, ..) => ("score", vec![*points]),
            Op::Many(pairs) => ("points", pairs.iter().map(|pair| pair.0).collect()),
        };
        points.retain(|points| *points == Points::TooFine);
        match points.is_empty() {
            true => Ok(()),
            // No number may have ten digits after the point, even before the board is asked.
            false => Err(Error::TooManyDigits(argument, self.schema.decimals)),
        }
    }

    fn is_repeated(&self, sent: &Sent, now: u64) -> Result<bool, Error> {
        let Some(id) = sent.id.as_ref().filter(|_| self.schema.dedup > 0) else { return Ok(false) };
        match self.requests.get(id) {
            Some((op, time)) if self.age(*time, now) <= self.keep() => {
                if *op == sent.op {
                    Ok(true)
                } else {
                    Err(Error::RequestReused)
                }
            }
            _ => Ok(false),
        }
    }

    fn keep(&self) -> i128 {
        i128::from(self.schema.dedup) * 1000
    }

    /// A clock that was put right makes no request younger.
    fn age(&self, time: i128, now: u64) -> i128 {
        i128::from(now.max(self.last)) - time
    }

    pub fn requests(&self, now: u64) -> usize {
        let kept = |(_, time): &&(Op, i128)| self.age(*time, now) <= self.keep();
        if self.schema.dedup == 0 { 0 } else { self.requests.values().filter(kept).count() }
    }

    /// What is not remembered any more does not come back.
    pub fn set_dedup(&mut self, seconds: u32) {
        let (last, keep) = (i128::from(self.last), self.keep());
        self.requests.retain(|_, (_, time)| last - *time <= keep);
        self.schema.dedup = seconds;
    }

    fn change(&mut self, op: &Op, at: Stamp) -> Result<(), Error> {
        match op {
            Op::Add(points, name) => self.add(*points, name, at),
            Op::Set(points, name, _) => {
                self.set(*points, name, at);
                Ok(())
            }
            Op::Many(pairs) => {
                let saved = self.members.clone();
                let result = pairs.iter().try_for_each(|(points, name)| self.add(*points, name, at));
                if result.is_err() {
                    self.members = saved;
                }
                result
            }
        }
    }

    fn add(&mut self, points: Points, name: &[u8], stamp: Stamp) -> Result<(), Error> {
        let (points, at) = (units(points), stamp.at);
        let Some(old) = self.find(name).cloned() else {
            self.enter(name, points, at);
            return Ok(());
        };
        let better = match self.schema.aggregate {
            Aggregate::Sum => {
                let sum = old.score + points;
                if sum.abs() > MOST {
                    return Err(Error::Overflow);
                }
                self.give(name, sum, later(old.moment, stamp), at);
                return Ok(());
            }
            Aggregate::Max => points > old.score,
            Aggregate::Min => points < old.score,
            Aggregate::Last => later(old.event, stamp) == at,
        };
        if better {
            self.correct(name, stamp);
            self.give(name, points, at, at);
        }
        Ok(())
    }

    fn set(&mut self, score: Points, name: &[u8], stamp: Stamp) {
        let (score, at) = (units(score), stamp.at);
        let Some(old) = self.find(name).cloned() else { return self.enter(name, score, at) };
        match self.schema.aggregate {
            Aggregate::Sum => self.give(name, score, later(old.moment, stamp), at),
            Aggregate::Last if later(old.event, stamp) != at => {}
            _ => {
                self.correct(name, stamp);
                self.give(name, score, at, at);
            }
        }
    }

    /// On a board of the last score, a moment that the clock has not reached was a mistake.
    fn correct(&mut self, name: &[u8], stamp: Stamp) {
        self.sequences += 1;
        let sequence = self.sequences;
        let last = self.schema.aggregate == Aggregate::Last;
        let Some(member) = self.members.iter_mut().find(|member| last && member.name == name) else { return };
        if member.moment > stamp.now {
            (member.moment, member.sequence) = (stamp.at, sequence);
        }
    }

    fn enter(&mut self, name: &[u8], score: i128, at: u64) {
        self.sequences += 1;
        let name = name.to_vec();
        self.members.push(Member { name, score, moment: at, sequence: self.sequences, event: at });
    }

    fn give(&mut self, name: &[u8], score: i128, moment: u64, event: u64) {
        self.sequences += 1;
        let sequence = self.sequences;
        let Some(member) = self.members.iter_mut().find(|member| member.name == name) else { return };
        member.event = event;
        if member.score != score {
            (member.score, member.moment, member.sequence) = (score, moment, sequence);
        }
    }

    fn finish(&mut self, sent: &Sent, stamp: Stamp) {
        let back = i128::from(self.last.saturating_sub(stamp.now));
        self.requests.values_mut().for_each(|(_, time)| *time -= back);
        self.last = stamp.now;
        if let Some(id) = sent.id.as_ref().filter(|_| self.schema.dedup > 0) {
            self.requests.insert(id.clone(), (sent.op.clone(), i128::from(stamp.now)));
        }
    }

    fn told(&self, sent: &Sent, effect: Effect, before: Option<Position>) -> Told {
        let now = match &sent.op {
            Op::Add(_, name) | Op::Set(_, name, _) => vec![self.position(name)],
            Op::Many(pairs) => pairs.iter().map(|pair| self.position(&pair.1)).collect(),
        };
        Told { effect, now, before: before.filter(|_| sent.with_change) }
    }

    fn position_of_first(&self, sent: &Sent) -> Option<Position> {
        match &sent.op {
            Op::Add(_, name) | Op::Set(_, name, _) => self.position(name),
            Op::Many(_) => None,
        }
    }

    pub fn find(&self, name: &[u8]) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }

    fn position(&self, name: &[u8]) -> Option<Position> {
        let member = self.find(name)?;
        let above = self.members.iter().filter(|other| self.order(other, member).is_lt()).count();
        Some(Position { score: score(member.score), rank: above as u64 + 1 })
    }

    /// Who ranks higher.
    fn order(&self, a: &Member, b: &Member) -> Ordering {
        let by_score = match self.schema.order {
            Order::Desc => b.score.cmp(&a.score),
            Order::Asc => a.score.cmp(&b.score),
        };
        by_score.then_with(|| match self.schema.ties {
            Ties::First => (a.moment, a.sequence).cmp(&(b.moment, b.sequence)),
            Ties::Last => (b.moment, b.sequence).cmp(&(a.moment, a.sequence)),
            Ties::Lex => a.name.cmp(&b.name),
        })
    }

    /// All members, best first.
    pub fn ranking(&self) -> Vec<&Member> {
        let mut ranking: Vec<_> = self.members.iter().collect();
        ranking.sort_by(|a, b| self.order(a, b));
        ranking
    }

    pub fn remove(&mut self, name: &[u8]) -> bool {
        let had_meta = self.metas.remove(name).is_some();
        let had_entry = self.find(name).is_some();
        self.members.retain(|member| member.name != name);
        had_meta || had_entry
    }

    pub fn set_meta(&mut self, name: &[u8], meta: &[u8]) -> bool {
        if meta.is_empty() {
            return self.metas.remove(name).is_some();
        }
        self.metas.insert(name.to_vec(), meta.to_vec()).as_deref() != Some(meta)
    }
}

fn allows(condition: Condition, old: Option<i128>, new: i128) -> bool {
    let present = condition.present.is_none_or(|wanted| wanted == old.is_some());
    let compared = condition.compared.zip(old).is_none_or(|(wanted, old)| new.cmp(&old) == wanted);
    present && compared
}

fn units(points: Points) -> i128 {
    match points {
        Points::Units(units) => i128::from(units),
        Points::TooFine => unreachable!("refused before"),
    }
}

pub fn score(units: i128) -> Score {
    Score::from_units(i64::try_from(units).unwrap()).unwrap()
}

/// The rank of each line of a ranking, counted plainly.
pub fn ranks(ranking: &[&Member], ranks: Ranks) -> Vec<u64> {
    let mut counted = Vec::with_capacity(ranking.len());
    for (at, member) in ranking.iter().enumerate() {
        let ordinal = at as u64 + 1;
        let same_as_before = at > 0 && ranking[at - 1].score == member.score;
        counted.push(match (ranks, counted.last()) {
            (Ranks::Ordinal, _) | (_, None) => ordinal,
            (_, Some(before)) if same_as_before => *before,
            (Ranks::Competition, _) => ordinal,
            (Ranks::Dense, Some(before)) => before + 1,
        });
    }
    counted
}
