//! The periods that a view looks at together: one of a cycle, the last few of a rolling one.

use crate::calendar::{Calendar, Unit};
use crate::size_class::bytes_of;

/// The starts of periods that follow each other, oldest first. Nobody has looked at any where there are
/// none.
#[derive(Debug, Clone, Default)]
pub struct Window(Box<[i64]>);

impl Window {
    /// So many periods, of which the last one starts then.
    #[must_use]
    pub fn new(calendar: &Calendar, unit: Unit, count: u16, last: i64) -> Self {
        let before = |start: &i64| Some(calendar.back(unit, *start, 1).start);
        let mut starts: Vec<_> = std::iter::successors(Some(last), before).take(usize::from(count)).collect();
        starts.reverse();
        Self(starts.into_boxed_slice())
    }

    /// The starts of its first and its last period.
    #[must_use]
    pub fn bounds(&self) -> Option<(i64, i64)> {
        self.0.first().copied().zip(self.last())
    }

    /// The start of its last period.
    #[must_use]
    pub fn last(&self) -> Option<i64> {
        self.0.last().copied()
    }

    /// How many periods its last one comes after the one that starts then: so late can votes of that
    /// period have come by the end of the window. Any number for what lies before it.
    #[must_use]
    pub fn periods_after(&self, start: i64) -> u16 {
        match self.0.partition_point(|earlier| *earlier <= start) {
            0 => u16::MAX,
            before => u16::try_from(self.0.len().saturating_sub(before)).unwrap_or(u16::MAX),
        }
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn memory(&self) -> usize {
        bytes_of::<i64>(self.0.len())
    }
}
