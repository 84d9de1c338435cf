//! The members of a board as one order index sees them: with the leaf of that index, and the number of
//! the write that counts there.

use std::cmp::Ordering;
use std::ops::Deref;

use super::{Column, Members};
use crate::index::{Home, Known, LeafId, MemberId, NO_LEAF};

/// The members of a board as one order index sees them.
#[derive(Debug, Clone, Copy)]
pub struct Seats<M> {
    members: M,
    leaf: Column,
    arrival: Option<Column>,
}

impl<M> Seats<M> {
    pub(super) const fn new(members: M, leaf: Column, arrival: Option<Column>) -> Self {
        Self { members, leaf, arrival }
    }
}

impl<M: Deref<Target = Members>> Known for Seats<M> {
    fn leaf(&self, id: MemberId) -> LeafId {
        self.members.get(id, self.leaf).map_or(NO_LEAF, |leaf| leaf as LeafId)
    }

    fn compare(&self, a: MemberId, b: MemberId) -> Ordering {
        self.members.name(a).cmp(self.members.name(b))
    }

    fn arrival(&self, id: MemberId) -> Option<u64> {
        self.arrival.map(|column| self.members.arrival(id, column))
    }
}

impl Home for Seats<&mut Members> {
    fn set_leaf(&mut self, id: MemberId, leaf: LeafId) {
        // An index of few members looks through all of them.
        if self.members.is_large() {
            self.members.set(id, self.leaf, u64::from(leaf));
        }
    }
}
