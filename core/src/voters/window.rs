//! The periods that are counted together in a view: one period, or the last few periods of a rolling view.

use crate::calendar::{Calendar, Unit};
use crate::size_class::bytes_of;

/// The starts of consecutive periods, oldest first. It is empty before the first vote.
#[derive(Debug, Clone, Default)]
pub struct PeriodWindow(Box<[i64]>);

impl PeriodWindow {
    /// Returns a window of `count` periods. The last of them starts at `last`.
    pub fn new(calendar: &Calendar, unit: Unit, count: u16, last: i64) -> Self {
        let before = |start: &i64| Some(calendar.back(unit, *start, 1).start);
        let mut starts: Vec<_> = std::iter::successors(Some(last), before).take(usize::from(count)).collect();
        starts.reverse();
        Self(starts.into_boxed_slice())
    }

    /// Returns the starts of the first and the last period.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        self.0.first().copied().zip(self.last())
    }

    /// Returns the start of the last period.
    pub fn last(&self) -> Option<i64> {
        self.0.last().copied()
    }

    /// Returns the number of periods from the period that starts at `start` to the last period: the greatest
    /// lateness of votes for that period at the end of the window. It is [`u16::MAX`] for starts before the window.
    pub fn periods_after(&self, start: i64) -> u16 {
        match self.0.partition_point(|earlier| *earlier <= start) {
            0 => u16::MAX,
            before => u16::try_from(self.0.len().saturating_sub(before)).unwrap_or(u16::MAX),
        }
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        bytes_of::<i64>(self.0.len())
    }
}
