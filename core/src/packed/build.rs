//! Builds a packed order: entries are pushed in rank order and are packed immediately. After that, the members are
//! sorted.
#![allow(clippy::arithmetic_side_effects, reason = "counts of entries")]

use super::by_rank::{BLOCK, ByRank};
use super::sort::{Left, Sorter};
use super::{MemberId, PackedOrder};
use crate::size_class::bytes_of;
use crate::total::Total;

/// Builds a [`PackedOrder`] in small steps.
#[derive(Debug, Clone)]
pub struct Packer {
    order: ByRank,
    /// The entries of the last block, which is not full yet.
    block: Vec<(u64, MemberId)>,
    /// How many groups begin before this block.
    groups: u32,
    /// The last rank key before this block.
    before: Option<u64>,
    least: MemberId,
    most: MemberId,
    sorter: Option<Box<Sorter>>,
    phase: Phase,
    /// Whether entries must be pushed in rank order.
    ranked: bool,
    rank_keys: Total,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Push,
    Sort,
    Done,
    /// The entries were not pushed in order.
    Wrong,
}

impl Packer {
    /// Returns a packer without entries.
    pub fn new() -> Self {
        Self {
            order: ByRank::default(),
            block: Vec::new(),
            groups: 0,
            before: None,
            least: MemberId::MAX,
            most: 0,
            sorter: None,
            phase: Phase::Push,
            ranked: true,
            rank_keys: Total::ZERO,
        }
    }

    /// Returns a packer for a list of several orders, one after another. Only places and entries of the list may be
    /// read.
    pub fn of_several() -> Self {
        Self { ranked: false, ..Self::new() }
    }

    /// Appends the next entry in rank order. The whole order becomes invalid if an entry has a better rank key than
    /// the entry before it, or is pushed after the first [`Self::step`].
    pub fn push(&mut self, rank_key: u64, id: MemberId) {
        let before = self.block.last().map(|entry| entry.0).or(self.before);
        let is_better = self.ranked && before.is_some_and(|before| rank_key < before);
        if self.phase != Phase::Push || is_better {
            self.phase = Phase::Wrong;
            return;
        }
        if self.block.capacity() == 0 {
            self.block.reserve_exact(BLOCK);
        }
        self.block.push((rank_key, id));
        self.rank_keys.add(rank_key);
        (self.least, self.most) = (self.least.min(id), self.most.max(id));
        if self.block.len() == BLOCK {
            self.end_block();
        }
    }

    fn end_block(&mut self) {
        let Some((first, last)) = self.block.first().zip(self.block.last()) else {
            return;
        };
        let opens = self.before != Some(first.0);
        self.order.push(&self.block, self.groups, opens);
        let pairs = self.block.iter().zip(self.block.iter().skip(1));
        let changes = pairs.filter(|(a, b)| a.0 != b.0).count();
        self.groups += changes as u32 + u32::from(opens);
        self.before = Some(last.0);
        self.block.clear();
    }

    /// Does a little of the work that is left after the last entry. Returns whether there is more to do.
    pub fn step(&mut self) -> bool {
        match (self.phase, &mut self.sorter) {
            (Phase::Push, _) => {
                self.end_block();
                self.block = Vec::new();
                self.order.seal();
                self.sorter = Some(Box::new(Sorter::new(&self.order, self.least, self.most)));
                self.phase = Phase::Sort;
            }
            (Phase::Sort, Some(sorter)) => match sorter.step(&self.order) {
                Left::More => {}
                Left::Nothing => self.phase = Phase::Done,
                Left::Twice => self.phase = Phase::Wrong,
            },
            _ => {}
        }
        self.phase == Phase::Sort
    }

    /// Does all work that is left, and returns the order. `None` if the entries were not in order, or if a member
    /// has two entries.
    pub fn finish(mut self) -> Option<PackedOrder> {
        while self.step() {}
        let sorter = self.sorter.filter(|_| self.phase == Phase::Done)?;
        Some(PackedOrder {
            order: self.order,
            members: sorter.into_members(),
            gone: None,
            rank_keys: self.rank_keys,
        })
    }

    pub fn memory(&self) -> usize {
        let sorter = self.sorter.as_ref().map_or(0, |sorter| bytes_of::<Sorter>(1) + sorter.memory());
        self.order.memory() + bytes_of::<(u64, MemberId)>(self.block.capacity()) + sorter
    }
}
