//! The limits of a voting campaign: at most so many votes in each calendar unit, for each member, each
//! voter, each value of a tag, or each combination of these.
//!
//! Votes are counted by the board's now, never by the moment of their event. Of what is counted by, only
//! 64 bits of a hash are kept: an entry of 12 bytes, and some 8 in the hash table over it. With a million
//! or ten million active entries in a rule, one takes 19.7 or 20.4 bytes.
//!
//! ```text
//!  rule ─┬─ current   the period that votes were counted in last
//!        └─ other     the one before that, by the order of events
//! ```
//!
//! A clock that leapt ahead and was put right finds the old period's counts again, and when it gets there,
//! those of the period that it had leapt to. So counts are not over with their period: only when the clock
//! has been past it for an eighth of its length, an hour at the most, as far as anybody looked.
//! [`Limits::judge`] and [`Limits::quota`] ask which period a moment lies in and depend on none of this.
//!
//! Nothing stops for long: counts grow without ever being copied as a whole, and are freed in steps,
//! between commands ([`Limits::work`]) and with each vote.

mod background;
mod cost;
mod counts;
mod rule;
mod saved;
mod scope;
#[cfg(test)]
mod tests;
mod unit;
mod usage;

pub use cost::{Ballot, Cost, hash_of_voter};
pub use rule::{Bonus, Rule};
pub use saved::Saved;
pub use scope::{Part, Scope};
pub use unit::Unit;

use cost::RuleCost;
use counts::{Counts, Places};
use usage::{Garbage, Usage, holds};

use crate::Error;
use crate::calendar::{Calendar, Period};
use crate::error::Quoted;
use crate::time::{MAX_MILLIS, Millis};

/// The rule that holds votes back before voting opens and after it has closed. No limit has this name.
pub const CLOSED: &[u8] = b"closed";
/// Most rules of a board.
pub const MAX_RULES: usize = 16;
/// Most bonuses of a rule.
pub const MAX_BONUSES: usize = 64;
/// Most parts of a scope.
pub const MAX_PARTS: usize = 16;
/// Longest name of a rule or a tag, in bytes.
pub const MAX_WORD: usize = 64;
/// Longest voter or value of a tag, in bytes.
pub const MAX_VALUE: usize = 256;

/// A rule, and what was used of it.
#[derive(Debug, Clone)]
struct Limit {
    rule: Rule,
    /// The number of the first rule with the same scope, perhaps its own.
    alike: usize,
    used: Usage,
}

impl Limit {
    fn used(&self, places: Places, hash: u64, now: i64) -> u32 {
        self.used.find(now).map_or(0, |counts| counts.used(places, hash))
    }
}

/// The rules of a board and what was used of them.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    limits: Vec<Limit>,
    places: Places,
    garbage: Garbage,
}

/// Why a request is held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldBack<'a> {
    /// The first rule that would not hold.
    pub rule: &'a Rule,
    /// In how many milliseconds it starts anew. Nothing stands for never: a rule for all of time, or
    /// more votes at once than it ever allows.
    pub wait: Option<Millis>,
}

/// How a ballot stands with a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// Votes counted in this period. More than `max` where votes without the bonus follow ones with it.
    pub used: u32,
    /// How many may be, the bonuses of this ballot included.
    pub max: u32,
    /// In how many milliseconds the rule starts anew; nothing for one of all time.
    pub wait: Option<Millis>,
}

/// A moment of the board's clock as one of the calendar.
fn moment(now: Millis) -> i64 {
    now.min(MAX_MILLIS).cast_signed()
}

/// How long it is until a rule starts anew.
fn wait(period: Period, now: i64) -> Option<Millis> {
    (period.end < i64::MAX).then(|| period.end.abs_diff(now))
}

impl Limits {
    /// The rules, in the order in which they are judged.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.limits.iter().map(|limit| &limit.rule)
    }

    /// The rule of this name, byte for byte.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<&Rule> {
        self.rules().find(|rule| rule.name() == name)
    }

    /// Adds a rule behind the others.
    ///
    /// # Errors
    /// [`Error::RepeatedRule`] where there is one of this name, [`Error::TooManyRules`] where there are
    /// [`MAX_RULES`].
    pub fn add(&mut self, rule: Rule) -> Result<(), Error> {
        if self.find(rule.name()).is_some() {
            return Err(Error::RepeatedRule(Quoted::new(rule.name())));
        }
        if self.limits.len() == MAX_RULES {
            return Err(Error::TooManyRules);
        }
        self.limits.reserve_exact(1);
        self.limits.push(Limit { rule, alike: 0, used: Usage::default() });
        self.pair();
        Ok(())
    }

    /// Puts a rule in the place of the one of this name, or behind the others where there is none. What
    /// was used stays where scope and unit do; else the rule begins anew.
    ///
    /// # Errors
    /// [`Error::TooManyRules`] where it would be one too many.
    pub fn replace(&mut self, rule: Rule) -> Result<(), Error> {
        let Self { limits, garbage, .. } = self;
        let Some(limit) = limits.iter_mut().find(|limit| limit.rule.name() == rule.name()) else {
            return self.add(rule);
        };
        if (limit.rule.scope(), limit.rule.unit()) != (rule.scope(), rule.unit()) {
            limit.used.clear(garbage);
        }
        limit.rule = rule;
        self.pair();
        Ok(())
    }

    /// Takes the rule of this name away with all that was used of it; whether there was one.
    pub fn remove(&mut self, name: &[u8]) -> bool {
        let Some(number) = self.rules().position(|rule| rule.name() == name) else { return false };
        self.limits.remove(number).used.clear(&mut self.garbage);
        self.pair();
        true
    }

    /// Finds out which rules have one scope, so that they share its hashes.
    fn pair(&mut self) {
        for number in 0..self.limits.len() {
            let same = self.limits.get(number).map(|limit| limit.rule.scope());
            let alike = self.limits.iter().position(|other| Some(other.rule.scope()) == same);
            if let (Some(limit), Some(alike)) = (self.limits.get_mut(number), alike) {
                limit.alike = alike;
            }
        }
    }

    /// Asks for the memory that judging cost begins with.
    pub fn prefetch(&self, now: Millis, cost: &Cost) {
        self.each(now, cost, Counts::prefetch);
    }

    /// Asks for what judging them ends with, once that is there.
    pub fn expect(&self, now: Millis, cost: &Cost) {
        self.each(now, cost, Counts::expect);
    }

    fn each(&self, now: Millis, cost: &Cost, act: impl Fn(&Counts, Places, u64)) {
        let now = moment(now);
        for (limit, cost) in self.limits.iter().zip(cost.by_rule()) {
            if let Some(counts) = limit.used.find(now) {
                cost.iter().for_each(|charge| act(counts, self.places, charge.hash));
            }
        }
    }

    /// Whether all rules would hold if these cost of a ballot were counted now; else the first that
    /// would not.
    #[must_use]
    pub fn judge(&self, now: Millis, ballot: &Ballot<'_>, cost: &Cost) -> Option<HeldBack<'_>> {
        let now = moment(now);
        let held_back = |(limit, cost): (_, &[RuleCost])| self.judge_one(limit, now, ballot, cost);
        self.limits.iter().zip(cost.by_rule()).find_map(held_back)
    }

    fn judge_one<'a>(
        &self,
        limit: &'a Limit,
        now: i64,
        ballot: &Ballot<'_>,
        cost: &[RuleCost],
    ) -> Option<HeldBack<'a>> {
        let rule = &limit.rule;
        let max = u64::from(rule.allowance(ballot));
        if cost.iter().any(|charge| charge.votes > max) {
            return Some(HeldBack { rule, wait: None });
        }
        // Where nothing was counted yet, there is room for what is not more than max.
        let counts = limit.used.find(now)?;
        let is_over = |charge: &RuleCost| {
            charge.votes.saturating_add(counts.used(self.places, charge.hash).into()) > max
        };
        let wait = wait(counts.period, now);
        cost.iter().any(is_over).then_some(HeldBack { rule, wait })
    }

    /// Counts the cost of a request that was accepted, here or elsewhere, whatever the rules say.
    pub fn charge(&mut self, calendar: &Calendar, now: Millis, cost: &Cost) {
        let now = moment(now);
        let Self { limits, places, garbage } = self;
        for (limit, cost) in limits.iter_mut().zip(cost.by_rule()) {
            // Counts are begun by votes only.
            let mut cost = cost.iter().filter(|charge| charge.votes > 0).peekable();
            if cost.peek().is_some() {
                let counts = limit.used.enter(limit.rule.unit(), calendar, now, garbage);
                cost.for_each(|charge| counts.add(*places, charge.hash, charge.votes));
            }
        }
        // A step frees more entries than votes add, so garbage does not pile up even if nobody works.
        garbage.free_some();
    }

    /// How a ballot, or one for a member, stands with the rules whose scope it tells.
    pub fn quota<'a>(
        &'a self,
        calendar: &'a Calendar,
        now: Millis,
        ballot: &'a Ballot<'_>,
        member: Option<&'a [u8]>,
    ) -> impl Iterator<Item = Quota<'a>> {
        let now = moment(now);
        self.limits.iter().filter_map(move |limit| {
            let rule = &limit.rule;
            let mut values = scope::Values::new();
            rule.scope().values(ballot, &mut values).ok()?;
            if member.is_none() && rule.scope().has_member() {
                return None;
            }
            let hash = cost::hash(values.iter().filter_map(|value| value.or(member)));
            let period = match limit.used.find(now) {
                Some(counts) => counts.period,
                None => rule.unit().period(calendar, now),
            };
            let used = limit.used(self.places, hash, now);
            Some(Quota { rule, used, max: rule.allowance(ballot), wait: wait(period, now) })
        })
    }
}
