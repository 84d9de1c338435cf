//! The usage of a rule: the counts of the clock's current period, and of the period before it.

use std::mem;

use super::counts::Counts;
use super::unit::RuleUnit;
use crate::calendar::{Calendar, Period};
use crate::mover::Mover;
use crate::size_class::bytes_of;

/// Counts of up to this number of hashes are freed at once.
pub const SMALL: usize = 256;
/// The longest [`grace`]: an hour.
const LONGEST: i64 = 3_600_000;

/// For how many milliseconds the clock must be past a period before the period's counts are freed.
fn grace(period: Period) -> i64 {
    (period.end.saturating_sub(period.start) / 8).min(LONGEST)
}

/// The counts of one rule. None of them is empty, and if there are no current counts, there are no others.
#[derive(Debug, Clone, Default)]
pub struct Usage {
    /// The counts of the period in which votes were counted last.
    pub current: Option<Box<Counts>>,
    /// The counts of the period in which votes were counted before the current period. This period may be later than
    /// the current one, if a clock was ahead and was corrected.
    pub other: Option<Box<Counts>>,
    /// The moment since which the clock has been seen inside of the current period, or outside of it. A clock may
    /// jump, so this need not be the start or the end of the period.
    since: Option<i64>,
}

fn is_of(counts: &Option<Box<Counts>>, now: i64) -> bool {
    counts.as_ref().is_some_and(|counts| counts.period.holds(now))
}

impl Usage {
    /// The current counts and the others.
    pub fn iter(&self) -> impl Iterator<Item = &Counts> {
        [&self.current, &self.other].into_iter().flatten().map(AsRef::as_ref)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Counts> {
        self.slots().flatten().map(AsMut::as_mut)
    }

    fn slots(&mut self) -> impl Iterator<Item = &mut Option<Box<Counts>>> {
        [&mut self.current, &mut self.other].into_iter()
    }

    /// The counts of the period that holds a moment.
    pub fn find(&self, now: i64) -> Option<&Counts> {
        self.iter().find(|counts| counts.period.holds(now))
    }

    /// Makes the counts of the period that holds a moment the current counts, and returns them to count votes in.
    /// Counts that they replace and counts of ended periods become garbage.
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

    /// Turns counts whose [`grace`] has passed into garbage.
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

    /// The current counts. If there are none yet, they are made. `None` if the current counts belong to another
    /// period.
    pub fn restore(&mut self, period: Period) -> Option<&mut Counts> {
        let counts = self.current.get_or_insert_with(|| Box::new(Counts::new(period)));
        (counts.period.start == period.start).then_some(counts)
    }

    /// Turns all counts into garbage.
    pub fn clear(&mut self, garbage: &mut OldCounts) {
        for slot in self.slots() {
            garbage.take(slot.take());
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.iter().map(|counts| counts.memory().saturating_add(bytes_of::<Counts>(1))).sum()
    }

    /// Lets the allocator move the counts, without their entries.
    pub fn relocate(&mut self, mover: &mut impl Mover) {
        for slot in self.slots() {
            *slot = slot.take().map(|counts| mover.relocate(counts));
        }
    }
}

/// Counts that are no longer used, to be freed in small steps.
#[derive(Debug, Clone, Default)]
pub struct OldCounts(Vec<Counts>);

impl OldCounts {
    fn take(&mut self, counts: Option<Box<Counts>>) {
        if let Some(counts) = counts.filter(|counts| counts.len() > SMALL) {
            self.0.push(*counts);
        }
    }

    /// Frees a little. Returns false when there is nothing more to free.
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

    /// Bytes on the heap.
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
