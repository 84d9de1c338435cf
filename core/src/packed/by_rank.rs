//! Entries by rank: blocks of [`BLOCK`] entries, which are packed as soon as they are full.
//!
//! ```text
//!  head    base rank key | base id | groups before | where | two widths | opens      24 bytes
//!  block   id rank key | id rank key | ...                               whole words, in pages
//! ```
//!
//! Ids and rank keys are stored as distances from the least id and the least rank key of the block. The greatest
//! distance determines the number of bits of each.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "places are counted within len, and a head knows the widths that its block has"
)]

use super::MemberId;
use super::bits::{CHUNK, Pending, WORD, read};
use crate::bits::width;
use crate::chunked::Chunked;
use crate::mover::{Mover, Relocation};

/// The number of entries of a block.
pub const BLOCK: usize = 128;
/// The number of words of a page.
const WORDS: usize = CHUNK / WORD;
/// The number of heads in a chunk of heads: 48 KB.
const HEADS: usize = 2048;

/// Returns the block of a position, and the place in the block.
pub const fn split(position: u64) -> (usize, usize) {
    ((position / BLOCK as u64) as usize, (position % BLOCK as u64) as usize)
}

/// The data of a block that is available before the block is read.
#[derive(Debug, Clone, Copy)]
pub struct BlockHead {
    pub base_rank_key: u64,
    base_id: MemberId,
    /// How many groups (of one rank key) begin in earlier blocks.
    pub groups: u32,
    /// The page and the word at which the block begins. A block takes at most 12 bytes per entry, so 32 bits are
    /// enough for the maximum number of members.
    at: u32,
    id_bits: u8,
    rank_key_bits: u8,
    /// Whether the first entry has another rank key than the entry before it.
    pub opens: bool,
}

/// A block for reading.
#[derive(Debug, Clone, Copy)]
pub struct PackedBlock<'a> {
    pub head: BlockHead,
    pub len: usize,
    /// The bytes from the block's first byte to the end of its page.
    body: &'a [u8],
}

impl PackedBlock<'_> {
    /// Returns the bit at which an entry begins.
    #[inline]
    fn start(&self, at: usize) -> usize {
        at * (usize::from(self.head.id_bits) + usize::from(self.head.rank_key_bits))
    }

    /// Returns the member at a place.
    #[inline]
    pub fn id(&self, at: usize) -> MemberId {
        let distance = read(self.body, self.start(at), u32::from(self.head.id_bits));
        self.head.base_id + distance as MemberId
    }

    /// Returns the distance of the rank key at a place from the first rank key of the block.
    #[inline]
    fn offset(&self, at: usize) -> u64 {
        let start = self.start(at) + usize::from(self.head.id_bits);
        read(self.body, start, u32::from(self.head.rank_key_bits))
    }

    /// Returns the rank key at a place.
    #[inline]
    pub fn rank_key(&self, at: usize) -> u64 {
        self.head.base_rank_key + self.offset(at)
    }

    /// Returns how many entries of the block have a better rank key.
    fn before_rank_key(&self, rank_key: u64) -> usize {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.rank_key(middle) < rank_key { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Returns how many groups begin in this block and still have an entry at the place `up_to` or before it.
    pub fn opened(&self, up_to: usize, gone: u128) -> u64 {
        let (mut opened, mut counted, mut last) = (0, !self.head.opens, 0);
        for at in 0..=up_to {
            let rank_key = self.offset(at);
            // The first distance is 0.
            counted &= rank_key == last;
            last = rank_key;
            if !counted && gone >> at & 1 == 0 {
                opened += 1;
                counted = true;
            }
        }
        opened
    }
}

/// All blocks.
#[derive(Debug, Clone, Default)]
pub struct ByRank {
    heads: Chunked<BlockHead, HEADS>,
    pages: Chunked<u8, CHUNK>,
    len: u64,
}

impl ByRank {
    pub const fn len(&self) -> u64 {
        self.len
    }

    pub const fn blocks(&self) -> usize {
        self.len.div_ceil(BLOCK as u64) as usize
    }

    #[inline]
    pub fn head(&self, number: usize) -> BlockHead {
        self.heads[number]
    }

    #[inline]
    pub fn block(&self, number: usize) -> PackedBlock<'_> {
        let head = self.head(number);
        let (page, from) = (head.at as usize / WORDS, head.at as usize % WORDS * WORD);
        let len = (self.len - (number * BLOCK) as u64).min(BLOCK as u64) as usize;
        PackedBlock { head, len, body: self.pages.rest(page, from) }
    }

    /// Returns how many entries have a better rank key.
    pub fn before_rank_key(&self, rank_key: u64) -> u64 {
        let (mut low, mut high) = (0, self.blocks());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.head(middle).base_rank_key < rank_key { low = middle + 1 } else { high = middle }
        }
        // Blocks from `low` on begin with this rank key or a worse rank key. The block before `low` may end with
        // this rank key.
        match low.checked_sub(1) {
            Some(number) => (number * BLOCK + self.block(number).before_rank_key(rank_key)) as u64,
            None => 0,
        }
    }

    /// Appends a block of [`BLOCK`] entries, or fewer if it is the last block. `groups` groups begin before it. If
    /// `opens` is true, its first entry opens a group; otherwise it belongs to the last group.
    pub fn push(&mut self, entries: &[(u64, MemberId)], groups: u32, opens: bool) {
        let Some(first) = entries.first() else { return };
        let range = |(low, high): ((u64, MemberId), (u64, MemberId)), entry: &(u64, MemberId)| {
            ((low.0.min(entry.0), low.1.min(entry.1)), (high.0.max(entry.0), high.1.max(entry.1)))
        };
        let ((base_rank_key, least), (worst_rank_key, most)) = entries.iter().fold((*first, *first), range);
        let (id_bits, rank_key_bits) =
            (width(u64::from(most - least)), width(worst_rank_key - base_rank_key));
        let words = (entries.len() * usize::from(id_bits + rank_key_bits)).div_ceil(64);
        let at = self.make_room(words * WORD);
        self.heads.push(BlockHead {
            base_rank_key,
            base_id: least,
            groups,
            at,
            id_bits,
            rank_key_bits,
            opens,
        });
        self.len += entries.len() as u64;
        let Some(page) = self.pages.last_mut() else {
            return;
        };
        let mut pending = Pending::default();
        let mut write = |value, bits: u8| {
            if let Some(word) = pending.push(value, bits.into()) {
                page.extend_from_slice(&word.to_le_bytes());
            }
        };
        for (rank_key, id) in entries {
            write(u64::from(id - least), id_bits);
            write(rank_key - base_rank_key, rank_key_bits);
        }
        if let Some(word) = pending.rest() {
            page.extend_from_slice(&word.to_le_bytes());
        }
    }

    /// Makes room in a page for `bytes` bytes, and for the word after them that a read may load. Returns the word
    /// at which the bytes begin.
    fn make_room(&mut self, bytes: usize) -> u32 {
        let bytes = bytes + WORD;
        if !self.pages.fits(bytes) {
            self.end_page();
        }
        let begins = self.pages.room(bytes).len() / WORD;
        ((self.pages.chunks() - 1) * WORDS + begins) as u32
    }

    fn end_page(&mut self) {
        if let Some(page) = self.pages.last_mut() {
            page.extend_from_slice(&[0; WORD]);
        }
    }

    /// Finishes the blocks. The last block can be read only after this.
    pub fn seal(&mut self) {
        self.end_page();
        self.heads.trim();
        self.pages.trim();
    }

    /// Removes the last block.
    pub fn pop(&mut self) {
        let Some(number) = self.blocks().checked_sub(1) else {
            return;
        };
        self.len = (number * BLOCK) as u64;
        if self.head(number).at.is_multiple_of(WORDS as u32) {
            self.pages.pop_chunk();
        }
        self.heads.pop();
    }

    pub fn memory(&self) -> usize {
        self.heads.memory() + self.pages.memory()
    }

    pub fn allocations(&self) -> usize {
        self.heads.allocations() + self.pages.allocations()
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.pages.relocate(walk);
        self.heads.relocate(walk);
    }
}
