//! Time zones: a zone of the IANA database, or an offset that never changes.
//!
//! Moments here are whole seconds since the epoch. Local moments are the time that the clocks show, counted in the
//! same way. All results are computed from the offset at a moment, and from two facts about the database since 1958
//! that a test checks: all clocks differ from UTC by less than 15 hours, and no zone changes its clocks twice
//! within six days.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "moments and labels are of years up to 10011, where seconds are far from the ends of 64 bits"
)]

use std::fmt;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Offset, TimeZone};
use chrono_tz::{TZ_VARIANTS, Tz};

/// The greatest fixed offset in seconds: 18 hours.
const MAX_FIXED: i32 = 18 * 3600;
/// The greatest distance of a zone in the database from UTC, in seconds.
const MAX_NAMED: i64 = 15 * 3600;
/// Within this number of seconds, a zone changes its clocks at most once.
pub(super) const ONE_CHANGE: i64 = 6 * 86_400;
/// The first year that the database does not contain. From this year on, the database has no changes of clocks.
const FIRST_UNKNOWN: i32 = 2100;
/// The number of seconds in an hour, which is the longest period that a change of clocks divides.
const HOUR: i64 = 3600;

/// The zone whose clocks and dates a calendar follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// A zone of the IANA database.
    Named(Tz),
    /// An offset of this number of seconds east of UTC: whole minutes, from -18 to 18 hours.
    Fixed(i32),
}

impl Default for Zone {
    fn default() -> Self {
        Self::Named(Tz::UTC)
    }
}

impl Zone {
    /// Reads a name of the database, or an offset of at most 18 hours like `+08:00`. Returns `None` for every other
    /// text. A name may be in upper or lower case; an exact match is preferred.
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

    /// Returns the offset of the clocks at a moment, in seconds east of UTC.
    pub(super) fn offset(self, at: i64) -> i64 {
        match self {
            Self::Fixed(seconds) => i64::from(seconds.clamp(-MAX_FIXED, MAX_FIXED)),
            Self::Named(zone) => DateTime::from_timestamp(at, 0).map_or(0, |moment| {
                let moment = in_a_known_year(moment.naive_utc());
                i64::from(zone.offset_from_utc_datetime(&moment).fix().local_minus_utc())
            }),
        }
    }

    /// Returns the moment of the change of clocks after `from` and up to `to`; `None` if there is none. `to` is at
    /// most [`ONE_CHANGE`] after `from`.
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

    /// Returns the offset, or the two offsets, at which the clocks may show a local moment or a moment in the hour
    /// after it.
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

/// Returns the given moment if its year is in the database. Otherwise, the same moment in the last year of the
/// database that has the same days of the week.
fn in_a_known_year(moment: NaiveDateTime) -> NaiveDateTime {
    if moment.year() < FIRST_UNKNOWN {
        return moment;
    }
    let days = |year| NaiveDate::from_yo_opt(year, 1).map(|day| (day.weekday(), day.leap_year()));
    // The days of the week repeat every 28 years, unless a year like 2100 is among these years.
    let mut known = (FIRST_UNKNOWN - 28..FIRST_UNKNOWN).rev();
    let year = known.find(|year| days(*year) == days(moment.year()));
    year.and_then(|year| moment.with_year(year)).unwrap_or(moment)
}

/// Reads hours and minutes of an offset without its sign, as `08:00`. Returns seconds.
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

/// The offsets around a local moment: one offset, or two offsets and the moment at which the first is replaced by
/// the second.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clocks {
    pub(super) before: i64,
    pub(super) after: i64,
    /// The moment of the change of clocks; `i64::MAX` if there is no change.
    pub(super) change: i64,
}

impl Clocks {
    /// Returns the first instant at which the clocks show `local` or a later time.
    pub(super) fn reach(self, local: i64) -> i64 {
        let early = local - self.before;
        if early < self.change { early } else { self.change.max(local - self.after) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The search for changes depends on this property. Each new version of the database must pass this test.
    #[test]
    fn clocks_stay_near_utc_and_are_not_changed_twice_within_six_days() {
        for zone in TZ_VARIANTS.map(Zone::Named) {
            let (mut at, mut changed) = (-380_000_000, i64::MIN / 2);
            let mut offset = zone.offset(at);
            while at < NEW_YEAR_2130 {
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

    /// The first second of the year 2130.
    const NEW_YEAR_2130: i64 = 5_049_129_600;

    /// From 2100 on, years are replaced by known years. At the ends of these known years, every zone always has the
    /// same offset, so any known year can follow any other. Each new version of the database must pass this test.
    #[test]
    fn no_clocks_are_changed_between_years_that_stand_for_others() {
        for zone in TZ_VARIANTS.map(Zone::Named) {
            let new_year = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap().and_hms_opt(0, 0, 0).unwrap();
            let starts = (2072..=2100).map(|year| new_year(year).and_utc().timestamp());
            let offsets =
                starts.flat_map(|at| [-ONE_CHANGE, -1, 0, ONE_CHANGE].map(|by| zone.offset(at + by)));
            assert!(offsets.collect::<BTreeSet<_>>().len() == 1, "{zone}");
        }
    }

    #[test]
    fn years_that_stand_for_others_have_the_same_days() {
        for year in 1970..10_011 {
            let new_year = NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
            let moment = new_year.and_hms_opt(23, 59, 59).unwrap() + chrono::Days::new(180);
            let known = in_a_known_year(moment);
            assert_eq!((known.ordinal(), known.time()), (moment.ordinal(), moment.time()));
            assert_eq!(known.weekday(), moment.weekday(), "{year}");
            assert_eq!(known.date().leap_year(), new_year.leap_year(), "{year}");
            let is_known =
                if year < 2100 { known.year() == year } else { (2072..2100).contains(&known.year()) };
            assert!(is_known, "{year}");
        }
    }
}
