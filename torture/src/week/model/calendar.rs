//! The periods of a time zone's calendar, from the dates and offsets of `chrono`.

use chrono::{DateTime, Datelike, Days, NaiveDate, Offset, TimeZone, Utc};
use chrono_tz::Tz;

pub const SECOND: u64 = 1_000;
pub const MINUTE: u64 = 60 * SECOND;
pub const HOUR: u64 = 60 * MINUTE;
pub const DAY: u64 = 24 * HOUR;

/// A unit of the calendar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    Minute,
    Hour,
    Day,
    Week,
}

/// Returns the start of the period that holds a moment.
pub fn start(unit: Unit, zone: Tz, at: u64) -> u64 {
    match unit {
        Unit::Minute => truncated(MINUTE, zone, at),
        Unit::Hour => truncated(HOUR, zone, at),
        Unit::Day => midnight(zone, local(zone, at).date_naive()),
        Unit::Week => midnight(zone, monday(zone, at)),
    }
}

/// Returns the start of the period after the one that holds a moment.
pub fn next(unit: Unit, zone: Tz, at: u64) -> u64 {
    match unit {
        Unit::Minute => start(unit, zone, at) + MINUTE,
        Unit::Hour => start(unit, zone, at) + HOUR,
        Unit::Day => midnight(zone, local(zone, at).date_naive() + Days::new(1)),
        Unit::Week => midnight(zone, monday(zone, at) + Days::new(7)),
    }
}

/// Returns the start of the period that is `back` periods before the one that begins at `start`.
pub fn earlier(unit: Unit, zone: Tz, begin: u64, back: u64) -> u64 {
    (0..back).fold(begin, |begin, _| start(unit, zone, begin - 1))
}

/// Returns the name of a day.
pub fn day_label(zone: Tz, at: u64) -> String {
    local(zone, at).date_naive().to_string()
}

/// Returns the name of a week of ISO 8601.
pub fn week_label(zone: Tz, at: u64) -> String {
    let week = local(zone, at).iso_week();
    format!("{}-W{:02}", week.year(), week.week())
}

/// Returns the hour that the clocks of a zone show.
pub fn hour_of_day(zone: Tz, at: u64) -> usize {
    (truncated(HOUR, zone, at).wrapping_add_signed(offset(zone, at)) % DAY / HOUR) as usize
}

/// Returns a moment as the clocks of a zone show it.
pub fn shown(zone: Tz, at: u64) -> String {
    local(zone, at).format("%a %d %b %H:%M").to_string()
}

/// Returns how far the clocks of a zone are ahead of UTC, in milliseconds.
pub fn offset(zone: Tz, at: u64) -> i64 {
    i64::from(local(zone, at).offset().fix().local_minus_utc()) * SECOND as i64
}

/// Returns the moment of midnight at the begin of a date in UTC.
pub fn utc(year: i32, month: u32, day: u32) -> u64 {
    let date = NaiveDate::from_ymd_opt(year, month, day).expect("a date");
    date.and_hms_opt(0, 0, 0).expect("midnight").and_utc().timestamp_millis() as u64
}

fn local(zone: Tz, at: u64) -> DateTime<Tz> {
    DateTime::<Utc>::from_timestamp_millis(at as i64).expect("a moment").with_timezone(&zone)
}

fn monday(zone: Tz, at: u64) -> NaiveDate {
    let date = local(zone, at).date_naive();
    date - Days::new(u64::from(date.weekday().num_days_from_monday()))
}

/// The zones of the service change their clocks at other hours than midnight.
fn midnight(zone: Tz, date: NaiveDate) -> u64 {
    let midnight = date.and_hms_opt(0, 0, 0).expect("midnight");
    zone.from_local_datetime(&midnight).single().expect("one midnight").timestamp_millis() as u64
}

/// The zones of the service change their clocks by whole hours.
fn truncated(length: u64, zone: Tz, at: u64) -> u64 {
    let offset = offset(zone, at);
    let shown = at.wrapping_add_signed(offset);
    (shown - shown % length).wrapping_add_signed(-offset)
}
