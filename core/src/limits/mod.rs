//! The limits of a voting campaign: a maximum number of votes in each period of a calendar unit, for each member,
//! voter, value of a tag, or combination of these.
//!
//! The board's present time decides in which period a vote counts; the moment of its event is not used. The values
//! that a rule counts by are stored as hashes of 64 bits. The hashes and their votes are in the lines of a hash
//! table, so a count is found with one read of a cache line. A rule with one million active hashes takes about 18
//! bytes for each hash.
//!
//! ```text
//!  rule ─┬─ current   the period in which the last votes were counted
//!        └─ other     the period in which votes were counted before that
//! ```
//!
//! A clock may jump ahead and be put back later. Then the counts of the old period must still exist and, when the
//! clock later reaches the period to which it had jumped, also the counts of that period. So counts are not freed
//! when their period ends. They are freed after the clock has been seen past the period's end for an eighth of the
//! period's length, at most one hour. [`Limits::judge`] and [`Limits::quota`] only read the period that contains a
//! moment, so their results do not depend on when counts are freed.
//!
//! All steps are short: counts grow without being copied as a whole, and are freed in steps, between commands
//! ([`Limits::work`]) and with each vote.

mod background;
mod ballot;
mod cost;
mod counts;
mod lines;
mod rule;
mod saved;
mod scope;
#[cfg(test)]
mod tests;
mod unit;
mod usage;

pub use ballot::Ballot;
pub use rule::{Attempts, MAX_RULES, MAX_VALUE, Rule};
pub use scope::MAX_WORD;

pub(crate) use cost::{Cost, hash_of_voter};
pub(crate) use saved::SavedCounts;

use cost::ValueCost;
use scope::Values;
use usage::{OldCounts, Usage};

use crate::Error;
use crate::calendar::{Calendar, Period};
use crate::error::Quoted;
use crate::secret::Secret;
use crate::time::{MAX_MILLIS, Millis};

/// A rule, and its usage.
#[derive(Debug, Clone)]
struct Limit {
    rule: Rule,
    /// The number of the first rule with the same scope. It may be the number of this rule.
    same_scope: usize,
    usage: Usage,
    /// How many requests the rule held back.
    held_back: u64,
}

impl Limit {
    fn used(&self, secret: Secret, hash: u64, now: i64) -> u32 {
        self.usage.find(now).map_or(0, |counts| counts.used(secret, hash))
    }
}

/// The rules of a board, and their usage.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    limits: Vec<Limit>,
    secret: Secret,
    garbage: OldCounts,
}

impl Default for Limits {
    fn default() -> Self {
        Self { limits: Vec::new(), secret: Secret::draw(), garbage: OldCounts::default() }
    }
}

/// The reason why a request is held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeldBack<'a> {
    /// The first rule that the request would break.
    pub(crate) rule: &'a Rule,
    /// The time in milliseconds until the rule begins anew. `None` if waiting does not help: the rule is for all of
    /// time, or it never allows this number of votes at once.
    pub(crate) wait: Option<Millis>,
}

/// What is used of a rule: the votes of a ballot, or the writes of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota<'a> {
    /// The name of the rule.
    pub rule: &'a [u8],
    /// Votes that were counted in this period. This is more than `max` if votes without a bonus follow votes with a
    /// bonus.
    pub used: u64,
    /// How many votes the rule allows, with the bonuses of this ballot.
    pub max: u64,
    /// The time in milliseconds until the rule begins anew; `None` if the rule is for all of time.
    pub wait: Option<Millis>,
}

/// Returns a moment of the board's clock as a moment of the calendar.
fn moment(now: Millis) -> i64 {
    now.min(MAX_MILLIS).cast_signed()
}

/// Returns the time until a rule begins anew, in milliseconds.
fn wait(period: Period, now: i64) -> Option<Millis> {
    (period.end < i64::MAX).then(|| period.end.abs_diff(now))
}

impl Limits {
    /// Returns the rules, in the order in which they are judged.
    pub(crate) fn rules(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.limits.iter().map(|limit| &limit.rule)
    }

    /// Counts a request that the rule of this name held back.
    pub(crate) fn count_held_back(&mut self, name: &[u8]) {
        if let Some(limit) = self.limits.iter_mut().find(|limit| limit.rule.name() == name) {
            limit.held_back = limit.held_back.saturating_add(1);
        }
    }

    /// Returns the names of the rules, and how many requests each rule held back.
    pub(crate) fn held_back(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.limits.iter().map(|limit| (limit.rule.name(), limit.held_back))
    }

    /// Adds a rule behind the other rules.
    ///
    /// # Errors
    /// [`Error::RepeatedRule`] if a rule with this name exists; [`Error::TooManyRules`] if there are already
    /// [`MAX_RULES`] rules.
    pub(crate) fn add(&mut self, rule: Rule) -> Result<(), Error> {
        if self.rules().any(|other| other.name() == rule.name()) {
            return Err(Error::RepeatedRule(Quoted::new(rule.name())));
        }
        if self.limits.len() == MAX_RULES {
            return Err(Error::TooManyRules(MAX_RULES));
        }
        self.limits.reserve_exact(1);
        self.limits.push(Limit { rule, same_scope: 0, usage: Usage::default(), held_back: 0 });
        self.match_scopes();
        Ok(())
    }

    /// Replaces the rule with this name. If there is no such rule, adds the rule behind the other rules. If scope
    /// and unit stay the same, the usage of the rule is kept; otherwise the usage begins at 0.
    ///
    /// # Errors
    /// [`Error::TooManyRules`] if there are already [`MAX_RULES`] rules.
    pub(crate) fn replace(&mut self, rule: Rule) -> Result<(), Error> {
        let Self { limits, garbage, .. } = self;
        let Some(limit) = limits.iter_mut().find(|limit| limit.rule.name() == rule.name()) else {
            return self.add(rule);
        };
        if (limit.rule.scope(), limit.rule.unit()) != (rule.scope(), rule.unit()) {
            limit.usage.clear(garbage);
        }
        limit.rule = rule;
        self.match_scopes();
        Ok(())
    }

    /// Removes the rule with this name and its usage. Returns `false` if there is no such rule.
    pub(crate) fn remove(&mut self, name: &[u8]) -> bool {
        let Some(number) = self.rules().position(|rule| rule.name() == name) else { return false };
        self.limits.remove(number).usage.clear(&mut self.garbage);
        self.match_scopes();
        true
    }

    /// Finds the first rule with the same scope for each rule, so that rules with the same scope share hashes.
    fn match_scopes(&mut self) {
        for number in 0..self.limits.len() {
            let scope = self.limits.get(number).map(|limit| limit.rule.scope());
            let first = self.limits.iter().position(|other| Some(other.rule.scope()) == scope);
            if let (Some(limit), Some(first)) = (self.limits.get_mut(number), first) {
                limit.same_scope = first;
            }
        }
    }

    /// Returns the cost of a request for each rule, see [`Cost::of`].
    pub(crate) fn cost(&self, ballot: &Ballot<'_>, votes: &[(&[u8], u64)]) -> Result<Cost, Error> {
        Cost::of(self.limits.iter().map(|limit| (&limit.rule, limit.same_scope)), ballot, votes)
    }

    /// Prefetches the memory that is needed to judge and to count a cost.
    pub(crate) fn prefetch(&self, now: Millis, cost: &Cost) {
        let now = moment(now);
        for (limit, costs) in self.limits.iter().zip(cost.by_rule()) {
            if let Some(counts) = limit.usage.find(now) {
                costs.iter().for_each(|cost| counts.prefetch(self.secret, cost.hash));
            }
        }
    }

    /// Returns the first rule that would be broken if this cost of a ballot were counted now. `None` if no rule
    /// would be broken.
    pub(crate) fn judge(&self, now: Millis, ballot: &Ballot<'_>, cost: &Cost) -> Option<HeldBack<'_>> {
        let now = moment(now);
        let held_back = |(limit, costs): (_, &[ValueCost])| self.judge_one(limit, now, ballot, costs);
        self.limits.iter().zip(cost.by_rule()).find_map(held_back)
    }

    fn judge_one<'a>(
        &self,
        limit: &'a Limit,
        now: i64,
        ballot: &Ballot<'_>,
        costs: &[ValueCost],
    ) -> Option<HeldBack<'a>> {
        let rule = &limit.rule;
        let max = u64::from(rule.allowance(ballot));
        if costs.iter().any(|cost| cost.votes > max) {
            return Some(HeldBack { rule, wait: None });
        }
        // If no votes were counted in this period, the maximum is not exceeded.
        let counts = limit.usage.find(now)?;
        let is_over =
            |cost: &ValueCost| cost.votes.saturating_add(counts.used(self.secret, cost.hash).into()) > max;
        let wait = wait(counts.period, now);
        costs.iter().any(is_over).then_some(HeldBack { rule, wait })
    }

    /// Counts the cost of a request that was accepted by this server or another server, even if a rule does not
    /// allow it.
    pub(crate) fn count(&mut self, calendar: &Calendar, now: Millis, cost: &Cost) {
        let now = moment(now);
        let Self { limits, secret, garbage } = self;
        for (limit, costs) in limits.iter_mut().zip(cost.by_rule()) {
            // A count is only begun for a cost with votes.
            let mut costs = costs.iter().filter(|cost| cost.votes > 0).peekable();
            if costs.peek().is_some() {
                let counts = limit.usage.enter(limit.rule.unit(), calendar, now, garbage);
                costs.for_each(|cost| counts.add(*secret, cost.hash, cost.votes));
            }
        }
        // A step frees more entries than votes add. So unused counts do not accumulate, even without background
        // work.
        garbage.free_some();
    }

    /// Returns the quota of each rule for whose scope the ballot has the values, for a vote for this member, or
    /// without a member.
    pub(crate) fn quota<'a>(
        &'a self,
        calendar: &'a Calendar,
        now: Millis,
        ballot: &'a Ballot<'_>,
        member: Option<&'a [u8]>,
    ) -> impl Iterator<Item = Quota<'a>> {
        let now = moment(now);
        self.limits.iter().filter_map(move |limit| {
            let rule = &limit.rule;
            let mut values = Values::new();
            rule.scope().values(ballot, &mut values).ok()?;
            if member.is_none() && rule.scope().has_member() {
                return None;
            }
            let hash = cost::hash(values.iter().filter_map(|value| value.or(member)));
            let period = match limit.usage.find(now) {
                Some(counts) => counts.period,
                None => rule.unit().period(calendar, now),
            };
            let used = limit.used(self.secret, hash, now);
            let max = rule.allowance(ballot).into();
            Some(Quota { rule: rule.name(), used: used.into(), max, wait: wait(period, now) })
        })
    }
}
