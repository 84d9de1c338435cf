//! Numbers in arguments: JSON integers, or texts because a score may have more digits than a JSON number keeps.

use std::fmt::{self, Formatter};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

/// An optional whole number: for `#[serde(default, deserialize_with = "whole")]`.
pub fn whole<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr + TryFrom<i64> + TryFrom<u64>,
{
    deserializer.deserialize_any(Whole(PhantomData))
}

/// 2^53: up to here, each whole number is a number of JSON programs.
const EXACT: f64 = 9_007_199_254_740_992.0;

struct Whole<T>(PhantomData<T>);

impl<T: FromStr + TryFrom<i64> + TryFrom<u64>> Visitor<'_> for Whole<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number in its range")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<T>, E> {
        T::try_from(number).map(Some).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<T>, E> {
        T::try_from(number).map(Some).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    /// For JSON, 7.0 is a whole number, too. Above 2^53, such a number can have lost digits.
    fn visit_f64<E: Error>(self, number: f64) -> Result<Option<T>, E> {
        let wrong = || E::invalid_value(Unexpected::Float(number), &self);
        if number.fract() != 0.0 || number.abs() > EXACT {
            return Err(wrong());
        }
        format!("{number:.0}").parse().map(Some).map_err(|_| wrong())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<T>, E> {
        text.parse().map(Some).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }
}

/// An optional text of digits, such as a score or points. The server reads the digits.
pub fn digits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    deserializer.deserialize_any(Digits)
}

/// A score that must be present.
pub fn score<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    digits(deserializer)?.ok_or_else(|| D::Error::invalid_type(Unexpected::Unit, &Digits))
}

struct Digits;

impl Visitor<'_> for Digits {
    type Value = Option<String>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a whole number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<String>, E> {
        Ok(Some(number.to_string()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<String>, E> {
        Ok(Some(number.to_string()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<String>, E> {
        Ok(Some(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Option<String>, E> {
        Ok(None)
    }
}
