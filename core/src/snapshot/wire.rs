//! Numbers and byte strings as they are written: LEB128 for numbers, a length before bytes.

use crate::Error;

/// Appends a number in seven-bit groups, least first.
pub fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a difference that may be negative.
pub fn put_difference(out: &mut Vec<u8>, from: u64, to: u64) {
    let difference = to.wrapping_sub(from) as i64;
    put_number(out, (difference << 1 ^ difference >> 63) as u64);
}

/// Appends a number that may be negative.
pub fn put_signed(out: &mut Vec<u8>, number: i64) {
    put_difference(out, 0, number as u64);
}

pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// What is left to read of a chunk.
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

    pub fn difference(&mut self, from: u64) -> Result<u64, Error> {
        let raw = self.number()?;
        let difference = (raw >> 1) as i64 ^ ((raw & 1) as i64).wrapping_neg();
        Ok(from.wrapping_add(difference as u64))
    }

    pub fn signed(&mut self) -> Result<i64, Error> {
        Ok(self.difference(0)? as i64)
    }

    pub fn bytes(&mut self, min: usize, max: usize) -> Result<&'a [u8], Error> {
        let len = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        if len < min || len > max {
            return Err(Error::Corrupt("a text is too long or empty"));
        }
        self.take(len)
    }

    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(Error::Corrupt("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
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
            put_bytes(&mut out, b"name");
            let mut reader = Reader(&out);
            prop_assert_eq!(reader.number(), Ok(number));
            prop_assert_eq!(reader.difference(from), Ok(to));
            prop_assert_eq!(reader.bytes(1, 4), Ok(&b"name"[..]));
            prop_assert!(reader.is_empty());
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        assert!(Reader(&[0xff; 11]).number().is_err());
        assert!(Reader(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]).number().is_err());
        assert_eq!(
            Reader(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]).number(),
            Ok(u64::MAX)
        );
    }
}
