//! The segments that members had before they went to other segments, as long as a kept period needs them.

use std::ops::Range;

use super::SegmentId;
use super::values::Values;
use crate::index::MemberId;
use crate::sorted::Sorted;
use crate::time::Millis;

/// A member, and the moment at which it left a segment.
type Leaving = (MemberId, Millis);

/// The moves of a dimension's members: the segment that each member left, or `None` if it was in no segment.
#[derive(Debug, Clone, Default)]
pub struct Moves(Sorted<Leaving, Option<SegmentId>>);

impl Moves {
    /// Returns the segment that a member was in just before a moment, if it has moved at this moment or later. The outer
    /// `None` means that it has not moved since then.
    pub fn before(&self, id: MemberId, moment: Millis) -> Option<Option<SegmentId>> {
        let next = self.0.range_from((id, moment)).next();
        next.filter(|((other, _), _)| *other == id).map(|(_, old)| *old)
    }

    /// Notes that a member left a segment at a moment. Only the first of its moves since the last boundary counts, because
    /// no period ends between them. `boundary` is the moment of this boundary.
    pub fn note(
        &mut self,
        (id, moment): Leaving,
        old: Option<SegmentId>,
        boundary: Millis,
        values: &mut Values,
    ) {
        if self.before(id, boundary).is_some() {
            return;
        }
        if let Some(old) = old {
            values.hold(old);
        }
        self.0.insert((id, moment), old);
    }

    /// Forgets all moves before a moment: all periods that ended before them are not kept any more.
    pub fn forget_before(&mut self, moment: Millis, values: &mut Values) {
        let old: Vec<_> = self.0.keys().filter(|(_, at)| *at < moment).collect();
        old.into_iter().for_each(|leaving| self.remove(leaving, values));
    }

    /// Forgets the moves of a member.
    pub fn forget(&mut self, id: MemberId, values: &mut Values) {
        let own = self.0.range_from((id, 0)).map(|(leaving, _)| leaving);
        let own: Vec<_> = own.take_while(|(other, _)| *other == id).collect();
        own.into_iter().for_each(|leaving| self.remove(leaving, values));
    }

    fn remove(&mut self, leaving: Leaving, values: &mut Values) {
        if let Some(Some(old)) = self.0.remove(leaving) {
            values.release(old);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Leaving, Option<SegmentId>)> {
        self.0.iter().map(|(leaving, old)| (leaving, *old))
    }

    /// Adds a saved move.
    pub fn load(&mut self, leaving: Leaving, old: Option<SegmentId>, values: &mut Values) {
        if let Some(old) = old {
            values.hold(old);
        }
        self.0.insert(leaving, old);
    }

    /// Returns the segments that a member left at these moments.
    pub fn left(&self, id: MemberId, Range { start, end }: Range<Millis>) -> impl Iterator<Item = SegmentId> {
        let own =
            self.0.range_from((id, start)).take_while(move |((other, at), _)| *other == id && *at < end);
        own.filter_map(|(_, old)| *old)
    }

    /// Returns whether a member left a segment at this moment.
    pub fn has(&self, leaving: Leaving) -> bool {
        self.0.get(leaving).is_some()
    }

    /// Changes the numbers of all members.
    pub fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        self.0.rekey(|(id, moment)| (renumbered(id), moment));
    }

    pub const fn memory(&self) -> usize {
        self.0.memory()
    }

    pub const fn allocations(&self) -> usize {
        self.0.allocations()
    }
}
