//! The pieces that labels are read and written with.
#![allow(clippy::arithmetic_side_effects, reason = "numbers here have six digits at the most")]

use std::fmt;
use std::ops::RangeInclusive;

use super::dates::{Dates, read_day};

/// The greatest offset that a label can carry, in seconds.
const MAX_OFFSET: i64 = 18 * 3600;

/// The years of five digits in reach: east of UTC the last moment that can be named is in the first of
/// them, and the calendar ends eleven years later.
const LONG_YEARS: RangeInclusive<i64> = 10_000..=10_011;

/// A text is not a label of the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadLabel;

impl fmt::Display for BadLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a label of this unit")
    }
}

impl std::error::Error for BadLabel {}

/// What is left of a label to read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    /// So many digits, at the most four.
    pub(super) fn number(&mut self, digits: usize) -> Option<i64> {
        let (head, rest) = self.0.split_at_checked(digits)?;
        if !head.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.0 = rest;
        Some(head.iter().fold(0, |number, digit| number * 10 + i64::from(digit & 0x0f)))
    }

    /// A year of four digits, or one of [`LONG_YEARS`].
    pub(super) fn year(&mut self) -> Option<i64> {
        let year = self.number(4)?;
        match self.number(1) {
            None => Some(year),
            Some(digit) => Some(year * 10 + digit).filter(|year| LONG_YEARS.contains(year)),
        }
    }

    /// Just this byte.
    pub(super) fn mark(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    /// Nothing more.
    pub(super) fn end(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// What clocks show, as `2019-03-17T11` or, for a length of 60 seconds, `2019-03-17T11:05`.
pub(super) fn clock(length: i64, local: i64) -> String {
    let second = local.rem_euclid(86_400);
    let mut text = format!("{}T{:02}", Dates::Day.label(local.div_euclid(86_400)), second / 3600);
    if length < 3600 {
        text.push_str(&format!(":{:02}", second % 3600 / 60));
    }
    text
}

/// Reads what clocks show, and the offset after it if there is one.
pub(super) fn read_clock(length: i64, label: &[u8]) -> Option<(i64, Option<i64>)> {
    let mut reader = Reader(label);
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

/// An offset as `-0400`, or `-045602` where it has seconds.
pub(super) fn offset(seconds: i64) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let size = seconds.abs();
    let mut text = format!("{sign}{:02}{:02}", size / 3600, size % 3600 / 60);
    if size % 60 != 0 {
        text.push_str(&format!("{:02}", size % 60));
    }
    text
}

fn read_offset(mut reader: Reader<'_>) -> Option<i64> {
    let whole = reader.0;
    let (sign, rest) = whole.split_first()?;
    reader.0 = rest;
    let minutes = reader.number(2)? * 60 + reader.number(2)?;
    let size = minutes * 60 + reader.number(2).unwrap_or_default();
    let seconds = if *sign == b'-' { -size } else { size };
    // There is one way to write an offset: whatever is not it has a wrong sign, seconds, or a tail.
    (size <= MAX_OFFSET && offset(seconds).as_bytes() == whole).then_some(seconds)
}
