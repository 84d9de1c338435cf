//! Saves rules that several types have: clocks, calendars, units of periods, shares.

use super::wire::{Reader, moment, put_bytes, put_number};
use crate::Error;
use crate::calendar::{Calendar, Unit, Weekday, Zone};
use crate::share::Share;
use crate::time::Clock;

pub const CLOCKS: [Clock; 2] = [Clock::Server, Clock::Event];
const DAYS: [Weekday; 7] =
    [Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri, Weekday::Sat, Weekday::Sun];
/// The units of periods. Their codes begin with 1.
const UNITS: [Unit; 6] = [Unit::Minute, Unit::Hour, Unit::Day, Unit::Week, Unit::Month, Unit::Year];
/// The code of a unit that is a number of seconds. The number follows the code.
const SECONDS: u8 = UNITS.len() as u8 + 1;
/// The maximum length of the name of a zone, in bytes.
const MAX_ZONE: usize = 64;
pub const WRONG_SCHEMA: Error = Error::Corrupt("the schema");

pub fn code<T: PartialEq>(all: &[T], value: &T) -> u8 {
    all.iter().position(|other| other == value).and_then(|at| u8::try_from(at).ok()).unwrap_or(0)
}

pub fn one_of<T: Copy>(reader: &mut Reader, all: &[T]) -> Result<T, Error> {
    let code = reader.byte()?;
    all.get(usize::from(code)).copied().ok_or(WRONG_SCHEMA)
}

pub fn write_calendar(head: &mut Vec<u8>, calendar: &Calendar) {
    put_bytes(head, calendar.zone.to_string().as_bytes());
    head.push(code(&DAYS, &calendar.week_start));
    put_number(head, calendar.origin);
}

pub fn read_calendar(reader: &mut Reader) -> Result<Calendar, Error> {
    let zone = Zone::parse(reader.bytes(1, MAX_ZONE)?).ok_or(Error::Corrupt("the zone"))?;
    Ok(Calendar { zone, week_start: one_of(reader, &DAYS)?, origin: moment(reader.number()?)? })
}

/// Writes a unit. Its first byte is never 0.
pub fn write_unit(head: &mut Vec<u8>, unit: Unit) {
    match unit {
        Unit::Seconds(seconds) => {
            head.push(SECONDS);
            put_number(head, u64::from(seconds));
        }
        unit => head.push(code(&UNITS, &unit).saturating_add(1)),
    }
}

/// Reads a unit after its first byte was read.
pub fn read_unit(reader: &mut Reader, code: u8) -> Result<Unit, Error> {
    let wrong = Error::Corrupt("a unit");
    match code {
        SECONDS => Unit::parse(format!("{}s", reader.number()?).as_bytes()).ok_or(wrong),
        code => UNITS.get(usize::from(code).wrapping_sub(1)).copied().ok_or(wrong),
    }
}

/// Writes a share in billionths; 0 if there is no share.
pub fn write_share(head: &mut Vec<u8>, share: Option<Share>) {
    put_number(head, u64::from(share.map_or(0, Share::billionths)));
}

pub fn read_share(reader: &mut Reader) -> Result<Option<Share>, Error> {
    let wrong = Error::Corrupt("a share");
    match reader.small(wrong)? {
        0 => Ok(None),
        share => Share::from_billionths(share).map(Some).ok_or(wrong),
    }
}
