//! Opening hours: `mon-fri=18:00-20:00,sat-sun=10:00-22:00`.
//!
//! A window is half-open, and belongs to the days on which it begins. It is a range of the times that the clocks of the
//! zone show: where the clocks show a time twice, both count, and a time that they skip never comes.

use std::fmt;

use super::zone::ONE_CHANGE;
use super::{Calendar, DAY, Weekday};
use crate::Error;
use crate::error::Quoted;
use crate::size_class::bytes_of;

/// The maximum number of windows.
pub const MAX_WINDOWS: usize = 32;
/// The number of minutes in a day.
const MINUTES: u16 = 1_440;
/// The number of days in which the next opening is searched: two weeks, since a zone can skip a date, and two days for the
/// ends.
const SEARCHED_DAYS: i64 = 16;

/// A window of each day of a range of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Window {
    first: Weekday,
    last: Weekday,
    /// The minute of the day at which it begins.
    from: u16,
    /// The minute at which it ends, of the same day, or of the next day if it is not after `from`.
    to: u16,
}

/// Opening hours. Without a window, it is always open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hours(Vec<Window>);

impl Hours {
    /// Reads windows, separated by commas. An empty text means that it is always open.
    ///
    /// # Errors
    /// [`Error::BadHours`], [`Error::TooMany`].
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let window = |word: &[u8]| Window::parse(word).ok_or(Error::BadHours(Quoted::new(word)));
        let windows = text.split(|byte| *byte == b',').take(MAX_WINDOWS.saturating_add(1)).map(window);
        let windows = windows.collect::<Result<Vec<_>, _>>()?;
        if windows.len() > MAX_WINDOWS {
            return Err(Error::TooMany("HOURS", MAX_WINDOWS, "windows"));
        }
        Ok(Self(windows))
    }

    /// Returns whether it is always open.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of bytes on the heap.
    pub(crate) const fn memory(&self) -> usize {
        bytes_of::<Window>(self.0.capacity())
    }

    /// Returns whether it is open when the clocks show this moment, in seconds.
    fn shows_open(&self, local: i64) -> bool {
        let (day, minute) = (local.div_euclid(DAY), local.rem_euclid(DAY) / 60);
        self.0.iter().any(|window| window.holds(day, minute))
    }
}

impl Calendar {
    /// Returns whether it is open at a moment, in milliseconds.
    #[must_use]
    pub fn is_open(&self, hours: &Hours, at: i64) -> bool {
        let second = at.div_euclid(1000);
        hours.is_empty() || hours.shows_open(second + self.zone.offset(second))
    }

    /// Returns the first moment from `from` on at which it is open, in milliseconds; `None` if there is none in two
    /// weeks.
    #[must_use]
    pub fn next_open(&self, hours: &Hours, from: i64) -> Option<i64> {
        if self.is_open(hours, from) {
            return Some(from);
        }
        let second = from.div_euclid(1000);
        let today = (second + self.zone.offset(second)).div_euclid(DAY);
        let starts = (today - 1..today + SEARCHED_DAYS).flat_map(|day| {
            let begins = hours.0.iter().filter(move |window| window.begins_on(day));
            begins.map(move |window| day * DAY + i64::from(window.from) * 60)
        });
        let mut moments: Vec<i64> = starts.flat_map(|local| self.moments(local)).collect();
        // A change of the clocks can leap into a window.
        let mut changed = second;
        for end in (1..=SEARCHED_DAYS * DAY / ONE_CHANGE + 1).map(|count| second + count * ONE_CHANGE) {
            moments.extend(self.zone.change(changed, end));
            changed = end;
        }
        moments.sort_unstable();
        let mut later = moments.into_iter().map(|second| second * 1000).filter(|moment| *moment > from);
        later.find(|moment| self.is_open(hours, *moment))
    }

    /// Returns the moments, in seconds, at which the clocks can show a local time.
    fn moments(&self, local: i64) -> [i64; 2] {
        let clocks = self.zone.clocks(local);
        [local - clocks.before, local - clocks.after]
    }
}

impl Window {
    fn parse(word: &[u8]) -> Option<Self> {
        let (days, times) = split(word, b'=')?;
        let (first, last) = split(days, b'-').unwrap_or((days, days));
        let (from, to) = split(times, b'-')?;
        let window = Self {
            first: Weekday::parse(first)?,
            last: Weekday::parse(last)?,
            from: minute(from).filter(|from| *from < MINUTES)?,
            to: minute(to)?,
        };
        (window.from != window.to).then_some(window)
    }

    /// Returns whether the window begins on a day, counted from the first day of 1970, which was a Thursday.
    const fn begins_on(&self, day: i64) -> bool {
        let weekday = (day + 3).rem_euclid(7);
        let (first, last) = (self.first.after_monday(), self.last.after_monday());
        if first <= last { first <= weekday && weekday <= last } else { first <= weekday || weekday <= last }
    }

    /// Returns whether a minute of a day is in the window.
    fn holds(&self, day: i64, minute: i64) -> bool {
        let (from, to) = (i64::from(self.from), i64::from(self.to));
        if from < to {
            return self.begins_on(day) && from <= minute && minute < to;
        }
        self.begins_on(day) && from <= minute || self.begins_on(day - 1) && minute < to
    }
}

fn split(text: &[u8], by: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|byte| *byte == by)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Reads `HH:MM`, up to `24:00`.
fn minute(text: &[u8]) -> Option<u16> {
    let &[h1, h2, b':', m1, m2] = text else { return None };
    if ![h1, h2, m1, m2].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let two = |tens: u8, ones: u8| u16::from(tens & 0x0f) * 10 + u16::from(ones & 0x0f);
    let (hours, minutes) = (two(h1, h2), two(m1, m2));
    let all = hours * 60 + minutes;
    (minutes < 60 && all <= MINUTES).then_some(all)
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, window) in self.0.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{window}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last, from, to } = *self;
        f.write_str(&first.to_string().to_ascii_lowercase())?;
        if first != last {
            write!(f, "-{}", last.to_string().to_ascii_lowercase())?;
        }
        write!(f, "={:02}:{:02}-{:02}:{:02}", from / 60, from % 60, to / 60, to % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::Zone;
    use proptest::prelude::*;

    fn hours(text: &str) -> Hours {
        Hours::parse(text.as_bytes()).unwrap()
    }

    fn berlin() -> Calendar {
        Calendar { zone: Zone::parse(b"Europe/Berlin").unwrap(), ..Calendar::default() }
    }

    /// A moment in Berlin, by its UTC time.
    fn utc(text: &str) -> i64 {
        chrono::DateTime::parse_from_rfc3339(&format!("{text}Z")).unwrap().timestamp_millis()
    }

    #[test]
    fn words_are_read_and_shown() {
        for text in ["mon-fri=18:00-20:00,sat-sun=10:00-22:00", "fri=22:00-02:00", "sat-mon=00:00-24:00"] {
            assert_eq!(hours(text).to_string(), text);
        }
        assert_eq!(hours("MON=08:00-09:00").to_string(), "mon=08:00-09:00");
        assert!(hours("").is_empty());
        let wrong = ["mon", "mon=", "mon=8:00-9:00", "mon=08:00-08:00", "mon=24:00-08:00", "mon=08:60-09:00"];
        let wrong = wrong.into_iter().chain(["moon=08:00-09:00", "mon=08:00-24:01", ",", "mon=08:00-09:00,"]);
        for text in wrong {
            assert!(matches!(Hours::parse(text.as_bytes()), Err(Error::BadHours(_))), "{text}");
        }
        let many = vec!["mon=08:00-09:00"; MAX_WINDOWS + 1].join(",");
        assert!(matches!(Hours::parse(many.as_bytes()), Err(Error::TooMany(..))));
    }

    #[test]
    fn a_window_belongs_to_the_day_on_which_it_begins() {
        let (night, berlin) = (hours("fri=22:00-02:00"), berlin());
        // 2026-11-27 is a Friday. Berlin is an hour ahead of UTC.
        let open = |text| berlin.is_open(&night, utc(text));
        assert!(!open("2026-11-27T20:59:59.999"));
        assert!(open("2026-11-27T21:00:00"));
        assert!(open("2026-11-28T00:59:59.999"));
        assert!(!open("2026-11-28T01:00:00"));
        assert!(!open("2026-11-26T23:30:00"));
        assert_eq!(berlin.next_open(&night, utc("2026-11-28T01:00:00")), Some(utc("2026-12-04T21:00:00")));
        assert_eq!(berlin.next_open(&night, utc("2026-11-28T00:30:00")), Some(utc("2026-11-28T00:30:00")));
    }

    #[test]
    fn changes_of_clocks_open_and_close() {
        let berlin = berlin();
        // On 2026-03-29, the clocks leap from 02:00 to 03:00, at 01:00 UTC.
        let spring = hours("sun=02:30-03:30");
        assert_eq!(berlin.next_open(&spring, utc("2026-03-29T00:00:00")), Some(utc("2026-03-29T01:00:00")));
        // On 2026-10-25, they go from 03:00 back to 02:00, at 01:00 UTC.
        let autumn = hours("sun=02:30-02:45");
        assert_eq!(berlin.next_open(&autumn, utc("2026-10-25T00:00:00")), Some(utc("2026-10-25T00:30:00")));
        assert_eq!(berlin.next_open(&autumn, utc("2026-10-25T00:45:00")), Some(utc("2026-10-25T01:30:00")));
    }

    #[test]
    fn a_window_is_open_from_its_first_day_to_its_last_also_over_the_end_of_the_week() {
        // From Monday on.
        let expected = [
            ("mon-wed", "xxx...."),
            ("fri", "....x.."),
            ("sat-sun", ".....xx"),
            ("sat-mon", "x....xx"),
            ("sun-mon", "x.....x"),
            ("fri-tue", "xx..xxx"),
            ("tue-mon", "xxxxxxx"),
        ];
        for (days, open) in expected {
            let hours = hours(&format!("{days}=10:00-12:00"));
            let mark = |day| {
                let moment = utc(&format!("2026-11-{day}T11:00:00"));
                if Calendar::default().is_open(&hours, moment) { 'x' } else { '.' }
            };
            // 2026-11-23 is a Monday.
            assert_eq!((23..30).map(mark).collect::<String>(), open, "{days}");
        }
    }

    proptest! {
        /// The next opening is the first minute that is open.
        #[test]
        fn the_next_opening_is_the_first_open_minute(
            from in 0_i64..400 * 24 * 60,
            (first, last) in (0_usize..7, 0_usize..7),
            (start, end) in (0_u16..MINUTES, 0_u16..=MINUTES),
            zone in prop::sample::select(vec!["UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "-03:30"]),
        ) {
            prop_assume!(start != end);
            let window = Window { first: Weekday::ALL[first], last: Weekday::ALL[last], from: start, to: end };
            let hours = Hours(vec![window]);
            prop_assert_eq!(&Hours::parse(hours.to_string().as_bytes()).unwrap(), &hours);
            let calendar = Calendar { zone: Zone::parse(zone.as_bytes()).unwrap(), ..Calendar::default() };
            // From the end of 2010 on, when Apia skipped a date.
            let from = utc("2010-12-01T00:00:00") + from * 60_000;
            let minutes = (0..SEARCHED_DAYS * 1_440).map(|minute| from + minute * 60_000);
            let first = minutes.clone().find(|moment| calendar.is_open(&hours, *moment));
            let found = calendar.next_open(&hours, from).filter(|found| *found < from + SEARCHED_DAYS * 86_400_000);
            prop_assert_eq!(found, first);
        }
    }
}
