//! Replies, written directly to the client without intermediate values.

use std::fmt::Write;

use leaderboard_core::notation::Notation;
use leaderboard_core::score::{Score, Units};

use crate::host::Client;

/// Writes replies to the client of a command. Compute all values before you write the first part.
pub struct Reply<'a, H>(&'a H);

impl<H> Clone for Reply<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for Reply<'_, H> {}

impl<'a, H> Reply<'a, H> {
    /// Returns the writer to the client of a host.
    pub const fn new(host: &'a H) -> Self {
        Self(host)
    }
}

impl<H: Client> Reply<'_, H> {
    /// Begins an array of `len` parts.
    pub fn array(self, len: usize) {
        self.0.array(len);
    }

    /// Begins a map of `len` pairs of a name and a value. On servers before 7.0, the map is a flat array.
    pub fn map(self, len: usize) {
        self.0.map(len);
    }

    pub fn int(self, value: u64) {
        self.signed(i64::try_from(value).unwrap_or(i64::MAX));
    }

    /// Writes an integer that may be negative.
    pub fn signed(self, value: i64) {
        self.0.integer(value);
    }

    /// Writes a byte string.
    pub fn bulk(self, bytes: &[u8]) {
        self.0.bulk(bytes);
    }

    /// Writes a byte string, or nil.
    pub fn bulk_or_nil(self, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => self.bulk(bytes),
            None => self.nil(),
        }
    }

    pub fn nil(self) {
        self.0.nil();
    }

    pub fn ok(self) {
        self.0.ok();
    }

    /// Writes pairs of a name and a text into a map that was begun.
    pub fn texts<const N: usize>(self, fields: [(&[u8], impl AsRef<[u8]>); N]) {
        for (name, text) in fields {
            self.bulk(name);
            self.bulk(text.as_ref());
        }
    }

    /// Writes pairs of a name and a number into a map that was begun.
    pub fn numbers<const N: usize>(self, fields: [(&[u8], i64); N]) {
        for (name, number) in fields {
            self.bulk(name);
            self.signed(number);
        }
    }

    /// Writes the text of a value as a byte string, cut after 64 bytes.
    pub fn text(self, value: impl std::fmt::Display) {
        self.bulk(Text::of(value).bytes());
    }

    /// Writes a score: an integer if scores are whole numbers, otherwise a string.
    pub fn score(self, score: Score, notation: &Notation) {
        if notation.is_whole() {
            self.signed(score.units());
        } else {
            self.text(notation.text(score));
        }
    }

    /// Writes a sum of scores in the form of a score. The sum is a string if it does not fit in 64 bits, and nil for
    /// scores of several levels.
    pub fn sum(self, units: i128, notation: &Notation) {
        match (notation, i64::try_from(units)) {
            (Notation::Decimals(0), Ok(units)) => self.signed(units),
            (Notation::Decimals(decimals), _) => self.text(Units::sum(units, *decimals)),
            (Notation::Levels(_), _) => self.nil(),
        }
    }

    /// Writes the difference between two scores, in the same form as a sum of scores.
    pub fn gap(self, one: Score, other: Score, notation: &Notation) {
        match i64::try_from(one.distance(other)) {
            Ok(units) if notation.is_whole() => self.signed(units),
            _ => self.text(notation.gap(one, other)),
        }
    }
}

/// The text of the last score of a page. Rows with equal scores share it.
#[derive(Default)]
pub struct ScoreText {
    score: Option<Score>,
    text: Text,
}

impl ScoreText {
    /// Writes the score of the next row in the form of [`Reply::score`].
    #[inline]
    pub fn write(&mut self, reply: Reply<impl Client>, score: Score, notation: &Notation) {
        if notation.is_whole() {
            reply.signed(score.units());
        } else {
            self.write_text(reply, score, notation);
        }
    }

    fn write_text(&mut self, reply: Reply<impl Client>, score: Score, notation: &Notation) {
        if self.score != Some(score) {
            self.score = Some(score);
            self.text.1 = 0;
            // The writer cuts a longer text and never fails.
            let _ = notation.write_to(&mut self.text, score);
        }
        reply.bulk(self.text.bytes());
    }
}

/// A short text without an allocation.
struct Text([u8; 64], usize);

impl Text {
    /// Returns the text of a value, cut after 64 bytes.
    fn of(value: impl std::fmt::Display) -> Self {
        let mut text = Self::default();
        // The writer cuts a longer text and never fails.
        let _ = write!(text, "{value}");
        text
    }

    fn bytes(&self) -> &[u8] {
        self.0.get(..self.1).unwrap_or_default()
    }
}

impl Default for Text {
    fn default() -> Self {
        Self([0; 64], 0)
    }
}

impl Write for Text {
    #[inline]
    fn write_str(&mut self, part: &str) -> std::fmt::Result {
        let room = self.0.get_mut(self.1..).unwrap_or_default();
        let len = room.len().min(part.len());
        if let (Some(to), Some(from)) = (room.get_mut(..len), part.as_bytes().get(..len)) {
            to.copy_from_slice(from);
        }
        self.1 = self.1.saturating_add(len);
        Ok(())
    }
}
