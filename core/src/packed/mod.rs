//! The order of a period that is over: no write but a removal changes it, so it is packed.
//!
//! # Why not keep the tree
//! The order index keeps room for the next write in its leaves and the way to its leaf with each
//! member. What is over needs neither: here an entry takes about 7 bytes with all that finds it, and
//! fewer steps lead to it, since a position says where everything is.
//!
//! # Layout
//! Two lists, one by rank and one by member, each with the other's number in as few bits as the
//! greatest needs:
//!
//! ```text
//!  by rank      heads   [ base rank_key, base id, rank_keys before, where ] [ ... ]      one a block
//!  (order)                  |
//!               pages   [ id rank_key | id rank_key | ... 128 ] [ id rank_key | ... ]
//!
//!  by member    hints   [ where every 128th bucket begins ]
//!  (members)                |
//!               marks   [ how many buckets have ended before every 2,048th bit ]
//!                           |
//!               ends    1 1 0 0 1 0 1 0 ...     a one for each member, a zero ends each bucket
//!                       | |     |   |
//!               list    [ low bits position ] [ low bits position ] ...   in the order of ids
//! ```
//!
//! Bits a member where all of a board are in it, with ids five apart and scores up to 100,000:
//!
//! | members    |  id | rank_key | heads | position | low bits | ends, hints, marks | bytes in all |
//! |------------|-----|-------|-------|----------|----------|--------------------|--------------|
//! |  1,000,000 |  23 |   4.2 |   1.5 |       20 |        2 |                2.5 |         6.65 |
//! | 10,000,000 |  26 |   1.3 |   1.5 |       24 |        2 |                2.5 |         7.17 |
//!
//! * Of the ids only what tells them apart is stored, an Elias-Fano list: about two bits more than the
//!   logarithm of their mean distance, wherever they lie. A bitmap of the arena takes a bit more
//!   when everybody is in the period and many times as much when few are.
//! * The position is stored in full. The number of its block would do, seven bits less, but then a
//!   rank costs a search of the block and two more cache misses: more than twice the time.
//! * Grades are distances within 128 ranks. A head also counts the distinct rank_keys before its block,
//!   so a dense rank is read from one block.
//!
//! A member's rank takes about 110 ns among a million and 350 ns among ten million, where it is two or
//! three cache misses; an entry by rank 40 and 240 ns, the next one of a run 8 ns.
//!
//! # Freezing
//! Entries are packed as they come, 5 to 7 ns each. Then [`Packer::step`] deals their ids out to
//! buckets of one chunk of the arena (or several, if few of their members are in it), sorts one
//! bucket at a time and enters it into the list: 20 to 30 ns a member, in steps of 10 to 130
//! microseconds. Until a bucket is entered it takes 8 bytes a member. All lists are chunks of up to
//! 64 KB, so nothing large is ever copied.
//!
//! # Removing
//! A position never changes; a bit says which are no more, and these are counted, from the first
//! removal on. Rank and position are then one short sum apart. A rank_key without an entry no longer
//! counts in dense ranks, so the block where it began counts those too.
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
use by_member::ByMember;
use by_rank::{BLOCK, ByRank};
use gone::Gone;

/// Blocks that one call of [`PackedOrder::drain_some`] takes off.
const DRAIN_STEP: usize = 8;

/// The block of a position, and the place in there.
const fn split(position: u64) -> (usize, usize) {
    ((position / BLOCK as u64) as usize, (position % BLOCK as u64) as usize)
}

/// The order of a period that is over.
#[derive(Debug, Clone)]
pub struct PackedOrder {
    order: ByRank,
    members: ByMember,
    gone: Option<Box<Gone>>,
}

impl PackedOrder {
    /// How many entries there are, without the removed ones.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.order.len() - self.gone.as_ref().map_or(0, |gone| gone.len())
    }

    /// Where a member stands among all entries, the removed ones included; nothing for one of those.
    fn position(&self, id: MemberId) -> Option<u64> {
        let position = self.members.position(id)?;
        let (number, at) = split(position);
        (self.gone_of(number) >> at & 1 == 0).then_some(position)
    }

    fn gone_of(&self, block: usize) -> u128 {
        self.gone.as_ref().map_or(0, |gone| gone.of_block(block))
    }

    /// How many of the entries before a position are left.
    fn left_before(&self, position: u64) -> u64 {
        position - self.gone.as_ref().map_or(0, |gone| gone.before(position))
    }

    /// The block of the entry that so many are before, and its place in there.
    fn locate(&self, before: u64) -> Option<(usize, usize)> {
        if before >= self.len() {
            return None;
        }
        let position = self.gone.as_ref().map_or(before, |gone| gone.position(before));
        Some(split(position))
    }

    /// How many entries are before a member's: its ordinal rank less one.
    #[must_use]
    pub fn place(&self, id: MemberId) -> Option<u64> {
        self.position(id).map(|position| self.left_before(position))
    }

    /// The entry that so many are before: its rank_key and its member.
    #[must_use]
    pub fn entry(&self, before: u64) -> Option<(u64, MemberId)> {
        let (number, at) = self.locate(before)?;
        let block = self.order.block(number);
        Some((block.rank_key(at), block.id(at)))
    }

    /// How many entries have a better rank_key.
    #[must_use]
    pub fn before_rank_key(&self, rank_key: u64) -> u64 {
        self.left_before(self.order.before_rank_key(rank_key))
    }

    /// How many distinct rank_keys there are up to the entry that so many are before, its own included:
    /// its dense rank. Behind the last entry, all of them.
    #[must_use]
    pub fn dense(&self, before: u64) -> u64 {
        let last = self.len().saturating_sub(1);
        let Some((number, at)) = self.locate(before.min(last)) else {
            return 0;
        };
        let block = self.order.block(number);
        let emptied = self.gone.as_ref().map_or(0, |gone| gone.rank_keys_before(number));
        u64::from(block.head.rank_keys) - emptied + block.opened(at, self.gone_of(number))
    }

    /// Takes a member's entry out: those behind it move up. Whether it was there.
    pub fn remove(&mut self, id: MemberId) -> bool {
        let Some(position) = self.position(id) else {
            return false;
        };
        let (number, at) = split(position);
        let rank_key = self.order.block(number).rank_key(at);
        let (from, to) = self.run_of(rank_key);
        let gone = self.gone.get_or_insert_with(|| Box::new(Gone::new(self.order.len())));
        gone.take(position);
        if gone.before(to) - gone.before(from) == to - from {
            gone.take_rank_key(split(from).0);
        }
        true
    }

    /// The positions of all entries of a rank_key.
    fn run_of(&self, rank_key: u64) -> (u64, u64) {
        let end = match rank_key.checked_add(1) {
            Some(worse) => self.order.before_rank_key(worse),
            None => self.order.len(),
        };
        (self.order.before_rank_key(rank_key), end)
    }

    /// Takes some of the members off, the worst first, so that what they own can be freed bit by bit;
    /// false when none was left. From the first call on, there is nothing else to do but going on and
    /// dropping the rest.
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

    /// Bytes, its own struct included, which stands in a box.
    #[must_use]
    pub fn memory(&self) -> usize {
        let gone = self.gone.as_ref().map_or(0, |gone| gone.memory());
        bytes_of::<Self>(1) + self.order.memory() + self.members.memory() + gone
    }

    /// How many allocations freeing takes, about.
    #[must_use]
    pub fn effort(&self) -> usize {
        let ByMember { ends, hints, marks, list, .. } = &self.members;
        let strings = [ends, hints, marks, list].map(|list| list.bytes.chunks());
        let chunks = self.order.pages.chunks() + self.order.heads.chunks() + strings.iter().sum::<usize>();
        chunks + 6 + self.gone.as_ref().map_or(0, |gone| gone.allocations())
    }

    /// Lets the allocator move chunks to better places, from a step on; where to go on, or nothing
    /// when all is done.
    pub fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        Relocation::run(from, mover, |walk| {
            self.order.pages.relocate(walk);
            self.order.heads.relocate(walk);
            let ByMember { ends, hints, marks, list, .. } = &mut self.members;
            [ends, hints, marks, list].into_iter().for_each(|list| list.bytes.relocate(walk));
            if let Some(gone) = &mut self.gone {
                gone.relocate(walk);
            }
        })
    }
}

#[cfg(test)]
mod tests;
