//! What the specification says of boards with many views, done in the plainest way: every write goes
//! into tables by period, and every ranking is added up and sorted from them. Only the calendar is
//! shared with the board.

use std::collections::BTreeMap;

use leaderboard_core::board::{Alter, Condition, Effect, Position};
use leaderboard_core::schema::{Aggregate, Ranks};
use leaderboard_core::time::{Clock, Stamp};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Error, Schema, Score};

use crate::MAX_FUTURE;
use crate::view::{Change, Line, Name, View};

/// What a write asks for.
#[derive(Debug, Clone)]
pub enum Op {
    Add(i64, Name),
    Roll(i64, Name),
    Set(i64, Name, Condition),
    Many(Vec<(i64, Name)>),
}

/// What is answered.
#[derive(Debug, PartialEq, Eq)]
pub struct Told {
    pub effect: Effect,
    pub now: Vec<Option<Position>>,
}

#[derive(Debug, Clone)]
pub struct Model {
    pub schema: Schema,
    pub views: Vec<View>,
    pub last: u64,
    pub metas: BTreeMap<Name, Vec<u8>>,
    sequences: u64,
}

impl Model {
    pub fn new(schema: Schema, specs: &[Spec]) -> Self {
        let views = specs.iter().map(|spec| View::new(*spec)).collect();
        Self { schema, views, last: 0, metas: BTreeMap::new(), sequences: 0 }
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

    pub fn advance(&mut self, now: u64) {
        for view in &mut self.views {
            view.advance(&self.schema, now);
        }
    }

    /// Applies a write whose positions are those in a view.
    pub fn write(&mut self, op: &Op, view: usize, at: Option<u64>, wall: u64) -> Result<Told, Error> {
        let stamp = self.stamp(at, wall)?;
        let saved = self.clone();
        self.advance(stamp.now);
        if let Op::Set(score, name, condition) = op
            && !allows(*condition, self.score(view, name), i128::from(*score))
        {
            // Nothing is applied, so a clock of events has not moved.
            *self = saved;
            self.advance(self.now(wall));
            return Ok(self.told(op, view, Effect::HeldBack));
        }
        for view in &mut self.views {
            view.start(&self.schema, stamp.now);
        }
        if let (Op::Set(..), Aggregate::Sum) = (op, self.schema.aggregate)
            && self.views[view].is_over(stamp.at)
        {
            *self = saved;
            return Err(Error::AtBeforePeriod);
        }
        let pairs = match op {
            Op::Add(points, name) | Op::Roll(points, name) => vec![(Change::Give((*points).into()), name)],
            Op::Set(score, name, _) => vec![(self.set_by(view, *score, name), name)],
            Op::Many(pairs) => {
                pairs.iter().map(|(points, name)| (Change::Give((*points).into()), name)).collect()
            }
        };
        for (change, name) in pairs {
            self.sequences += 1;
            for view in &mut self.views {
                if let Err(error) = view.apply(&self.schema, name, change, stamp, self.sequences) {
                    *self = saved;
                    return Err(error);
                }
            }
        }
        self.last = stamp.now;
        Ok(self.told(op, view, Effect::Applied(stamp)))
    }

    fn set_by(&self, view: usize, score: i64, name: &Name) -> Change {
        let score = i128::from(score);
        match self.schema.aggregate {
            Aggregate::Sum => Change::Give(score - self.score(view, name).unwrap_or(0)),
            _ => Change::Put(score),
        }
    }

    pub fn score(&self, view: usize, name: &Name) -> Option<i128> {
        self.views[view].entries.get(name).map(|entry| entry.score)
    }

    fn told(&self, op: &Op, view: usize, effect: Effect) -> Told {
        let names = match op {
            Op::Add(_, name) | Op::Roll(_, name) | Op::Set(_, name, _) => vec![name],
            Op::Many(pairs) => pairs.iter().map(|pair| &pair.1).collect(),
        };
        let ranking = self.views[view].ranking(&self.schema);
        let position = |name: &Name| {
            let at = ranking.iter().position(|line| line.0 == *name)?;
            Some(Position { score: score(ranking[at].1), rank: at as u64 + 1 })
        };
        Told { effect, now: names.into_iter().map(position).collect() }
    }

    pub fn remove(&mut self, name: &Name) -> bool {
        let had_meta = self.metas.remove(name).is_some();
        let remembered = self.views.iter().any(|view| view.remembers(name));
        let removed: Vec<_> = self.views.iter_mut().map(|view| view.remove(name)).collect();
        had_meta || remembered || removed.contains(&true)
    }

    pub fn set_meta(&mut self, name: &Name, meta: &[u8]) -> bool {
        if meta.is_empty() {
            return self.metas.remove(name).is_some();
        }
        self.metas.insert(name.clone(), meta.to_vec()).as_deref() != Some(meta)
    }

    /// Takes over rules that the board has accepted.
    pub fn alter(&mut self, alter: &Alter, specs: &[Spec]) {
        self.schema.dedup = alter.dedup.unwrap_or(self.schema.dedup);
        self.views.retain(|view| specs.iter().any(|spec| spec.kind == view.spec.kind));
        for spec in specs {
            let found = self.views.iter_mut().find(|view| view.spec.kind == spec.kind);
            let Some(view) = found else {
                self.views.push(View::new(*spec));
                continue;
            };
            if spec.carry.is_some() && view.spec.carry.is_none() {
                view.number_anew(&self.schema);
            }
            if spec.carry.is_none() && view.spec.carry.is_some() {
                view.end_carry();
            }
            view.let_go(&self.schema);
            view.spec = *spec;
            view.span = view.span.map(|(period, _)| view.span_at(&self.schema, period.start));
            if let Some((unit, _)) = view.reach() {
                view.forget(&self.schema, unit);
            }
        }
    }

    /// The order of a period by its start; nothing where it is neither the current one nor kept.
    pub fn ranking(&self, view: usize, start: Option<i64>) -> Vec<Line> {
        let view = &self.views[view];
        match (view.spec.kind, view.span, start) {
            (Kind::All, ..) => view.ranking(&self.schema),
            (_, Some((period, _)), Some(start)) if period.start == start => view.ranking(&self.schema),
            (_, _, Some(start)) => view.past.get(&start).cloned().unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

fn allows(condition: Condition, old: Option<i128>, new: i128) -> bool {
    let present = condition.present.is_none_or(|wanted| wanted == old.is_some());
    let compared = condition.compared.zip(old).is_none_or(|(wanted, old)| new.cmp(&old) == wanted);
    present && compared
}

pub fn score(units: i128) -> Score {
    Score::from_units(i64::try_from(units).unwrap()).unwrap()
}

/// The rank of each line of a ranking, counted plainly.
pub fn ranks(lines: &[Line], ranks: Ranks) -> Vec<u64> {
    let mut counted = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let ordinal = at as u64 + 1;
        let same_as_before = at > 0 && lines[at - 1].1 == line.1;
        counted.push(match (ranks, counted.last()) {
            (Ranks::Ordinal, _) | (_, None) => ordinal,
            (_, Some(before)) if same_as_before => *before,
            (Ranks::Competition, _) => ordinal,
            (Ranks::Dense, Some(before)) => before + 1,
        });
    }
    counted
}
