//! The calendar of a board. It finds the minute, day or week that contains a moment, the periods before it, and
//! their labels, on the clocks of a time zone.
//!
//! The periods of a unit cover all of time without gaps, even when clocks are changed. A minute or an hour ends at
//! a change, so an hour that the clocks show twice is two periods. A day begins at the first instant that has its
//! date or a later date. A date that the zone skipped has no period. Weeks, months and years are made of days.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "moments are held to the years 1959 to 10010 at the door, far from the ends of 64 bits"
)]

mod dates;
mod hours;
mod label;
mod reader;
#[cfg(test)]
mod tests;
mod unit;
mod when;
mod zone;

use dates::Dates;
pub use hours::{Hours, MAX_WINDOWS};
pub use label::BadLabel;
pub use unit::{MAX_SECONDS, Unit, Weekday};
pub use when::When;
use zone::ONE_CHANGE;
pub use zone::Zone;

use crate::time::MAX_MILLIS;

/// The first moment of the calendar's range: about the start of 1959. All periods that contain a moment of 1970
/// begin after it.
const FLOOR: i64 = -MARGIN;
/// The last moment of the calendar's range: eleven years after the last moment that clients can use.
const CEILING: i64 = MAX_MILLIS.cast_signed() + MARGIN;
/// Eleven years, in milliseconds.
const MARGIN: i64 = 4018 * DAY * 1000;
/// The number of seconds in a day.
const DAY: i64 = 86_400;

/// The rules by which time is divided into periods. Moments are milliseconds since the epoch. Moments more than
/// eleven years before 1970 or after 9999 are out of range: they count as the first or the last moment in range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Calendar {
    /// The zone whose clocks and dates are used.
    pub zone: Zone,
    /// The first day of the week.
    pub week_start: Weekday,
    /// The moment at which a period of [`Unit::Seconds`] begins, in milliseconds.
    pub origin: u64,
}

/// A range of time in milliseconds since the epoch, including `start` and without `end`. It may begin before 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first moment.
    pub start: i64,
    /// The first moment after the period.
    pub end: i64,
}

impl Period {
    /// Returns the period between two moments that are given in seconds.
    const fn of_seconds(start: i64, end: i64) -> Self {
        Self { start: start * 1000, end: end * 1000 }
    }

    pub(crate) const fn holds(self, at: i64) -> bool {
        self.start <= at && at < self.end
    }
}

/// The three ways to divide time into periods.
enum Division {
    /// Periods of this number of milliseconds.
    Even(i64),
    /// Periods of this number of seconds on the clocks. Each change of clocks ends a period.
    Clock(i64),
    Dates(Dates),
}

/// A period on the clocks, and the offset of the clocks during the period.
#[derive(Clone, Copy)]
struct Shown {
    period: Period,
    offset: i64,
}

impl Calendar {
    /// Returns the period that contains a moment.
    #[must_use]
    pub fn period(&self, unit: Unit, at: i64) -> Period {
        let at = at.clamp(FLOOR, CEILING);
        match self.cut(unit) {
            Division::Even(length) => self.even(length, at),
            Division::Clock(length) => self.shown(length, at).period,
            Division::Dates(dates) => self.dated(dates, self.index(dates, at)),
        }
    }

    /// Returns the period that is `count` periods before the period that contains `start`, or the first period in
    /// range.
    ///
    /// Days take one step each. Minutes and hours take one step for every six days and one step for every change of
    /// clocks. All other units take one step.
    #[must_use]
    pub fn back(&self, unit: Unit, start: i64, count: u32) -> Period {
        let start = start.clamp(FLOOR, CEILING);
        match self.cut(unit) {
            Division::Even(length) => {
                let first = self.even(length, FLOOR).start;
                let start = self.even(length, start).start
                    - length.saturating_mul(i64::from(count)).min(CEILING - FLOOR);
                self.even(length, start.max(first))
            }
            Division::Clock(length) => self.clock_back(length, start, i64::from(count)),
            Division::Dates(dates) => self.dates_back(dates, start, i64::from(count)),
        }
    }

    /// Returns the number of boundaries between the period that contains `start` and the later period that contains
    /// `later`; at most `most`. Takes as many steps as [`Calendar::back`].
    #[must_use]
    pub fn count(&self, unit: Unit, start: i64, later: i64, most: u32) -> u32 {
        let (start, later) = (start.clamp(FLOOR, CEILING), later.clamp(FLOOR, CEILING));
        let most = i64::from(most);
        let count = match self.cut(unit) {
            Division::Even(length) => {
                (self.even(length, later).start - self.even(length, start).start) / length
            }
            Division::Clock(length) => self.clock_count(length, start, later, most),
            Division::Dates(dates @ Dates::Day) => {
                let (first, last) = (self.index(dates, start), self.index(dates, later));
                // A date that the zone skipped is not counted.
                let begins = |day: &i64| self.begin(dates, *day) < self.begin(dates, *day + 1);
                (first + 1..=last).filter(begins).take(most as usize).count() as i64
            }
            Division::Dates(dates) => self.index(dates, later) - self.index(dates, start),
        };
        count.clamp(0, most) as u32
    }

    /// Returns the label of the period that contains `start`: `2019-03-17T11:05`, `2019-03-17T11`, `2019-03-17`,
    /// `2019-W12`, `2019-03`, `2019`, or the moment at which a period of seconds begins. If the clocks show a
    /// minute or an hour twice, the label ends with the offset, as in `2013-11-03T01-0400`.
    ///
    /// A week's label contains the year of its fourth day, and its number in that year. For weeks that begin on
    /// Monday, this is the week of ISO 8601.
    #[must_use]
    pub fn label(&self, unit: Unit, start: i64) -> String {
        let start = start.clamp(FLOOR, CEILING);
        match self.cut(unit) {
            Division::Even(length) => self.even(length, start).start.to_string(),
            Division::Dates(dates) => dates.label(self.index(dates, start)),
            Division::Clock(length) => {
                let offset = self.zone.offset(start.div_euclid(1000));
                let local = floor(start.div_euclid(1000) + offset, length);
                let mut text = label::clock(length, local);
                if self.shows(length, local).count() > 1 {
                    text.push_str(&label::offset(offset));
                }
                text
            }
        }
    }

    /// Returns the period with a label: the inverse of [`Calendar::label`]. If the clocks show a minute or an hour
    /// twice, a label without an offset means the earlier period. `None` if the zone skipped the day, hour or
    /// minute or did not have the offset, and for times out of range.
    ///
    /// # Errors
    /// [`BadLabel`] if the text is not a label of this unit, or its date does not exist.
    pub fn parse(&self, unit: Unit, label: &[u8]) -> Result<Option<Period>, BadLabel> {
        let found = match self.cut(unit) {
            Division::Even(length) => return self.even_labelled(length, label).map(Some).ok_or(BadLabel),
            Division::Dates(dates) => Some(self.dated(dates, dates.parse(label).ok_or(BadLabel)?)),
            Division::Clock(length) => {
                let (local, offset) = label::read_clock(length, label).ok_or(BadLabel)?;
                let mut shows = self.shows(length, local);
                shows
                    .find(|shown| offset.is_none_or(|offset| offset == shown.offset))
                    .map(|shown| shown.period)
            }
        };
        let reached = |period: &Period| period.start <= CEILING && period.end > FLOOR;
        Ok(found.filter(reached).filter(|period| period.start < period.end))
    }

    fn cut(&self, unit: Unit) -> Division {
        match unit {
            Unit::Minute => Division::Clock(60),
            Unit::Hour => Division::Clock(3600),
            Unit::Day => Division::Dates(Dates::Day),
            Unit::Week => Division::Dates(Dates::Week(self.week_start.after_monday())),
            Unit::Month => Division::Dates(Dates::Month),
            Unit::Year => Division::Dates(Dates::Year),
            Unit::Seconds(number) => Division::Even(i64::from(number.max(1)) * 1000),
        }
    }

    fn even(&self, length: i64, at: i64) -> Period {
        // Only the remainder of the origin matters, and the remainder is in range.
        let origin = i64::try_from(self.origin % length.unsigned_abs()).unwrap_or_default();
        let start = at - (at - origin).rem_euclid(length);
        Period { start, end: start + length }
    }

    fn even_labelled(&self, length: i64, label: &[u8]) -> Option<Period> {
        let start: i64 = std::str::from_utf8(label).ok()?.parse().ok()?;
        let period = self.even(length, start.clamp(FLOOR, CEILING));
        // The texts are compared, not the numbers: each number has only one valid text.
        (period.start.to_string().as_bytes() == label).then_some(period)
    }

    /// Returns the one or two periods in which the clocks show the local time from `local` on for `length` seconds,
    /// in the order of time. There is no period if the clocks skipped this time.
    fn shows(&self, length: i64, local: i64) -> impl Iterator<Item = Shown> {
        let clocks = self.zone.clocks(local);
        let (early, late) = (local - clocks.before, local - clocks.after);
        let times = [
            (early, clocks.change.min(early + length), clocks.before),
            (clocks.change.max(late), late + length, clocks.after),
        ];
        let times = times.into_iter().filter(|(start, end, _)| start < end);
        times.map(|(start, end, offset)| Shown { period: Period::of_seconds(start, end), offset })
    }

    fn shown(&self, length: i64, at: i64) -> Shown {
        let second = at.div_euclid(1000);
        let offset = self.zone.offset(second);
        let local = floor(second + offset, length);
        let alone = Shown { period: Period::of_seconds(local - offset, local - offset + length), offset };
        self.shows(length, local).find(|shown| shown.period.holds(at)).unwrap_or(alone)
    }

    fn clock_back(&self, length: i64, at: i64, mut count: i64) -> Period {
        let mut period = self.shown(length, at).period;
        while count > 0 && period.start > FLOOR {
            let start = period.start / 1000;
            let most = count.min(ONE_CHANGE / length);
            // Back to the last change of clocks, all periods are whole.
            let from = self.zone.change(start - most * length, start);
            let whole = from.map_or(most, |change| (start - change) / length);
            let at = if whole > 0 { start - whole * length } else { start - 1 };
            period = self.shown(length, (at * 1000).max(FLOOR)).period;
            count -= whole.max(1);
        }
        period
    }

    fn clock_count(&self, length: i64, start: i64, later: i64, most: i64) -> i64 {
        let start = self.shown(length, start).period.start / 1000;
        let (mut at, mut count) = (self.shown(length, later).period.start / 1000, 0);
        while at > start && count < most {
            let reach = (most - count).min(ONE_CHANGE / length).min((at - start) / length);
            // Back to the last change of clocks, all periods are whole.
            let from = self.zone.change(at - reach * length, at);
            let whole = from.map_or(reach, |change| (at - change) / length);
            let before = if whole > 0 { at - whole * length } else { at - 1 };
            at = self.shown(length, before * 1000).period.start / 1000;
            count += whole.max(1);
        }
        count
    }

    /// Returns the number of the period that contains a moment. If several periods have the same start, it is the
    /// last of them; the other periods are empty.
    fn index(&self, dates: Dates, at: i64) -> i64 {
        let second = at.div_euclid(1000);
        let mut index = dates.index((second + self.zone.offset(second)).div_euclid(DAY));
        // The clocks may have passed midnight before this moment, and then been put back to a time before midnight.
        while self.begin(dates, index + 1) <= second {
            index += 1;
        }
        index
    }

    /// Returns the first instant of a period.
    fn begin(&self, dates: Dates, index: i64) -> i64 {
        let local = dates.first(index) * DAY;
        self.zone.clocks(local).reach(local)
    }

    fn dated(&self, dates: Dates, index: i64) -> Period {
        Period::of_seconds(self.begin(dates, index), self.begin(dates, index + 1))
    }

    fn dates_back(&self, dates: Dates, at: i64, mut count: i64) -> Period {
        let first = self.index(dates, FLOOR);
        let mut index = self.index(dates, at);
        if !matches!(dates, Dates::Day) {
            return self.dated(dates, first.max(index - count));
        }
        let mut end = self.begin(dates, index);
        while count > 0 && index > first {
            index -= 1;
            let start = self.begin(dates, index);
            // A date that the zone skipped is not counted.
            count -= i64::from(start < end);
            end = start;
        }
        self.dated(dates, index)
    }
}

/// Returns the start of the period of this length that contains a local moment.
const fn floor(local: i64, length: i64) -> i64 {
    local - local.rem_euclid(length)
}
