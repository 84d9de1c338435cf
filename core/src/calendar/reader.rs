//! Reads labels strictly, one piece after the other. A function returns `None` if the label does not continue as
//! expected.
#![allow(clippy::arithmetic_side_effects, reason = "numbers here have six digits at the most")]

use std::ops::RangeInclusive;

/// The years of five digits in range. East of UTC, the last moment that clients can use is in the first of these
/// years; the calendar ends eleven years later.
const LONG_YEARS: RangeInclusive<i64> = 10_000..=10_011;

/// The part of a label that was not read yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct LabelReader<'a>(pub(super) &'a [u8]);

impl LabelReader<'_> {
    /// Reads a number of `digits` digits, at most four.
    pub(super) fn number(&mut self, digits: usize) -> Option<i64> {
        let (head, rest) = self.0.split_at_checked(digits)?;
        if !head.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.0 = rest;
        Some(head.iter().fold(0, |number, digit| number * 10 + i64::from(digit & 0x0f)))
    }

    /// Reads a year of four digits, or a year in [`LONG_YEARS`].
    pub(super) fn year(&mut self) -> Option<i64> {
        let year = self.number(4)?;
        match self.number(1) {
            None => Some(year),
            Some(digit) => Some(year * 10 + digit).filter(|year| LONG_YEARS.contains(year)),
        }
    }

    /// Reads this byte.
    pub(super) fn mark(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    /// Checks that the label ends here.
    pub(super) fn end(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}
