//! Which entries were taken out of an order that is packed for good.
//!
//! A bit for each entry and two counts for each block, in groups of 64 blocks that exist only where
//! something is gone, and sums over the groups that take steps by their number's logarithm.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "positions are those of entries, and no more are gone than there are"
)]

use super::by_rank::BLOCK;
use crate::bits::select;
use crate::mover::{Mover, Relocation};
use crate::size_class::bytes_of;

/// Blocks of a group.
const BLOCKS: usize = 64;
/// Entries of a group.
const SPAN: u64 = (BLOCKS * BLOCK) as u64;

#[derive(Debug, Clone)]
struct Group {
    bits: [u128; BLOCKS],
    /// Entries of each block that are gone.
    entries: [u8; BLOCKS],
    /// Grades that begin in each block and have no entry any more.
    rank_keys: [u8; BLOCKS],
}

const NONE: Group = Group { bits: [0; BLOCKS], entries: [0; BLOCKS], rank_keys: [0; BLOCKS] };

fn sum(counts: &[u8]) -> u64 {
    counts.iter().map(|count| u64::from(*count)).sum()
}

/// Counters with sums over the first so many of them: a Fenwick tree.
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

    /// The group of the entry that `left` of those that are left are before, and how many of the
    /// group's.
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
    groups: Vec<Option<Box<Group>>>,
    /// How many of them exist.
    boxes: usize,
    entries: Sums,
    rank_keys: Sums,
    len: u64,
}

impl Gone {
    /// Nothing gone of so many entries.
    pub fn new(entries: u64) -> Self {
        let groups = entries.div_ceil(SPAN) as usize;
        Self {
            groups: vec![None; groups],
            boxes: 0,
            entries: Sums(vec![0; groups]),
            rank_keys: Sums(vec![0; groups]),
            len: 0,
        }
    }

    /// How many are gone.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// The entries of a block that are gone, a bit each.
    pub fn of_block(&self, block: usize) -> u128 {
        match self.groups.get(block / BLOCKS) {
            Some(Some(group)) => group.bits[block % BLOCKS],
            _ => 0,
        }
    }

    /// How many are gone before a position.
    pub fn before(&self, position: u64) -> u64 {
        let (block, at) = ((position / BLOCK as u64) as usize, position % BLOCK as u64);
        let group = block / BLOCKS;
        let here = match self.groups.get(group) {
            Some(Some(group)) => {
                let bits = group.bits[block % BLOCKS] & ((1 << at) - 1);
                sum(&group.entries[..block % BLOCKS]) + u64::from(bits.count_ones())
            }
            _ => 0,
        };
        self.entries.before(group) + here
    }

    /// How many rank_keys that begin before a block have no entry any more.
    pub fn rank_keys_before(&self, block: usize) -> u64 {
        let group = block / BLOCKS;
        let here = match self.groups.get(group) {
            Some(Some(group)) => sum(&group.rank_keys[..block % BLOCKS]),
            _ => 0,
        };
        self.rank_keys.before(group) + here
    }

    /// The position of the entry that so many of those that are left are before.
    pub fn position(&self, left: u64) -> u64 {
        let (number, mut left) = self.entries.select(left);
        let Some(Some(group)) = self.groups.get(number) else {
            return number as u64 * SPAN + left;
        };
        let mut block = 0;
        while block + 1 < BLOCKS && left >= BLOCK as u64 - u64::from(group.entries[block]) {
            left -= BLOCK as u64 - u64::from(group.entries[block]);
            block += 1;
        }
        let here = !group.bits[block];
        let (low, high) = (here as u64, (here >> 64) as u64);
        let at = match left.checked_sub(u64::from(low.count_ones())) {
            None => select(low, left as u32),
            Some(left) => 64 + select(high, left as u32),
        };
        number as u64 * SPAN + (block * BLOCK) as u64 + u64::from(at)
    }

    fn group(&mut self, number: usize) -> &mut Group {
        let slot = &mut self.groups[number];
        self.boxes += usize::from(slot.is_none());
        slot.get_or_insert_with(|| Box::new(NONE))
    }

    /// Takes the entry at a position out, which is there.
    pub fn take(&mut self, position: u64) {
        let (block, at) = ((position / BLOCK as u64) as usize, position % BLOCK as u64);
        let group = self.group(block / BLOCKS);
        group.bits[block % BLOCKS] |= 1 << at;
        group.entries[block % BLOCKS] += 1;
        self.entries.add_one(block / BLOCKS);
        self.len += 1;
    }

    /// The last entry of a rank_key that begins in a block is gone.
    pub fn take_rank_key(&mut self, block: usize) {
        self.group(block / BLOCKS).rank_keys[block % BLOCKS] += 1;
        self.rank_keys.add_one(block / BLOCKS);
    }

    /// Gives the group of a block back if no block before it is in there.
    pub fn forget(&mut self, block: usize) {
        if block.is_multiple_of(BLOCKS) {
            self.groups.truncate(block / BLOCKS);
        }
    }

    pub fn memory(&self) -> usize {
        let sums = bytes_of::<u32>(self.entries.0.capacity()) + bytes_of::<u32>(self.rank_keys.0.capacity());
        let groups = bytes_of::<Option<Box<Group>>>(self.groups.capacity());
        bytes_of::<Self>(1) + self.boxes * bytes_of::<Group>(1) + groups + sums
    }

    /// How many allocations there are, about.
    pub const fn allocations(&self) -> usize {
        self.boxes + 4
    }

    /// Lets the allocator move the groups, one a step.
    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(self.groups.len(), |at, mover| {
            self.groups[at] = self.groups[at].take().map(|group| mover.relocate(group));
        });
    }

    /// Proves the sums.
    #[cfg(test)]
    pub fn check(&self) {
        let (mut entries, mut rank_keys, mut boxes) = (0, 0, 0);
        for (number, group) in self.groups.iter().enumerate() {
            assert_eq!((self.entries.before(number), self.rank_keys.before(number)), (entries, rank_keys));
            let Some(group) = group else { continue };
            boxes += 1;
            for (bits, count) in group.bits.iter().zip(group.entries) {
                assert_eq!(bits.count_ones(), u32::from(count), "gone entries of a block");
            }
            entries += sum(&group.entries);
            rank_keys += sum(&group.rank_keys);
        }
        assert_eq!((entries, boxes), (self.len, self.boxes));
    }
}
