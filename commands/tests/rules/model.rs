//! A plain model of a board with rules of scores. It keeps every write that was applied, and works all out anew from them.

use std::collections::{BTreeMap, BTreeSet};

use super::clock::{DAY, Opening, Unit, Zone};

/// The default view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The current period of a unit.
    One(Unit),
    /// The last three days.
    ThreeDays,
}

impl View {
    pub fn word(self) -> &'static str {
        match self {
            Self::One(unit) => unit.word(),
            Self::ThreeDays => "day:3",
        }
    }

    /// The moments of writes that count at a moment, and the moment at which others count.
    fn span(self, zone: Zone, now: u64) -> (u64, u64) {
        match self {
            Self::One(unit) => unit.period(zone, now),
            Self::ThreeDays => {
                let (today, end) = Unit::Day.period(zone, now);
                // Days have 23 to 25 hours.
                let yesterday = Unit::Day.period(zone, today - DAY / 2).0;
                (Unit::Day.period(zone, yesterday - DAY / 2).0, end)
            }
        }
    }
}

/// A write that was applied.
#[derive(Debug, Clone)]
struct Applied {
    at: u64,
    member: String,
    points: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    No,
    Nx,
    Xx,
    Gt,
    Lt,
}

/// A write as a client sends it.
#[derive(Debug, Clone)]
pub struct Write {
    pub pairs: Vec<(i64, String)>,
    /// Whether the numbers are scores.
    pub sets: bool,
    pub condition: Condition,
    pub at: Option<u64>,
    pub id: Option<u64>,
    pub force: bool,
}

/// What a write does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The score of each pair's member, and whether the write was applied.
    Done(Vec<Option<i64>>, bool),
    HeldBack(&'static str, i64),
    Reused,
}

/// The attempts of members: at most this number in a unit. Only writes since the rule began count.
#[derive(Debug, Clone)]
pub struct Attempts {
    pub most: u64,
    pub unit: Unit,
    used: Vec<(u64, String)>,
}

pub struct Model {
    pub zone: Zone,
    pub view: View,
    pub has_events: bool,
    pub is_declared: bool,
    /// The board's now.
    pub now: u64,
    pub opening: Opening,
    pub attempts: Option<Attempts>,
    pub most_members: u64,
    pub bounds: Option<(i64, i64)>,
    pub joined: BTreeSet<String>,
    applied: Vec<Applied>,
    /// The writes of ids, as they were sent.
    ids: BTreeMap<u64, String>,
}

impl Model {
    pub fn new((zone, view): (Zone, View), has_events: bool, is_declared: bool, now: u64) -> Self {
        Self {
            zone,
            view,
            has_events,
            is_declared,
            now,
            opening: Opening::default(),
            attempts: None,
            most_members: 0,
            bounds: None,
            joined: BTreeSet::new(),
            applied: Vec::new(),
            ids: BTreeMap::new(),
        }
    }

    pub fn set_attempts(&mut self, most: u64, unit: Unit) {
        let old = self.attempts.take().filter(|old| old.unit == unit);
        let used = old.map(|old| old.used).unwrap_or_default();
        self.attempts = (most > 0).then_some(Attempts { most, unit, used });
    }

    /// The scores of the members that are ranked in the default view at a moment.
    fn scores(&self, now: u64) -> BTreeMap<&str, i64> {
        let (first, end) = self.view.span(self.zone, now);
        let mut scores = BTreeMap::new();
        for write in self.applied.iter().filter(|write| (first..end).contains(&write.at)) {
            *scores.entry(write.member.as_str()).or_default() += write.points;
        }
        scores
    }

    pub fn write(&mut self, write: &Write) -> Outcome {
        let at = write.at.unwrap_or(self.now);
        let then = if self.has_events { self.now.max(at) } else { self.now };
        let sent = format!("{:?} {} {:?}", write.pairs, write.sets, write.condition);
        match write.id.and_then(|id| self.ids.get(&id)) {
            Some(known) if *known == sent => return Outcome::Done(self.scores_of(write), false),
            Some(_) => return Outcome::Reused,
            None => {}
        }
        if !write.force && !self.opening.holds(self.zone, at) {
            return Outcome::HeldBack("closed", self.opening.wait(self.zone, then));
        }
        if write.sets && !self.condition_holds(write, then) {
            return Outcome::Done(self.scores_of(write), false);
        }
        let refused = if write.force { None } else { self.refused(write, at, then) };
        if let Some((rule, wait)) = refused {
            return Outcome::HeldBack(rule, wait);
        }
        self.now = then;
        for (number, member) in &write.pairs {
            let old = self.scores(then).get(member.as_str()).copied().unwrap_or(0);
            let points = if write.sets { number - old } else { *number };
            self.applied.push(Applied { at, member: member.clone(), points });
        }
        if let Some(attempts) = self.attempts.as_mut().filter(|_| !write.force) {
            attempts.used.extend(write.pairs.iter().map(|(_, member)| (then, member.clone())));
        }
        if let Some(id) = write.id {
            self.ids.insert(id, sent);
        }
        Outcome::Done(self.scores_of(write), true)
    }

    fn scores_of(&self, write: &Write) -> Vec<Option<i64>> {
        let scores = self.scores(self.now);
        write.pairs.iter().map(|(_, member)| scores.get(member.as_str()).copied()).collect()
    }

    fn condition_holds(&self, write: &Write, then: u64) -> bool {
        let scores = self.scores(then);
        write.pairs.iter().all(|(new, member)| {
            let old = scores.get(member.as_str());
            match write.condition {
                Condition::No => true,
                Condition::Nx => old.is_none(),
                Condition::Xx => old.is_some(),
                Condition::Gt => old.is_none_or(|old| new > old),
                Condition::Lt => old.is_none_or(|old| new < old),
            }
        })
    }

    fn refused(&self, write: &Write, at: u64, then: u64) -> Option<(&'static str, i64)> {
        if self.is_declared && write.pairs.iter().any(|(_, member)| !self.joined.contains(member)) {
            return Some(("joined", -1));
        }
        let is_outside = |number: &i64| self.bounds.is_some_and(|(min, max)| *number < min || max < *number);
        if write.pairs.iter().any(|(number, _)| is_outside(number)) {
            return Some(("bounds", -1));
        }
        let (first, end) = self.view.span(self.zone, then);
        if !self.is_declared && self.most_members > 0 && (first..end).contains(&at) {
            let scores = self.scores(then);
            let new = write.pairs.iter().map(|(_, member)| member.as_str());
            let new: BTreeSet<_> = new.filter(|member| !scores.contains_key(member)).collect();
            if !new.is_empty() && (scores.len() + new.len()) as u64 > self.most_members {
                // A list with more new members than the board may have never fits.
                let never = new.len() as u64 > self.most_members;
                return Some(("full", if never { -1 } else { until(end, then) }));
            }
        }
        self.exhausted(write, then).map(|wait| ("attempts", wait))
    }

    /// The time until a write has attempts left for all its members, if it has not now.
    fn exhausted(&self, write: &Write, then: u64) -> Option<i64> {
        let attempts = self.attempts.as_ref()?;
        let (_, end) = attempts.unit.period(self.zone, then);
        let own = |member: &str| write.pairs.iter().filter(|(_, other)| other == member).count() as u64;
        let members = || write.pairs.iter().map(|(_, member)| member.as_str());
        if members().any(|member| own(member) > attempts.most) {
            return Some(-1);
        }
        let is_over = |member: &str| self.used(member, then) + own(member) > attempts.most;
        members().any(is_over).then(|| until(end, then))
    }

    fn used(&self, member: &str, then: u64) -> u64 {
        let Some(attempts) = &self.attempts else { return 0 };
        let (first, end) = attempts.unit.period(self.zone, then);
        let used = attempts.used.iter();
        used.filter(|(moment, other)| other == member && (first..end).contains(moment)).count() as u64
    }

    /// What `LB.QUOTA key MEMBER member` tells: rule, used, max, ms.
    pub fn quota(&self, member: &str) -> Vec<(&'static str, u64, u64, i64)> {
        let mut rows = Vec::new();
        let Opening { opens, closes, hours } = &self.opening;
        if *opens > 0 || *closes > 0 || !hours.is_empty() {
            let is_closed = !self.opening.holds(self.zone, self.now);
            rows.push(("closed", is_closed.into(), 1, self.opening.wait(self.zone, self.now)));
        }
        if let Some(attempts) = &self.attempts {
            let (_, end) = attempts.unit.period(self.zone, self.now);
            rows.push(("attempts", self.used(member, self.now), attempts.most, until(end, self.now)));
        }
        if self.most_members > 0 {
            let (_, end) = self.view.span(self.zone, self.now);
            let (used, wait) = match self.is_declared {
                true => (self.joined.len(), -1),
                false => (self.scores(self.now).len(), until(end, self.now)),
            };
            rows.push(("full", used as u64, self.most_members, wait));
        }
        rows
    }

    /// What joining does: whether the member is new, or the rule that holds it back. LB.OPTION passes `CLOSES`.
    pub fn join(&mut self, member: &str, is_option: bool) -> Result<bool, &'static str> {
        if self.joined.contains(member) {
            return Ok(false);
        }
        if !is_option && self.opening.closes > 0 && self.now >= self.opening.closes {
            return Err("closed");
        }
        if self.most_members > 0 && self.joined.len() as u64 >= self.most_members {
            return Err("full");
        }
        Ok(self.joined.insert(member.to_owned()))
    }

    pub fn remove(&mut self, member: &str) {
        self.joined.remove(member);
        self.applied.retain(|write| write.member != member);
    }
}

fn until(end: u64, now: u64) -> i64 {
    if end == u64::MAX { -1 } else { (end - now) as i64 }
}
