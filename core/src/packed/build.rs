//! Freezing: entries come in rank order and are packed at once; then the members are sorted.
#![allow(clippy::arithmetic_side_effects, reason = "counts of entries")]

use super::by_rank::{BLOCK, ByRank};
use super::sort::{Left, Sorter};
use super::{MemberId, PackedOrder};
use crate::size_class::bytes_of;

/// Builds a [`PackedOrder`] order in small steps.
#[derive(Debug, Clone)]
pub struct Packer {
    order: ByRank,
    /// The entries of the block that is not full.
    block: Vec<(u64, MemberId)>,
    /// How many rank_keys begin before it.
    rank_keys: u32,
    /// The last rank_key before it.
    before: Option<u64>,
    least: MemberId,
    most: MemberId,
    sorter: Option<Box<Sorter>>,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Push,
    Sort,
    Done,
    /// What was pushed is no order.
    Wrong,
}

impl Packer {
    /// Nothing packed yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            order: ByRank::default(),
            block: Vec::new(),
            rank_keys: 0,
            before: None,
            least: MemberId::MAX,
            most: 0,
            sorter: None,
            phase: Phase::Push,
        }
    }

    /// Appends the next entry in rank order. One with a better rank_key than the one before, or one after
    /// the first [`Self::step`], makes it all invalid.
    pub fn push(&mut self, rank_key: u64, id: MemberId) {
        let before = self.block.last().map(|entry| entry.0).or(self.before);
        if self.phase != Phase::Push || before.is_some_and(|before| rank_key < before) {
            self.phase = Phase::Wrong;
            return;
        }
        if self.block.capacity() == 0 {
            self.block.reserve_exact(BLOCK);
        }
        self.block.push((rank_key, id));
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
        self.order.push(&self.block, self.rank_keys, opens);
        let pairs = self.block.iter().zip(self.block.iter().skip(1));
        let changes = pairs.filter(|(a, b)| a.0 != b.0).count();
        self.rank_keys += changes as u32 + u32::from(opens);
        self.before = Some(last.0);
        self.block.clear();
    }

    /// After the last entry: does a small piece of what is left to do; whether there is more.
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

    /// The order, after all the steps that are left; `None` where what was pushed is not one: a member
    /// twice, or a rank_key behind a worse one.
    #[must_use]
    pub fn finish(mut self) -> Option<PackedOrder> {
        while self.step() {}
        let sorter = self.sorter.filter(|_| self.phase == Phase::Done)?;
        Some(PackedOrder { order: self.order, members: sorter.into_members(), gone: None })
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn memory(&self) -> usize {
        let sorter = self.sorter.as_ref().map_or(0, |sorter| bytes_of::<Sorter>(1) + sorter.memory());
        self.order.memory() + bytes_of::<(u64, MemberId)>(self.block.capacity()) + sorter
    }
}
