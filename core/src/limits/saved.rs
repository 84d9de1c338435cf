//! Saves the counts of limits, and restores them.

use super::counts::Counts;
use super::unit::RuleUnit;
use super::{Limits, moment};
use crate::Error;
use crate::calendar::{Calendar, Period};
use crate::time::Millis;

/// The counts of a rule in one period, for saving.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SavedCounts<'a> {
    /// The number of the rule, from 0.
    pub(crate) rule: usize,
    counts: &'a Counts,
}

impl<'a> SavedCounts<'a> {
    /// Returns the start of the period in milliseconds since the epoch; [`i64::MIN`] for all of time.
    pub(crate) const fn start(&self) -> i64 {
        self.counts.period.start
    }

    /// Returns the same counts under another number of the rule.
    pub(crate) const fn numbered(self, rule: usize) -> Self {
        Self { rule, ..self }
    }

    /// Returns how many hashes have counts, at least 1.
    pub(crate) fn entries(&self) -> usize {
        self.counts.len()
    }

    /// Returns the hashes and their used votes, by ascending hash.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u32)> + use<'a> {
        self.counts.iter()
    }
}

impl Limits {
    /// Returns the counts in the periods that contain a moment, rule by rule. Counts of other periods are not
    /// saved: they are needed only if the clock is put back, and each server frees them at a different time.
    pub(crate) fn saved(&self, now: Millis) -> impl Iterator<Item = SavedCounts<'_>> {
        let now = moment(now);
        let limits = self.limits.iter().enumerate();
        limits.filter_map(move |(rule, limit)| Some(SavedCounts { rule, counts: limit.usage.find(now)? }))
    }

    /// Restores the counts of a rule from a saved board, in the period that begins at `start` and contains the
    /// board's present time `now`. `entries` are hashes and votes. Restores all entries, or none.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if there is no such rule or period, if there are no votes, or if a hash occurs twice.
    pub(crate) fn restore(
        &mut self,
        calendar: &Calendar,
        now: Millis,
        rule: usize,
        start: i64,
        entries: &[(u64, u32)],
    ) -> Result<(), Error> {
        let Self { limits, secret, .. } = self;
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
            |hash: &u64| limit.usage.current.as_ref().is_some_and(|counts| counts.used(*secret, *hash) > 0);
        if is_twice || hashes.iter().any(is_there) {
            return Err(Error::Corrupt("entry of a limit twice"));
        }
        let counts = limit.usage.restore(period).ok_or(Error::Corrupt("period of a limit"))?;
        entries.iter().for_each(|(hash, used)| counts.add(*secret, *hash, u64::from(*used)));
        Ok(())
    }
}

impl Limits {
    /// Takes in the counts of another list of the same rules, in the period that contains a moment. Of two counts for one hash,
    /// the greater one stays: parts that were one part have both counted what was used before.
    pub(crate) fn adopt(&mut self, calendar: &Calendar, now: Millis, other: &Self) {
        let Self { limits, secret, garbage } = self;
        for saved in other.saved(now) {
            let Some(limit) = limits.get_mut(saved.rule) else { continue };
            let counts = limit.usage.enter(limit.rule.unit(), calendar, moment(now), garbage);
            for (hash, used) in saved.iter() {
                let more = used.saturating_sub(counts.used(*secret, hash));
                if more > 0 {
                    counts.add(*secret, hash, u64::from(more));
                }
            }
        }
    }
}

/// Returns the period that begins at a saved start and contains the board's present time. The rules of its time
/// zone may have changed since it was saved; even then, the period does not end before the present time.
fn period_from(unit: RuleUnit, calendar: &Calendar, start: i64, now: i64) -> Option<Period> {
    let period = unit.period(calendar, start);
    let end = period.end.max(now.saturating_add(1));
    (period.holds(start) && start <= now).then_some(Period { start, end })
}
