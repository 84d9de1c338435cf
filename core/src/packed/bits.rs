//! Bit strings that are written once, from front to back, in chunks: growing never copies more than
//! one chunk.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "shifts stay below 64 by the widths, which are those of 64-bit numbers"
)]

use crate::bits::{ones, select};
use crate::mover::Mover;
use crate::size_class::{bytes_of, round_up};

/// Bytes of a chunk, a multiple of those of a word.
pub const CHUNK: usize = 1 << 16;
/// Bytes of a word.
pub const WORD: usize = 8;
/// The widest number that one load of eight bytes, shifted by up to seven bits, holds.
const NARROW: u32 = 57;

fn load(raw: &[u8]) -> u64 {
    let mut bytes = [0; WORD];
    bytes.copy_from_slice(raw);
    u64::from_le_bytes(bytes)
}

/// The number of so many bits at a bit of a slice that goes on for eight more bytes.
#[inline]
pub fn read(bytes: &[u8], at: usize, width: u32) -> u64 {
    if width > NARROW {
        let half = u64::BITS / 2;
        return read(bytes, at, half) | read(bytes, at + half as usize, width - half) << half;
    }
    let from = at / 8;
    load(&bytes[from..from + WORD]) >> (at % 8) & ones(width)
}

/// The bits that do not fill a word yet.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pending {
    word: u64,
    filled: u32,
}

impl Pending {
    /// Appends a number of so many bits; a word when one is full.
    #[inline]
    pub fn push(&mut self, value: u64, width: u32) -> Option<u64> {
        let word = self.word | value << self.filled;
        let filled = self.filled + width;
        if filled < u64::BITS {
            (self.word, self.filled) = (word, filled);
            return None;
        }
        self.word = value.checked_shr(u64::BITS - self.filled).unwrap_or(0);
        self.filled = filled - u64::BITS;
        Some(word)
    }

    /// The last word, if it has begun.
    pub fn rest(self) -> Option<u64> {
        (self.filled > 0).then_some(self.word)
    }
}

/// Room for so many more bytes in a chunk that is never larger than [`CHUNK`]: the first one of a list
/// may stay small, the others will be filled.
pub fn make_room(chunk: &mut Vec<u8>, bytes: usize, first: bool) {
    let need = chunk.len() + bytes;
    if need > chunk.capacity() {
        let room = if first { round_up(need * 3 / 2).min(CHUNK) } else { CHUNK };
        chunk.reserve_exact(room - chunk.len());
    }
}

/// Gives the room behind the end of the last chunk, and of the list, back.
pub fn trim<T>(chunks: &mut Vec<Vec<T>>) {
    if let Some(last) = chunks.last_mut() {
        last.shrink_to_fit();
    }
    chunks.shrink_to_fit();
}

/// Bytes of chunks that are all of one size but for the last, and of the list of them.
pub fn memory<T>(chunks: &Vec<Vec<T>>) -> usize {
    let of = |chunk: Option<&Vec<T>>| chunk.map_or(0, |chunk| bytes_of::<T>(chunk.capacity()));
    let full = of(chunks.first()) * chunks.len().saturating_sub(1);
    full + of(chunks.last()) + bytes_of::<Vec<T>>(chunks.capacity())
}

/// Lets the allocator move one chunk.
pub fn relocate<T>(chunks: &mut [Vec<T>], at: usize, mover: &mut impl Mover) {
    chunks[at] = mover.relocate_vec(std::mem::take(&mut chunks[at]));
}

/// A bit string.
#[derive(Debug, Clone, Default)]
pub struct Bits {
    pub chunks: Vec<Vec<u8>>,
    pending: Pending,
    len: u64,
}

impl Bits {
    /// How many bits were written.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Appends a number of so many bits.
    #[inline]
    pub fn push(&mut self, value: u64, width: u32) {
        self.len += u64::from(width);
        if let Some(word) = self.pending.push(value, width) {
            self.append(word);
        }
    }

    /// Appends so many zeros.
    pub fn zeros(&mut self, mut count: u32) {
        while count > 0 {
            let some = count.min(u64::BITS);
            self.push(0, some);
            count -= some;
        }
    }

    fn append(&mut self, word: u64) {
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            self.chunks.push(Vec::new());
        }
        let first = self.chunks.len() == 1;
        if let Some(chunk) = self.chunks.last_mut() {
            make_room(chunk, WORD, first);
            chunk.extend_from_slice(&word.to_le_bytes());
        }
    }

    /// Ends the writing: only now the last bits can be read.
    pub fn seal(&mut self) {
        if let Some(word) = std::mem::take(&mut self.pending).rest() {
            self.append(word);
        }
        trim(&mut self.chunks);
    }

    /// The number of so many bits, 57 at the most, at a bit.
    #[inline]
    pub fn get(&self, at: u64, width: u32) -> u64 {
        let (chunk, from) = split(at / 8);
        let word = match self.chunks.get(chunk).and_then(|chunk| chunk.get(from..from + WORD)) {
            Some(raw) => load(raw),
            None => self.across(at / 8),
        };
        word >> (at % 8) & ones(width)
    }

    /// Eight bytes that reach into the next chunk or behind the end, where zeros are.
    #[cold]
    fn across(&self, byte: u64) -> u64 {
        let mut raw = [0; WORD];
        for (number, to) in (byte..).zip(&mut raw) {
            let (chunk, from) = split(number);
            *to = self.chunks.get(chunk).and_then(|chunk| chunk.get(from)).copied().unwrap_or(0);
        }
        u64::from_le_bytes(raw)
    }

    /// Sixty-four bits from a multiple of as many on; zeros behind the end.
    #[inline]
    pub fn word(&self, number: u64) -> u64 {
        let (chunk, from) = split(number * WORD as u64);
        self.chunks.get(chunk).and_then(|chunk| chunk.get(from..from + WORD)).map_or(0, load)
    }

    /// Where so many zeros from a bit on are passed.
    #[inline]
    pub fn pass_zeros(&self, from: u64, mut count: u32) -> u64 {
        if count == 0 {
            return from;
        }
        let mut number = from / 64;
        let mut zeros = !self.word(number) & (u64::MAX << (from % 64));
        while zeros.count_ones() < count {
            count -= zeros.count_ones();
            number += 1;
            zeros = !self.word(number);
        }
        64 * number + u64::from(select(zeros, count - 1)) + 1
    }

    pub fn memory(&self) -> usize {
        memory(&self.chunks)
    }
}

const fn split(byte: u64) -> (usize, usize) {
    ((byte / CHUNK as u64) as usize, byte as usize % CHUNK)
}
