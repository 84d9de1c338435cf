//! Cells of texts. A spreadsheet reads a cell that begins with = + - @ as a formula. Such a text is written with an
//! apostrophe in front, which spreadsheets do not show. Reading removes this apostrophe again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The two cells of a text: the text itself and its Base64. Only one of them is filled: the Base64 cell if the text is
/// not UTF-8.
pub fn write(bytes: &[u8]) -> (String, String) {
    match std::str::from_utf8(bytes) {
        Ok(text) if is_risky(text) => (format!("'{text}"), String::new()),
        Ok(text) => (text.to_owned(), String::new()),
        Err(_) => (String::new(), STANDARD.encode(bytes)),
    }
}

/// The text of a cell, without the apostrophe that writing has added.
pub fn read(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_risky(text)).unwrap_or(cell)
}

/// Whether writing must add an apostrophe: if the text, after any apostrophes of its own, begins like a formula.
/// Without the added apostrophe, reading would remove one of the text's own.
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
