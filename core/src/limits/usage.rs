//! What was used of a rule: the counts of the period that the clock is in, and of the one that it was
//! in before.

use std::mem;

use super::Unit;
use super::counts::Counts;
use crate::calendar::{Calendar, Period};
use crate::mover::Mover;
use crate::size_class::bytes_of;

/// Counts of at most so many hashes are freed at once.
pub const SMALL: usize = 256;
/// The longest time that the counts of a period are kept after it, in milliseconds: an hour.
const LONGEST: i64 = 3_600_000;

/// For how many milliseconds the clock has to be past a period before its counts go.
fn settle(period: Period) -> i64 {
    (period.end.saturating_sub(period.start) / 8).min(LONGEST)
}

pub(super) const fn holds(period: Period, at: i64) -> bool {
    period.start <= at && at < period.end
}

/// The counts of one rule. None of them is empty, and without current ones there are no others.
#[derive(Debug, Clone, Default)]
pub struct Usage {
    /// Of the period in which votes were counted last.
    pub current: Option<Box<Counts>>,
    /// Of the period before that, by the order of events: where a clock leapt and was put right, it may
    /// be the later one.
    pub other: Option<Box<Counts>>,
    /// The moment from which the clock has been in the current period, or has not, as far as anybody
    /// looked. It is not the period's start, as a clock leaps into the midst of one.
    since: Option<i64>,
}

fn is_of(counts: &Option<Box<Counts>>, now: i64) -> bool {
    counts.as_ref().is_some_and(|counts| holds(counts.period, now))
}

impl Usage {
    /// The current counts and the others.
    pub fn iter(&self) -> impl Iterator<Item = &Counts> {
        [&self.current, &self.other].into_iter().flatten().map(AsRef::as_ref)
    }

    /// The same, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Counts> {
        self.slots().flatten().map(AsMut::as_mut)
    }

    fn slots(&mut self) -> impl Iterator<Item = &mut Option<Box<Counts>>> {
        [&mut self.current, &mut self.other].into_iter()
    }

    /// The counts of the period that a moment lies in.
    pub fn find(&self, now: i64) -> Option<&Counts> {
        self.iter().find(|counts| holds(counts.period, now))
    }

    /// The same, to count votes in now. What that replaces goes to garbage, and what is over.
    pub fn enter(&mut self, unit: Unit, calendar: &Calendar, now: i64, garbage: &mut Garbage) -> &mut Counts {
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

    /// Gives to garbage what has been over for long enough.
    pub fn retire(&mut self, now: i64, garbage: &mut Garbage) {
        let Some(current) = &self.current else { return };
        let is_in = holds(current.period, now);
        let since = self.since.filter(|since| holds(current.period, *since) == is_in).unwrap_or(now);
        self.since = Some(since);
        let is_over =
            |counts: &Counts| counts.period.end <= now && now.saturating_sub(since) >= settle(counts.period);
        for slot in self.slots() {
            if slot.as_ref().is_some_and(|counts| is_over(counts)) {
                garbage.take(slot.take());
            }
        }
        if self.current.is_none() {
            self.current = self.other.take();
        }
    }

    /// The current counts, begun where there are none; nothing where they are of another period.
    pub fn restore(&mut self, period: Period) -> Option<&mut Counts> {
        let counts = self.current.get_or_insert_with(|| Box::new(Counts::new(period)));
        (counts.period.start == period.start).then_some(counts)
    }

    /// Gives everything to garbage.
    pub fn clear(&mut self, garbage: &mut Garbage) {
        for slot in self.slots() {
            garbage.take(slot.take());
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.iter().map(|counts| counts.memory().saturating_add(bytes_of::<Counts>(1))).sum()
    }

    /// Lets the allocator move what stands before the entries.
    pub fn relocate(&mut self, mover: &mut impl Mover) {
        for slot in self.slots() {
            *slot = slot.take().map(|counts| mover.relocate(counts));
        }
    }
}

/// Counts that nobody will ask any more, to be freed in small steps.
#[derive(Debug, Clone, Default)]
pub struct Garbage(Vec<Counts>);

impl Garbage {
    fn take(&mut self, counts: Option<Box<Counts>>) {
        if let Some(counts) = counts.filter(|counts| counts.len() > SMALL) {
            self.0.push(*counts);
        }
    }

    /// Frees a little; false when nothing is left.
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
