//! A value that comes in chunks, one command each, and may be saved before the last chunk has come. The chunks that
//! have come are kept unchanged, and are saved as an unfinished value. So the next chunk continues it, on a replica,
//! after a restart, or where a dump of it was restored.
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

/// The chunks that have come for a value that is being restored.
#[derive(Debug, Clone, Default)]
pub struct Arrived {
    chunks: Vec<Box<[u8]>>,
    /// Bytes that the chunks take.
    bytes: usize,
}

impl Arrived {
    /// Begins a value with its first chunk.
    ///
    /// # Errors
    /// The errors of [`NativeType::load`].
    pub fn begin<T: NativeType>(chunk: &[u8]) -> Result<(T, Self), Error> {
        let value = T::load(chunk)?;
        let mut arrived = Self::default();
        arrived.push(chunk);
        Ok((value, arrived))
    }

    /// Gives a value its next chunk, and keeps the chunk. Returns whether it was the last one. A chunk that is
    /// refused is not kept.
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

    /// The chunks, in the order in which they came.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks.iter().map(|chunk| &**chunk)
    }

    /// Calls `emit` with the chunks, between marks.
    pub fn save(&self, mut emit: impl FnMut(&[u8])) {
        emit(MARK);
        self.chunks().for_each(&mut emit);
        emit(MARK);
    }

    /// Bytes on the heap, including its own struct.
    #[must_use]
    pub fn memory(&self) -> usize {
        let lists = bytes_of::<Self>(1).saturating_add(bytes_of::<Box<[u8]>>(self.chunks.capacity()));
        lists.saturating_add(self.bytes)
    }

    /// How many allocations it has.
    #[must_use]
    pub const fn effort(&self) -> usize {
        self.chunks.len().saturating_add(1)
    }
}

/// A saved value that is being loaded, whole or unfinished.
#[derive(Debug)]
pub enum LoadingValue<T> {
    /// Before the first chunk.
    Nothing,
    /// A whole value, of which chunks are still to come.
    Whole(T),
    /// An unfinished value, before its first chunk.
    Mark,
    /// An unfinished value, and its chunks so far.
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

    /// The value after its last chunk, and the chunks that have come if it is unfinished.
    ///
    /// # Errors
    /// [`Error::Corrupt`] before its first chunk.
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
