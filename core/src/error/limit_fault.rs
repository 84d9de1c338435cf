//! What is wrong with a `LIMIT`.

use std::fmt;

/// The units of limits.
const UNITS: &str = "second, minute, hour, day, week, month, year, all";

/// The argument of a limit that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitFault {
    /// The maximum.
    Max,
    /// The additional votes of a `BONUS`.
    Extra,
    /// The unit.
    Unit,
}

impl fmt::Display for LimitFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Max => write!(f, "max must be a whole number from 1 to {}", u32::MAX),
            Self::Extra => {
                write!(f, "extra must be a whole number from 1, and max and all extras at most {}", u32::MAX)
            }
            Self::Unit => write!(f, "unit must be one of {UNITS}"),
        }
    }
}
