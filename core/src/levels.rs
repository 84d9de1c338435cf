//! Scores of several levels, such as medals: gold decides, then silver, then bronze.
//!
//! A board with levels keeps one number for all of them, its *code*, and ranks by the code alone. A level with the
//! maximum `m` has `2·m + 1` values, so it is a digit with this number of values, the first level in front:
//!
//! ```text
//! gold:DESC:2000,silver:DESC:2000,bronze:DESC:2000      12/5/3  =  12·4001² + 5·4001 + 3
//! ```
//!
//! A level in which less is better (`ASC`) counts with a minus. So the greater code is the better score. Codes add up
//! level by level, as long as each level stays within its maximum: then the values can be computed from the code.
//! [`crate::board`] judges this before it adds codes.
#![allow(clippy::arithmetic_side_effects, reason = "the codes of all levels together fit 64 bits")]

mod tuple;

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::Error;
use crate::error::Quoted;
use crate::integer::natural;
use crate::level_name::LevelName;
use crate::order::Order;
use crate::score::Score;
use crate::size_class::bytes_of;

pub(crate) use tuple::{Tuple, is_tuple};

/// The most levels that a board can have.
pub const MAX_LEVELS: usize = 8;

/// The levels of a board's scores, the one that decides first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels(Arc<ArrayVec<Level, MAX_LEVELS>>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Level {
    name: LevelName,
    /// Which end is better.
    order: Order,
    /// The value is at least `-max` and at most `max`.
    max: i64,
    /// How much a code grows when the value grows by one. This is the number of codes of the levels behind this
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
            name: LevelName::parse(name).ok_or_else(bad)?,
            order: Order::parse(order).map_err(|_| bad())?,
            max: max.ok_or_else(bad)?.try_into().map_err(|_| Error::LevelsTooLarge)?,
            weight: 0,
        })
    }

    /// A value as a number that is greater for a better value. It is its own inverse.
    const fn turned(&self, value: i128) -> i128 {
        match self.order {
            Order::Desc => value,
            Order::Asc => value.saturating_neg(),
        }
    }

    /// How many values it has.
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
        // On either side of 0 are half of the codes.
        if (codes - 1) / 2 > i128::from(i64::MAX) {
            Err(Error::LevelsTooLarge)
        } else {
            Ok(Self(Arc::new(levels)))
        }
    }

    /// How many levels there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The code of these values.
    ///
    /// # Errors
    /// The name of the first level that is beyond its maximum.
    pub(crate) fn code(&self, tuple: &Tuple) -> Result<Score, LevelName> {
        self.check(tuple)?;
        let code = self.pairs(tuple).map(|(level, value)| level.turned(value) as i64 * level.weight).sum();
        Ok(Score::from_units(code).unwrap_or(Score::MIN))
    }

    /// The values that have this code.
    pub(crate) fn values(&self, code: Score) -> Tuple {
        let mut left = code.units();
        self.0
            .iter()
            .map(|level| {
                // The nearest multiple: the levels behind add up to less than half of a weight.
                let (most, rest) = (level.weight / 2, left % level.weight);
                let nearest = left / level.weight + i64::from(rest > most) - i64::from(rest < -most);
                left = left.wrapping_sub(nearest.wrapping_mul(level.weight));
                level.turned(nearest.into())
            })
            .collect()
    }

    /// Whether a code has values within all maxima: a saved code may not.
    pub(crate) fn has(&self, code: Score) -> bool {
        self.check(&self.values(code)).is_ok()
    }

    /// Checks that each level is within its maximum.
    ///
    /// # Errors
    /// The name of the first level that is not.
    pub(crate) fn check(&self, tuple: &Tuple) -> Result<(), LevelName> {
        let mut beyond = self.pairs(tuple).filter(|(level, value)| value.unsigned_abs() > level.max as u128);
        beyond.next().map_or(Ok(()), |(level, _)| Err(level.name))
    }

    /// Where values, which may be beyond the maximum of their levels, are among the codes: the greatest code that is
    /// not above them, and whether it is equal to them.
    pub(crate) fn floor(&self, tuple: &Tuple) -> (i128, bool) {
        let mut code = 0;
        for (level, value) in self.pairs(tuple) {
            let (value, weight) = (level.turned(value), i128::from(level.weight));
            // The greatest distance, on either side, of codes that begin with the same values.
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

    /// Reads whole numbers joined by `/`, one for each level. They may be beyond the maximum of a level.
    pub(crate) fn read(&self, text: &[u8]) -> Option<Tuple> {
        Tuple::parse(text, self.count())
    }

    fn pairs(&self, tuple: &Tuple) -> impl Iterator<Item = (&Level, i128)> {
        self.0.iter().zip(tuple.values())
    }

    /// Bytes on the heap. Copies of a board share them; each copy counts them.
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
