//! A model of a board, written from the specification in the simplest way. Every write goes into tables by
//! period, and every ranking is added up and sorted from these tables. The model shares only the calendar
//! with the board.

pub mod limit;
mod op;
mod requests;
pub mod view;
mod voter;

use std::collections::BTreeMap;

use leaderboard_core::board::{Alter, Condition, Effect, Position, Positions};
use leaderboard_core::schema::Aggregate;
use leaderboard_core::time::{Clock, Stamp};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Error, Schema, Score};
use leaderboard_testkit::name::Name;

use crate::MAX_FUTURE;
use limit::{Ballot, Limit, Quota, Rule};
pub use op::{Op, Points, Sent, Told};
use requests::Requests;
use view::{Change, Choice, View};
use voter::Voters;

#[derive(Debug, Clone)]
pub struct Model {
    pub schema: Schema,
    /// The views of shown votes. If the board does not separate shown and real votes, the views of all votes.
    pub views: Vec<View>,
    /// The views of real votes. Empty if the board does not separate shown and real votes.
    pub real: Vec<View>,
    pub last: u64,
    pub metas: BTreeMap<Name, Vec<u8>>,
    /// The options, in the order of their declarations.
    pub choices: Vec<Choice>,
    pub opens: u64,
    pub closes: u64,
    pub limits: Vec<Limit>,
    pub voters: Voters,
    requests: Requests,
    arrivals: u64,
    /// Whether a clock that had leapt was corrected. From then on, only the view `all` is compared.
    pub leapt: bool,
}

/// The outcome of a write that is not an error.
enum Fate {
    Applied(Stamp, Option<Position>),
    /// The write changes nothing: it was applied before, or its condition does not hold.
    Unchanged(Effect),
    /// A rule holds the vote back: its name, and the milliseconds to wait.
    HeldBack(String, Option<u64>),
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
            metas: BTreeMap::new(),
            choices: Vec::new(),
            opens: 0,
            closes: 0,
            limits: Vec::new(),
            voters: Voters::default(),
            requests: Requests::default(),
            arrivals: 0,
            leapt: false,
        }
    }

    /// Returns the current moment of the board. If the server's clock is a little behind the last write, the
    /// board's clock stands still. If it is far behind, it was corrected, and the board follows it.
    pub fn now(&self, wall: u64) -> u64 {
        let behind = self.last.saturating_sub(wall);
        match self.schema.clock {
            Clock::Event => self.last,
            Clock::Server if behind > 0 && behind <= MAX_FUTURE => self.last,
            Clock::Server => wall,
        }
    }

    pub fn stamp(&self, at: Option<u64>, wall: u64) -> Result<Stamp, Error> {
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

    pub fn requests(&self, now: u64) -> usize {
        self.requests.count(&self.schema, now.max(self.last))
    }

    pub fn advance(&mut self, now: u64) {
        for view in self.views.iter_mut().chain(&mut self.real) {
            view.advance(&self.schema, now, &self.choices);
        }
    }

    /// Corrects a clock that had leapt. From now on, only the view `all` is compared.
    pub fn put_back(&mut self, now: u64) {
        for view in self.views.iter_mut().chain(&mut self.real) {
            view.put_back(&self.schema, now);
        }
        self.leapt = true;
    }

    /// Applies a write. If the write is not applied, the model stays as it was.
    pub fn write(&mut self, sent: &Sent, at: Option<u64>, wall: u64) -> Result<Told, Error> {
        let mut after = self.clone();
        match after.write_as(sent, at, wall)? {
            Fate::Applied(stamp, before) => {
                *self = after;
                Ok(self.told(sent, Effect::Applied(stamp), before))
            }
            Fate::Unchanged(effect) => {
                // A write that is not applied does not move a clock of events.
                let mut present = self.clone();
                present.advance(present.now(wall));
                Ok(present.told(sent, effect, present.before(sent)))
            }
            Fate::HeldBack(rule, wait) => Ok(Told::HeldBack(rule, wait)),
        }
    }

    fn write_as(&mut self, sent: &Sent, at: Option<u64>, wall: u64) -> Result<Fate, Error> {
        sent.op.check(&self.schema)?;
        let stamp = self.stamp(at, wall)?;
        self.advance(stamp.now);
        let id = sent.id.as_deref();
        if let Some(id) = id
            && self.requests.is_repeated(&self.schema, id, &sent.op, stamp.now.max(self.last))?
        {
            return Ok(Fate::Unchanged(Effect::Repeated));
        }
        if let Some((ballot, votes)) = sent.op.votes() {
            self.check(ballot, &votes)?;
            if let Some((rule, wait)) = self.judge(stamp, ballot, &votes) {
                return Ok(Fate::HeldBack(rule, wait));
            }
        }
        if let Op::Set(score, name, condition) = &sent.op
            && !allows(*condition, self.score(sent.view, name), score.units())
        {
            return Ok(Fate::Unchanged(Effect::HeldBack));
        }
        for view in self.views.iter_mut().chain(&mut self.real) {
            view.start(&self.schema, stamp.now, &self.choices);
        }
        let before = self.before(sent);
        self.change(sent, stamp)?;
        let back = self.last.saturating_sub(stamp.now);
        self.requests.remember(&self.schema, id, &sent.op, stamp.now, back);
        self.finish(stamp.now);
        Ok(Fate::Applied(stamp, before))
    }

    /// Ends a write: stores its moment, and marks the periods that are no longer kept as lost.
    fn finish(&mut self, now: u64) {
        self.last = now;
        for view in self.views.iter_mut().chain(&mut self.real) {
            view.let_go(&self.schema, now);
        }
    }

    fn change(&mut self, sent: &Sent, stamp: Stamp) -> Result<(), Error> {
        match &sent.op {
            Op::Add(points, name) | Op::Roll(points, name) => {
                self.apply(name, Change::Give(points.units()), stamp, 1)
            }
            Op::Set(score, name, _) => {
                let is_sum = self.schema.aggregate == Aggregate::Sum;
                if is_sum && self.views[sent.view].is_over(stamp.at) {
                    return Err(Error::AtBeforePeriod);
                }
                let old = self.score(sent.view, name).unwrap_or(0);
                let score = score.units();
                self.apply(
                    name,
                    if is_sum { Change::Give(score - old) } else { Change::Put(score) },
                    stamp,
                    1,
                )
            }
            Op::Many(pairs) => pairs
                .iter()
                .try_for_each(|(points, name)| self.apply(name, Change::Give(points.units()), stamp, 1)),
            Op::Vote(..) | Op::VoteMany(..) => {
                let (ballot, votes) = sent.op.votes().unwrap();
                self.count(ballot, &votes, stamp)
            }
        }
    }

    fn check(&self, ballot: &Ballot, votes: &[(u64, Name)]) -> Result<(), Error> {
        if self.schema.declared && votes.iter().any(|(_, name)| self.choice(name).is_none()) {
            return Err(Error::NotACandidate);
        }
        let missing = self.limits.iter().find_map(|limit| limit.rule.missing(ballot));
        missing.map_or(Ok(()), Err)
    }

    pub fn choice(&self, name: &Name) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.name == *name)
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

    fn count(&mut self, ballot: &Ballot, votes: &[(u64, Name)], stamp: Stamp) -> Result<(), Error> {
        for (votes, name) in votes {
            let units = i128::from(*votes) * self.scale();
            let weight = self.choice(name).map_or(1, |choice| choice.weight);
            self.apply(name, Change::Give(units), stamp, weight.into())?;
        }
        for limit in &mut self.limits {
            limit.charge(&self.schema.calendar, stamp.now, ballot, votes);
        }
        if let Some(voter) = ballot.voter {
            let members: Vec<_> = votes.iter().map(|(_, name)| name.clone()).collect();
            self.voters.count(&self.schema, &self.views, voter, &members, stamp);
        }
        Ok(())
    }

    /// Returns how many smallest units one vote has.
    fn scale(&self) -> i128 {
        10_i128.pow(self.schema.decimals.into())
    }

    fn apply(&mut self, name: &Name, change: Change, stamp: Stamp, weight: i128) -> Result<(), Error> {
        self.arrivals += 1;
        let shown = match change {
            Change::Give(units) => Change::Give(units * weight),
            put => put,
        };
        let (schema, arrival) = (&self.schema, self.arrivals);
        self.views.iter_mut().try_for_each(|view| view.apply(schema, name, shown, stamp, arrival))?;
        self.real.iter_mut().try_for_each(|view| view.apply(schema, name, change, stamp, arrival))
    }

    pub fn score(&self, view: usize, name: &Name) -> Option<i128> {
        self.views[view].entries.get(name).map(|entry| entry.score)
    }

    fn told(&self, sent: &Sent, effect: Effect, before: Option<Position>) -> Told {
        let now = match sent.positions {
            Positions::None if sent.op.is_list() => Vec::new(),
            Positions::None => vec![None],
            Positions::After | Positions::BeforeAndAfter => self.positions(sent),
        };
        Told::Done { effect, now, before: before.filter(|_| sent.positions == Positions::BeforeAndAfter) }
    }

    /// Returns the position of the member that a write names, or nothing for a list of members.
    fn before(&self, sent: &Sent) -> Option<Position> {
        if sent.op.is_list() { None } else { self.positions(sent)[0] }
    }

    fn positions(&self, sent: &Sent) -> Vec<Option<Position>> {
        let view = if sent.op.votes().is_some() { 0 } else { sent.view };
        let ranking = self.views[view].ranking(&self.schema);
        let position = |name: &Name| {
            let at = ranking.iter().position(|line| line.0 == *name)?;
            Some(Position { score: score(ranking[at].1), rank: at as u64 + 1 })
        };
        sent.op.names().into_iter().map(position).collect()
    }

    /// Declares an option at a moment. Returns whether that changed anything.
    pub fn declare(&mut self, name: &Name, weight: Option<u32>, initial: Option<u64>, now: u64) -> bool {
        self.advance(now);
        let plain = Choice { name: name.clone(), weight: 1, initial: 0, given: (0, 0) };
        let is_new = self.choice(name).is_none();
        let old = self.choice(name).cloned().unwrap_or(plain);
        let mut new = old.clone();
        new.weight = weight.unwrap_or(old.weight);
        new.initial = initial.map_or(old.initial, |votes| i128::from(votes) * self.scale());
        if !is_new && (new.weight, new.initial) == (old.weight, old.initial) {
            return false;
        }
        let more = new.initial - old.initial;
        if more != 0 {
            self.arrivals += 1;
            new.given = (now, self.arrivals);
            for view in self.views.iter_mut().filter(|view| view.spec.kind == Kind::All) {
                view.give(name, more, Stamp { now, at: now }, self.arrivals);
            }
        }
        match self.choices.iter_mut().find(|choice| choice.name == *name) {
            Some(choice) => *choice = new,
            None => self.choices.push(new),
        }
        self.finish(now);
        true
    }

    /// Removes a member. Returns whether the member had a declaration, a text, points, or a line in a ranking.
    pub fn remove(&mut self, name: &Name) -> bool {
        let mut known = self.choice(name).is_some() | self.metas.remove(name).is_some();
        for view in self.views.iter_mut().chain(&mut self.real) {
            known |= view.remove(name);
        }
        self.choices.retain(|choice| choice.name != *name);
        self.voters.remove(name);
        known
    }

    pub fn set_meta(&mut self, name: &Name, meta: &[u8]) -> bool {
        if meta.is_empty() {
            return self.metas.remove(name).is_some();
        }
        self.metas.insert(name.clone(), meta.to_vec()).as_deref() != Some(meta)
    }

    /// Takes over changes that the board has accepted.
    pub fn alter(&mut self, alter: &Alter, limits: &[Rule], specs: &[Spec], now: u64) {
        if let Some(dedup) = alter.dedup {
            self.requests.forget(&self.schema, self.last);
            self.schema.dedup = dedup;
            if dedup == 0 {
                self.requests = Requests::default();
            }
        }
        self.schema.notify_top = alter.notify_top.unwrap_or(self.schema.notify_top);
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
        self.alter_views(specs, now);
    }

    fn alter_views(&mut self, specs: &[Spec], now: u64) {
        let shown = self.schema.shown;
        let is_there = |kind: Kind| specs.iter().any(|spec| spec.kind == kind);
        for view in self.views.iter().filter(|view| !is_there(view.spec.kind)) {
            self.voters.drop_view(view.spec.kind);
        }
        for (views, takes_initials) in [(&mut self.views, shown), (&mut self.real, false)] {
            let has_any = !views.is_empty();
            views.retain(|view| is_there(view.spec.kind));
            for spec in specs.iter().filter(|_| has_any) {
                match views.iter_mut().find(|view| view.spec.kind == spec.kind) {
                    Some(view) => view.alter(&self.schema, *spec, now),
                    None => views.push(View::new(*spec, takes_initials)),
                }
            }
        }
    }

    /// Returns the first end of a period after a moment, over all views that have begun.
    pub fn end_after(&self, moment: u64) -> i64 {
        let calendar = &self.schema.calendar;
        let begun = self.views.iter().filter(|view| view.span.is_some()).filter_map(View::reach);
        begun.map(|(unit, _)| calendar.period(unit, moment as i64).end).min().unwrap_or(i64::MAX)
    }

    pub fn quota(&self, ballot: &Ballot, member: Option<&Name>, now: u64) -> Vec<Quota> {
        let calendar = &self.schema.calendar;
        self.limits.iter().filter_map(|limit| limit.quota(calendar, now, ballot, member)).collect()
    }

    /// Returns an option's real and shown votes in the view `all`, or in the default view if there is no
    /// `all`.
    pub fn counts(&self, name: &Name) -> (i128, i128) {
        let overall = self.views.iter().position(|view| view.spec.kind == Kind::All).unwrap_or(0);
        let count = |views: &[View]| views[overall].entries.get(name).map_or(0, |entry| entry.score);
        (count(if self.schema.shown { &self.real } else { &self.views }), count(&self.views))
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
