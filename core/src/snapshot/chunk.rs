//! Divides a saved value of any type into chunks, and checks its end.
//!
//! The first byte of a chunk is its kind. A part of the value has as many chunks of one kind as it needs; a part
//! without items has none. Each chunk can be read without the chunk before it. The last chunk contains the number
//! of items of each part, so that a lost chunk is detected.

use super::wire::{Reader, put_number, put_signed};
use crate::Error;

/// The size in bytes at which a chunk is closed, after its last item.
const FULL: usize = 64 * 1024;

/// A function that is called with each chunk, in order.
pub type Emit<'a> = &'a mut dyn FnMut(&[u8]);

/// Returns the first bytes of each chunk of a part, with the part's number and the starts of periods, if it has
/// any.
pub fn opening(kind: u8, number: usize, starts: &[i64]) -> Vec<u8> {
    let mut bytes = vec![kind];
    put_number(&mut bytes, number as u64);
    starts.iter().for_each(|start| put_signed(&mut bytes, *start));
    bytes
}

/// A part that is being written, in as many chunks as it needs.
pub struct PartWriter<'a, T> {
    /// The bytes of the open chunk.
    pub bytes: Vec<u8>,
    /// The last item of the open chunk.
    pub before: T,
    /// The value that replaces `before` at the start of a chunk.
    none: T,
    /// The number of bytes that are the same at the start of all chunks.
    opening: usize,
    items: u64,
    emit: Emit<'a>,
}

impl<'a, T: Copy> PartWriter<'a, T> {
    pub fn new(opening: Vec<u8>, none: T, emit: Emit<'a>) -> Self {
        Self { opening: opening.len(), bytes: opening, before: none, none, items: 0, emit }
    }

    /// Finishes an item, and the chunk if it is full.
    pub fn end_item(&mut self, item: T) {
        self.items = self.items.saturating_add(1);
        self.before = item;
        if self.bytes.len() >= FULL {
            (self.emit)(&self.bytes);
            self.bytes.truncate(self.opening);
            self.before = self.none;
        }
    }

    /// Finishes the part, which is written even if it has no items. Returns how many items it has.
    pub fn finish_always(self) -> u64 {
        if self.items == 0 {
            (self.emit)(&self.bytes);
            return 0;
        }
        self.finish()
    }

    /// Finishes the part. Returns how many items it has.
    pub fn finish(self) -> u64 {
        if self.bytes.len() > self.opening {
            (self.emit)(&self.bytes);
        }
        self.items
    }
}

/// Reads all items of a chunk. `read` also gets the previous item.
pub fn items<'a, T>(
    reader: &mut Reader<'a>,
    mut read: impl FnMut(&mut Reader<'a>, Option<&T>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    while !reader.is_empty() {
        let item = read(reader, items.last())?;
        items.push(item);
    }
    Ok(items)
}

/// Writes the last chunk, which contains the number of items of each part.
pub fn write_end(kind: u8, counts: &[u64], emit: Emit) {
    let mut end = vec![kind];
    counts.iter().for_each(|count| put_number(&mut end, *count));
    emit(&end);
}

/// Reads the last chunk, and checks that this number of items of each part were loaded.
pub fn read_end(reader: &mut Reader, counts: &[u64]) -> Result<(), Error> {
    for count in counts {
        if reader.number()? != *count {
            return Err(Error::Corrupt("a part is missing"));
        }
    }
    reader.finish()
}
