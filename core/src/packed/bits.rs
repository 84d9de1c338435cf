//! Bit strings, in chunks. They are written once, from the front to the back.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "shifts stay below 64 by the widths, which are those of 64-bit numbers"
)]

use crate::bits::{ones, select};
use crate::chunked::Chunked;

/// The size of a chunk in bytes: a multiple of a word.
pub const CHUNK: usize = 1 << 16;
/// The number of bytes of a word.
pub const WORD: usize = 8;
/// The widest number, in bits, that one load of eight bytes always contains, for any first bit in the first byte.
const NARROW: u32 = 57;

fn load(raw: &[u8]) -> u64 {
    let mut bytes = [0; WORD];
    bytes.copy_from_slice(raw);
    u64::from_le_bytes(bytes)
}

/// Returns the number of `width` bits that begins at the bit `at`. The slice must have eight more bytes after this
/// bit.
#[inline]
pub fn read(bytes: &[u8], at: usize, width: u32) -> u64 {
    if width > NARROW {
        let half = u64::BITS / 2;
        return read(bytes, at, half) | read(bytes, at + half as usize, width - half) << half;
    }
    let from = at / 8;
    load(&bytes[from..from + WORD]) >> (at % 8) & ones(width)
}

/// The last bits of a bit string, which do not fill a word yet.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pending {
    word: u64,
    filled: u32,
}

impl Pending {
    /// Appends a number of `width` bits. Returns a word when it is full.
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

    /// Returns the last word, if it has bits.
    pub fn rest(self) -> Option<u64> {
        (self.filled > 0).then_some(self.word)
    }
}

/// A bit string.
#[derive(Debug, Clone, Default)]
pub struct Bits {
    pub bytes: Chunked<u8, CHUNK>,
    pending: Pending,
    len: u64,
}

impl Bits {
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Appends a number of `width` bits.
    #[inline]
    pub fn push(&mut self, value: u64, width: u32) {
        self.len += u64::from(width);
        if let Some(word) = self.pending.push(value, width) {
            self.append(word);
        }
    }

    /// Appends `count` zeros.
    pub fn zeros(&mut self, mut count: u32) {
        while count > 0 {
            let some = count.min(u64::BITS);
            self.push(0, some);
            count -= some;
        }
    }

    fn append(&mut self, word: u64) {
        self.bytes.room(WORD).extend_from_slice(&word.to_le_bytes());
    }

    /// Finishes the bit string. The last bits can be read only after this.
    pub fn seal(&mut self) {
        if let Some(word) = std::mem::take(&mut self.pending).rest() {
            self.append(word);
        }
        self.bytes.trim();
    }

    /// Returns the number of `width` bits that begins at the bit `at`; `width` is at most 57.
    #[inline]
    pub fn get(&self, at: u64, width: u32) -> u64 {
        let word = match self.bytes.run((at / 8) as usize, WORD) {
            Some(raw) => load(raw),
            None => self.across((at / 8) as usize),
        };
        word >> (at % 8) & ones(width)
    }

    /// Returns eight bytes from the byte `byte` on, which reach into the next chunk or beyond the end. Bytes beyond
    /// the end are zeros.
    #[cold]
    fn across(&self, byte: usize) -> u64 {
        let byte_at = |at| self.bytes.run(at, 1).map_or(0, |raw| raw[0]);
        u64::from_le_bytes(std::array::from_fn(|number| byte_at(byte + number)))
    }

    /// Returns the word with this number. Bits beyond the end are zeros.
    #[inline]
    pub fn word(&self, number: u64) -> u64 {
        self.bytes.run(number as usize * WORD, WORD).map_or(0, load)
    }

    /// Returns the position after the next `count` zeros, counted from the bit `from` on.
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
}
