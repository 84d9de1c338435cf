//! The hidden members of each segment. An order of a segment searches only for these, not for all hidden members of the board:
//! with many segments, that would take seconds at a boundary.

use super::SegmentId;
use crate::index::MemberId;
use crate::size_class::bytes_of;
use crate::view::HiddenMembers;

/// A hidden member, behind its segment.
pub type HiddenMember = (SegmentId, MemberId);

/// The hidden members of each segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HiddenBySegment(Vec<HiddenMember>);

impl HiddenBySegment {
    /// Returns the hidden members of each segment. `segment` returns the segment of a member.
    pub fn new(hidden: Option<&HiddenMembers>, segment: impl Fn(MemberId) -> Option<SegmentId>) -> Self {
        let ids = hidden.into_iter().flat_map(HiddenMembers::keys);
        let mut all: Vec<_> = ids.filter_map(|id| Some((segment(id)?, id))).collect();
        all.sort_unstable();
        Self(all)
    }

    /// Returns the hidden members of a segment.
    pub fn of(&self, segment: SegmentId) -> &[HiddenMember] {
        let from = self.0.partition_point(|(other, _)| *other < segment);
        let rest = self.0.get(from..).unwrap_or_default();
        rest.get(..rest.partition_point(|(other, _)| *other == segment)).unwrap_or_default()
    }

    /// Returns the segments that have hidden members, each once.
    pub fn segments(&self) -> impl Iterator<Item = SegmentId> {
        let groups = self.0.chunk_by(|(one, _), (other, _)| one == other);
        groups.filter_map(|group| group.first().map(|(segment, _)| *segment))
    }

    /// Notes that a hidden member has left its segment.
    pub fn leave(&mut self, segment: SegmentId, id: MemberId) {
        if let Ok(at) = self.0.binary_search(&(segment, id)) {
            self.0.remove(at);
        }
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        bytes_of::<HiddenMember>(self.0.capacity())
    }
}
