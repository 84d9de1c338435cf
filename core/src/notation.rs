//! The notation of a board's scores: decimals, or the values of their levels.

use std::fmt;

use crate::levels::{Levels, Tuple};
use crate::score::{Score, Units};

/// The notation of scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notation {
    /// Decimals with at most this number of digits after the point.
    Decimals(u8),
    /// Whole numbers joined by `/`, one for each level.
    Levels(Levels),
}

impl Notation {
    /// Returns whether scores are whole numbers.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        matches!(self, Self::Decimals(0))
    }

    /// Returns a score as text.
    #[must_use]
    pub fn text(&self, score: Score) -> impl fmt::Display {
        match self {
            Self::Decimals(decimals) => Text::Decimal(score.display(*decimals)),
            Self::Levels(levels) => Text::Levels(levels.values(score)),
        }
    }

    /// Writes a score in the form of [`Self::text`], in a fraction of the time.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, text: &mut impl fmt::Write, score: Score) -> fmt::Result {
        match self {
            Self::Decimals(decimals) => score.display(*decimals).write_to(text),
            Self::Levels(levels) => levels.write_to(text, score),
        }
    }

    /// Returns the difference between two scores as text: the greater score minus the smaller score, level by
    /// level.
    #[must_use]
    pub fn gap(&self, one: Score, other: Score) -> impl fmt::Display {
        match self {
            Self::Decimals(decimals) => Text::Decimal(Units::gap(one.distance(other), *decimals)),
            Self::Levels(levels) => {
                Text::Levels(levels.values(one.max(other)).minus(&levels.values(one.min(other))))
            }
        }
    }
}

/// A score, or the difference between two scores, as text.
enum Text {
    /// A decimal in its shortest form: `10.5`, never `10.50`.
    Decimal(Units),
    /// The values of all levels.
    Levels(Tuple),
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decimal(units) => units.fmt(f),
            Self::Levels(tuple) => tuple.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_ways_write_the_same_text(units in any::<i64>(), code in -400_000_000_i64..400_000_000, decimals in 0..19_u8) {
            let levels = Levels::parse(b"a:DESC:1000000,b:ASC:9,c:DESC:7").unwrap();
            let all = [(Notation::Decimals(decimals), units), (Notation::Levels(levels), code)];
            for (notation, units) in all {
                let Some(score) = Score::from_units(units) else { continue };
                let mut text = String::new();
                notation.write_to(&mut text, score).unwrap();
                prop_assert_eq!(text, notation.text(score).to_string());
            }
        }
    }
}
