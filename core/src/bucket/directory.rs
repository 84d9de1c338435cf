//! Blocks in the order of their ids: the first one apart, the others in lists of up to [`MOST`].
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a place comes from a search and is used before the directory changes"
)]

use std::mem;

use super::block::{self, Block};
use crate::index::MemberId;
use crate::mover::{Mover, Walk};
use crate::size_class::{bytes_of, put, room_for, trim};

/// Blocks of a list: 3 KB.
const MOST: usize = 128;

/// Where a block stands.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    Head,
    /// In a list, there.
    Slot(usize, usize),
}

#[derive(Debug, Clone)]
struct List {
    /// No id in the list is below it, and all before the list are.
    low: MemberId,
    blocks: Vec<Block>,
}

/// The blocks of a bucket. Only the head may be empty.
#[derive(Debug, Clone)]
pub struct Directory {
    head: Block,
    lists: Vec<List>,
    /// How many blocks stand in lists.
    listed: usize,
    /// Bytes of all blocks and lists on the heap.
    bytes: usize,
}

impl Directory {
    pub const EMPTY: Self = Self { head: Block::EMPTY, lists: Vec::new(), listed: 0, bytes: 0 };

    /// Where the block is that has this id, or should have.
    #[inline]
    pub fn find(&self, id: MemberId) -> Place {
        match self.lists.partition_point(|list| list.low <= id) {
            0 => Place::Head,
            after => {
                let blocks = &self.lists[after - 1].blocks;
                let slot = blocks.partition_point(|block| block.first <= id).saturating_sub(1);
                Place::Slot(after - 1, slot)
            }
        }
    }

    pub fn block(&self, place: Place) -> &Block {
        match place {
            Place::Head => &self.head,
            Place::Slot(list, slot) => &self.lists[list].blocks[slot],
        }
    }

    /// Changes a block, and counts what that takes.
    #[inline]
    pub fn change(&mut self, place: Place, change: impl FnOnce(&mut Block)) {
        let block = match place {
            Place::Head => &mut self.head,
            Place::Slot(list, slot) => &mut self.lists[list].blocks[slot],
        };
        let before = block.bytes();
        change(block);
        self.bytes = self.bytes + block.bytes() - before;
    }

    pub fn iter(&self) -> impl Iterator<Item = &Block> {
        std::iter::once(&self.head).chain(self.lists.iter().flat_map(|list| &list.blocks))
    }

    /// Whether the block is the one with the highest ids.
    pub fn is_last(&self, place: Place) -> bool {
        match place {
            Place::Head => self.lists.is_empty(),
            Place::Slot(list, slot) => {
                list + 1 == self.lists.len() && slot + 1 == self.lists[list].blocks.len()
            }
        }
    }

    /// The block behind this one, unless another list begins there.
    fn after(&self, place: Place) -> Option<Place> {
        let (list, slot) = match place {
            Place::Head => (0, 0),
            Place::Slot(list, slot) => (list, slot + 1),
        };
        (slot < self.lists.get(list)?.blocks.len()).then_some(Place::Slot(list, slot))
    }

    /// The block before this one, unless it is in another list.
    const fn before(place: Place) -> Option<Place> {
        match place {
            Place::Slot(0, 0) => Some(Place::Head),
            Place::Slot(list, slot) if slot > 0 => Some(Place::Slot(list, slot - 1)),
            _ => None,
        }
    }

    /// Puts a block behind another.
    pub fn insert_after(&mut self, place: Place, block: Block) {
        self.bytes += block.bytes();
        self.listed += 1;
        let (mut number, mut slot) = match place {
            Place::Head => (0, 0),
            Place::Slot(list, slot) => (list, slot + 1),
        };
        if self.lists.is_empty() {
            put(&mut self.lists, 0, List { low: block.first, blocks: Vec::new() });
        } else if self.lists[number].blocks.len() == MOST {
            // Behind the last block of all, ids go on ascending: what is full stays so.
            let cut = if self.is_last(place) { MOST } else { MOST / 2 };
            self.split(number, cut, block.first);
            if slot >= cut {
                (number, slot) = (number + 1, slot - cut);
            }
        }
        let List { low, blocks } = &mut self.lists[number];
        *low = (*low).min(block.first);
        self.bytes -= bytes_of::<Block>(blocks.len());
        put(blocks, slot, block);
        self.bytes += bytes_of::<Block>(blocks.len());
    }

    /// Makes the blocks from a slot on a list of their own; an empty one begins at `low`.
    fn split(&mut self, number: usize, cut: usize, low: MemberId) {
        let blocks = &mut self.lists[number].blocks;
        self.bytes -= bytes_of::<Block>(blocks.len());
        let upper = blocks.split_off(cut);
        trim(blocks);
        self.bytes += bytes_of::<Block>(blocks.len()) + bytes_of::<Block>(upper.len());
        let low = upper.first().map_or(low, |block| block.first);
        put(&mut self.lists, number + 1, List { low, blocks: upper });
    }

    /// After a block has lost entries: drops it where it is empty, or joins it with a neighbour
    /// where together they are half full at the most.
    pub fn tidy(&mut self, place: Place) {
        match (self.block(place).len(), place) {
            (0, Place::Slot(list, slot)) => _ = self.take(list, slot),
            (few, _) if few < block::MOST / 4 => {
                let _ = self.join(place) || Self::before(place).is_some_and(|before| self.join(before));
            }
            _ => {}
        }
    }

    /// Moves all entries of the next block to this one if there are few.
    fn join(&mut self, place: Place) -> bool {
        let Some(after @ Place::Slot(list, slot)) = self.after(place) else {
            return false;
        };
        if self.block(place).len() + self.block(after).len() > block::MOST / 2 {
            return false;
        }
        let mut rows = self.block(place).unpacked();
        rows.extend(self.block(after).rows());
        self.change(place, |block| *block = Block::of(&rows));
        // Last, as this may join lists.
        self.take(list, slot);
        true
    }

    /// Takes a block out, and its list where that leaves it empty or short.
    fn take(&mut self, number: usize, slot: usize) -> Block {
        let List { low, blocks } = &mut self.lists[number];
        self.bytes -= bytes_of::<Block>(blocks.len());
        let block = blocks.remove(slot);
        trim(blocks);
        // The head may have got the ids of the first.
        *low = blocks.first().map_or(*low, |block| block.first);
        self.bytes = self.bytes + bytes_of::<Block>(blocks.len()) - block.bytes();
        self.listed -= 1;
        let len = blocks.len();
        if len == 0 {
            self.lists.remove(number);
            trim(&mut self.lists);
        } else if len < MOST / 4 {
            let _ = self.join_lists(number) || number > 0 && self.join_lists(number - 1);
        }
        block
    }

    /// Moves all blocks of the next list to this one if there are few.
    fn join_lists(&mut self, number: usize) -> bool {
        let len = |number: usize| self.lists.get(number).map_or(MOST, |list| list.blocks.len());
        let (left, right) = (len(number), len(number + 1));
        if left + right > MOST / 2 {
            return false;
        }
        let next = self.lists.remove(number + 1).blocks;
        trim(&mut self.lists);
        let blocks = &mut self.lists[number].blocks;
        blocks.reserve_exact(room_for::<Block>(left + right) - left);
        blocks.extend(next);
        self.bytes += bytes_of::<Block>(left + right);
        self.bytes -= bytes_of::<Block>(left) + bytes_of::<Block>(right);
        true
    }

    /// Takes the last block out, which moves no other.
    pub fn pop(&mut self) -> Block {
        match self.lists.last() {
            Some(last) => self.take(self.lists.len() - 1, last.blocks.len() - 1),
            None => {
                self.bytes -= self.head.bytes();
                mem::replace(&mut self.head, Block::EMPTY)
            }
        }
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.bytes + bytes_of::<List>(self.lists.len())
    }

    /// About how many allocations there are.
    pub const fn allocations(&self) -> usize {
        1 + self.listed + self.lists.len()
    }

    /// Lets the allocator move the head and the list of lists first, then the blocks, one a step.
    pub fn relocate(&mut self, walk: &mut Walk<'_, impl Mover>) {
        walk.steps(1, |_, mover| {
            self.head.relocate(mover);
            self.lists = mover.relocate_vec(mem::take(&mut self.lists));
        });
        for List { blocks, .. } in &mut self.lists {
            walk.steps(blocks.len(), |slot, mover| {
                if slot == 0 {
                    *blocks = mover.relocate_vec(mem::take(blocks));
                }
                blocks[slot].relocate(mover);
            });
        }
    }

    /// Walks everything and panics where something does not hold.
    pub fn check(&self) {
        assert_eq!(self.listed, self.lists.iter().map(|list| list.blocks.len()).sum::<usize>());
        let blocks: usize = self.iter().map(Block::bytes).sum();
        let lists: usize = self.lists.iter().map(|list| held(&list.blocks)).sum();
        assert_eq!(self.bytes, blocks + lists, "bytes of blocks and lists");
        assert_eq!(self.memory(), blocks + lists + held(&self.lists));
        self.iter().for_each(Block::check);
        for (number, list) in self.lists.iter().enumerate() {
            assert!(!list.blocks.is_empty() && list.blocks.len() <= MOST);
            assert!(list.blocks.iter().all(|block| block.len() > 0 && list.low <= block.first));
            for (slot, block) in list.blocks.iter().enumerate() {
                let found = block
                    .ids()
                    .all(|id| matches!(self.find(id), Place::Slot(list, at) if (list, at) == (number, slot)));
                assert!(found, "a block where no search leads");
            }
        }
        assert!(self.head.ids().all(|id| matches!(self.find(id), Place::Head)));
    }
}

/// Bytes that a vector has, by its capacity.
fn held<T>(items: &Vec<T>) -> usize {
    bytes_of::<T>(items.capacity())
}
