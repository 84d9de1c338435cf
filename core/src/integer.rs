//! Reads whole numbers from texts: digits, with or without a minus, and nothing else.

use crate::Error;
use crate::score::Decimal;

/// Reads a whole number. `name` is the name of the argument in errors.
///
/// # Errors
/// [`Error::NotAnInteger`], [`Error::OutOfRange`].
pub fn integer(text: &[u8], name: &'static str) -> Result<i64, Error> {
    let whole = |_| Error::NotAnInteger(name);
    if text.contains(&b'.') {
        return Err(Error::NotAnInteger(name));
    }
    match Decimal::parse(text, name) {
        Err(Error::OutOfRange(_)) => Err(Error::OutOfRange(name)),
        number => Ok(number.map_err(whole)?.to_score(0, name).map_err(whole)?.units()),
    }
}

/// Reads a whole number that is at least 0.
///
/// # Errors
/// The errors of [`integer`].
pub fn natural(text: &[u8], name: &'static str) -> Result<u64, Error> {
    /// A number with this many digits always fits.
    const FEW: usize = 18;
    if (1..=FEW).contains(&text.len()) && text.iter().all(u8::is_ascii_digit) {
        return Ok(text.iter().fold(0, |number: u64, digit| {
            number.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0')))
        }));
    }
    u64::try_from(integer(text, name)?).map_err(|_| Error::OutOfRange(name))
}

/// Reads a whole number that is at least 0 and fits into a smaller type.
///
/// # Errors
/// The errors of [`integer`].
pub fn small<T: TryFrom<u64>>(text: &[u8], name: &'static str) -> Result<T, Error> {
    T::try_from(natural(text, name)?).map_err(|_| Error::OutOfRange(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers() {
        let natural = |text: &str| natural(text.as_bytes(), "n");
        for (text, number) in [("0", 0), ("007", 7), ("999999999999999999", 999_999_999_999_999_999)] {
            assert_eq!(natural(text), Ok(number), "{text}");
        }
        assert_eq!(natural("9223372036854775807"), Ok(9_223_372_036_854_775_807));
        for text in ["-1", "9223372036854775808", "99999999999999999999999"] {
            assert_eq!(natural(text), Err(Error::OutOfRange("n")), "{text}");
        }
        for text in ["", "-", "+1", "1.5", "1.0", " 1", "1e3", "x"] {
            assert_eq!(natural(text), Err(Error::NotAnInteger("n")), "{text}");
        }
        assert_eq!(integer(b"-12", "n"), Ok(-12));
        assert_eq!((small(b"255", "n"), small::<u8>(b"256", "n")), (Ok(255_u8), Err(Error::OutOfRange("n"))));
    }
}
