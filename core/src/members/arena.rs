//! Memory for records of a few bytes to half a kilobyte, in large chunks. A record has a number of 32 bits and
//! never moves within its chunk.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "numbers come from alloc, which keeps records within one chunk"
)]

use crate::mover::{Mover, Relocation};
use crate::size_class::{bytes_of, round_up};

/// Records begin at multiples of this number of bytes.
pub const UNIT: usize = 4;
/// The number of low bits of a record's number that count units within a chunk.
const CHUNK_BITS: u32 = 16;
/// The size of a chunk in bytes. The first chunk is smaller as long as there is no other chunk.
const CHUNK: usize = UNIT << CHUNK_BITS;
/// The number that means that there is no record.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Default)]
pub struct Arena {
    chunks: Vec<Box<[u8]>>,
    /// The number of used bytes of the last chunk.
    tail: usize,
    /// For each size in units: the first free record. A free record begins with the number of the next free record.
    free: Vec<u32>,
}

impl Arena {
    /// Returns the bytes of the chunk from a record on.
    pub fn at(&self, number: u32) -> &[u8] {
        let (chunk, start) = split(number);
        &self.chunks[chunk][start..]
    }

    pub fn at_mut(&mut self, number: u32) -> &mut [u8] {
        let (chunk, start) = split(number);
        &mut self.chunks[chunk][start..]
    }

    /// Allocates a record of this size. Returns its number, or `None` when there are no more numbers.
    pub fn alloc(&mut self, bytes: usize) -> Option<u32> {
        let units = bytes.div_ceil(UNIT);
        if let Some(number) = self.reuse(units) {
            return Some(number);
        }
        let bytes = units * UNIT;
        if self.chunks.last().is_none_or(|chunk| self.tail + bytes > chunk.len()) {
            self.grow(bytes)?;
        }
        let number = ((self.chunks.len() - 1) << CHUNK_BITS) | (self.tail / UNIT);
        self.tail += bytes;
        u32::try_from(number).ok().filter(|number| *number != NONE)
    }

    fn grow(&mut self, bytes: usize) -> Option<()> {
        match self.chunks.last_mut() {
            Some(only) if only.len() < CHUNK => {
                let mut larger = std::mem::take(only).into_vec();
                let size = round_up((larger.len() * 5 / 4).max(larger.len() + bytes)).min(CHUNK);
                larger.reserve_exact(size - larger.len());
                larger.resize(size, 0);
                *only = larger.into_boxed_slice();
                if self.tail + bytes > size {
                    return self.add_chunk(CHUNK);
                }
                Some(())
            }
            Some(_) => self.add_chunk(CHUNK),
            None => self.add_chunk(round_up(bytes * 64).min(CHUNK)),
        }
    }

    fn add_chunk(&mut self, size: usize) -> Option<()> {
        if self.chunks.len() > usize::from(u16::MAX) {
            return None;
        }
        self.chunks.push(vec![0; size].into_boxed_slice());
        self.tail = 0;
        Some(())
    }

    /// Returns the number of bytes of records for which there is room in any case, where each record is rounded up
    /// to units.
    pub fn room(&self) -> usize {
        // If a record does not fit into the last bytes of a chunk, these bytes stay unused.
        (usize::from(u16::MAX).saturating_sub(self.chunks.len())) * (CHUNK - 2 * super::MAX_NAME)
    }

    fn reuse(&mut self, units: usize) -> Option<u32> {
        let number = self.free.get(units).copied().filter(|number| *number != NONE)?;
        let mut next = [0; 4];
        next.copy_from_slice(&self.at(number)[..4]);
        self.free[units] = u32::from_le_bytes(next);
        Some(number)
    }

    /// Frees a record of this size.
    pub fn free(&mut self, number: u32, bytes: usize) {
        let units = bytes.div_ceil(UNIT);
        if self.free.len() <= units {
            self.free.resize(units + 1, NONE);
        }
        let next = std::mem::replace(&mut self.free[units], number);
        self.at_mut(number)[..4].copy_from_slice(&next.to_le_bytes());
    }

    pub fn memory(&self) -> usize {
        let chunks = match (self.chunks.first(), self.chunks.len()) {
            (Some(first), len) => round_up(first.len()) + (len - 1) * CHUNK,
            (None, _) => 0,
        };
        chunks + bytes_of::<Box<[u8]>>(self.chunks.capacity()) + bytes_of::<u32>(self.free.capacity())
    }

    pub fn allocations(&self) -> usize {
        self.chunks.len() + 2
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(self.chunks.len(), |at, mover| {
            self.chunks[at] = mover.relocate_slice(std::mem::take(&mut self.chunks[at]));
        });
    }
}

const fn split(number: u32) -> (usize, usize) {
    ((number >> CHUNK_BITS) as usize, (number & ((1 << CHUNK_BITS) - 1)) as usize * UNIT)
}
