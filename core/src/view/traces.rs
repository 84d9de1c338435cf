//! A fast test that shows for most members that they are not in an ended order. A view may keep ten thousand
//! orders, most of them with few members, and each removed member must be searched for in every order.

use super::PastOrder;
use crate::index::MemberId;

/// The maximum number of members for which the bits are computed. For an order with more members, all bits are set.
const MOST: u64 = 64;

/// One bit for each member of an order, computed from its number. Several members may have the same bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Traces(u64);

impl Traces {
    pub(super) fn of(order: &PastOrder) -> Self {
        if order.len() > MOST {
            return Self(u64::MAX);
        }
        Self(order.ids().fold(0, |traces, id| traces | bit(id)))
    }

    /// Returns whether a member may be in the order.
    pub(super) const fn may_have(self, id: MemberId) -> bool {
        self.0 & bit(id) != 0
    }
}

/// Returns the bit of a member. Numbers are places in an arena, so numbers of neighbours differ in their low bits.
/// All bits of the product depend on these bits.
const fn bit(id: MemberId) -> u64 {
    1 << (id.wrapping_mul(0x9E37_79B1) >> 26)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Key;

    #[test]
    fn an_order_has_traces_of_all_its_members_and_of_few_others() {
        let order = |ids: &[MemberId]| {
            let entries: Vec<_> = ids.iter().map(|id| (Key::default(), *id)).collect();
            PastOrder::of(&entries, 0).unwrap()
        };
        let ids: Vec<MemberId> = (0..100).map(|number| number * 5).collect();
        let few = Traces::of(&order(&ids[..4]));
        assert!(ids[..4].iter().all(|id| few.may_have(*id)));
        assert!(ids.iter().filter(|id| few.may_have(**id)).count() < 20);
        let many = Traces::of(&order(&ids));
        assert!((0..500).all(|id| many.may_have(id)));
        assert!(!Traces::of(&PastOrder::none()).may_have(0));
    }
}
