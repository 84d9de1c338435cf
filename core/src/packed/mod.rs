//! The order of a period that has ended. Only removals of members change such an order, so it is packed.
//!
//! # Why not keep the tree
//! The order index has room for writes in its leaves, and stores the number of a leaf for each member. An ended
//! period needs neither. Here an entry takes about 7 bytes, including the data for finding it. A search takes fewer
//! steps, since the place of an entry in memory is computed from its position.
//!
//! # Layout
//! There are two lists, one by rank and one by member. An entry of one list contains a number that identifies it in
//! the other list: the member's id, or the position by rank. This number takes as few bits as the greatest number
//! needs:
//!
//! ```text
//!  by rank      heads   [ base rank key, base id, groups before, where ] [ ... ]     one per block
//!                           |
//!               pages   [ id rank key | id rank key | ... 128 ] [ id rank key | ... ]
//!
//!  by member    hints   [ where every 128th range begins ]
//!                           |
//!               marks   [ how many ranges have ended before every 2,048th bit ]
//!                           |
//!               ends    1 1 0 0 1 0 1 0 ...     a one for each member, a zero ends each range
//!                       | |     |   |
//!               list    [ low bits position ] [ low bits position ] ...   in the order of ids
//! ```
//!
//! Bits per member on a board where all members are in the period, with ids five apart and scores up to 100,000:
//!
//! | members    |  id | rank key | heads | position | low bits | ends, hints, marks | bytes in all |
//! |------------|-----|-------|-------|----------|----------|--------------------|--------------|
//! |  1,000,000 |  23 |   4.2 |   1.5 |       20 |        2 |                2.5 |         6.65 |
//! | 10,000,000 |  26 |   1.3 |   1.5 |       24 |        2 |                2.5 |         7.17 |
//!
//! * The ids are an Elias-Fano list, which stores only the differences between ids: about two bits more than the
//!   logarithm of their mean distance. A bitmap of the arena would take a little more if all members are in the
//!   period, and many times more if only a few are.
//! * The position is stored in full. The number of its block would take seven bits less. But then a read of a rank
//!   would need a search of the block and two more cache misses: more than twice the time.
//! * Rank keys are stored as distances within 128 ranks. A head also contains the number of groups (distinct rank
//!   keys) before its block, so a dense rank is read from one block.
//!
//! A read of a member's rank takes about 110 ns with a million members, and 350 ns with ten million members, where
//! it has two or three cache misses. A read of an entry by its rank takes 40 and 240 ns, and of the next entry 8
//! ns.
//!
//! # Packing
//! Entries are packed when they are pushed, in 5 to 7 ns each. Then [`Packer::step`] distributes their ids to
//! piles, sorts one pile at a time and appends it to the list by member. This takes 20 to 30 ns per member, in
//! steps of 10 to 130 microseconds. A pile contains the members of one chunk of the arena, or of several chunks if
//! few of their members are in the period. Until a pile is appended, each of its members takes 8 bytes. All lists
//! are in chunks of up to 64 KB, so no large memory is ever copied.
//!
//! # Removing
//! A position never changes. From the first removal on, there is a bit for each position, which is 1 if its entry
//! was removed. These bits are counted, so that a rank is a position minus one short sum. A group whose entries
//! were all removed does not count in dense ranks. Such groups are counted too, in the block where they begin.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "positions and counts are those of entries that are there"
)]

mod bits;
mod build;
mod by_member;
mod by_rank;
#[cfg(test)]
mod check;
mod gone;
mod iter;
mod sort;

pub use crate::index::MemberId;
pub use build::Packer;
pub use iter::PackedIter;

use crate::mover::{Mover, Relocation};
use crate::size_class::bytes_of;
use crate::total::Total;
use by_member::ByMember;
use by_rank::{ByRank, split};
use gone::Gone;

/// The number of blocks that one call of [`PackedOrder::drain_some`] frees.
const DRAIN_STEP: usize = 8;

/// The order of a period that has ended.
#[derive(Debug, Clone)]
pub struct PackedOrder {
    order: ByRank,
    members: ByMember,
    gone: Option<Box<Gone>>,
    /// The sum of the rank keys of the entries that were not removed.
    rank_keys: Total,
}

impl PackedOrder {
    /// Returns how many entries were not removed.
    pub fn len(&self) -> u64 {
        self.order.len() - self.gone.as_ref().map_or(0, |gone| gone.len())
    }

    /// Returns the sum of the rank keys of all entries that were not removed.
    pub const fn sum_of_rank_keys(&self) -> u128 {
        self.rank_keys.get()
    }

    /// Returns a member's position among all entries, including removed entries. `None` if the entry of the member
    /// was removed.
    fn position(&self, id: MemberId) -> Option<u64> {
        let position = self.members.position(id)?;
        let (number, at) = split(position);
        (self.gone_of(number) >> at & 1 == 0).then_some(position)
    }

    fn gone_of(&self, block: usize) -> u128 {
        self.gone.as_ref().map_or(0, |gone| gone.of_block(block))
    }

    /// Returns how many of the entries before a position were not removed.
    fn left_before(&self, position: u64) -> u64 {
        position - self.gone.as_ref().map_or(0, |gone| gone.before(position))
    }

    /// Returns the block of the entry that has `before` remaining entries before it, and its place in the block.
    fn locate(&self, before: u64) -> Option<(usize, usize)> {
        if before >= self.len() {
            return None;
        }
        let position = self.gone.as_ref().map_or(before, |gone| gone.position(before));
        Some(split(position))
    }

    /// Returns how many entries are before the entry of a member: its ordinal rank minus one.
    pub fn place(&self, id: MemberId) -> Option<u64> {
        self.position(id).map(|position| self.left_before(position))
    }

    /// Returns the entry that has `before` remaining entries before it: its rank key and its member.
    pub fn entry(&self, before: u64) -> Option<(u64, MemberId)> {
        let (number, at) = self.locate(before)?;
        let block = self.order.block(number);
        Some((block.rank_key(at), block.id(at)))
    }

    /// Returns how many entries have a better rank key.
    pub fn before_rank_key(&self, rank_key: u64) -> u64 {
        self.left_before(self.order.before_rank_key(rank_key))
    }

    /// Returns the dense rank of the entry that has `before` remaining entries before it: the number of distinct
    /// rank keys up to this entry, including its own. If `before` is beyond the last entry, the number of all
    /// distinct rank keys.
    pub fn dense(&self, before: u64) -> u64 {
        let last = self.len().saturating_sub(1);
        let Some((number, at)) = self.locate(before.min(last)) else {
            return 0;
        };
        let block = self.order.block(number);
        let emptied = self.gone.as_ref().map_or(0, |gone| gone.groups_before(number));
        u64::from(block.head.groups) - emptied + block.opened(at, self.gone_of(number))
    }

    /// Removes a member's entry, so that the entries behind it move up. Returns whether the order had an entry of
    /// the member.
    pub fn remove(&mut self, id: MemberId) -> bool {
        let Some(position) = self.position(id) else {
            return false;
        };
        let (number, at) = split(position);
        let rank_key = self.order.block(number).rank_key(at);
        let (from, to) = self.run_of(rank_key);
        let gone = self.gone.get_or_insert_with(|| Box::new(Gone::new(self.order.len())));
        gone.take(position);
        self.rank_keys.subtract(rank_key);
        if gone.before(to) - gone.before(from) == to - from {
            gone.take_group(split(from).0);
        }
        true
    }

    /// Returns the range of positions of all entries with a rank key.
    fn run_of(&self, rank_key: u64) -> (u64, u64) {
        let end = match rank_key.checked_add(1) {
            Some(worse) => self.order.before_rank_key(worse),
            None => self.order.len(),
        };
        (self.order.before_rank_key(rank_key), end)
    }

    /// Frees some of the last entries and appends their members to `into`. Returns false when there is nothing more
    /// to free. After the first call, the order must not be used in any other way.
    pub fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        let mut some = self.members.pop();
        for _ in 0..DRAIN_STEP {
            let Some(number) = self.order.blocks().checked_sub(1) else {
                break;
            };
            some = true;
            let (block, gone) = (self.order.block(number), self.gone_of(number));
            into.extend((0..block.len).filter(|at| gone >> at & 1 == 0).map(|at| block.id(at)));
            self.order.pop();
            if let Some(gone) = &mut self.gone {
                gone.forget(number);
            }
        }
        some
    }

    /// Returns the number of bytes on the heap, including this struct, which is in a box.
    pub fn memory(&self) -> usize {
        let gone = self.gone.as_ref().map_or(0, |gone| gone.memory());
        bytes_of::<Self>(1) + self.order.memory() + self.members.memory() + gone
    }

    pub fn effort(&self) -> usize {
        let gone = self.gone.as_ref().map_or(0, |gone| gone.allocations());
        self.order.allocations() + self.members.allocations() + gone
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.order.relocate(walk);
        self.members.relocate(walk);
        if let Some(gone) = &mut self.gone {
            gone.relocate(walk);
        }
    }
}

#[cfg(test)]
mod tests;
