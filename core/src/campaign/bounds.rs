//! The range of the points and scores that clients may write.

use std::fmt;

use crate::Error;
use crate::amount::Bound;
use crate::notation::Notation;
use crate::schema::Schema;
use crate::score::Score;

/// The maximum length of a bound as text.
pub const MAX_BOUND: usize = 64;

/// A range of points and scores, as text: `0 1000`, `(0 +inf`. It depends on the board which scores these are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    min: Box<[u8]>,
    max: Box<[u8]>,
}

impl Bounds {
    /// Reads two bounds, as in `ZRANGEBYSCORE`.
    ///
    /// # Errors
    /// [`Error::NotANumber`], [`Error::TooLong`].
    pub fn new(min: &[u8], max: &[u8]) -> Result<Self, Error> {
        for (text, argument) in [(min, "BOUNDS min"), (max, "BOUNDS max")] {
            if text.len() > MAX_BOUND {
                return Err(Error::TooLong(argument, MAX_BOUND));
            }
            Bound::parse(text, argument)?;
        }
        Ok(Self { min: min.into(), max: max.into() })
    }

    /// Returns the first and the last score in the range; `None` if every score of the board is in it.
    ///
    /// # Errors
    /// [`Error::NotLevels`]; [`Error::EmptyBounds`] if no score is in the range.
    pub(crate) fn range(&self, schema: &Schema) -> Result<Option<(Score, Score)>, Error> {
        let (min, max) = (Bound::parse(&self.min, "BOUNDS min")?, Bound::parse(&self.max, "BOUNDS max")?);
        let range = schema.score_range(min, max)?.ok_or(Error::EmptyBounds)?;
        let every = schema.score_range(Bound::Lowest, Bound::Highest)?;
        Ok(Some(range).filter(|_| every != Some(range)))
    }

    /// Returns the bounds of a range of scores.
    pub(crate) fn of((min, max): (Score, Score), schema: &Schema) -> Self {
        let notation: Notation = schema.notation();
        let text = |score| notation.text(score).to_string().into_bytes().into_boxed_slice();
        let every = schema.score_range(Bound::Lowest, Bound::Highest).ok().flatten();
        let (lowest, highest) = every.unwrap_or((Score::MIN, Score::MAX));
        Self {
            min: if min == lowest { b"-inf".as_slice().into() } else { text(min) },
            max: if max == highest { b"+inf".as_slice().into() } else { text(max) },
        }
    }

    /// Returns the texts of both bounds, the lower one first.
    #[must_use]
    pub fn words(&self) -> [&[u8]; 2] {
        [&self.min, &self.max]
    }
}

/// Writes both bounds with a space between them.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.min.escape_ascii(), self.max.escape_ascii())
    }
}
