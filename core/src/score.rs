//! Exact decimal scores: reads, writes and adds them. Floats are not used.

use std::fmt::{self, Write};

use crate::Error;

/// The maximum number of digits after the point that a board can keep.
pub const MAX_DECIMALS: u8 = 9;

/// A score in the board's smallest units, `-i64::MAX ..= i64::MAX`. With two decimals, 1050 units are 10.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i64);

impl Score {
    /// The greatest score.
    pub const MAX: Self = Self(i64::MAX);
    /// The smallest score: the negative of the greatest score.
    pub const MIN: Self = Self(-i64::MAX);
    /// The score 0.
    pub const ZERO: Self = Self(0);

    /// Returns the score with this number of smallest units; `None` for `i64::MIN`, which is outside of the
    /// symmetric range.
    #[must_use]
    pub const fn from_units(units: i64) -> Option<Self> {
        if units == i64::MIN { None } else { Some(Self(units)) }
    }

    /// Returns how many smallest units the score has.
    #[must_use]
    pub const fn units(self) -> i64 {
        self.0
    }

    /// Returns the exact sum.
    ///
    /// # Errors
    /// [`Error::Overflow`] if the sum is outside of the range.
    pub(crate) fn plus(self, points: Self) -> Result<Self, Error> {
        self.0.checked_add(points.0).and_then(Self::from_units).ok_or(Error::Overflow)
    }

    /// Returns the score's place among all possible scores, greatest score first.
    pub(crate) const fn descending(self) -> u64 {
        Self::MAX.0.abs_diff(self.0)
    }

    /// Returns the score with this place: the inverse of [`Score::descending`].
    pub(crate) const fn from_descending(rank_key: u64) -> Self {
        let units = Self::MAX.0.wrapping_sub_unsigned(rank_key);
        if units == i64::MIN { Self::MIN } else { Self(units) }
    }

    /// Returns the difference between two scores without a sign, in units.
    #[must_use]
    pub const fn distance(self, other: Self) -> u64 {
        self.0.abs_diff(other.0)
    }

    /// Returns the score as text in its shortest form: `10.5`, never `10.50`.
    #[must_use]
    pub fn display(self, decimals: u8) -> Units {
        Units::sum(self.0.into(), decimals)
    }
}

/// A number of smallest units as text: a score, a sum of scores, or a difference, which can be greater than any
/// score.
#[derive(Debug, Clone, Copy)]
pub struct Units {
    magnitude: u128,
    negative: bool,
    decimals: u8,
}

impl Units {
    /// Returns a difference between two scores as text.
    #[must_use]
    pub const fn gap(units: u64, decimals: u8) -> Self {
        Self { magnitude: units as u128, negative: false, decimals }
    }

    /// Returns a sum of scores as text.
    #[must_use]
    pub const fn sum(units: i128, decimals: u8) -> Self {
        Self { magnitude: units.unsigned_abs(), negative: units < 0, decimals }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

impl Units {
    /// Writes the number into a text, without the machinery of formatting.
    pub(crate) fn write_to(&self, f: &mut impl Write) -> fmt::Result {
        if self.negative {
            f.write_char('-')?;
        }
        // Nearly all numbers fit 64 bits, and are divided in a fraction of the time then.
        let unit = 10_u64.checked_pow(u32::from(self.decimals));
        if let (Ok(magnitude), Some(unit)) = (u64::try_from(self.magnitude), unit) {
            self.write(f, magnitude.checked_div(unit), magnitude.checked_rem(unit))
        } else {
            let unit = 10_u128.saturating_pow(u32::from(self.decimals));
            self.write(f, self.magnitude.checked_div(unit), self.magnitude.checked_rem(unit))
        }
    }

    /// Writes the whole number, and the fraction without zeros at its end.
    fn write<N: itoa::Integer + Default + PartialEq>(
        &self,
        f: &mut impl Write,
        whole: Option<N>,
        fraction: Option<N>,
    ) -> fmt::Result {
        let mut text = itoa::Buffer::new();
        f.write_str(text.format(whole.unwrap_or_default()))?;
        let fraction = fraction.unwrap_or_default();
        if fraction == N::default() {
            return Ok(());
        }
        f.write_char('.')?;
        let digits = text.format(fraction);
        (digits.len()..usize::from(self.decimals)).try_for_each(|_| f.write_char('0'))?;
        f.write_str(digits.trim_end_matches('0'))
    }
}

/// The digits of a client's number. Zeros at the end of the fraction are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digits<'a> {
    pub(crate) negative: bool,
    pub(crate) whole: &'a [u8],
    pub(crate) fraction: &'a [u8],
}

impl<'a> Digits<'a> {
    /// Returns the digits of a text, which is an optional minus, digits, and optionally a point with digits on both
    /// sides.
    pub(crate) fn of(text: &'a [u8]) -> Option<Self> {
        let unsigned = text.strip_prefix(b"-").unwrap_or(text);
        let (whole, fraction) = match unsigned.iter().position(|byte| *byte == b'.') {
            Some(at) => {
                let (whole, rest) = unsigned.split_at(at);
                (whole, rest.get(1..).filter(|fraction| !fraction.is_empty())?)
            }
            None => (unsigned, &[][..]),
        };
        let is_number = !whole.is_empty() && whole.iter().chain(fraction).all(u8::is_ascii_digit);
        let kept = fraction.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last.saturating_add(1));
        let fraction = fraction.get(..kept).unwrap_or_default();
        is_number.then_some(Self { negative: unsigned.len() < text.len(), whole, fraction })
    }
}

/// A client's number, before the number of decimals of its board is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    digits: i64,
    fraction: u8,
}

impl Decimal {
    /// Returns a whole number.
    #[must_use]
    pub const fn whole(value: i64) -> Self {
        Self { digits: value, fraction: 0 }
    }

    /// Reads an optional minus, digits, and optionally a point with digits on both sides. Zeros at the end of the
    /// fraction are ignored. `argument` is named in the error.
    ///
    /// # Errors
    /// [`Error::NotANumber`]; [`Error::OutOfRange`] if the digits do not fit into 64 bits.
    pub fn parse(text: &[u8], argument: &'static str) -> Result<Self, Error> {
        if let Some(digits) = short(text) {
            return Ok(Self::whole(digits));
        }
        let Digits { negative, whole, fraction } = Digits::of(text).ok_or(Error::NotANumber(argument))?;
        let kept = u8::try_from(fraction.len()).unwrap_or(u8::MAX);
        if kept > MAX_DECIMALS {
            // The number has more digits than any board keeps. `to_score` refuses it, with the board's number of
            // decimals.
            return Ok(Self { digits: 0, fraction: kept });
        }
        let magnitude = whole
            .iter()
            .chain(fraction)
            .try_fold(0_i64, |sum, digit| sum.checked_mul(10)?.checked_add(i64::from(digit & 0x0f)));
        let magnitude = magnitude.ok_or(Error::OutOfRange(argument))?;
        Ok(Self { digits: if negative { magnitude.saturating_neg() } else { magnitude }, fraction: kept })
    }

    /// Returns the score on a board with this number of decimals.
    ///
    /// # Errors
    /// [`Error::TooManyDigits`] if the board keeps fewer digits; [`Error::OutOfRange`] if the scaled value does not
    /// fit into 64 bits.
    pub fn to_score(self, decimals: u8, argument: &'static str) -> Result<Score, Error> {
        let missing = decimals.checked_sub(self.fraction).ok_or(Error::TooManyDigits(argument, decimals))?;
        10_i64
            .checked_pow(u32::from(missing))
            .and_then(|scale| self.digits.checked_mul(scale))
            .and_then(Score::from_units)
            .ok_or(Error::OutOfRange(argument))
    }
}

/// Returns the value of a text that consists only of 1 to 18 digits. Nearly all numbers are such texts.
fn short(text: &[u8]) -> Option<i64> {
    // 18 digits always fit into 64 bits.
    if !(1..=18).contains(&text.len()) {
        return None;
    }
    text.iter().try_fold(0_i64, |sum, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| sum.wrapping_mul(10).wrapping_add(digit.into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str, decimals: u8) -> Result<i64, Error> {
        Decimal::parse(text.as_bytes(), "points")?.to_score(decimals, "points").map(Score::units)
    }

    #[test]
    fn sums_of_any_size_as_text() {
        let table: &[(i128, u8, &str)] = &[
            (0, 2, "0"),
            (5, 2, "0.05"),
            (-50, 2, "-0.5"),
            (1050, 2, "10.5"),
            (-1_000_000_001, 9, "-1.000000001"),
            (i128::from(u64::MAX), 0, "18446744073709551615"),
            (i128::from(u64::MAX) + 1, 1, "1844674407370955161.6"),
            (i128::MIN, 9, "-170141183460469231731687303715.884105728"),
            (i128::MAX, 0, "170141183460469231731687303715884105727"),
        ];
        for (units, decimals, text) in table {
            assert_eq!(Units::sum(*units, *decimals).to_string(), *text);
        }
    }

    #[test]
    fn numbers_as_people_write_them() {
        let table: &[(&str, u8, Result<i64, Error>)] = &[
            ("0", 0, Ok(0)),
            ("-0", 0, Ok(0)),
            ("007", 0, Ok(7)),
            ("12", 2, Ok(1200)),
            ("10.5", 2, Ok(1050)),
            ("-10.05", 2, Ok(-1005)),
            ("9223372036854775807", 0, Ok(i64::MAX)),
            ("-9223372036854775807", 0, Ok(-i64::MAX)),
            ("9.223372036", 9, Ok(9_223_372_036)),
            ("9223372036854775808", 0, Err(Error::OutOfRange("points"))),
            ("-9223372036854775808", 0, Err(Error::OutOfRange("points"))),
            ("9223372036854775807", 1, Err(Error::OutOfRange("points"))),
            ("5.00", 0, Ok(5)),
            ("-1.50", 1, Ok(-15)),
            ("1.0000000000", 9, Ok(1_000_000_000)),
            ("9223372036854775807.0", 0, Ok(i64::MAX)),
            ("1.5", 0, Err(Error::TooManyDigits("points", 0))),
            ("1.050", 1, Err(Error::TooManyDigits("points", 1))),
            ("1.00000000010", 9, Err(Error::TooManyDigits("points", 9))),
        ];
        for (text, decimals, expected) in table {
            assert_eq!(read(text, *decimals), *expected, "{text}");
        }
        for text in
            ["", "-", "+1", "1e5", "0x10", " 1", "1 ", "1.", ".5", "--1", "nan", "inf", "1.2.3", "1,5", "١"]
        {
            assert_eq!(read(text, 9), Err(Error::NotANumber("points")), "{text}");
        }
    }

    proptest! {
        #[test]
        fn text_and_back(units in -i64::MAX..=i64::MAX, decimals in 0..=MAX_DECIMALS) {
            let text = Score(units).display(decimals).to_string();
            prop_assert_eq!(read(&text, decimals), Ok(units));
            prop_assert!(!text.contains('.') || !text.ends_with('0'));
        }

        #[test]
        fn any_bytes_are_a_number_or_an_error(text in proptest::collection::vec(any::<u8>(), 0..12)) {
            let plain = std::str::from_utf8(&text).ok().filter(|text| {
                let digits = text.strip_prefix('-').unwrap_or(text);
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
            });
            prop_assume!(!text.contains(&b'.'));
            let expected = plain.map(|text| text.parse::<i64>().unwrap());
            let got = Decimal::parse(&text, "points").ok().and_then(|n| n.to_score(0, "points").ok());
            prop_assert_eq!(got.map(Score::units), expected);
        }

        #[test]
        fn adding_never_drifts(a in -i64::MAX..=i64::MAX, b in -i64::MAX..=i64::MAX) {
            let exact = i128::from(a).saturating_add(i128::from(b));
            let fits = exact.abs() <= i128::from(i64::MAX);
            prop_assert_eq!(Score(a).plus(Score(b)).ok().map(|s| i128::from(s.0)), fits.then_some(exact));
        }
    }
}
