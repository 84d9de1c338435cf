//! Iterates over the entries of a packed order.
#![allow(clippy::arithmetic_side_effects, reason = "places lie within a block")]

use super::by_rank::PackedBlock;
use super::{MemberId, PackedOrder};

/// The iterator that [`PackedOrder::iter_from`] returns.
#[derive(Debug, Clone)]
pub struct PackedIter<'a> {
    packed: &'a PackedOrder,
    block: Option<PackedBlock<'a>>,
    /// The number of the block after `block`.
    next: usize,
    at: usize,
    gone: u128,
    left: u64,
}

impl PackedOrder {
    /// Returns the entries after the first `before` remaining entries.
    pub fn iter_from(&self, before: u64) -> PackedIter<'_> {
        let (number, at) = self.locate(before).unwrap_or_default();
        let left = self.len().saturating_sub(before);
        let mut iter = PackedIter { packed: self, block: None, next: number, at: 0, gone: 0, left };
        if left > 0 {
            iter.load();
            iter.at = at;
        }
        iter
    }
}

impl PackedIter<'_> {
    fn load(&mut self) {
        self.block = Some(self.packed.order.block(self.next));
        self.gone = self.packed.gone_of(self.next);
        self.next += 1;
        self.at = 0;
    }
}

impl Iterator for PackedIter<'_> {
    type Item = (u64, MemberId);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        loop {
            let block = self.block?;
            // Skips entries that were removed.
            self.at += self.gone.checked_shr(self.at as u32).unwrap_or(0).trailing_ones() as usize;
            if self.at < block.len {
                let entry = (block.rank_key(self.at), block.id(self.at));
                self.at += 1;
                return Some(entry);
            }
            self.load();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for PackedIter<'_> {}
