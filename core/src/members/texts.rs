//! Texts of members, in a separate arena. A column contains the number of a member's text, so a read of a member's
//! text needs one more step.
//!
//! A text is stored as its length (two bytes) and its bytes. Only the form for many members can have texts.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "offsets within a text are fixed, and texts come from set_text"
)]

use super::arena::Arena;
use super::{Column, LENGTH, Members, Store};
use crate::Error;
use crate::index::MemberId;
use crate::prefetch::prefetch;

/// The number of bytes of a text's number.
const NUMBER: usize = 4;
/// The number that means that there is no text.
const NONE: u32 = u32::MAX;

impl Members {
    /// Adds a column for the text of each member.
    pub fn add_text_column(&mut self) -> Column {
        self.add_column(NUMBER)
    }

    fn texts(&self) -> Option<&Arena> {
        match &self.store {
            Store::Large(large) => Some(&large.texts),
            Store::Small(_) => None,
        }
    }

    fn texts_mut(&mut self) -> Option<&mut Arena> {
        match &mut self.store {
            Store::Large(large) => Some(&mut large.texts),
            Store::Small(_) => None,
        }
    }

    fn text_number(&self, id: MemberId, column: Column) -> Option<u32> {
        self.get(id, column).map(|number| number as u32).filter(|number| *number != NONE)
    }

    /// Returns a member's text.
    pub fn text(&self, id: MemberId, column: Column) -> Option<&[u8]> {
        let record = self.texts()?.at(self.text_number(id, column)?);
        let len = u16::from_le_bytes([record[0], record[1]]);
        Some(&record[LENGTH..LENGTH + usize::from(len)])
    }

    /// Prefetches the memory of a member's text.
    pub fn prefetch_text(&self, id: MemberId, column: Column) {
        let text = self.text_number(id, column).zip(self.texts()).map(|(number, texts)| texts.at(number));
        if let Some(first) = text.and_then(<[u8]>::first) {
            prefetch(first);
        }
    }

    /// Sets a member's text of at most 64 KB.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn set_text(&mut self, id: MemberId, column: Column, text: &[u8]) -> Result<(), Error> {
        let texts = self.texts_mut().ok_or(Error::Full)?;
        let number = texts.alloc(LENGTH + text.len()).ok_or(Error::Full)?;
        let record = texts.at_mut(number);
        record[..LENGTH].copy_from_slice(&(text.len() as u16).to_le_bytes());
        record[LENGTH..LENGTH + text.len()].copy_from_slice(text);
        self.remove_text(id, column);
        self.set(id, column, u64::from(number));
        Ok(())
    }

    /// Removes a member's text. Returns whether the member had a text.
    pub fn remove_text(&mut self, id: MemberId, column: Column) -> bool {
        let Some(number) = self.text_number(id, column) else { return false };
        let len = self.text(id, column).map_or(0, <[u8]>::len);
        if let Some(texts) = self.texts_mut() {
            texts.free(number, LENGTH + len);
        }
        self.set(id, column, u64::from(NONE));
        true
    }
}
