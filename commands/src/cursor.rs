//! The place from which an import in steps continues. It is behind a member with this score, and it is written as a
//! word of printable characters. The place stays right when members enter or leave the sorted set between two steps.

use std::fmt::{self, Display, Write};

use leaderboard_core::{Error, MAX_NAME};

/// The number of digits of a score. The digits are the bits of a double.
const SCORE: usize = 16;

/// The place from which an import continues.
#[derive(Debug, Clone, PartialEq)]
pub enum Cursor {
    /// `0`: the beginning of the sorted set. As the reply of a step, it means that the import is complete.
    End,
    /// Behind this member with this score.
    Behind(f64, Vec<u8>),
}

impl Cursor {
    /// Reads a cursor.
    ///
    /// # Errors
    /// [`Error::BadCursor`].
    pub fn parse(word: &[u8]) -> Result<Self, Error> {
        if word == b"0" {
            return Ok(Self::End);
        }
        let behind = || {
            let (score, member) = word.split_at_checked(SCORE)?;
            let member = bytes(member)?;
            let bits = bytes(score)?.try_into().ok().map(u64::from_be_bytes)?;
            let score = Some(f64::from_bits(bits)).filter(|score| !score.is_nan())?;
            (member.len() <= MAX_NAME).then_some(Self::Behind(score, member))
        };
        behind().ok_or(Error::BadCursor("LB.IMPORT"))
    }
}

/// Returns the bytes that these pairs of digits mean.
fn bytes(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |digit: &u8| char::from(*digit).to_digit(16);
    let byte = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(high)? << 4 | digit(low)?).ok(),
        _ => None,
    };
    digits.chunks(2).map(byte).collect()
}

impl Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_char('0'),
            Self::Behind(score, member) => {
                write!(f, "{:016x}", score.to_bits())?;
                member.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_lead_back() {
        for cursor in
            [Cursor::End, Cursor::Behind(-0.5, b"a\0\xff".to_vec()), Cursor::Behind(f64::INFINITY, vec![])]
        {
            assert_eq!(Cursor::parse(cursor.to_string().as_bytes()), Ok(cursor));
        }
        let long = "00".repeat(8 + MAX_NAME + 1);
        for word in [
            "",
            "1",
            "00",
            "x",
            "3ff000000000000",
            "3ff00000000000006",
            "3ff0000000000000zz",
            "7ff8000000000000",
            &long,
        ] {
            assert_eq!(Cursor::parse(word.as_bytes()), Err(Error::BadCursor("LB.IMPORT")), "{word}");
        }
    }
}
