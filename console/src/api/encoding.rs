//! Percent-encoding of paths and query strings. A text with a wrong encoding, or whose bytes are not UTF-8, is refused.
//! If it were used without decoding, it would be a different name.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::problem::Problem;

/// Whether each percent sign begins an encoded byte, and the decoded bytes are UTF-8.
pub fn is_sound(text: &str) -> bool {
    if !text.contains('%') {
        return true;
    }
    let is_byte =
        |rest: &str| rest.as_bytes().get(..2).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
    text.split('%').skip(1).all(is_byte) && percent_decode_str(text).decode_utf8().is_ok()
}

/// # Errors
/// 400 that names the parameter with a bad encoding.
pub fn check_query(query: &str) -> Result<(), Problem> {
    match query.split('&').find(|pair| !is_sound(pair)) {
        Some(pair) => {
            let name = pair.split('=').next().unwrap_or_default();
            Err(Problem::unreadable(format!("{name}: not percent-encoded UTF-8")))
        }
        None => Ok(()),
    }
}

/// Encodes a text as one part of a path.
pub fn segment(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_in_paths_as_one_part() {
        assert_eq!(segment("a/b c+灯?"), "a%2Fb%20c%2B%E7%81%AF%3F");
    }

    #[test]
    fn bad_encodings_are_seen() {
        for text in ["", "a b", "%2F", "%e7%81%af", "100%25"] {
            assert!(is_sound(text), "{text}");
        }
        for text in ["%", "%2", "%zz", "a%", "%+1", "%ff", "%e7%81", "%灯"] {
            assert!(!is_sound(text), "{text}");
        }
        assert_eq!(check_query("a=1&member=%FF").unwrap_err().detail(), "member: not percent-encoded UTF-8");
    }
}
