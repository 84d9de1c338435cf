//! Periods of whole dates, numbered without gaps: the first date of a period, and its label.
//!
//! Dates are counted in days since 1970-01-01. This module does not use time zones.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "years have five digits at the most, so days and months are far from the ends of 64 bits"
)]

use chrono::{Datelike, NaiveDate};

use super::reader::LabelReader;

/// The Monday before 1970-01-01, which is a Thursday.
const MONDAY: i64 = -3;

/// A unit of whole dates.
#[derive(Debug, Clone, Copy)]
pub(super) enum Dates {
    Day,
    /// Seven dates. The first date is this number of days after a Monday.
    Week(i64),
    Month,
    Year,
}

impl Dates {
    /// Returns the number of the period that contains a date.
    pub(super) fn index(self, day: i64) -> i64 {
        match self {
            Self::Day => day,
            Self::Week(start) => (day - MONDAY - start).div_euclid(7),
            Self::Month => i64::from(date(day).year()) * 12 + i64::from(date(day).month0()),
            Self::Year => i64::from(date(day).year()),
        }
    }

    /// Returns the first date of a period.
    pub(super) fn first(self, index: i64) -> i64 {
        let first = match self {
            Self::Day => Some(index),
            Self::Week(start) => Some(index * 7 + MONDAY + start),
            Self::Month => day(index.div_euclid(12), index.rem_euclid(12) + 1, 1),
            Self::Year => day(index, 1, 1),
        };
        first.unwrap_or_default()
    }

    /// Returns the label of a period.
    pub(super) fn label(self, index: i64) -> String {
        let first = date(self.first(index));
        match self {
            Self::Day => format!("{:04}-{:02}-{:02}", first.year(), first.month(), first.day()),
            Self::Month => format!("{:04}-{:02}", first.year(), first.month()),
            Self::Year => format!("{:04}", first.year()),
            Self::Week(_) => {
                let (year, number) = self.week(index);
                format!("{year:04}-W{number:02}")
            }
        }
    }

    /// Returns the number of the period with a label; `None` if it is not a label of this unit.
    pub(super) fn parse(self, label: &[u8]) -> Option<i64> {
        let mut reader = LabelReader(label);
        let index = match self {
            Self::Day => read_day(&mut reader)?,
            Self::Year => reader.year()?,
            Self::Month => {
                let year = reader.year()?;
                reader.mark(b'-')?;
                self.index(day(year, reader.number(2)?, 1)?)
            }
            Self::Week(_) => {
                let year = reader.year()?;
                reader.mark(b'-')?;
                reader.mark(b'W')?;
                let number = reader.number(2)?;
                // January 4 is in the first week of a year, for every first day of the week.
                let index = self.index(day(year, 1, 4)?) + number - 1;
                (self.week(index) == (year, number)).then_some(index)?
            }
        };
        reader.end().map(|()| index)
    }

    /// Returns the year of a week's fourth day, and the week's number in that year.
    fn week(self, index: i64) -> (i64, i64) {
        let fourth = date(self.first(index) + 3);
        (i64::from(fourth.year()), i64::from(fourth.ordinal0() / 7) + 1)
    }
}

/// Reads a date strictly, as `2019-03-17`. Returns its number of days since 1970-01-01.
pub(super) fn read_day(reader: &mut LabelReader<'_>) -> Option<i64> {
    let year = reader.year()?;
    reader.mark(b'-')?;
    let month = reader.number(2)?;
    reader.mark(b'-')?;
    day(year, month, reader.number(2)?)
}

fn date(day: i64) -> NaiveDate {
    i32::try_from(day).ok().and_then(NaiveDate::from_epoch_days).unwrap_or_default()
}

fn day(year: i64, month: i64, day: i64) -> Option<i64> {
    let (year, month, day) = (year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?);
    NaiveDate::from_ymd_opt(year, month, day).map(|date| i64::from(date.to_epoch_days()))
}
