//! The values of all levels of a score, and their text: `12/5/3`.

use std::fmt::{self, Write};

use arrayvec::ArrayVec;

use super::MAX_LEVELS;

/// The values of all levels, first level first. They are a score, or the difference between two scores.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tuple(ArrayVec<i128, MAX_LEVELS>);

impl Tuple {
    /// Reads `count` whole numbers joined by `/`. A number that does not fit into 128 bits is replaced by a bound
    /// that is beyond every maximum.
    pub(super) fn parse(text: &[u8], count: usize) -> Option<Self> {
        let numbers = || text.split(|byte| *byte == b'/');
        let is_one_each = numbers().count() == count && is_tuple(text);
        is_one_each.then(|| numbers().map(number).collect())
    }

    /// Returns the values, one for each level.
    pub fn values(&self) -> impl Iterator<Item = i128> {
        self.0.iter().copied()
    }

    /// Returns the sums of the values of each level.
    pub fn plus(&self, other: &Self) -> Self {
        self.0.iter().zip(&other.0).map(|(value, more)| value.saturating_add(*more)).collect()
    }

    /// Returns the differences of the values of each level.
    pub fn minus(&self, other: &Self) -> Self {
        self.0.iter().zip(&other.0).map(|(value, less)| value.saturating_sub(*less)).collect()
    }

    /// Returns the smaller value of each level.
    pub fn least(&self, other: &Self) -> Self {
        self.0.iter().zip(&other.0).map(|(a, b)| *a.min(b)).collect()
    }

    /// Returns the greater value of each level.
    pub fn greatest(&self, other: &Self) -> Self {
        self.0.iter().zip(&other.0).map(|(a, b)| *a.max(b)).collect()
    }
}

impl FromIterator<i128> for Tuple {
    fn from_iter<T: IntoIterator<Item = i128>>(values: T) -> Self {
        Self(values.into_iter().take(MAX_LEVELS).collect())
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = itoa::Buffer::new();
        self.0.iter().enumerate().try_for_each(|(at, value)| {
            if at > 0 {
                f.write_char('/')?;
            }
            f.write_str(text.format(*value))
        })
    }
}

/// Returns whether a text consists of whole numbers joined by `/`. Each number is an optional minus and digits.
pub fn is_tuple(text: &[u8]) -> bool {
    let is_number = |text: &[u8]| {
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    text.split(|byte| *byte == b'/').all(is_number)
}

fn number(text: &[u8]) -> i128 {
    let (digits, sign) = text.strip_prefix(b"-").map_or((text, 1), |digits| (digits, -1));
    let append = |sum: i128, digit: &u8| sum.saturating_mul(10).saturating_add(i128::from(digit & 0x0f));
    digits.iter().fold(0, append).saturating_mul(sign)
}
