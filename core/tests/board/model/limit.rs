//! The model of limits: tables of used votes by period, and by the values of the scope.

use std::collections::BTreeMap;

use leaderboard_core::calendar::{Calendar, Period, Unit};
use leaderboard_core::error::Quoted;
use leaderboard_core::{Error, limits};
use leaderboard_testkit::name::Name;

use super::view::ALWAYS;

/// A rule as a client gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub name: String,
    pub scope: &'static str,
    pub max: u64,
    pub unit: &'static str,
    pub bonuses: Vec<(&'static str, &'static str, u64)>,
}

impl Rule {
    /// Returns the rule in the form that a board takes.
    pub fn made(&self) -> limits::Rule {
        let mut rule =
            limits::Rule::new(self.name.as_bytes(), self.scope.as_bytes(), self.max, self.unit.as_bytes())
                .unwrap();
        for (tag, value, extra) in &self.bonuses {
            rule.add_bonus(tag.as_bytes(), value.as_bytes(), *extra).unwrap();
        }
        rule
    }

    pub fn period(&self, calendar: &Calendar, now: u64) -> Period {
        match self.unit {
            "all" => ALWAYS,
            "second" => {
                let start = now as i64 / 1000 * 1000;
                Period { start, end: start + 1000 }
            }
            unit => calendar.period(Unit::parse(unit.as_bytes()).unwrap(), now as i64),
        }
    }

    fn allowed(&self, ballot: &Ballot) -> u64 {
        let matching = self.bonuses.iter().filter(|(tag, value, _)| ballot.tag(tag) == Some(value));
        self.max + matching.map(|(.., extra)| extra).sum::<u64>()
    }

    /// Returns the values of its scope, or nothing if the ballot lacks one of them.
    fn values(&self, ballot: &Ballot, member: Option<&Name>) -> Option<Values> {
        let value = |part: &str| match part {
            "member" => member.map(|member| member.0.clone()),
            "voter" => ballot.voter.map(|voter| voter.as_bytes().to_vec()),
            tag => ballot.tag(tag).map(|value| value.as_bytes().to_vec()),
        };
        self.scope.split('+').map(value).collect()
    }

    /// Returns an error for the first part of the scope that the ballot lacks. The part `member` is never
    /// missing.
    pub fn missing(&self, ballot: &Ballot) -> Option<Error> {
        let rule = Quoted::new(self.name.as_bytes());
        self.scope.split('+').find_map(|part| match part {
            "member" => None,
            "voter" => ballot.voter.is_none().then_some(Error::MissingVoter(rule)),
            tag => ballot.tag(tag).is_none().then(|| Error::MissingTag(Quoted::new(tag.as_bytes()), rule)),
        })
    }
}

/// The voter and the tags of a vote.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ballot {
    pub voter: Option<&'static str>,
    pub tags: Vec<(&'static str, &'static str)>,
}

impl Ballot {
    pub fn tag(&self, name: &str) -> Option<&'static str> {
        self.tags.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}

type Values = Vec<Vec<u8>>;

/// The state of a rule for a ballot: its name, the used votes, the allowed votes, and the milliseconds until
/// its period ends.
pub type Quota = (String, u64, u64, Option<u64>);

#[derive(Debug, Clone)]
pub struct Limit {
    pub rule: Rule,
    /// The used votes of the last two periods in which votes were counted, the period of the last vote first.
    used: Vec<(Period, BTreeMap<Values, u64>)>,
    /// The moment at which the first period of `used` became the first one.
    since: u64,
}

impl Limit {
    pub fn new(rule: Rule) -> Self {
        Self { rule, used: Vec::new(), since: 0 }
    }

    /// Replaces the rule by another one with the same name. The used votes remain if the scope and the unit
    /// are the same.
    pub fn replace(&mut self, rule: Rule) {
        if (self.rule.scope, self.rule.unit) != (rule.scope, rule.unit) {
            self.used.clear();
        }
        self.rule = rule;
    }

    fn used(&self, now: u64, values: &Values) -> u64 {
        let counts = self.used.iter().find(|(period, _)| holds(*period, now));
        counts.and_then(|(_, counts)| counts.get(values)).copied().unwrap_or(0)
    }

    /// Returns how many of these votes each combination of scope values uses.
    fn charges(&self, ballot: &Ballot, votes: &[(u64, Name)]) -> BTreeMap<Values, u64> {
        let mut charges = BTreeMap::new();
        for (votes, member) in votes {
            *charges.entry(self.rule.values(ballot, Some(member)).unwrap()).or_default() += votes;
        }
        charges
    }

    /// Returns nothing if the rule allows these votes. Otherwise, returns the milliseconds to wait, or `Some(None)`
    /// if waiting does not help.
    pub fn holds_back(
        &self,
        calendar: &Calendar,
        now: u64,
        ballot: &Ballot,
        votes: &[(u64, Name)],
    ) -> Option<Option<u64>> {
        let (charges, max) = (self.charges(ballot, votes), self.rule.allowed(ballot));
        if charges.values().any(|votes| *votes > max) {
            return Some(None);
        }
        let is_over = charges.iter().any(|(values, votes)| self.used(now, values) + votes > max);
        is_over.then(|| self.wait(calendar, now))
    }

    fn wait(&self, calendar: &Calendar, now: u64) -> Option<u64> {
        let end = self.rule.period(calendar, now).end;
        (end < i64::MAX).then(|| end as u64 - now)
    }

    pub fn charge(&mut self, calendar: &Calendar, now: u64, ballot: &Ballot, votes: &[(u64, Name)]) {
        match self.used.iter().position(|(period, _)| holds(*period, now)) {
            Some(0) => {
                // An ended period is dropped when the clock has been in the current one long enough to be
                // trusted.
                let there = now as i64 - self.since as i64;
                let settle = |period: Period| (period.end.saturating_sub(period.start) / 8).min(3_600_000);
                self.used.retain(|(period, _)| period.end > now as i64 || there < settle(*period));
            }
            Some(at) => {
                self.used[..=at].rotate_right(1);
                self.since = now;
            }
            None => {
                self.used.insert(0, (self.rule.period(calendar, now), BTreeMap::new()));
                self.since = now;
            }
        }
        self.used.truncate(2);
        for (values, votes) in self.charges(ballot, votes) {
            *self.used[0].1.entry(values).or_default() += votes;
        }
    }

    /// Returns the state of the rule, or nothing if the ballot lacks a value of the scope.
    pub fn quota(
        &self,
        calendar: &Calendar,
        now: u64,
        ballot: &Ballot,
        member: Option<&Name>,
    ) -> Option<Quota> {
        let values = self.rule.values(ballot, member)?;
        let (used, max) = (self.used(now, &values), self.rule.allowed(ballot));
        Some((self.rule.name.clone(), used, max, self.wait(calendar, now)))
    }
}

fn holds(period: Period, now: u64) -> bool {
    period.start <= now as i64 && (now as i64) < period.end
}
