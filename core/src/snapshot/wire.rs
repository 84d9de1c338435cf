//! Writes and reads numbers and byte strings, and checks the ranges of values that occur in several parts.
//!
//! Numbers are LEB128: seven bits in each byte, lowest bits first. The length of a byte string is written before
//! its bytes.

use crate::Error;
use crate::members::MAX_SEQUENCE;
use crate::score::Score;
use crate::time::{MAX_MILLIS, Millis};

/// The greatest rank key: there are as many rank keys as scores, from 0.
const MAX_RANK_KEY: u64 = Score::MAX.units().abs_diff(Score::MIN.units());
/// The greatest distance of a period's start from 1970, in milliseconds.
const MAX_START: u64 = 2 * MAX_MILLIS;

pub fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends the difference between a number and the number before it. The difference may be negative.
pub fn put_difference(out: &mut Vec<u8>, from: u64, to: u64) {
    let difference = to.wrapping_sub(from) as i64;
    put_number(out, (difference << 1 ^ difference >> 63) as u64);
}

/// Appends a number that may be negative.
pub fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_difference(out, 0, number as u64);
}

/// Appends a number in 8 bytes. It is used for hashes, which do not become shorter as LEB128.
pub fn put_hash(out: &mut Vec<u8>, hash: u64) {
    out.extend_from_slice(&hash.to_le_bytes());
}

pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// The part of a chunk that was not read yet.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn byte(&mut self) -> Result<u8, Error> {
        let (first, rest) = self.0.split_first().ok_or(Error::Corrupt("it ends too early"))?;
        self.0 = rest;
        Ok(*first)
    }

    pub fn number(&mut self) -> Result<u64, Error> {
        let mut number = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            let moved = bits.checked_shl(shift).unwrap_or(0);
            if moved >> shift != bits {
                break;
            }
            number |= moved;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Error::Corrupt("a number is too large"))
    }

    /// Reads a number that must fit into a smaller type. If it does not, returns `error`.
    pub fn small<T: TryFrom<u64>>(&mut self, error: Error) -> Result<T, Error> {
        self.number()?.try_into().map_err(|_| error)
    }

    pub fn difference(&mut self, from: u64) -> Result<u64, Error> {
        let raw = self.number()?;
        let difference = (raw >> 1) as i64 ^ ((raw & 1) as i64).wrapping_neg();
        Ok(from.wrapping_add(difference as u64))
    }

    pub fn signed(&mut self) -> Result<i64, Error> {
        Ok(self.difference(0)? as i64)
    }

    pub fn hash(&mut self) -> Result<u64, Error> {
        let mut hash = [0; 8];
        hash.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(hash))
    }

    pub fn bytes(&mut self, min: usize, max: usize) -> Result<&'a [u8], Error> {
        let len = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        if len < min || len > max {
            return Err(Error::Corrupt("a text is too long or empty"));
        }
        self.take(len)
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(Error::Corrupt("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that the whole chunk was read.
    pub const fn finish(&self) -> Result<(), Error> {
        if self.is_empty() { Ok(()) } else { Err(Error::Corrupt("it goes on too long")) }
    }
}

pub fn moment(number: u64) -> Result<Millis, Error> {
    if number <= MAX_MILLIS { Ok(number) } else { Err(Error::Corrupt("a moment out of range")) }
}

/// Returns the number of a write. It must be in the range of these numbers.
pub fn sequence(number: u64) -> Result<u64, Error> {
    if number <= MAX_SEQUENCE { Ok(number) } else { Err(Error::Corrupt("a write's number")) }
}

/// Reads a rank key that is not smaller than the rank key before. Its difference is stored.
pub fn rank_key(reader: &mut Reader, before: u64) -> Result<u64, Error> {
    rank_key_of(before.saturating_add(reader.number()?))
}

pub fn rank_key_of(number: u64) -> Result<u64, Error> {
    if number <= MAX_RANK_KEY { Ok(number) } else { Err(Error::Corrupt("a score out of range")) }
}

/// Reads the start of a period.
pub fn start(reader: &mut Reader) -> Result<i64, Error> {
    let start = reader.signed()?;
    if start.unsigned_abs() <= MAX_START { Ok(start) } else { Err(Error::Corrupt("a period")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn there_and_back(number in any::<u64>(), from in any::<u64>(), to in any::<u64>()) {
            let mut out = Vec::new();
            put_number(&mut out, number);
            put_difference(&mut out, from, to);
            put_signed(&mut out, to as i64);
            put_hash(&mut out, from);
            put_bytes(&mut out, b"name");
            let mut reader = Reader(&out);
            prop_assert_eq!(reader.number(), Ok(number));
            prop_assert_eq!(reader.difference(from), Ok(to));
            prop_assert_eq!(reader.signed(), Ok(to as i64));
            prop_assert_eq!(reader.hash(), Ok(from));
            prop_assert_eq!(reader.bytes(1, 4), Ok(&b"name"[..]));
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        let ending = |last: u8| Reader(&[&[0xff; 9][..], &[last]].concat()).number();
        assert_eq!(ending(1), Ok(u64::MAX));
        assert!(ending(2).is_err() && ending(0xff).is_err());
    }
}
