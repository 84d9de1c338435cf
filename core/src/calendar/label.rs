//! Writes and reads the labels of minutes and hours.
#![allow(clippy::arithmetic_side_effects, reason = "numbers here have six digits at the most")]

use super::dates::{Dates, read_day};
use super::reader::LabelReader;

/// The greatest offset in a label, in seconds.
const MAX_OFFSET: i64 = 18 * 3600;

/// The text is not a label of the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadLabel;

/// Returns a local moment in seconds as `2019-03-17T11` or, for periods of 60 seconds, as `2019-03-17T11:05`.
pub(super) fn clock(length: i64, local: i64) -> String {
    let second = local.rem_euclid(86_400);
    let mut text = format!("{}T{:02}", Dates::Day.label(local.div_euclid(86_400)), second / 3600);
    if length < 3600 {
        text.push_str(&format!(":{:02}", second % 3600 / 60));
    }
    text
}

/// Reads a local moment, and the offset after it if the label has an offset. Both are in seconds.
pub(super) fn read_clock(length: i64, label: &[u8]) -> Option<(i64, Option<i64>)> {
    let mut reader = LabelReader(label);
    let day = read_day(&mut reader)?;
    reader.mark(b'T')?;
    let hour = reader.number(2).filter(|hour| *hour < 24)?;
    let mut minute = 0;
    if length < 3600 {
        reader.mark(b':')?;
        minute = reader.number(2).filter(|minute| *minute < 60)?;
    }
    let local = day * 86_400 + hour * 3600 + minute * 60;
    if reader.0.is_empty() {
        return Some((local, None));
    }
    read_offset(reader).map(|offset| (local, Some(offset)))
}

/// Returns an offset as `-0400`, or `-045602` if it has seconds.
pub(super) fn offset(seconds: i64) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let size = seconds.abs();
    let mut text = format!("{sign}{:02}{:02}", size / 3600, size % 3600 / 60);
    if size % 60 != 0 {
        text.push_str(&format!("{:02}", size % 60));
    }
    text
}

fn read_offset(mut reader: LabelReader<'_>) -> Option<i64> {
    let whole = reader.0;
    let (sign, rest) = whole.split_first()?;
    reader.0 = rest;
    let minutes = reader.number(2)? * 60 + reader.number(2)?;
    let size = minutes * 60 + reader.number(2).unwrap_or_default();
    let seconds = if *sign == b'-' { -size } else { size };
    // An offset can be written in only one way. Any other text has a wrong sign or wrong seconds, or continues
    // after the offset.
    (size <= MAX_OFFSET && offset(seconds).as_bytes() == whole).then_some(seconds)
}
