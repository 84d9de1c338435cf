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
