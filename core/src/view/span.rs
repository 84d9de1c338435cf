//! The span of a view: its current period, and since when points count in it.

use super::Spec;
use crate::calendar::Period;
use crate::schema::Schema;
use crate::time::Millis;

/// A moment as periods count it: they may begin before 1970.
pub(crate) fn signed(moment: Millis) -> i64 {
    i64::try_from(moment).unwrap_or(i64::MAX)
}

/// A moment within a period as entries count it.
pub(crate) fn unsigned(moment: i64) -> Millis {
    u64::try_from(moment).unwrap_or(0)
}

/// The current period, and since when points count in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) period: Period,
    pub(crate) from: i64,
}

impl Span {
    /// The span of a view whose current period holds a moment.
    pub(crate) fn at(spec: &Spec, schema: &Schema, moment: i64) -> Option<Self> {
        let (unit, count) = spec.reach()?;
        let period = schema.calendar.period(unit, moment);
        let back = u32::from(count.saturating_sub(1));
        let from =
            if back == 0 { period.start } else { schema.calendar.back(unit, period.start, back).start };
        Some(Self { period, from })
    }

    pub(crate) const fn contains(&self, moment: i64) -> bool {
        self.period.start <= moment && moment < self.period.end
    }
}
