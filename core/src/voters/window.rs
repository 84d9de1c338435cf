//! The periods that a view counts together: one period, or the last few periods of a rolling view.

use crate::calendar::{Calendar, Unit};
use crate::size_class::bytes_of;

/// The starts of consecutive periods, oldest first. It is empty before the first vote.
#[derive(Debug, Clone, Default)]
pub struct PeriodWindow(Box<[i64]>);

impl PeriodWindow {
    /// `count` periods; the last one starts at `last`.
    pub fn new(calendar: &Calendar, unit: Unit, count: u16, last: i64) -> Self {
        let before = |start: &i64| Some(calendar.back(unit, *start, 1).start);
        let mut starts: Vec<_> = std::iter::successors(Some(last), before).take(usize::from(count)).collect();
        starts.reverse();
        Self(starts.into_boxed_slice())
    }

    /// The starts of the first and the last period.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        self.0.first().copied().zip(self.last())
    }

    /// The start of the last period.
    pub fn last(&self) -> Option<i64> {
        self.0.last().copied()
    }

    /// How many periods after `start` the last period starts: the greatest lateness of votes of that period at the
    /// end of the window. The greatest number for starts before the window.
    pub fn periods_after(&self, start: i64) -> u16 {
        match self.0.partition_point(|earlier| *earlier <= start) {
            0 => u16::MAX,
            before => u16::try_from(self.0.len().saturating_sub(before)).unwrap_or(u16::MAX),
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        bytes_of::<i64>(self.0.len())
    }
}
