//! The segments of a board's members: who is in which segment, and how the orders of segments follow the views.
//!
//! Every change of a view is followed here: a write of scores, a member that is removed or falls out, a boundary.

use super::change::Target;
use super::write::Write;
use super::{Board, Extras};
use crate::Error;
use crate::dimensions::MAX_SEGMENT;
use crate::error::Quoted;
use crate::index::MemberId;
use crate::members::Members;
use crate::mover::{Mover, Relocation};
use crate::segments::{Dimension, Garbage, Setting};
use crate::short_name::ShortName;
use crate::size_class::bytes_of;
use crate::time::{Millis, Stamp, TimeSource};
use crate::view::{HiddenMembers, View};

/// The dimensions of a board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Segments {
    pub(crate) dimensions: Vec<Dimension>,
    /// The board's time at the last command.
    now: Millis,
    /// The moment of the last command: its `AT`, or the board's time.
    at: Millis,
    /// What is to be freed.
    pub(super) garbage: Vec<Garbage>,
}

impl Segments {
    /// Returns whether there are neither dimensions nor garbage.
    pub(super) const fn is_empty(&self) -> bool {
        self.dimensions.is_empty() && self.garbage.is_empty()
    }

    /// Frees a little garbage. Returns false when there is none.
    pub(super) fn free_some(&mut self) -> bool {
        let Some(last) = self.garbage.last_mut() else { return false };
        if !last.drain_some() {
            self.garbage.pop();
        }
        true
    }

    pub(super) fn memory(&self, hidden: &HiddenMembers, members: &Members) -> usize {
        let lists = bytes_of::<Self>(1).saturating_add(bytes_of::<Dimension>(self.dimensions.capacity()));
        let garbage = bytes_of::<Garbage>(self.garbage.capacity());
        let all = self.garbage.iter().map(Garbage::memory);
        let garbage = all.fold(garbage, usize::saturating_add);
        let dimensions = self.dimensions.iter().map(|dimension| dimension.memory(hidden, members));
        dimensions.fold(lists.saturating_add(garbage), usize::saturating_add)
    }

    pub(super) fn effort(&self) -> usize {
        let garbage = self.garbage.iter().map(Garbage::effort);
        self.dimensions.iter().map(Dimension::effort).chain(garbage).fold(1, usize::saturating_add)
    }

    pub(super) fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.dimensions.iter_mut().for_each(|dimension| dimension.relocate(walk));
    }
}

/// The segments that a write names.
pub(super) struct GivenSegments<'a> {
    segments: &'a [(&'a [u8], &'a [u8])],
    /// Which members of the write are new to the board.
    new: Vec<bool>,
}

impl<'a> GivenSegments<'a> {
    pub(super) fn new(write: &Write<'a>, targets: &[Target]) -> Self {
        let targets = if write.segments.is_empty() { &[] } else { targets };
        let new = targets.iter().map(|target| target.id.is_none()).collect();
        Self { segments: write.segments, new }
    }
}

impl Board {
    pub(super) fn dimensions(&self) -> &[Dimension] {
        self.extras.as_ref().and_then(|extras| extras.segments.as_ref()).map_or(&[], |all| &all.dimensions)
    }

    /// Returns whether the board has dimensions of segments.
    #[inline]
    pub(super) fn has_segments(&self) -> bool {
        !self.schema.segments.is_empty()
    }

    /// Calls `change` with each dimension, the views, and the other data of the board.
    pub(super) fn each_dimension(&mut self, mut change: impl FnMut(&mut Dimension, &[View], Setting)) {
        let Self { extras, views, members, schema, .. } = self;
        let Some(Extras { segments: Some(segments), hidden, .. }) = extras.as_deref_mut() else { return };
        let hidden = Some(&*hidden).filter(|hidden| !hidden.is_empty());
        let Segments { dimensions, now, garbage, .. } = &mut **segments;
        for dimension in dimensions {
            change(dimension, views, Setting { schema, members, hidden, now: *now, garbage });
        }
    }

    /// Makes the dimensions and their views those of the schema and of the board. New dimensions begin without members.
    pub(super) fn set_dimensions(&mut self) {
        let has_any = self.extras.as_ref().is_some_and(|extras| extras.segments.is_some());
        if !self.has_segments() && !has_any {
            return;
        }
        let keys: Vec<_> = self.views.iter().map(|view| (view.tally, view.spec.kind)).collect();
        let forgets = self.forgets();
        let Self { extras, members, schema, upkeep, .. } = self;
        let extras = extras.get_or_insert_default();
        let mut all = extras.segments.take().unwrap_or_default();
        let mut old = std::mem::take(&mut all.dimensions);
        let hidden = Some(&extras.hidden).filter(|hidden| !hidden.is_empty());
        let Segments { dimensions, now, garbage, .. } = &mut *all;
        let mut setting = Setting { schema, members, hidden, now: *now, garbage };
        for spec in schema.segments.specs() {
            let kept = old.iter().position(|dimension| dimension.spec == *spec);
            dimensions.push(match kept {
                Some(at) => {
                    let mut dimension = old.swap_remove(at);
                    dimension.set_views(&keys, setting.again());
                    dimension
                }
                None => Dimension::new(*spec, schema.ties, keys.iter().copied(), setting.members),
            });
        }
        if forgets && !old.is_empty() {
            // The board may have members of which it knows nothing but a segment of these dimensions. All are looked at
            // between commands.
            upkeep.get_or_insert_default().gone.extend(setting.members.ids());
        }
        old.iter_mut().for_each(|dimension| dimension.drop_all(setting.again()));
        if self.has_segments() || !all.garbage.is_empty() {
            self.extras.get_or_insert_default().segments = Some(all);
        }
    }

    /// Checks the segments that a write names.
    ///
    /// # Errors
    /// [`Error::NoSuchDimension`], [`Error::TooLong`], [`Error::RepeatedSegment`], [`Error::Full`].
    pub(super) fn check_segments(&self, segments: &[(&[u8], &[u8])]) -> Result<(), Error> {
        for (number, (name, segment)) in segments.iter().enumerate() {
            let at = self.schema.segments.find(name)?;
            if segment.len() > MAX_SEGMENT {
                return Err(Error::TooLong("value", MAX_SEGMENT));
            }
            if segments.iter().take(number).any(|(other, _)| other == name) {
                return Err(ShortName::parse(name)
                    .map_or(Error::NoSuchDimension(Quoted::new(name)), Error::RepeatedSegment));
            }
            let dimension = self.dimensions().get(at);
            if dimension.is_some_and(|dimension| !dimension.values.names.has_room_for(1, segment.len())) {
                return Err(Error::Full);
            }
        }
        Ok(())
    }

    /// Puts a member into segments: pairs of a dimension and a segment. An empty name of a segment means no segment. Returns
    /// how many of its segments have changed, and the moment of the change.
    ///
    /// # Errors
    /// [`Error::NoSuchDimension`], [`Error::TooLong`], [`Error::RepeatedSegment`], [`Error::Full`]. After an error, the board
    /// is unchanged.
    pub fn set_segments(
        &mut self,
        member: &[u8],
        segments: &[(&[u8], &[u8])],
        origin: TimeSource,
    ) -> Result<(usize, Millis), Error> {
        self.check_segments(segments)?;
        let now = self.now_of(origin);
        self.advance(now);
        let found = self.members.find(member);
        if found.is_none() && segments.iter().all(|(_, segment)| segment.is_empty()) {
            return Ok((0, now));
        }
        let id = found.map_or_else(|| self.enter_member(member), Ok)?;
        let changes = segments.iter().any(|(name, segment)| self.segment_of(name, id) != *segment);
        let mut is_new = found.is_none();
        let mut id = id;
        if changes {
            self.finalize_views();
            if self.settle_before_change() {
                is_new |= self.members.find(member) != Some(id);
                id = self.find_or_enter(member)?;
            }
        }
        let changed = self.put_into_segments(id, segments, is_new);
        self.settle_segments();
        self.tidy();
        // The member may be forgotten already: it may have had only data of periods that are not kept any more.
        if let Some(id) = self.members.find(member).filter(|id| !self.knows(*id)) {
            self.drop_member(id);
        }
        Ok((changed, now))
    }

    /// Returns the segments of a member: the name of each dimension in which it is in a segment, and the segment.
    #[must_use]
    pub fn segments_of(&self, member: &[u8]) -> Vec<(ShortName, &[u8])> {
        let Some(id) = self.members.find(member) else { return Vec::new() };
        let named = |dimension: &'_ Dimension| dimension.spec.name;
        let all = self.dimensions().iter();
        all.filter_map(|dimension| Some((named(dimension), dimension.name_of(id, &self.members)?))).collect()
    }

    /// Returns how many segments each dimension has.
    pub fn count_segments(&self) -> impl Iterator<Item = (ShortName, u64)> {
        self.dimensions().iter().map(|dimension| (dimension.spec.name, dimension.values.filled()))
    }

    /// Returns the name of a member's segment in a dimension; empty if it is in none.
    fn segment_of(&self, name: &[u8], id: MemberId) -> &[u8] {
        let at = self.schema.segments.find(name).ok();
        let dimension = at.and_then(|at| self.dimensions().get(at));
        dimension.and_then(|dimension| dimension.name_of(id, &self.members)).unwrap_or_default()
    }

    /// Returns whether a member is in a segment of any dimension.
    pub(super) fn is_in_segment(&self, id: MemberId) -> bool {
        self.dimensions().iter().any(|dimension| dimension.segment(id, &self.members).is_some())
    }

    /// Returns the members that are in a segment of any dimension.
    pub(super) fn in_segments(&self) -> Vec<MemberId> {
        if !self.has_segments() {
            return Vec::new();
        }
        let ranked = self.views.iter().flat_map(|view| view.index.iter_from(0)).map(|(_, id)| id);
        ranked.filter(|id| self.is_in_segment(*id)).collect()
    }

    /// Puts a candidate into segments. Returns whether any of them has changed.
    pub(super) fn put_declared(&mut self, id: MemberId, segments: &[(&[u8], &[u8])], is_new: bool) -> bool {
        if segments.iter().all(|(name, segment)| self.segment_of(name, id) == *segment) {
            return false;
        }
        self.finalize_views();
        self.put_into_segments(id, segments, is_new) > 0
    }

    /// Puts the members of a write that counts in no current period into the segments that the write names.
    pub(super) fn put_all_into_given_segments(&mut self, given: &GivenSegments, targets: &[Target]) {
        for (number, target) in targets.iter().enumerate() {
            target.id.into_iter().for_each(|id| self.put_into_given_segments(given, number, id));
        }
    }

    /// Puts a member into the segments that a write names. `number` is the place of the member in the list.
    pub(super) fn put_into_given_segments(&mut self, given: &GivenSegments, number: usize, id: MemberId) {
        if !given.segments.is_empty() {
            self.put_into_segments(id, given.segments, given.new.get(number) == Some(&true));
        }
    }

    /// Forgets members of a write that have no data left, because they left their segments.
    pub(super) fn forget_unknown(&mut self, segments: &[(&[u8], &[u8])], targets: &mut [Target]) {
        if segments.iter().all(|(_, segment)| !segment.is_empty()) {
            return;
        }
        for at in 0..targets.len() {
            let Some(&Target { member, id: Some(id), .. }) = targets.get(at) else { continue };
            // A member that lost its last entry at a boundary may be forgotten already.
            let is_member = self.members.find(member) == Some(id);
            if !is_member || !self.knows(id) {
                if is_member {
                    self.drop_member(id);
                }
                let same = targets.iter_mut().filter(|target| target.id == Some(id));
                same.for_each(|target| target.id = None);
            }
        }
    }

    /// Puts a member into checked segments. The last boundaries must be final. A new member was in no period before. Returns how
    /// many segments have changed.
    fn put_into_segments(&mut self, id: MemberId, segments: &[(&[u8], &[u8])], is_new: bool) -> usize {
        let starts = self.views.iter().filter_map(|view| Some(view.periods()?.span?.period.start)).max();
        let was_there = !is_new && self.views.iter().any(|view| view.has_past(id, &self.members));
        let boundary = starts.filter(|_| was_there).map(|start| Millis::try_from(start).unwrap_or(0));
        let mut changed = 0_usize;
        self.each_dimension(|dimension, views, setting| {
            let own = segments.iter().find(|(name, _)| dimension.spec.name.as_bytes() == *name);
            if let Some((_, segment)) = own {
                // The room for the name was checked.
                let put = dimension.put(id, segment, boundary, views, setting);
                changed = usize::from(put.unwrap_or(false)).saturating_add(changed);
            }
        });
        changed
    }

    /// Stores the board's present time, which is the moment of changes without a moment of their own.
    pub(super) fn note_present(&mut self, now: Millis) {
        if let Some(segments) = self.extras.as_mut().and_then(|extras| extras.segments.as_mut()) {
            (segments.now, segments.at) = (now, now);
        }
    }

    /// Stores the moments of a write.
    pub(super) fn note_stamp(&mut self, stamp: Stamp) {
        if let Some(segments) = self.extras.as_mut().and_then(|extras| extras.segments.as_mut()) {
            (segments.now, segments.at) = (stamp.now, stamp.at);
        }
    }

    /// Brings the rankings of segments up to date, at the end of a command.
    pub(super) fn settle_segments(&mut self) {
        if self.has_segments() {
            self.each_dimension(|dimension, views, setting| dimension.settle(views, setting));
        }
    }

    /// Returns the moment of the present command.
    pub(super) fn present(&self) -> Millis {
        self.extras.as_ref().and_then(|extras| extras.segments.as_ref()).map_or(0, |segments| segments.at)
    }
}
