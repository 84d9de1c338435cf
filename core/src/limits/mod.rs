//! The limits of a voting campaign: a maximum of votes in each period of a calendar unit, for each member, voter,
//! value of a tag, or combination of these.
//!
//! The board's now decides in which period a vote counts, never the moment of its event. What a rule counts by is
//! kept as a hash of 64 bits. The hashes are with their votes in the lines of a hash table, so a count is one cache
//! line away. A rule with one million active entries takes about 18 bytes for each.
//!
//! ```text
//!  rule ─┬─ current   the period in which votes were counted last
//!        └─ other     the period in which they were counted before that
//! ```
//!
//! A clock may jump ahead and be corrected. It must find the counts of the old period again and, when it comes there,
//! the counts of the period that it had jumped to. So counts are not freed when their period ends: they are freed
//! after the clock was seen past it for an eighth of its length, at most one hour. [`Limits::judge`] and
//! [`Limits::quota`] only read the period that holds a moment, so their answers do not depend on when counts are
//! freed.
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
pub use rule::{MAX_RULES, MAX_VALUE, Rule};
pub use scope::MAX_WORD;

pub(crate) use cost::{Cost, hash_of_voter};
pub(crate) use rule::CLOSED;
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
    /// How many requests it held back.
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

/// Why a request is held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeldBack<'a> {
    /// The first rule that the request would break.
    pub(crate) rule: &'a Rule,
    /// In how many milliseconds the rule starts anew. `None` if waiting does not help: the rule is for all of time,
    /// or never allows this number of votes at once.
    pub(crate) wait: Option<Millis>,
}

/// How much of a rule's votes a ballot has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// Votes counted in this period. This is more than `max` if votes without a bonus follow votes with a bonus.
    pub used: u32,
    /// How many votes the rule allows, with the bonuses of this ballot.
    pub max: u32,
    /// In how many milliseconds the rule starts anew; `None` if it is for all of time.
    pub wait: Option<Millis>,
}

/// A moment of the board's clock, as a moment of the calendar.
fn moment(now: Millis) -> i64 {
    now.min(MAX_MILLIS).cast_signed()
}

/// The time until a rule starts anew.
fn wait(period: Period, now: i64) -> Option<Millis> {
    (period.end < i64::MAX).then(|| period.end.abs_diff(now))
}

impl Limits {
    /// The rules, in the order in which they are judged.
    pub(crate) fn rules(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.limits.iter().map(|limit| &limit.rule)
    }

    /// Counts a request that the rule of this name held back.
    pub(crate) fn count_held_back(&mut self, name: &[u8]) {
        if let Some(limit) = self.limits.iter_mut().find(|limit| limit.rule.name() == name) {
            limit.held_back = limit.held_back.saturating_add(1);
        }
    }

    /// How many requests each rule held back.
    pub(crate) fn held_back(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.limits.iter().map(|limit| (limit.rule.name(), limit.held_back))
    }

    /// Adds a rule behind the others.
    ///
    /// # Errors
    /// [`Error::RepeatedRule`] if a rule has this name already; [`Error::TooManyRules`] if there are [`MAX_RULES`]
    /// rules already.
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

    /// Replaces the rule with this name. If there is no such rule, adds the rule behind the others. If scope and unit
    /// stay the same, the usage of the rule is kept; otherwise the usage begins at 0.
    ///
    /// # Errors
    /// [`Error::TooManyRules`] if there are [`MAX_RULES`] already.
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

    /// Removes the rule with this name and its usage. Returns `false` if there is none.
    pub(crate) fn remove(&mut self, name: &[u8]) -> bool {
        let Some(number) = self.rules().position(|rule| rule.name() == name) else { return false };
        self.limits.remove(number).usage.clear(&mut self.garbage);
        self.match_scopes();
        true
    }

    /// Finds the rules with the same scope, so that they share its hashes.
    fn match_scopes(&mut self) {
        for number in 0..self.limits.len() {
            let scope = self.limits.get(number).map(|limit| limit.rule.scope());
            let first = self.limits.iter().position(|other| Some(other.rule.scope()) == scope);
            if let (Some(limit), Some(first)) = (self.limits.get_mut(number), first) {
                limit.same_scope = first;
            }
        }
    }

    /// The cost of a request by each rule; see [`Cost::of`].
    pub(crate) fn cost(&self, ballot: &Ballot<'_>, votes: &[(&[u8], u64)]) -> Result<Cost, Error> {
        Cost::of(self.limits.iter().map(|limit| (&limit.rule, limit.same_scope)), ballot, votes)
    }

    /// Asks for the memory that judging and counting a cost touches.
    pub(crate) fn prefetch(&self, now: Millis, cost: &Cost) {
        let now = moment(now);
        for (limit, costs) in self.limits.iter().zip(cost.by_rule()) {
            if let Some(counts) = limit.usage.find(now) {
                costs.iter().for_each(|cost| counts.prefetch(self.secret, cost.hash));
            }
        }
    }

    /// The first rule that would be broken if this cost of a ballot were counted now. `None` if no rule would be
    /// broken.
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
        // If nothing was counted yet, up to `max` votes are allowed.
        let counts = limit.usage.find(now)?;
        let is_over =
            |cost: &ValueCost| cost.votes.saturating_add(counts.used(self.secret, cost.hash).into()) > max;
        let wait = wait(counts.period, now);
        costs.iter().any(is_over).then_some(HeldBack { rule, wait })
    }

    /// Counts the cost of a request that was accepted, here or on another server, even if a rule does not allow it.
    pub(crate) fn count(&mut self, calendar: &Calendar, now: Millis, cost: &Cost) {
        let now = moment(now);
        let Self { limits, secret, garbage } = self;
        for (limit, costs) in limits.iter_mut().zip(cost.by_rule()) {
            // Only a cost with votes begins a count.
            let mut costs = costs.iter().filter(|cost| cost.votes > 0).peekable();
            if costs.peek().is_some() {
                let counts = limit.usage.enter(limit.rule.unit(), calendar, now, garbage);
                costs.for_each(|cost| counts.add(*secret, cost.hash, cost.votes));
            }
        }
        // A step frees more entries than votes add, so garbage does not pile up without background work.
        garbage.free_some();
    }

    /// The quota of each rule whose scope the ballot names, for a vote for this member, or for no member.
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
            Some(Quota { rule, used, max: rule.allowance(ballot), wait: wait(period, now) })
        })
    }
}
