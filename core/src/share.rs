//! Shares of a whole: the share of points that a view carries over, and the share of a period in which members may
//! join a league.

use std::fmt;
use std::num::NonZeroU32;

use crate::Error;
use crate::score::{Decimal, Score};

/// The maximum number of digits after the point of a share.
const DECIMALS: u8 = 9;
/// The whole (a share of 1), in the smallest units of a share.
const WHOLE: i64 = 1_000_000_000;

/// A share in billionths: more than 0, at most 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(NonZeroU32);

impl Share {
    /// The whole: a share of 1.
    pub const ALL: Self = Self(NonZeroU32::MIN.saturating_add(WHOLE as u32 - 1));

    /// Reads a fraction such as `0.2`. Returns `None` for 0. `name` is the name of the argument in errors.
    ///
    /// # Errors
    /// The errors of a decimal number; [`Error::TooFine`] and [`Error::NotAShare`].
    pub fn parse(text: &[u8], name: &'static str) -> Result<Option<Self>, Error> {
        billionths(text, name).map(Self::from_billionths)
    }

    /// Does the same for an argument with another range. The pair is the argument and the range in errors.
    ///
    /// # Errors
    /// The errors of [`Share::parse`].
    pub fn parse_within(
        text: &[u8],
        (name, range): (&'static str, &'static str),
    ) -> Result<Option<Self>, Error> {
        Self::parse(text, name).map_err(|error| match error {
            Error::NotAShare(..) => Error::NotAShare(name, range),
            error => error,
        })
    }

    /// Returns the share of this number of billionths; `None` for 0, and for more than the whole.
    #[must_use]
    pub fn from_billionths(billionths: u32) -> Option<Self> {
        NonZeroU32::new(billionths).filter(|share| i64::from(share.get()) <= WHOLE).map(Self)
    }

    /// Returns the share in billionths.
    #[must_use]
    pub const fn billionths(self) -> u32 {
        self.0.get()
    }

    /// Returns this share of a number of units, rounded down.
    #[must_use]
    pub fn of(self, units: i64) -> i64 {
        let billionths = i64::from(self.billionths());
        // A division of 64 bits by a constant is a multiplication, and one of 128 bits takes 30 times as long.
        if let Some(product) = units.checked_mul(billionths) {
            return product.div_euclid(WHOLE);
        }
        let product = i128::from(units).saturating_mul(billionths.into());
        i64::try_from(product.div_euclid(WHOLE.into())).unwrap_or(i64::MAX)
    }
}

/// Reads a fraction from 0 to 1, as billionths. `name` is the name of the argument in errors.
///
/// # Errors
/// The errors of [`Share::parse`].
pub fn billionths(text: &[u8], name: &'static str) -> Result<u32, Error> {
    let not_a_share = Error::NotAShare(name, "from 0 to 1");
    let share = Decimal::parse(text, name).and_then(|share| share.to_score(DECIMALS, name));
    let share = share.map_err(|error| match error {
        // The digits of a share are not limited by the decimals of scores, so this is another error.
        Error::TooManyDigits(argument, most) => Error::TooFine(argument, most),
        Error::OutOfRange(_) => not_a_share,
        error => error,
    })?;
    let units = u32::try_from(share.units()).ok().filter(|units| i64::from(*units) <= WHOLE);
    units.ok_or(not_a_share)
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = Score::from_units(i64::from(self.billionths())).unwrap_or_default();
        write!(f, "{}", units.display(DECIMALS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_round_down() {
        let share = |text: &str| Share::parse(text.as_bytes(), "CARRY");
        let fifth = share("0.2").unwrap().unwrap();
        assert_eq!([7, 4, 0, -1, -7, i64::MAX].map(|units| fifth.of(units)), [1, 0, 0, -1, -2, i64::MAX / 5]);
        assert_eq!(share("1").unwrap().unwrap().of(-i64::MAX), -i64::MAX);
        assert_eq!(fifth.to_string(), "0.2");
        assert_eq!(share("0"), Ok(None));
        for text in ["-0.2", "1.1", "1.000000001", "9999999999", "99999999999999999999999999"] {
            assert_eq!(share(text), Err(Error::NotAShare("CARRY", "from 0 to 1")), "{text}");
        }
        assert_eq!(share("x"), Err(Error::NotANumber("CARRY")));
        assert_eq!(share("0.123456789").unwrap().unwrap().to_string(), "0.123456789");
        // The decimals of the board do not limit the digits of a share.
        let error = share("0.0000000001").unwrap_err();
        assert_eq!(error.to_string(), "CARRY has more than 9 digits after the point");
    }
}
