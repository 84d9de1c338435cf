//! Checks the invariants of a packed order, entry by entry. It is for tests, since it reads all entries.
#![allow(clippy::arithmetic_side_effects, reason = "counts of entries that are there")]

use super::PackedOrder;

impl PackedOrder {
    /// Walks through all entries. Panics if an invariant is broken.
    pub fn check(&self) {
        assert_eq!(self.members.len, self.order.len(), "members and entries");
        let (mut before, mut groups, mut last) = (0, 0, None);
        let mut left = 0;
        for number in 0..self.order.blocks() {
            let block = self.order.block(number);
            assert_eq!(block.head.groups, groups, "groups before block {number}");
            assert_eq!(block.head.opens, last != Some(block.rank_key(0)));
            for at in 0..block.len {
                let (rank_key, id) = (block.rank_key(at), block.id(at));
                assert!(last.is_none_or(|last| last <= rank_key), "rank keys out of order");
                groups += u32::from(last != Some(rank_key));
                last = Some(rank_key);
                assert_eq!(self.members.position(id), Some(before), "position of member {id}");
                let there = self.gone_of(number) >> at & 1 == 0;
                assert_eq!(self.left_before(before), left);
                assert_eq!(self.place(id), there.then_some(left));
                left += u64::from(there);
                before += 1;
            }
        }
        assert_eq!((before, left), (self.order.len(), self.len()));
        if let Some(gone) = &self.gone {
            gone.check();
        }
    }
}
