//! The upper bytes of numbers that are too great for their columns.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::integer_division,
    reason = "a place within a chunk is less than its length, and used bytes are counted"
)]

use crate::index::MemberId;
use crate::mover::{Mover, Relocation};
use crate::size_class::bytes_of;

/// The number of bytes of a chunk, which together with their count have 4,096 bytes.
const CHUNK: usize = 4094;

/// A byte for each member; 0 if it was not set. The ids of two members differ by at least `spacing`, so a plane has only one byte
/// for every `spacing` ids. It has no memory for ranges of ids without bytes.
#[derive(Debug, Clone)]
pub struct Plane {
    spacing: u32,
    chunks: Vec<Option<Box<Chunk>>>,
    /// The number of chunks that have memory.
    used: usize,
}

#[derive(Debug, Clone)]
struct Chunk {
    /// The number of bytes that are not 0.
    used: u16,
    bytes: [u8; CHUNK],
}

impl Plane {
    pub const fn new(spacing: u32) -> Self {
        Self { spacing, chunks: Vec::new(), used: 0 }
    }

    const fn place(&self, id: MemberId) -> (usize, usize) {
        let place = (id / self.spacing) as usize;
        (place / CHUNK, place % CHUNK)
    }

    #[inline]
    pub fn get(&self, id: MemberId) -> u8 {
        let (chunk, at) = self.place(id);
        self.chunks.get(chunk).and_then(Option::as_ref).map_or(0, |chunk| chunk.bytes[at])
    }

    pub fn set(&mut self, id: MemberId, byte: u8) {
        let old = self.get(id);
        if old == byte {
            return;
        }
        let (number, at) = self.place(id);
        if self.chunks.len() <= number {
            self.chunks.resize_with(number + 1, || None);
        }
        let place = &mut self.chunks[number];
        if place.is_none() {
            self.used += 1;
        }
        let chunk = place.get_or_insert_with(|| Box::new(Chunk { used: 0, bytes: [0; CHUNK] }));
        chunk.used = chunk.used + u16::from(old == 0) - u16::from(byte == 0);
        chunk.bytes[at] = byte;
        if chunk.used == 0 {
            *place = None;
            self.used -= 1;
        }
    }

    pub const fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Returns the number of bytes on the heap.
    pub const fn memory(&self) -> usize {
        bytes_of::<Option<Box<Chunk>>>(self.chunks.capacity()) + bytes_of::<Chunk>(1) * self.used
    }

    pub const fn allocations(&self) -> usize {
        self.used + 1
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(self.chunks.len(), |at, mover| {
            self.chunks[at] = self.chunks[at].take().map(|chunk| mover.relocate(chunk));
        });
    }
}

const _: () = assert!(size_of::<Chunk>() == 4096);
