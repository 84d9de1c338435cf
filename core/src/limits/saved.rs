//! What of the counts is saved, and how it is taken up again.

use super::counts::Counts;
use super::{Limits, Unit, holds, moment};
use crate::Error;
use crate::calendar::{Calendar, Period};
use crate::time::Millis;

/// The counts of a rule in one period, as they are saved.
#[derive(Debug, Clone, Copy)]
pub struct Saved<'a> {
    /// The number of the rule, from 0.
    pub rule: usize,
    counts: &'a Counts,
}

impl<'a> Saved<'a> {
    /// When the period begins, in milliseconds since the epoch; [`i64::MIN`] for all of time.
    #[must_use]
    pub const fn start(&self) -> i64 {
        self.counts.period.start
    }

    /// How many entries there are, at least 1.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.counts.len()
    }

    /// Hashes and the votes used, in the order of their first vote.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + use<'a> {
        self.counts.iter()
    }
}

impl Limits {
    /// What was used in the periods that hold a moment, rule by rule. Where it is restored in this order,
    /// it is saved in this order again. Other periods count again only on a clock that is put back;
    /// for how long they are kept is each server's own affair.
    pub fn saved(&self, now: Millis) -> impl Iterator<Item = Saved<'_>> {
        let now = moment(now);
        let limits = self.limits.iter().enumerate();
        limits.filter_map(move |(rule, limit)| Some(Saved { rule, counts: limit.used.find(now)? }))
    }

    /// Takes up entries of a saved board, hashes and votes: what was used of a rule in the period that
    /// begins at `start` and holds the moment of the board's clock. All of them, or none.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where there is no such rule or period, where nothing was used, or where a hash
    /// stands twice.
    pub fn restore(
        &mut self,
        calendar: &Calendar,
        now: Millis,
        rule: usize,
        start: i64,
        entries: &[(u64, u32)],
    ) -> Result<(), Error> {
        let Self { limits, places, .. } = self;
        let limit = limits.get_mut(rule).ok_or(Error::Corrupt("rule of a limit"))?;
        if entries.iter().any(|(_, used)| *used == 0) {
            return Err(Error::Corrupt("unused entry of a limit"));
        }
        let period = period_from(limit.rule.unit(), calendar, start, moment(now));
        let period = period.ok_or(Error::Corrupt("period of a limit"))?;
        let mut hashes: Vec<u64> = entries.iter().map(|(hash, _)| *hash).collect();
        hashes.sort_unstable();
        let is_twice = hashes.windows(2).any(|pair| pair.first() == pair.last());
        let is_there =
            |hash: &u64| limit.used.current.as_ref().is_some_and(|counts| counts.used(*places, *hash) > 0);
        if is_twice || hashes.iter().any(is_there) {
            return Err(Error::Corrupt("entry of a limit twice"));
        }
        let counts = limit.used.restore(period).ok_or(Error::Corrupt("period of a limit"))?;
        entries.iter().for_each(|(hash, used)| counts.add(*places, *hash, u64::from(*used)));
        Ok(())
    }
}

/// The period that began at a saved start and held the moment of the clock. A zone's clocks may have been
/// decided anew since it was saved: then it ends behind that moment at the earliest.
fn period_from(unit: Unit, calendar: &Calendar, start: i64, now: i64) -> Option<Period> {
    let period = unit.period(calendar, start);
    let end = period.end.max(now.saturating_add(1));
    (holds(period, start) && start <= now).then_some(Period { start, end })
}
