//! A value that arrives in chunks, one chunk in each command, and may be saved before the last chunk has arrived.
//! The chunks that have arrived are kept unchanged, and are saved as an unfinished value. So the next chunk can
//! continue the value on a replica, after a restart, or where a dump of the value was restored.
//!
//! ```text
//!  whole value        chunk  chunk  ...  last chunk
//!  unfinished value   mark   chunk  ...  mark
//! ```

use crate::Error;
use crate::native::NativeType;
use crate::size_class::{bytes_of, round_up};

/// This mark comes before and after the chunks of an unfinished value. No chunk of a value begins with this byte.
const MARK: &[u8] = &[0];

/// The chunks that have arrived of a value that is being restored.
#[derive(Debug, Clone, Default)]
pub struct Arrived {
    chunks: Vec<Box<[u8]>>,
    /// The number of bytes that the chunks take.
    bytes: usize,
}

impl Arrived {
    /// Begins a value with its first chunk. Returns the value and its chunks.
    ///
    /// # Errors
    /// The errors of [`NativeType::load`].
    pub fn begin<T: NativeType>(chunk: &[u8]) -> Result<(T, Self), Error> {
        let value = T::load(chunk)?;
        let mut arrived = Self::default();
        arrived.push(chunk);
        Ok((value, arrived))
    }

    /// Passes the next chunk to the value, and keeps the chunk. Returns whether it was the last chunk. A chunk that
    /// the value refuses is not kept.
    ///
    /// # Errors
    /// The errors of [`NativeType::load_chunk`].
    pub fn take<T: NativeType>(&mut self, value: &mut T, chunk: &[u8]) -> Result<bool, Error> {
        let is_last = value.load_chunk(chunk)?;
        self.push(chunk);
        Ok(is_last)
    }

    fn push(&mut self, chunk: &[u8]) {
        self.bytes = self.bytes.saturating_add(round_up(chunk.len()));
        self.chunks.push(chunk.into());
    }

    /// Returns the chunks, in the order in which they arrived.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks.iter().map(|chunk| &**chunk)
    }

    /// Calls `emit` with a mark, then with each chunk, then with a mark.
    pub fn save(&self, mut emit: impl FnMut(&[u8])) {
        emit(MARK);
        self.chunks().for_each(&mut emit);
        emit(MARK);
    }

    /// Returns the number of bytes on the heap, including this struct.
    #[must_use]
    pub fn memory(&self) -> usize {
        let lists = bytes_of::<Self>(1).saturating_add(bytes_of::<Box<[u8]>>(self.chunks.capacity()));
        lists.saturating_add(self.bytes)
    }

    /// Returns how many allocations this struct has.
    #[must_use]
    pub const fn effort(&self) -> usize {
        self.chunks.len().saturating_add(1)
    }
}

/// A saved value that is being loaded. When it was saved, it was either complete or unfinished.
#[derive(Debug)]
pub enum LoadingValue<T> {
    /// Before the first chunk.
    Nothing,
    /// A value that was complete when it was saved. More of its chunks can follow.
    Whole(T),
    /// An unfinished value. Only the mark before its first chunk was read.
    Mark,
    /// An unfinished value, and the chunks of it that were read so far.
    Unfinished(T, Box<Arrived>),
}

impl<T: NativeType> LoadingValue<T> {
    /// Takes the next chunk. Returns whether it was the last one.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn take(&mut self, chunk: &[u8]) -> Result<bool, Error> {
        match self {
            Self::Nothing if chunk == MARK => *self = Self::Mark,
            Self::Nothing => *self = Self::Whole(T::load(chunk)?),
            Self::Whole(value) => return value.load_chunk(chunk),
            Self::Mark => {
                let (value, arrived) = Arrived::begin(chunk)?;
                *self = Self::Unfinished(value, Box::new(arrived));
            }
            Self::Unfinished(..) if chunk == MARK => return Ok(true),
            Self::Unfinished(value, arrived) => {
                if arrived.take(value, chunk)? {
                    return Err(Error::Corrupt("an unfinished value with its end"));
                }
            }
        }
        Ok(false)
    }

    /// Returns the value after its last chunk. If the value is unfinished, its chunks are returned too.
    ///
    /// # Errors
    /// [`Error::Corrupt`] before the value's first chunk.
    pub fn finish(self) -> Result<(T, Option<Box<Arrived>>), Error> {
        match self {
            Self::Nothing | Self::Mark => Err(Error::Corrupt("it ends too early")),
            Self::Whole(value) => Ok((value, None)),
            Self::Unfinished(value, arrived) => Ok((value, Some(arrived))),
        }
    }
}

#[cfg(test)]
mod tests;
