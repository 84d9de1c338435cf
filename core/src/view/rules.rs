//! The rules of a view of periods, and the spans that they make.

use super::{Share, Spec};
use crate::calendar::{Calendar, Period, Unit};
use crate::time::Millis;

/// A moment as periods count it: they may begin before 1970.
pub(super) fn signed(moment: Millis) -> i64 {
    i64::try_from(moment).unwrap_or(i64::MAX)
}

/// A moment within a period as entries count it.
pub(super) fn unsigned(moment: i64) -> Millis {
    u64::try_from(moment).unwrap_or(0)
}

/// A period that is current, and since when points count in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) period: Period,
    /// The start of the oldest period that counts.
    pub(crate) from: i64,
}

impl Span {
    pub(crate) const fn contains(&self, moment: i64) -> bool {
        self.period.start <= moment && moment < self.period.end
    }

    /// Whether points of the period that starts then count.
    pub(super) const fn counts(&self, start: i64) -> bool {
        self.from <= start && start <= self.period.start
    }
}

/// The [`Spec`] of a view of periods.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) unit: Unit,
    /// How many periods count, the one that is carried over included.
    pub(super) count: u16,
    pub(super) carry: Option<Share>,
    /// How many ended periods stay readable.
    pub(super) retain: u32,
}

impl Rules {
    /// The rules of a view, unless it is `all`.
    pub(super) fn of(spec: &Spec) -> Option<Self> {
        let (unit, count) = spec.reach()?;
        Some(Self { unit, count, carry: spec.carry, retain: spec.retain })
    }

    /// Whether several periods count in full.
    pub(super) const fn is_rolling(&self) -> bool {
        self.count > 1 && self.carry.is_none()
    }

    /// The span whose period holds a moment.
    pub(crate) fn span(&self, calendar: &Calendar, moment: i64) -> Span {
        let period = calendar.period(self.unit, moment);
        let back = u32::from(self.count.saturating_sub(1));
        let from = if back == 0 { period.start } else { self.back(calendar, period.start, back) };
        Span { period, from }
    }

    /// The start of the period so many periods before the one that starts then.
    pub(super) fn back(&self, calendar: &Calendar, start: i64, count: u32) -> i64 {
        calendar.back(self.unit, start, count).start
    }

    /// The start of the period that holds a moment.
    pub(super) fn start_of(&self, calendar: &Calendar, moment: i64) -> i64 {
        calendar.period(self.unit, moment).start
    }

    /// The start of the next period.
    pub(super) fn next(&self, calendar: &Calendar, start: i64) -> i64 {
        calendar.period(self.unit, start).end
    }
}
