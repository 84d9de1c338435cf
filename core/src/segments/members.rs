//! The members of a board for the order index of a segment.

use std::cmp::Ordering;

use crate::index::{Index, LeafId, MemberId, MemberLookup, MemberStore, NO_LEAF};
use crate::members::{Column, Members, Sequences};
use crate::schema::Ties;
use crate::time::Millis;

/// The members of a board, with their leaves in the index of their segment. Equal entries of a segment have the same order
/// as in the index of the whole view, which must be up to date.
pub struct SegmentMembers<'a> {
    pub members: &'a mut Members,
    pub leaf: Column,
    /// The index of the whole view, and the column of its leaves.
    pub whole: (&'a Index, Column),
    pub ties: Ties,
}

impl MemberLookup for SegmentMembers<'_> {
    fn leaf(&self, id: MemberId) -> LeafId {
        self.members.get(id, self.leaf).map_or(NO_LEAF, |leaf| leaf as LeafId)
    }

    fn compare(&self, a: MemberId, b: MemberId) -> Ordering {
        self.members.name(a).cmp(self.members.name(b))
    }

    /// Returns a number that orders equal entries as the place in the whole view does.
    fn sequence(&self, id: MemberId, _: Millis) -> Option<u64> {
        let (index, leaf) = self.whole;
        let place = index.find(id, &self.members.index_members(leaf, Sequences::Unknown))?;
        let before = index.rank(place);
        Some(if self.ties == Ties::Last { u64::MAX.saturating_sub(before) } else { before })
    }
}

impl MemberStore for SegmentMembers<'_> {
    fn set_leaf(&mut self, id: MemberId, leaf: LeafId) {
        if self.members.is_large() {
            self.members.set(id, self.leaf, u64::from(leaf));
        }
    }
}
