//! CSV as spreadsheets write it: with commas, semicolons or tabs, and with or without a byte order mark.

use csv::{Reader, ReaderBuilder};

/// A file without its byte order mark, and what parts its cells.
#[derive(Clone, Copy)]
pub struct Sheet<'a> {
    pub file: &'a [u8],
    pub delimiter: u8,
}

impl<'a> Sheet<'a> {
    /// Looks at the first line of a file.
    pub fn of(file: &'a [u8]) -> Self {
        let file = file.strip_prefix("\u{feff}".as_bytes()).unwrap_or(file);
        Self { file, delimiter: delimiter(file) }
    }

    /// Reads all lines; the first one is a line as the others.
    pub fn reader(&self) -> Reader<&'a [u8]> {
        let mut form = ReaderBuilder::new();
        form.flexible(true).has_headers(false).delimiter(self.delimiter).from_reader(self.file)
    }
}

/// The delimiter: of those that spreadsheets use, the one that occurs most in the first line.
fn delimiter(file: &[u8]) -> u8 {
    let first = file.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |mark: u8| first.iter().filter(|byte| **byte == mark).count();
    let mut best = b',';
    for mark in [b';', b'\t'] {
        if count(mark) > count(best) {
            best = mark;
        }
    }
    best
}
