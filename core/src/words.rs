//! The words that clients use for the variants of an enum.

/// Implements the words of clients for an enum, for reading and for writing.
macro_rules! words {
    ($type:ident, $argument:literal, $all:literal, $($variant:ident = $word:literal),+) => {
        impl $type {
            /// Reads the word of a client, in upper or lower case. Returns the variant of this word.
            ///
            /// # Errors
            /// [`Error::NotOneOf`](crate::Error::NotOneOf) with all words of this enum.
            pub fn parse(word: &[u8]) -> Result<Self, crate::Error> {
                $(if word.eq_ignore_ascii_case($word.as_bytes()) {
                    return Ok(Self::$variant);
                })+
                Err(crate::Error::NotOneOf($argument, $all))
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Self::$variant => $word),+ })
            }
        }
    };
}

pub(crate) use words;
