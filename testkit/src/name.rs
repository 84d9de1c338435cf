//! Names of members.

use std::fmt;
use std::ops::Deref;

/// A member's name. The end of a name distinguishes it from others, so only the end is shown when a case fails.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub Vec<u8>);

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self[self.len().saturating_sub(8)..].escape_ascii())
    }
}

impl Deref for Name {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Returns the name with this number. The names are of every kind: text, any bytes, short ones, and ones of the
/// maximum length.
pub fn any(number: usize) -> Name {
    let mut bytes = match number % 11 {
        0 => [&vec![b'x'; 508][..], format!("{number:04}").as_bytes()].concat(),
        1 => vec![0, 0xff, (number >> 8) as u8, number as u8],
        2 => vec![b'z'; number + 1],
        _ => format!("member:{number}").into_bytes(),
    };
    bytes.truncate(512);
    Name(bytes)
}

/// Returns a short name. The order of the names differs from the order of their numbers.
pub fn short(number: usize) -> Name {
    Name(format!("{:04}", number * 7_919 % 10_000).into_bytes())
}

/// Returns a long name for every fifth number, so that 300 members make a large board, and else a short one.
pub fn mixed(number: usize) -> Name {
    if number.is_multiple_of(5) { long(number) } else { short(number) }
}

/// Returns a name so long that a few members make a large board.
pub fn long(number: usize) -> Name {
    Name([&[b'n'; 500][..], &short(number)].concat())
}
