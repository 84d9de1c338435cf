//! Short names that rules give: the name of a level of scores, or of a dimension of segments.

use std::fmt;

use arrayvec::ArrayString;

/// The maximum length of a short name, in bytes.
pub(crate) const MAX_SHORT_NAME: usize = 32;

/// The name of a level or a dimension: letters, digits, `_` and `-`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortName(ArrayString<MAX_SHORT_NAME>);

impl ShortName {
    /// Reads a name of 1 to 32 bytes. Returns `None` if the word is not a valid name.
    #[must_use]
    pub fn parse(word: &[u8]) -> Option<Self> {
        let is_sound = |byte: &u8| byte.is_ascii_alphanumeric() || [b'_', b'-'].contains(byte);
        let text = std::str::from_utf8(word).ok()?;
        let is_name = !text.is_empty() && word.iter().all(is_sound);
        ArrayString::from(text).ok().filter(|_| is_name).map(Self)
    }

    /// Returns the bytes of the name.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Display for ShortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
