//! The invariants of a frozen order, proved entry by entry. For tests: it walks everything.
#![allow(clippy::arithmetic_side_effects, reason = "counts of entries that are there")]

use super::Frozen;

impl Frozen {
    /// Walks all entries and panics where something does not hold. Only tests call it.
    #[doc(hidden)]
    pub fn check(&self) {
        assert_eq!(self.members.len(), self.order.len(), "members and entries");
        let (mut before, mut grades, mut last) = (0, 0, None);
        let mut left = 0;
        for number in 0..self.order.blocks() {
            let block = self.order.block(number);
            assert_eq!(block.head.grades, grades, "grades before block {number}");
            assert_eq!(block.head.opens, last != Some(block.grade(0)));
            for at in 0..block.len {
                let (grade, id) = (block.grade(at), block.id(at));
                assert!(last.is_none_or(|last| last <= grade), "grades out of order");
                grades += u32::from(last != Some(grade));
                last = Some(grade);
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
