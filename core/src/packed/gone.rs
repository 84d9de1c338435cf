//! The entries that were removed from a packed order.
//!
//! There is a bit for each entry and two counts for each block, in sections of 64 blocks. A section exists only if
//! one of its entries was removed. The number of steps of a sum over sections grows with the logarithm of the
//! number of sections.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "positions are those of entries, and no more are gone than there are"
)]

use super::by_rank::{BLOCK, split};
use crate::bits::select;
use crate::mover::{Mover, Relocation};
use crate::size_class::bytes_of;

/// The number of blocks of a section.
const BLOCKS: usize = 64;
/// The number of entries of a section.
const SPAN: u64 = (BLOCKS * BLOCK) as u64;

#[derive(Debug, Clone)]
struct Section {
    bits: [u128; BLOCKS],
    /// The number of removed entries of each block.
    entries: [u8; BLOCKS],
    /// The number of groups (of one rank key) that begin in each block and whose entries were all removed.
    groups: [u8; BLOCKS],
}

const NONE: Section = Section { bits: [0; BLOCKS], entries: [0; BLOCKS], groups: [0; BLOCKS] };

fn sum(counts: &[u8]) -> u64 {
    counts.iter().map(|count| u64::from(*count)).sum()
}

/// Counters with fast prefix sums: a Fenwick tree.
#[derive(Debug, Clone)]
struct Sums(Vec<u32>);

impl Sums {
    fn add_one(&mut self, at: usize) {
        let mut node = at + 1;
        while node <= self.0.len() {
            self.0[node - 1] += 1;
            node += node & node.wrapping_neg();
        }
    }

    fn before(&self, at: usize) -> u64 {
        let (mut node, mut sum) = (at, 0);
        while node > 0 {
            sum += u64::from(self.0[node - 1]);
            node &= node - 1;
        }
        sum
    }

    /// Returns the section of the entry that has `left` remaining entries before it, and how many of these entries
    /// are in that section.
    fn select(&self, mut left: u64) -> (usize, u64) {
        let (mut at, mut step) = (0, self.0.len().checked_ilog2().map_or(0, |log| 1 << log));
        while step > 0 {
            if at + step <= self.0.len() {
                let here = step as u64 * SPAN - u64::from(self.0[at + step - 1]);
                if here <= left {
                    left -= here;
                    at += step;
                }
            }
            step /= 2;
        }
        (at, left)
    }
}

#[derive(Debug, Clone)]
pub struct Gone {
    sections: Vec<Option<Box<Section>>>,
    /// How many sections exist.
    boxes: usize,
    entries: Sums,
    groups: Sums,
    len: u64,
}

impl Gone {
    /// Returns the bits of an order with this number of entries, of which none was removed.
    pub fn new(entries: u64) -> Self {
        let sections = entries.div_ceil(SPAN) as usize;
        Self {
            sections: vec![None; sections],
            boxes: 0,
            entries: Sums(vec![0; sections]),
            groups: Sums(vec![0; sections]),
            len: 0,
        }
    }

    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Returns a bit for each entry of a block. The bit is 1 if the entry was removed.
    pub fn of_block(&self, block: usize) -> u128 {
        match self.sections.get(block / BLOCKS) {
            Some(Some(section)) => section.bits[block % BLOCKS],
            _ => 0,
        }
    }

    /// Returns how many entries before a position were removed.
    pub fn before(&self, position: u64) -> u64 {
        let (block, at) = split(position);
        let section = block / BLOCKS;
        let here = match self.sections.get(section) {
            Some(Some(section)) => {
                let bits = section.bits[block % BLOCKS] & ((1 << at) - 1);
                sum(&section.entries[..block % BLOCKS]) + u64::from(bits.count_ones())
            }
            _ => 0,
        };
        self.entries.before(section) + here
    }

    /// Returns the number of groups that begin before a block and whose entries were all removed.
    pub fn groups_before(&self, block: usize) -> u64 {
        let section = block / BLOCKS;
        let here = match self.sections.get(section) {
            Some(Some(section)) => sum(&section.groups[..block % BLOCKS]),
            _ => 0,
        };
        self.groups.before(section) + here
    }

    /// Returns the position of the entry that has `left` remaining entries before it.
    pub fn position(&self, left: u64) -> u64 {
        let (number, mut left) = self.entries.select(left);
        let Some(Some(section)) = self.sections.get(number) else {
            return number as u64 * SPAN + left;
        };
        let mut block = 0;
        while block + 1 < BLOCKS && left >= BLOCK as u64 - u64::from(section.entries[block]) {
            left -= BLOCK as u64 - u64::from(section.entries[block]);
            block += 1;
        }
        let here = !section.bits[block];
        let (low, high) = (here as u64, (here >> 64) as u64);
        let at = match left.checked_sub(u64::from(low.count_ones())) {
            None => select(low, left as u32),
            Some(left) => 64 + select(high, left as u32),
        };
        number as u64 * SPAN + (block * BLOCK) as u64 + u64::from(at)
    }

    fn section(&mut self, number: usize) -> &mut Section {
        let slot = &mut self.sections[number];
        self.boxes += usize::from(slot.is_none());
        slot.get_or_insert_with(|| Box::new(NONE))
    }

    /// Marks the entry at a position as removed. It must not be removed already.
    pub fn take(&mut self, position: u64) {
        let (block, at) = split(position);
        let section = self.section(block / BLOCKS);
        section.bits[block % BLOCKS] |= 1 << at;
        section.entries[block % BLOCKS] += 1;
        self.entries.add_one(block / BLOCKS);
        self.len += 1;
    }

    /// Counts a group that begins in a block and whose last entry was removed.
    pub fn take_group(&mut self, block: usize) {
        self.section(block / BLOCKS).groups[block % BLOCKS] += 1;
        self.groups.add_one(block / BLOCKS);
    }

    /// Frees the section that contains a block, if this block is the first block of the section.
    pub fn forget(&mut self, block: usize) {
        if block.is_multiple_of(BLOCKS) {
            self.sections.truncate(block / BLOCKS);
        }
    }

    pub fn memory(&self) -> usize {
        let sums = bytes_of::<u32>(self.entries.0.capacity()) + bytes_of::<u32>(self.groups.0.capacity());
        let sections = bytes_of::<Option<Box<Section>>>(self.sections.capacity());
        bytes_of::<Self>(1) + self.boxes * bytes_of::<Section>(1) + sections + sums
    }

    pub const fn allocations(&self) -> usize {
        self.boxes + 4
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(self.sections.len(), |at, mover| {
            self.sections[at] = self.sections[at].take().map(|section| mover.relocate(section));
        });
    }

    /// Walks through all sections. Panics if an invariant is broken.
    #[cfg(test)]
    pub fn check(&self) {
        let (mut entries, mut groups, mut boxes) = (0, 0, 0);
        for (number, section) in self.sections.iter().enumerate() {
            assert_eq!((self.entries.before(number), self.groups.before(number)), (entries, groups));
            let Some(section) = section else { continue };
            boxes += 1;
            for (bits, count) in section.bits.iter().zip(section.entries) {
                assert_eq!(bits.count_ones(), u32::from(count), "gone entries of a block");
            }
            entries += sum(&section.entries);
            groups += sum(&section.groups);
        }
        assert_eq!((entries, boxes), (self.len, self.boxes));
    }
}
