//! Blocks in the order of their ids: the first block is stored separately, the other blocks are in lists.

use std::mem;

use super::block::{self, Block};
use crate::index::MemberId;
use crate::mover::{Mover, Relocation};
use crate::sorted_lists::{HasKey, ListPlace, SortedLists};

/// The size of a full list in bytes: 128 blocks.
const LIST: usize = 4096;

/// The place of a block: in a list, or `None` for the head.
pub type BlockPlace = Option<ListPlace>;

/// The blocks of a bucket. Only the head may be empty.
#[derive(Debug, Clone)]
pub struct Directory {
    head: Block,
    listed: SortedLists<Block, LIST>,
    /// The bytes on the heap of all blocks.
    bytes: usize,
}

impl HasKey for Block {
    type Key = MemberId;

    #[inline]
    fn key(&self) -> MemberId {
        self.first
    }
}

impl Directory {
    pub const EMPTY: Self = Self { head: Block::EMPTY, listed: SortedLists::EMPTY, bytes: 0 };

    /// Returns the place of the block that contains an id or to which the id is to be added.
    #[inline]
    pub fn find(&self, id: MemberId) -> BlockPlace {
        self.listed.find(id).map(|(list, after)| (list, after.saturating_sub(1)))
    }

    #[inline]
    pub fn block(&self, place: BlockPlace) -> &Block {
        place.map_or(&self.head, |listed| self.listed.get(listed))
    }

    /// Changes a block, and updates the count of bytes.
    #[inline]
    pub fn change(&mut self, place: BlockPlace, change: impl FnOnce(&mut Block)) {
        let block = match place {
            None => &mut self.head,
            Some(listed) => self.listed.get_mut(listed),
        };
        self.bytes = self.bytes.saturating_sub(block.bytes());
        change(block);
        self.bytes = self.bytes.saturating_add(block.bytes());
    }

    pub fn iter(&self) -> impl Iterator<Item = &Block> {
        std::iter::once(&self.head).chain(self.listed.iter())
    }

    /// Returns whether the block is the block with the highest ids.
    pub fn is_last(&self, place: BlockPlace) -> bool {
        place == self.listed.last()
    }

    /// Returns the place after a block, in the same list.
    fn after(place: BlockPlace) -> ListPlace {
        place.map_or((0, 0), |(list, at)| (list, at.saturating_add(1)))
    }

    /// Returns the block before a block of a list: in the same list, or the head. `None` if it is in another list.
    fn before((list, at): ListPlace) -> Option<BlockPlace> {
        match at.checked_sub(1) {
            Some(before) => Some(Some((list, before))),
            None => (list == 0).then_some(None),
        }
    }

    /// Inserts a block after another block.
    pub fn insert_after(&mut self, place: BlockPlace, block: Block) {
        self.bytes = self.bytes.saturating_add(block.bytes());
        self.listed.insert(Self::after(place), block);
    }

    /// Adds a block behind all others. There must be a head.
    pub fn push(&mut self, block: Block) {
        self.insert_after(self.listed.last(), block);
    }

    /// Drops a block without entries, and joins a short block with a neighbour. It is called after a block has lost
    /// entries.
    pub fn tidy(&mut self, place: BlockPlace) {
        match (self.block(place).len(), place) {
            (0, Some(listed)) => _ = self.take(listed),
            (few, _) if few < block::MOST / 4 => {
                let before = || place.and_then(Self::before);
                let _ = self.join(place) || before().is_some_and(|before| self.join(before));
            }
            _ => {}
        }
    }

    /// If this block and the next block of the list have few entries together, moves the entries of the next block
    /// to this block. Returns whether it moved them.
    fn join(&mut self, place: BlockPlace) -> bool {
        let (list, at) = Self::after(place);
        if at >= self.listed.items(list) {
            return false;
        }
        let (block, next) = (self.block(place), self.listed.get((list, at)));
        if block.len().saturating_add(next.len()) > block::MOST / 2 {
            return false;
        }
        let mut rows = block.unpacked();
        rows.extend(next.rows());
        self.change(place, |block| *block = Block::of(&rows));
        // This is the last step, since it may join lists.
        self.take((list, at));
        true
    }

    /// Removes a block from its list, and returns it.
    fn take(&mut self, place: ListPlace) -> Block {
        let block = self.listed.remove(place);
        self.bytes = self.bytes.saturating_sub(block.bytes());
        block
    }

    /// Removes the last block, and returns it.
    pub fn pop(&mut self) -> Block {
        if let Some(last) = self.listed.last() {
            return self.take(last);
        }
        self.bytes = 0;
        mem::replace(&mut self.head, Block::EMPTY)
    }

    pub const fn memory(&self) -> usize {
        self.bytes.saturating_add(self.listed.memory())
    }

    pub const fn allocations(&self) -> usize {
        self.listed.len().saturating_add(self.listed.lists()).saturating_add(1)
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(1, |_, mover| self.head.relocate(mover));
        self.listed.relocate(walk, Block::relocate);
    }

    /// Walks through all blocks and lists. Panics if an invariant is broken.
    pub fn check(&self) {
        self.listed.check();
        assert_eq!(self.bytes, self.iter().map(Block::bytes).sum::<usize>());
        self.iter().for_each(Block::check);
        assert!(self.listed.iter().all(|block| block.len() > 0), "an empty block in a list");
        for block in self.iter() {
            let found = |id| std::ptr::eq(self.block(self.find(id)), block);
            assert!(block.ids().all(found), "a block where no search leads");
        }
    }
}
