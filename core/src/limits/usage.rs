//! The usage of a rule: the counts of the period of the last votes, and of the period of the votes before that.

use std::mem;

use super::counts::Counts;
use super::unit::RuleUnit;
use crate::calendar::{Calendar, Period};
use crate::mover::Mover;
use crate::size_class::bytes_of;

/// Up to this number of hashes, counts are freed at once.
pub const SMALL: usize = 256;
/// The longest [`grace`]: an hour.
const LONGEST: i64 = 3_600_000;

/// Returns the time in milliseconds for which the clock must be past a period before the period's counts are freed.
fn grace(period: Period) -> i64 {
    (period.end.saturating_sub(period.start) / 8).min(LONGEST)
}

/// The counts of one rule. Counts that exist are not empty. If there are no current counts, there are no other
/// counts.
#[derive(Debug, Clone, Default)]
pub struct Usage {
    /// The counts of the period in which the last votes were counted.
    pub current: Option<Box<Counts>>,
    /// The counts of the period in which votes were counted before the current period. This period may be later
    /// than the current period, if a clock was ahead and was put back.
    pub other: Option<Box<Counts>>,
    /// The moment since which the clock has been seen inside of the current period, or outside of it. A clock may
    /// jump, so this need not be the start or the end of the period.
    since: Option<i64>,
}

fn is_of(counts: &Option<Box<Counts>>, now: i64) -> bool {
    counts.as_ref().is_some_and(|counts| counts.period.holds(now))
}

impl Usage {
    /// Returns the current counts and the other counts.
    pub fn iter(&self) -> impl Iterator<Item = &Counts> {
        [&self.current, &self.other].into_iter().flatten().map(AsRef::as_ref)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Counts> {
        self.slots().flatten().map(AsMut::as_mut)
    }

    fn slots(&mut self) -> impl Iterator<Item = &mut Option<Box<Counts>>> {
        [&mut self.current, &mut self.other].into_iter()
    }

    /// Returns the counts of the period that contains a moment.
    pub fn find(&self, now: i64) -> Option<&Counts> {
        self.iter().find(|counts| counts.period.holds(now))
    }

    /// Makes the counts of the period that contains a moment the current counts, and returns them for counting
    /// votes. Counts that they replace and counts of ended periods become garbage.
    pub fn enter(
        &mut self,
        unit: RuleUnit,
        calendar: &Calendar,
        now: i64,
        garbage: &mut OldCounts,
    ) -> &mut Counts {
        if !is_of(&self.current, now) {
            mem::swap(&mut self.current, &mut self.other);
            self.since = Some(now);
        }
        if !is_of(&self.current, now) {
            garbage.take(self.current.take());
        } else {
            self.retire(now, garbage);
        }
        self.current.get_or_insert_with(|| Box::new(Counts::new(unit.period(calendar, now))))
    }

    /// Moves counts whose [`grace`] has passed to the garbage.
    pub fn retire(&mut self, now: i64, garbage: &mut OldCounts) {
        let Some(current) = &self.current else { return };
        let is_in = current.period.holds(now);
        let since = self.since.filter(|since| current.period.holds(*since) == is_in).unwrap_or(now);
        self.since = Some(since);
        let is_over =
            |counts: &Counts| counts.period.end <= now && now.saturating_sub(since) >= grace(counts.period);
        for slot in self.slots() {
            if slot.as_ref().is_some_and(|counts| is_over(counts)) {
                garbage.take(slot.take());
            }
        }
        if self.current.is_none() {
            self.current = self.other.take();
        }
    }

    /// Returns the current counts. If there are no counts yet, they are created. `None` if the current counts are
    /// for another period.
    pub fn restore(&mut self, period: Period) -> Option<&mut Counts> {
        let counts = self.current.get_or_insert_with(|| Box::new(Counts::new(period)));
        (counts.period.start == period.start).then_some(counts)
    }

    /// Moves all counts to the garbage.
    pub fn clear(&mut self, garbage: &mut OldCounts) {
        for slot in self.slots() {
            garbage.take(slot.take());
        }
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        self.iter().map(|counts| counts.memory().saturating_add(bytes_of::<Counts>(1))).sum()
    }

    /// Lets the allocator move the counts, without their lists of hashes.
    pub fn relocate(&mut self, mover: &mut impl Mover) {
        for slot in self.slots() {
            *slot = slot.take().map(|counts| mover.relocate(counts));
        }
    }
}

/// Counts that are not used any more and are freed in small steps.
#[derive(Debug, Clone, Default)]
pub struct OldCounts(Vec<Counts>);

impl OldCounts {
    fn take(&mut self, counts: Option<Box<Counts>>) {
        if let Some(counts) = counts.filter(|counts| counts.len() > SMALL) {
            self.0.push(*counts);
        }
    }

    /// Frees some counts. Returns false when there is nothing more to free.
    pub fn free_some(&mut self) -> bool {
        if let Some(last) = self.0.last_mut() {
            if !last.drain_some() {
                self.0.pop();
            }
            if self.0.is_empty() {
                self.0 = Vec::new();
            }
        }
        !self.0.is_empty()
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        let list = bytes_of::<Counts>(self.0.capacity());
        self.0.iter().map(Counts::memory).sum::<usize>().saturating_add(list)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Counts> {
        self.0.iter()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Counts> {
        self.0.iter_mut()
    }
}
