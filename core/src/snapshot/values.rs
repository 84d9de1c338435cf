//! Values that several parts have, each with its range.

use super::wire::Reader;
use crate::Error;
use crate::members::MAX_SEQUENCE;
use crate::score::Score;
use crate::time::{MAX_MILLIS, Millis};

/// The greatest rank key: there are as many as scores, from 0.
const MAX_RANK_KEY: u64 = Score::MAX.units().abs_diff(Score::MIN.units());
/// Periods start at most so far from 1970, before or after.
const MAX_START: u64 = 2 * MAX_MILLIS;

pub fn moment(number: u64) -> Result<Millis, Error> {
    if number <= MAX_MILLIS { Ok(number) } else { Err(Error::Corrupt("a moment out of range")) }
}

/// The number of a write.
pub fn sequence(number: u64) -> Result<u64, Error> {
    if number <= MAX_SEQUENCE { Ok(number) } else { Err(Error::Corrupt("a write's number")) }
}

/// A rank key that is not smaller than the one before.
pub fn rank_key(reader: &mut Reader, before: u64) -> Result<u64, Error> {
    let rank_key = before.checked_add(reader.number()?).filter(|rank_key| *rank_key <= MAX_RANK_KEY);
    rank_key.ok_or(Error::Corrupt("a score out of range"))
}

/// The start of a period.
pub fn start(reader: &mut Reader) -> Result<i64, Error> {
    let start = reader.signed()?;
    if start.unsigned_abs() <= MAX_START { Ok(start) } else { Err(Error::Corrupt("a period")) }
}
