//! Cells of texts. A spreadsheet takes a cell that begins with = + - @ for a formula. Such a text gets an apostrophe in
//! front, which spreadsheets do not show, and loses it when it is read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The cells of a text and of its Base64: the second one if it is no UTF-8.
pub fn write(bytes: &[u8]) -> (String, String) {
    match std::str::from_utf8(bytes) {
        Ok(text) if is_risky(text) => (format!("'{text}"), String::new()),
        Ok(text) => (text.to_owned(), String::new()),
        Err(_) => (String::new(), STANDARD.encode(bytes)),
    }
}

/// The text of a cell.
pub fn read(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_risky(text)).unwrap_or(cell)
}

/// Whether a text needs one more apostrophe: a formula, or one behind apostrophes of its own, which would be lost.
fn is_risky(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_comes_back() {
        for text in ["", "a", "=1", "'=1", "''=1", "+", "-5", "@x", "\t", "\rx", "'", "'a", "''", "a=1"] {
            let (cell, base64) = write(text.as_bytes());
            assert_eq!((read(&cell), base64.as_str()), (text, ""));
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell}");
        }
    }

    #[test]
    fn an_apostrophe_in_front_of_a_word_stays() {
        assert_eq!(read("'tis"), "'tis");
        assert_eq!(read("'=1"), "=1");
        assert_eq!(read("=1"), "=1", "typed by a person");
    }
}
