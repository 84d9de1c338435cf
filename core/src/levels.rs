//! Scores of several levels, such as medals: gold decides, then silver, then bronze.
//!
//! A board with levels stores a single number for all levels of a score, the *code*, and ranks by the code alone. A
//! level with the maximum `m` has `2·m + 1` values. So each level is one digit of the code, with this number of
//! values; the first level is the first digit:
//!
//! ```text
//! gold:DESC:2000,silver:DESC:2000,bronze:DESC:2000      12/5/3  =  12·4001² + 5·4001 + 3
//! ```
//!
//! If lower values of a level are better (`ASC`), the code contains the value with the opposite sign. So the
//! greater code is always the better score. Codes can be added if each level stays within its maximum: then the
//! values of the sum can be computed from the code. [`crate::board`] checks this before it adds codes.
#![allow(clippy::arithmetic_side_effects, reason = "the codes of all levels together fit 64 bits")]

mod tuple;

use std::fmt::{self, Write};
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::Error;
use crate::error::Quoted;
use crate::integer::natural;
use crate::order::Order;
use crate::score::Score;
use crate::short_name::ShortName;
use crate::size_class::bytes_of;

pub(crate) use tuple::{Tuple, is_tuple};

/// The maximum number of levels of a board.
pub const MAX_LEVELS: usize = 8;

/// The levels of a board's scores. The first level decides first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels(Arc<ArrayVec<Level, MAX_LEVELS>>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Level {
    name: ShortName,
    /// Whether greater or lower values are better.
    order: Order,
    /// The value is at least `-max` and at most `max`.
    max: i64,
    /// By how much a code grows when the value grows by one. This is the number of codes of all levels behind this
    /// level.
    weight: i64,
}

impl Level {
    /// Reads `name:DESC|ASC:max`. The weight is set later.
    fn parse(word: &[u8]) -> Result<Self, Error> {
        let bad = || Error::BadLevel(Quoted::new(word));
        let mut parts = word.split(|byte| *byte == b':');
        let (Some(name), Some(order), Some(max), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(bad());
        };
        let max = match natural(max, "LEVELS") {
            Err(Error::OutOfRange(_)) if !max.starts_with(b"-") => return Err(Error::LevelsTooLarge),
            max => max.ok().filter(|max| *max > 0),
        };
        Ok(Self {
            name: ShortName::parse(name).ok_or_else(bad)?,
            order: Order::parse(order).map_err(|_| bad())?,
            max: max.ok_or_else(bad)?.try_into().map_err(|_| Error::LevelsTooLarge)?,
            weight: 0,
        })
    }

    /// Returns a value as a number that is greater if the value is better. The function is its own inverse.
    const fn turned(&self, value: i128) -> i128 {
        match self.order {
            Order::Desc => value,
            Order::Asc => value.saturating_neg(),
        }
    }

    /// Returns how many values the level has.
    fn values(&self) -> i128 {
        2 * i128::from(self.max) + 1
    }
}

impl Levels {
    /// Reads `name:DESC|ASC:max[,name:DESC|ASC:max ...]`.
    ///
    /// # Errors
    /// [`Error::BadLevel`], [`Error::RepeatedLevel`], [`Error::TooMany`], [`Error::LevelsTooLarge`].
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        let mut levels = ArrayVec::<Level, MAX_LEVELS>::new();
        for word in text.split(|byte| *byte == b',') {
            let level = Level::parse(word)?;
            if levels.iter().any(|other| other.name == level.name) {
                return Err(Error::RepeatedLevel(level.name));
            }
            levels.try_push(level).map_err(|_| Error::TooMany("LEVELS", MAX_LEVELS, "levels"))?;
        }
        let mut codes = 1_i128;
        for level in levels.iter_mut().rev() {
            level.weight = codes.try_into().map_err(|_| Error::LevelsTooLarge)?;
            codes *= level.values();
        }
        // Half of the codes (without 0) are greater than 0, and half are less.
        if (codes - 1) / 2 > i128::from(i64::MAX) {
            Err(Error::LevelsTooLarge)
        } else {
            Ok(Self(Arc::new(levels)))
        }
    }

    /// Returns how many levels there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the code of these values.
    ///
    /// # Errors
    /// The name of the first level that is beyond its maximum.
    pub(crate) fn code(&self, tuple: &Tuple) -> Result<Score, ShortName> {
        self.check(tuple)?;
        let code = self.pairs(tuple).map(|(level, value)| level.turned(value) as i64 * level.weight).sum();
        Ok(Score::from_units(code).unwrap_or(Score::MIN))
    }

    /// Returns the values that have this code.
    pub(crate) fn values(&self, code: Score) -> Tuple {
        self.decoded(code).map(i128::from).collect()
    }

    /// Writes the values that have this code as a text: whole numbers joined by `/`.
    pub(crate) fn write_to(&self, text: &mut impl Write, code: Score) -> fmt::Result {
        let mut digits = itoa::Buffer::new();
        self.decoded(code).enumerate().try_for_each(|(at, value)| {
            if at > 0 {
                text.write_char('/')?;
            }
            text.write_str(digits.format(value))
        })
    }

    fn decoded(&self, code: Score) -> impl Iterator<Item = i64> {
        let mut left = code.units();
        self.0.iter().map(move |level| {
            // This is the nearest multiple: the levels behind this level add up to at most half of its weight, which is odd.
            let nearest = left.saturating_add(level.weight / 2).div_euclid(level.weight);
            left = left.wrapping_sub(nearest.wrapping_mul(level.weight));
            match level.order {
                Order::Desc => nearest,
                Order::Asc => nearest.saturating_neg(),
            }
        })
    }

    /// Returns whether a code has values within all maxima. This may be false for a saved code.
    pub(crate) fn has(&self, code: Score) -> bool {
        self.check(&self.values(code)).is_ok()
    }

    /// Checks that each level is within its maximum.
    ///
    /// # Errors
    /// The name of the first level that is beyond its maximum.
    pub(crate) fn check(&self, tuple: &Tuple) -> Result<(), ShortName> {
        let mut beyond = self.pairs(tuple).filter(|(level, value)| value.unsigned_abs() > level.max as u128);
        beyond.next().map_or(Ok(()), |(level, _)| Err(level.name))
    }

    /// Returns the place of values among the codes. The values may be beyond the maximum of their levels. The
    /// result is the greatest code that is not above the values, and whether it is equal to them.
    pub(crate) fn floor(&self, tuple: &Tuple) -> (i128, bool) {
        let mut code = 0;
        for (level, value) in self.pairs(tuple) {
            let (value, weight) = (level.turned(value), i128::from(level.weight));
            // This is the greatest distance, to both sides, of codes that begin with the same values.
            let half = (level.values() * weight - 1) / 2;
            if value > level.max.into() {
                return (code + half, false);
            }
            if value < -i128::from(level.max) {
                return (code - half - 1, false);
            }
            code += value * weight;
        }
        (code, true)
    }

    /// Reads whole numbers joined by `/`, one for each level. A number may be beyond the maximum of its level.
    pub(crate) fn read(&self, text: &[u8]) -> Option<Tuple> {
        Tuple::parse(text, self.count())
    }

    fn pairs(&self, tuple: &Tuple) -> impl Iterator<Item = (&Level, i128)> {
        self.0.iter().zip(tuple.values())
    }

    /// Returns the number of bytes on the heap. Copies of a board share this memory, and each copy counts it.
    pub(crate) fn memory(&self) -> usize {
        bytes_of::<([usize; 2], ArrayVec<Level, MAX_LEVELS>)>(1)
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(at, Level { name, order, max, .. })| {
            write!(f, "{}{name}:{order}:{max}", if at > 0 { "," } else { "" })
        })
    }
}

#[cfg(test)]
mod tests;
