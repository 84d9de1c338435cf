//! The units of time in which rules count votes.

use std::fmt;

use crate::Error;
use crate::calendar::{Calendar, Period, Unit};

const ATTEMPT_WORDS: &str = "second, minute, hour, day, week, month, year, all, or seconds such as 3600s";

/// The unit of time in which a rule counts votes. In the next period of this unit, the rule counts from 0 again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleUnit {
    /// A whole second of the clock. The calendar's origin is not used.
    Second,
    /// A period of the board's calendar.
    Calendar(Unit),
    /// All of time: the rule never begins anew.
    All,
}

impl RuleUnit {
    /// Reads `second`, `minute`, `hour`, `day`, `week`, `month`, `year` or `all`, in upper or lower case.
    pub(super) fn parse(word: &[u8]) -> Option<Self> {
        if word.eq_ignore_ascii_case(b"second") {
            return Some(Self::Second);
        }
        if word.eq_ignore_ascii_case(b"all") {
            return Some(Self::All);
        }
        match Unit::parse(word) {
            None | Some(Unit::Seconds(_)) => None,
            Some(unit) => Some(Self::Calendar(unit)),
        }
    }

    /// Reads the unit of attempts: a word of [`Self::parse`], or a number of seconds such as `3600s`.
    ///
    /// # Errors
    /// [`Error::NotOneOf`] with the words.
    pub(super) fn parse_of_attempts(word: &[u8]) -> Result<Self, Error> {
        match Unit::parse(word) {
            Some(unit) => Ok(Self::Calendar(unit)),
            None => Self::parse(word).ok_or(Error::NotOneOf("unit of ATTEMPTS", ATTEMPT_WORDS)),
        }
    }

    /// Returns the period that contains a moment, in milliseconds. The period of [`RuleUnit::All`] has no start and
    /// no end.
    pub(super) fn period(self, calendar: &Calendar, at: i64) -> Period {
        match self {
            Self::Second => {
                let start = at.saturating_sub(at.rem_euclid(1000));
                Period { start, end: start.saturating_add(1000) }
            }
            Self::Calendar(unit) => calendar.period(unit, at),
            Self::All => Period { start: i64::MIN, end: i64::MAX },
        }
    }
}

impl fmt::Display for RuleUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Second => f.write_str("second"),
            Self::Calendar(unit) => unit.fmt(f),
            Self::All => f.write_str("all"),
        }
    }
}
