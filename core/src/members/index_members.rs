//! The members of a board for one order index, with their leaves in this index and the numbers of the writes that
//! set their keys.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Deref;

use super::{Column, Members};
use crate::bucket::Bucket;
use crate::index::{LeafId, MemberId, MemberLookup, MemberStore};
use crate::time::Millis;

/// The place of the numbers of the writes that set the members' keys.
#[derive(Debug, Clone, Copy)]
pub enum Sequences<'a> {
    /// The numbers are not stored, since entries are inserted in the order of their writes.
    Unknown,
    /// The numbers are in a column of the members.
    Column(Column),
    /// The numbers are stored with the points of the periods, which are ordered by their starts. The number of a
    /// write is in the period of the write. If scores are not sums, an older key may become current again, together
    /// with its number.
    Points(&'a VecDeque<(i64, Bucket)>),
}

impl From<Option<Column>> for Sequences<'_> {
    fn from(column: Option<Column>) -> Self {
        column.map_or(Self::Unknown, Self::Column)
    }
}

/// Returns the number of the write that gave a member its points at a moment; `None` if there is no such write.
fn sequence_in(buckets: &VecDeque<(i64, Bucket)>, id: MemberId, moment: Millis) -> Option<u64> {
    let at = i64::try_from(moment).unwrap_or(i64::MAX);
    let later = buckets.partition_point(|(start, _)| *start <= at);
    let (_, bucket) = buckets.get(later.checked_sub(1)?)?;
    bucket.get(id).filter(|points| points.moment == moment).map(|points| points.sequence)
}

/// The members of a board for one order index.
#[derive(Debug, Clone, Copy)]
pub struct IndexMembers<'a, M> {
    members: M,
    leaf: Column,
    sequences: Sequences<'a>,
}

impl<'a, M> IndexMembers<'a, M> {
    pub(super) const fn new(members: M, leaf: Column, sequences: Sequences<'a>) -> Self {
        Self { members, leaf, sequences }
    }
}

impl<M: Deref<Target = Members>> MemberLookup for IndexMembers<'_, M> {
    #[inline]
    fn leaf(&self, id: MemberId) -> LeafId {
        self.members.leaf(id, self.leaf)
    }

    fn compare(&self, a: MemberId, b: MemberId) -> Ordering {
        self.members.name(a).cmp(self.members.name(b))
    }

    #[inline]
    fn sequence(&self, id: MemberId, moment: Millis) -> Option<u64> {
        match self.sequences {
            Sequences::Unknown => None,
            Sequences::Column(column) => Some(self.members.sequence(id, column)),
            Sequences::Points(buckets) => sequence_in(buckets, id, moment),
        }
    }
}

impl MemberStore for IndexMembers<'_, &mut Members> {
    #[inline]
    fn prefetch(&self, id: MemberId) {
        self.members.prefetch(id);
    }

    #[inline]
    fn set_leaf(&mut self, id: MemberId, leaf: LeafId) {
        // A small index needs no leaves, and an index that was set aside has no column.
        if self.members.is_large() && !self.leaf.is_none() {
            self.members.set_leaf(id, self.leaf, leaf);
        }
    }
}
