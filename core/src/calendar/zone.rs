//! The zone whose clocks count: one of the IANA database, or an offset that never changes.
//!
//! Moments here are whole seconds since the epoch. Local moments are what the clocks show, counted in the
//! same way. Everything follows from the offset at a moment, and from two facts of the database since
//! 1958 that a test checks: all clocks are less than 15 hours from UTC, and no zone changes them twice
//! within six days.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "moments and labels are of years up to 10011, where seconds are far from the ends of 64 bits"
)]

use std::fmt;

use chrono::{DateTime, Offset, TimeZone};
use chrono_tz::{TZ_VARIANTS, Tz};

/// The greatest offset that can be asked for: 18 hours.
const MAX_FIXED: i32 = 18 * 3600;
/// No zone of the database is farther from UTC, in seconds.
const MAX_NAMED: i64 = 15 * 3600;
/// In so many seconds a zone changes its clocks once at the most.
pub(super) const ONE_CHANGE: i64 = 6 * 86_400;
/// Seconds of an hour, the longest period that a change of clocks cuts.
const HOUR: i64 = 3600;

/// The zone whose clocks and dates a calendar follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// A zone of the IANA database.
    Named(Tz),
    /// So many seconds east of UTC: whole minutes, at the most 18 hours either way.
    Fixed(i32),
}

impl Default for Zone {
    fn default() -> Self {
        Self::Named(Tz::UTC)
    }
}

impl Zone {
    /// Reads a name of the database, or an offset of at most 18 hours as `+08:00`; `None` for all else. A
    /// name may be in any case; one that is exact goes first.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        if let Some((sign @ (b'+' | b'-'), rest)) = text.split_first() {
            let seconds = fixed(rest)?;
            return Some(Self::Fixed(if *sign == b'-' { -seconds } else { seconds }));
        }
        let name = std::str::from_utf8(text).ok()?;
        let exact = name.parse().ok();
        let any_case = || TZ_VARIANTS.iter().copied().find(|zone| zone.name().eq_ignore_ascii_case(name));
        exact.or_else(any_case).map(Self::Named)
    }

    /// How many seconds east of UTC the clocks are at a moment.
    pub(super) fn offset(self, at: i64) -> i64 {
        match self {
            Self::Fixed(seconds) => i64::from(seconds.clamp(-MAX_FIXED, MAX_FIXED)),
            Self::Named(zone) => DateTime::from_timestamp(at, 0).map_or(0, |moment| {
                i64::from(zone.offset_from_utc_datetime(&moment.naive_utc()).fix().local_minus_utc())
            }),
        }
    }

    /// When the clocks are changed, after `from` and up to `to`. That is at most [`ONE_CHANGE`] later.
    pub(super) fn change(self, from: i64, to: i64) -> Option<i64> {
        let before = self.offset(from);
        if self.offset(to) == before {
            return None;
        }
        let (mut low, mut high) = (from, to);
        while low + 1 < high {
            let middle = low.midpoint(high);
            if self.offset(middle) == before {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(high)
    }

    /// The clocks that may show a local moment, or the hour after it.
    pub(super) fn clocks(self, local: i64) -> Clocks {
        if matches!(self, Self::Fixed(_)) {
            let offset = self.offset(local);
            return Clocks { before: offset, after: offset, change: i64::MAX };
        }
        let (from, to) = (local - MAX_NAMED, local + HOUR + MAX_NAMED);
        let (before, after) = (self.offset(from), self.offset(to));
        let changed = (before != after).then(|| self.change(from, to)).flatten();
        Clocks { before, after, change: changed.unwrap_or(i64::MAX) }
    }
}

/// Hours and minutes of an offset without its sign, as `08:00`.
fn fixed(text: &[u8]) -> Option<i32> {
    let &[h1, h2, b':', m1, m2] = text else { return None };
    if ![h1, h2, m1, m2].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let two = |tens: u8, ones: u8| i32::from(tens & 0x0f) * 10 + i32::from(ones & 0x0f);
    let (hours, minutes) = (two(h1, h2), two(m1, m2));
    let seconds = hours * 3600 + minutes * 60;
    (minutes < 60 && seconds <= MAX_FIXED).then_some(seconds)
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(zone) => f.write_str(zone.name()),
            Self::Fixed(seconds) => {
                let sign = if *seconds < 0 { '-' } else { '+' };
                let minutes = seconds.unsigned_abs() / 60;
                write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
            }
        }
    }
}

/// The offsets around a local moment: one, or two and the moment of the change between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clocks {
    pub(super) before: i64,
    pub(super) after: i64,
    /// When they are changed; `i64::MAX` where they are not.
    pub(super) change: i64,
}

impl Clocks {
    /// The first instant at which the clocks show `local`, or have passed it.
    pub(super) fn reach(self, local: i64) -> i64 {
        let early = local - self.before;
        if early < self.change { early } else { self.change.max(local - self.after) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The search for changes relies on it. Each new version of the database has to pass.
    #[test]
    fn clocks_stay_near_utc_and_are_not_changed_twice_within_six_days() {
        for zone in TZ_VARIANTS.map(Zone::Named) {
            let (mut at, mut changed) = (-380_000_000, i64::MIN / 2);
            let mut offset = zone.offset(at);
            while at < 4_133_980_800 {
                let next = at + ONE_CHANGE / 2;
                let now = zone.offset(next);
                assert!(now.abs() < MAX_NAMED, "{zone}: {now} at {next}");
                if let Some(change) = (now != offset).then(|| zone.change(at, next)).flatten() {
                    assert!(change - changed > ONE_CHANGE, "{zone}: {changed} and {change}");
                    changed = change;
                }
                (at, offset) = (next, now);
            }
        }
    }
}
