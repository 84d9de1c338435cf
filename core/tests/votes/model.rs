//! What the specification says of votes, done in the plainest way. Only the calendar is shared with the
//! board.

use std::collections::HashMap;

use leaderboard_core::board::{Alter, Effect, Position};
use leaderboard_core::time::{Clock, Stamp};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Error, Schema, Score};

use crate::MAX_FUTURE;
use crate::limit::{Ballot, Limit, Quota, Rule};
use crate::view::{Candidate, Name, View};
use crate::voter::Voters;

/// What a write asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Vote(Ballot, u64, Name),
    VoteMany(Ballot, Vec<(u64, Name)>),
    Add(i64, Name),
    /// Adds to many.
    Many(Vec<(i64, Name)>),
    /// Gives a score in a view.
    Set(i64, Name),
}

/// What is answered, where it is no error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    Done(Effect, Vec<Option<Position>>),
    HeldBack(String, Option<u64>),
}

/// Why a write is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    NotACandidate,
    MissingVoter,
    MissingTag,
    MissingAt,
    AtInFuture,
    AtBeforePeriod,
    RequestReused,
    Other,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        match error {
            Error::NotACandidate => Self::NotACandidate,
            Error::MissingVoter(_) => Self::MissingVoter,
            Error::MissingTag(..) => Self::MissingTag,
            Error::MissingAt => Self::MissingAt,
            Error::AtInFuture => Self::AtInFuture,
            Error::AtBeforePeriod => Self::AtBeforePeriod,
            Error::RequestReused => Self::RequestReused,
            _ => Self::Other,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Model {
    pub schema: Schema,
    /// Of shown votes or, where these are not told apart, of all.
    pub views: Vec<View>,
    /// Of real votes, where these are told apart.
    pub real: Vec<View>,
    pub last: u64,
    /// In the order of declaration.
    pub candidates: Vec<Candidate>,
    pub opens: u64,
    pub closes: u64,
    pub limits: Vec<Limit>,
    pub voters: Voters,
    requests: HashMap<Vec<u8>, Op>,
    sequences: u64,
    /// Whether something was written on a clock that had leapt, so that views are not followed any more.
    pub leapt: bool,
}

impl Model {
    pub fn new(schema: Schema, specs: &[Spec]) -> Self {
        let views = specs.iter().map(|spec| View::new(*spec, schema.shown)).collect();
        let real = specs.iter().filter(|_| schema.shown).map(|spec| View::new(*spec, false)).collect();
        Self {
            schema,
            views,
            real,
            last: 0,
            candidates: Vec::new(),
            opens: 0,
            closes: 0,
            limits: Vec::new(),
            voters: Voters::default(),
            requests: HashMap::new(),
            sequences: 0,
            leapt: false,
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

    pub fn stamp(&self, at: Option<u64>, wall: u64) -> Result<Stamp, Refused> {
        if self.schema.clock == Clock::Event {
            let at = at.ok_or(Refused::MissingAt)?;
            return Ok(Stamp { now: at.max(self.last), at });
        }
        let now = self.now(wall);
        match at {
            Some(at) if at > now + MAX_FUTURE => Err(Refused::AtInFuture),
            at => Ok(Stamp { now, at: at.unwrap_or(now).min(now) }),
        }
    }

    fn all_views(&mut self) -> impl Iterator<Item = &mut View> {
        self.views.iter_mut().chain(&mut self.real)
    }

    pub fn advance(&mut self, now: u64) {
        let (schema, candidates) = (self.schema, self.candidates.clone());
        self.all_views().for_each(|view| view.advance(&schema, now, &candidates));
    }

    /// A clock that had leapt is put right; views are not followed any more.
    pub fn put_back(&mut self, now: u64) {
        let schema = self.schema;
        self.all_views().for_each(|view| view.put_back(&schema, now));
        self.leapt = true;
    }

    fn start(&mut self, now: u64) {
        let (schema, candidates) = (self.schema, self.candidates.clone());
        self.all_views().for_each(|view| view.start(&schema, now, &candidates));
    }

    /// Applies a write whose positions are those in a view; nothing changes where it is not applied.
    pub fn write(
        &mut self,
        op: &Op,
        id: Option<&[u8]>,
        view: usize,
        at: Option<u64>,
        wall: u64,
    ) -> Result<Told, Refused> {
        let mut after = self.clone();
        let told = after.write_as(op, id, view, at, wall)?;
        if matches!(told, Told::Done(Effect::Applied(_), _)) {
            *self = after;
        }
        if matches!(told, Told::Done(Effect::Repeated, _)) {
            // Nothing is applied, so a clock of events has not moved.
            let mut present = self.clone();
            present.advance(present.now(wall));
            return Ok(present.told(op, view, Effect::Repeated));
        }
        Ok(told)
    }

    fn write_as(
        &mut self,
        op: &Op,
        id: Option<&[u8]>,
        view: usize,
        at: Option<u64>,
        wall: u64,
    ) -> Result<Told, Refused> {
        let votes = match op {
            Op::Vote(ballot, votes, name) => Some((ballot, vec![(*votes, name.clone())])),
            Op::VoteMany(ballot, votes) => Some((ballot, votes.clone())),
            _ => None,
        };
        let stamp = self.stamp(at, wall)?;
        self.advance(stamp.now);
        if let Some(before) = id.and_then(|id| self.requests.get(id)) {
            return if *before == self.printed(op) {
                Ok(self.told(op, view, Effect::Repeated))
            } else {
                Err(Refused::RequestReused)
            };
        }
        if let Some((ballot, votes)) = &votes {
            self.check(ballot, votes)?;
            if let Some((rule, wait)) = self.judge(stamp, ballot, votes) {
                return Ok(Told::HeldBack(rule, wait));
            }
        }
        self.start(stamp.now);
        match op {
            Op::Set(score, name) => {
                if self.views[view].is_over(stamp.at) {
                    return Err(Refused::AtBeforePeriod);
                }
                let old = self.views[view].entries.get(name).map_or(0, |entry| entry.score);
                self.add(name, i128::from(*score) - old, stamp, false);
            }
            Op::Add(points, name) => self.add(name, (*points).into(), stamp, false),
            Op::Many(pairs) => {
                pairs.iter().for_each(|(points, name)| self.add(name, (*points).into(), stamp, false));
            }
            Op::Vote(..) | Op::VoteMany(..) => {
                let (ballot, votes) = votes.unwrap();
                self.count(ballot, &votes, stamp);
            }
        }
        self.last = stamp.now;
        // What is no longer kept when something is written is gone.
        let schema = self.schema;
        self.all_views().for_each(|view| view.let_go(&schema, stamp.now));
        if let Some(id) = id.filter(|_| self.schema.dedup > 0) {
            let printed = self.printed(op);
            self.requests.insert(id.to_vec(), printed);
        }
        Ok(self.told(op, view, Effect::Applied(stamp)))
    }

    /// What of a write has to be the same in a retry: not the tags.
    fn printed(&self, op: &Op) -> Op {
        let plain = |ballot: &Ballot| Ballot { tags: Vec::new(), ..ballot.clone() };
        match op {
            Op::Vote(ballot, votes, name) => Op::Vote(plain(ballot), *votes, name.clone()),
            Op::VoteMany(ballot, votes) => Op::VoteMany(plain(ballot), votes.clone()),
            op => op.clone(),
        }
    }

    fn check(&self, ballot: &Ballot, votes: &[(u64, Name)]) -> Result<(), Refused> {
        if self.schema.declared && votes.iter().any(|(_, name)| self.candidate(name).is_none()) {
            return Err(Refused::NotACandidate);
        }
        match self.limits.iter().find_map(|limit| limit.rule.missing(ballot)) {
            Some("voter") => Err(Refused::MissingVoter),
            Some(_) => Err(Refused::MissingTag),
            None => Ok(()),
        }
    }

    pub fn candidate(&self, name: &Name) -> Option<&Candidate> {
        self.candidates.iter().find(|candidate| candidate.name == *name)
    }

    fn judge(&self, stamp: Stamp, ballot: &Ballot, votes: &[(u64, Name)]) -> Option<(String, Option<u64>)> {
        if stamp.at < self.opens || self.closes != 0 && stamp.at >= self.closes {
            return Some(("closed".to_owned(), (stamp.now < self.opens).then(|| self.opens - stamp.now)));
        }
        let calendar = &self.schema.calendar;
        self.limits.iter().find_map(|limit| {
            let wait = limit.holds_back(calendar, stamp.now, ballot, votes)?;
            Some((limit.rule.name.clone(), wait))
        })
    }

    fn count(&mut self, ballot: &Ballot, votes: &[(u64, Name)], stamp: Stamp) {
        for (votes, name) in votes {
            let units = i128::from(*votes) * 10_i128.pow(self.schema.decimals.into());
            self.add(name, units, stamp, true);
        }
        for limit in &mut self.limits {
            limit.charge(&self.schema.calendar, stamp.now, ballot, votes);
        }
        if let Some(voter) = ballot.voter {
            let members: Vec<_> = votes.iter().map(|(_, name)| name.clone()).collect();
            self.voters.count(&self.schema, &self.views, voter, &members, stamp);
        }
    }

    fn add(&mut self, name: &Name, units: i128, stamp: Stamp, is_vote: bool) {
        let weight = self.candidate(name).filter(|_| is_vote).map_or(1, |candidate| candidate.weight);
        self.sequences += 1;
        for view in &mut self.views {
            view.add(&self.schema, name, units * i128::from(weight), stamp, self.sequences);
        }
        for view in &mut self.real {
            view.add(&self.schema, name, units, stamp, self.sequences);
        }
    }

    fn told(&self, op: &Op, view: usize, effect: Effect) -> Told {
        let (view, names) = match op {
            Op::Vote(_, _, name) => (0, vec![name]),
            Op::VoteMany(_, votes) => (0, votes.iter().map(|vote| &vote.1).collect()),
            Op::Add(_, name) | Op::Set(_, name) => (view, vec![name]),
            Op::Many(pairs) => (view, pairs.iter().map(|pair| &pair.1).collect()),
        };
        let ranking = self.views[view].ranking(&self.schema);
        let position = |name: &Name| {
            let at = ranking.iter().position(|line| line.0 == *name)?;
            Some(Position { score: score(ranking[at].1), rank: at as u64 + 1 })
        };
        Told::Done(effect, names.into_iter().map(position).collect())
    }

    /// Declares an option at a moment; whether that changed anything.
    pub fn declare(&mut self, name: &Name, weight: Option<u32>, initial: Option<u64>, now: u64) -> bool {
        self.advance(now);
        let scale = 10_i128.pow(self.schema.decimals.into());
        let plain = Candidate { name: name.clone(), weight: 1, initial: 0, given: (0, 0) };
        let old = self.candidate(name).cloned();
        let is_new = old.is_none();
        let old = old.unwrap_or(plain);
        let mut new = old.clone();
        new.weight = weight.unwrap_or(old.weight);
        new.initial = initial.map_or(old.initial, |votes| i128::from(votes) * scale);
        if !is_new && (new.weight, new.initial) == (old.weight, old.initial) {
            return false;
        }
        let more = new.initial - old.initial;
        if more != 0 {
            self.sequences += 1;
            new.given = (now, self.sequences);
            for view in self.views.iter_mut().filter(|view| view.spec.kind == Kind::All) {
                view.give(name, more, Stamp { now, at: now }, self.sequences);
            }
        }
        match self.candidates.iter_mut().find(|candidate| candidate.name == *name) {
            Some(candidate) => *candidate = new,
            None => self.candidates.push(new),
        }
        self.last = now;
        true
    }

    /// Whether it was known by anything that can be read.
    pub fn remove(&mut self, name: &Name) -> bool {
        let known = self.candidate(name).is_some() || self.all_views().any(|view| view.knows(name));
        self.all_views().for_each(|view| view.remove(name));
        self.candidates.retain(|candidate| candidate.name != *name);
        self.voters.remove(name);
        known
    }

    /// Takes over rules that the board has accepted.
    pub fn alter(&mut self, alter: &Alter, limits: &[Rule], specs: &[Spec], now: u64) {
        self.opens = alter.voting.opens.unwrap_or(self.opens);
        self.closes = alter.voting.closes.unwrap_or(self.closes);
        for name in &alter.voting.lifted {
            self.limits.retain(|limit| limit.rule.name.as_bytes() != name);
        }
        for rule in limits {
            match self.limits.iter_mut().find(|limit| limit.rule.name == rule.name) {
                Some(limit) => limit.replace(rule.clone()),
                None => self.limits.push(Limit::new(rule.clone())),
            }
        }
        let shown = self.schema.shown;
        let is_there = |kind: Kind| specs.iter().any(|spec| spec.kind == kind);
        for view in self.views.iter().filter(|view| !is_there(view.spec.kind)) {
            self.voters.drop_view(view.spec.kind);
        }
        for (views, takes_initials) in [(&mut self.views, shown), (&mut self.real, false)] {
            let has_any = !views.is_empty();
            views.retain(|view| is_there(view.spec.kind));
            for spec in specs.iter().filter(|_| has_any) {
                let Some(view) = views.iter_mut().find(|view| view.spec.kind == spec.kind) else {
                    views.push(View::new(*spec, takes_initials));
                    continue;
                };
                if view.spec != *spec {
                    view.let_go(&self.schema, now);
                    view.spec = *spec;
                }
                if let Some((unit, _)) = view.reach() {
                    view.forget(&self.schema, unit);
                }
            }
        }
    }

    pub fn quota(&self, ballot: &Ballot, member: Option<&Name>, now: u64) -> Vec<Quota> {
        let calendar = &self.schema.calendar;
        self.limits.iter().filter_map(|limit| limit.quota(calendar, now, ballot, member)).collect()
    }

    /// An option's real and shown votes in `all`, or in the default view.
    pub fn counts(&self, name: &Name) -> (i128, i128) {
        let overall = self.views.iter().position(|view| view.spec.kind == Kind::All).unwrap_or(0);
        let count = |views: &[View]| views[overall].entries.get(name).map_or(0, |entry| entry.score);
        (count(if self.schema.shown { &self.real } else { &self.views }), count(&self.views))
    }
}

pub fn score(units: i128) -> Score {
    Score::from_units(i64::try_from(units).unwrap()).unwrap()
}
