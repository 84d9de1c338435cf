//! A user's word in the text of an error.

use std::fmt;

/// The first bytes of a user's word, in a form that is safe in the text of an error. Printable ASCII is kept,
/// except for quotes. Any other byte is replaced by `?`. A longer word is cut and ends with `...`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Quoted {
    bytes: [u8; Self::SHOWN],
    len: u8,
    cut: bool,
}

impl Quoted {
    const SHOWN: usize = 24;

    /// Returns the first 24 bytes of a word, in the safe form.
    #[must_use]
    pub fn new(word: &[u8]) -> Self {
        let mut bytes = [0; Self::SHOWN];
        for (to, from) in bytes.iter_mut().zip(word) {
            *to = if from.is_ascii_graphic() && *from != b'\'' { *from } else { b'?' };
        }
        let len = word.len().min(Self::SHOWN) as u8;
        Self { bytes, len, cut: word.len() > Self::SHOWN }
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.bytes.get(..usize::from(self.len)).unwrap_or_default();
        let text = std::str::from_utf8(shown).unwrap_or_default();
        write!(f, "'{text}{}'", if self.cut { "..." } else { "" })
    }
}

impl fmt::Debug for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_keeps_bytes_out_that_could_do_harm() {
        assert_eq!(Quoted::new(b"FOO").to_string(), "'FOO'");
        assert_eq!(Quoted::new(b"a\0b\r\n\xff'").to_string(), "'a?b????'");
        assert_eq!(Quoted::new(&[b'x'; 25]).to_string(), format!("'{}...'", "x".repeat(24)));
    }
}
