//! The dimensions of a board: the segments of its members, and their orders in all views.

use std::cell::OnceCell;

use super::SegmentId;
use super::changes::Needed;
use super::ended::KeptSegments;
use super::garbage::Garbage;
use super::hidden::HiddenBySegment;
use super::moves::Moves;
use super::orders::{Cause, LeftPeriod, Scene, ViewKey, ViewSegments, segment_in};
use super::rank::ranks_by_changes;
use super::values::Values;
use crate::Error;
use crate::dimensions::DimensionSpec;
use crate::index::{Key, MemberId};
use crate::members::{Column, Members};
use crate::mover::{Mover, Relocation};
use crate::schema::{Schema, Ties};
use crate::time::Millis;
use crate::view::{HiddenMembers, View};

/// One dimension of a board.
#[derive(Debug, Clone)]
pub struct Dimension {
    pub spec: DimensionSpec,
    /// The column of the members' segments.
    pub column: Column,
    pub values: Values,
    pub moves: Moves,
    /// The orders in each view of the board.
    pub views: Vec<ViewSegments>,
    /// The hidden members of each segment, after they were needed.
    hidden: OnceCell<HiddenBySegment>,
}

/// The data of a board that its dimensions need.
pub struct Setting<'a> {
    pub schema: &'a Schema,
    pub members: &'a mut Members,
    pub hidden: Option<&'a HiddenMembers>,
    pub now: Millis,
    /// What is to be freed later.
    pub garbage: &'a mut Vec<Garbage>,
}

impl Setting<'_> {
    /// Returns the same data for one of several uses.
    pub const fn again(&mut self) -> Setting<'_> {
        let Self { schema, members, hidden, now, garbage } = self;
        Setting { schema, members, hidden: *hidden, now: *now, garbage }
    }
}

impl Dimension {
    /// Returns a dimension without segments, for views with these keys.
    pub fn new(
        spec: DimensionSpec,
        ties: Ties,
        views: impl Iterator<Item = ViewKey>,
        members: &mut Members,
    ) -> Self {
        let column = members.add_short_column();
        let mut values = Values::default();
        let by_changes = ranks_by_changes(spec.metric, ties);
        let views = views.map(|view| ViewSegments::new(view, by_changes, members, &mut values)).collect();
        Self { spec, column, values, moves: Moves::default(), views, hidden: OnceCell::new() }
    }

    /// Makes the views of the dimension those with these keys. New views are empty.
    pub fn set_views(&mut self, keys: &[ViewKey], setting: Setting) {
        self.drop_kept();
        let Setting { schema, members, hidden, garbage, .. } = setting;
        let by_changes = ranks_by_changes(self.spec.metric, schema.ties);
        let mut old = std::mem::take(&mut self.views);
        for key in keys {
            let kept = old.iter().position(|segments| segments.view == *key);
            self.views.push(match kept {
                Some(at) => old.swap_remove(at),
                None => ViewSegments::new(*key, by_changes, members, &mut self.values),
            });
        }
        self.hidden_of(hidden, members);
        let Self { hidden, values, .. } = self;
        for segments in &mut old {
            segments.drop_all(hidden.get_or_init(HiddenBySegment::default), members, values, garbage);
        }
    }

    fn scene<'a>(&'a mut self, setting: Setting<'a>) -> (&'a mut [ViewSegments], &'a mut Moves, Scene<'a>) {
        let Setting { schema, members, hidden, now, garbage } = setting;
        self.hidden_of(hidden, members);
        let Self { spec, column, values, moves, views, hidden: hidden_of } = self;
        let (metric, column) = (spec.metric, *column);
        let hidden_of = hidden_of.get_or_init(HiddenBySegment::default);
        let scene = Scene { schema, members, hidden, hidden_of, values, metric, column, now, garbage };
        (views, moves, scene)
    }

    /// Returns the hidden members of each segment.
    pub fn hidden_of(&self, hidden: Option<&HiddenMembers>, members: &Members) -> &HiddenBySegment {
        self.hidden.get_or_init(|| HiddenBySegment::new(hidden, |id| self.segment(id, members)))
    }

    /// Builds the orders of all segments of views after a saved board was loaded.
    pub fn finish(&mut self, board_views: &[View], mut setting: Setting) {
        self.hidden.take();
        for (number, view) in board_views.iter().enumerate() {
            self.rebuild(number, view, setting.again());
        }
        let (views, _, mut scene) = self.scene(setting);
        let empty = views.iter_mut().zip(board_views).filter(|(_, view)| view.index.len() == 0);
        empty.for_each(|(segments, view)| segments.bring_changes_up_to_date(view, &mut scene));
        self.values.forget_unused();
    }

    /// Returns whether the changes that were loaded are as they are saved.
    pub fn has_sound_changes(&self) -> bool {
        let mut changes = self.views.iter().filter_map(|view| view.changes.as_ref());
        changes.all(|changes| changes.are_sound(&self.values))
    }

    /// Returns the segment of a member.
    pub fn segment(&self, id: MemberId, members: &Members) -> Option<SegmentId> {
        segment_in(members, self.column, id)
    }

    /// Returns the segment in which a member was just before a moment.
    pub fn segment_before(&self, id: MemberId, moment: Millis, members: &Members) -> Option<SegmentId> {
        self.moves.before(id, moment).unwrap_or_else(|| self.segment(id, members))
    }

    /// Prefetches the memory of a member's entries in its segment, in all views.
    pub fn prefetch(&self, id: MemberId, board_views: &[View], members: &Members) {
        if let Some(segment) = self.segment(id, members) {
            let views = self.views.iter().zip(board_views);
            views.for_each(|(segments, view)| segments.prefetch(segment, id, view, members));
        }
    }

    /// Prefetches the memory that the member's entry moves to with a new key, in the view with this number.
    pub fn prefetch_target(&self, number: usize, (id, key): (MemberId, Key), view: &View, members: &Members) {
        if let Some((segment, segments)) = self.segment(id, members).zip(self.views.get(number)) {
            segments.prefetch_target(segment, (id, key), view, members);
        }
    }

    /// Follows a change of a member in the view with this number.
    pub fn follow(
        &mut self,
        number: usize,
        (id, key): (MemberId, Option<Key>),
        cause: Cause,
        view: &View,
        setting: Setting,
    ) {
        let Some(segment) = self.segment(id, setting.members) else { return };
        let (views, _, mut scene) = self.scene(setting);
        if let Some(segments) = views.get_mut(number) {
            segments.follow(segment, (id, key), cause, view, &mut scene);
        }
    }

    /// Follows a change of a member in the order that the view with this number has prepared.
    pub fn follow_next(&mut self, number: usize, id: MemberId, view: &View, setting: Setting) {
        let Some(segment) = self.segment(id, setting.members) else { return };
        let (views, _, mut scene) = self.scene(setting);
        if let Some(segments) = views.get_mut(number) {
            segments.follow_next(segment, (id, true), view, &mut scene);
        }
    }

    /// Prepares a little of the next period of a view. Returns false when there is nothing to prepare.
    pub fn prepare(&mut self, board_views: &[View], setting: Setting) -> bool {
        let (views, _, mut scene) = self.scene(setting);
        views.iter_mut().zip(board_views).any(|(segments, view)| segments.prepare(view, &mut scene))
    }

    /// Puts a member into a segment, or into none if `name` is empty. `boundary` is the moment of the last boundary of a view
    /// that keeps periods in which the member may be; `None` if there is no such period. Returns whether anything changed.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn put(
        &mut self,
        id: MemberId,
        name: &[u8],
        boundary: Option<Millis>,
        board_views: &[View],
        setting: Setting,
    ) -> Result<bool, Error> {
        let old = self.segment(id, setting.members);
        let is_same = match old {
            Some(old) => self.values.name(old) == name,
            None => name.is_empty(),
        };
        if is_same {
            return Ok(false);
        }
        let new = if name.is_empty() { None } else { Some(self.values.find_or_add(name)?) };
        new.into_iter().for_each(|new| self.values.join(new));
        let hidden = setting.hidden;
        let (views, moves, mut scene) = self.scene(setting);
        let now = scene.now;
        if let Some(boundary) = boundary {
            moves.note((id, now.max(boundary)), old, boundary, scene.values);
        }
        for (segments, view) in views.iter_mut().zip(board_views) {
            old.into_iter().for_each(|old| segments.follow_next(old, (id, false), view, &mut scene));
            new.into_iter().for_each(|new| segments.follow_next(new, (id, true), view, &mut scene));
            let Some(place) = view.find(id, scene.members) else { continue };
            if let Some(old) = old {
                segments.follow(old, (id, None), Cause::Move(now), view, &mut scene);
            }
            if let Some(new) = new {
                segments.follow(new, (id, Some(place.key)), Cause::Move(now), view, &mut scene);
            }
        }
        match new {
            Some(new) => scene.members.set(id, scene.column, new.into()),
            None => scene.members.clear(id, scene.column),
        }
        old.into_iter().for_each(|old| leave(old, views, scene.values));
        if hidden.is_some_and(|hidden| hidden.get(id).is_some()) {
            self.hidden.take();
        }
        Ok(true)
    }

    /// Forgets a member, which is in no view any more.
    pub fn drop_member(&mut self, id: MemberId, board_views: &[View], setting: Setting) {
        let segment = self.segment(id, setting.members);
        let (views, moves, mut scene) = self.scene(setting);
        for segments in views.iter_mut() {
            segments.kept.remove(id, |moment| moves.before(id, moment).unwrap_or(segment));
        }
        moves.forget(id, scene.values);
        for (segments, view) in views.iter_mut().zip(board_views) {
            if let Some(segment) = segment {
                segments.follow_next(segment, (id, false), view, &mut scene);
                segments.follow(segment, (id, None), Cause::Move(scene.now), view, &mut scene);
            }
        }
        if let Some(segment) = segment {
            scene.members.clear(id, scene.column);
            leave(segment, views, scene.values);
            // Many hidden members may go together, so the list is not made again for each of them.
            self.hidden.get_mut().into_iter().for_each(|hidden| hidden.leave(segment, id));
        }
    }

    /// Notes that these members are hidden now, or that all of them are visible again.
    pub fn hidden_changed(&mut self, ids: &[MemberId], setting: Setting) {
        self.hidden.take();
        let (views, moves, mut scene) = self.scene(setting);
        let listed: Vec<_> = ids.iter().filter_map(|id| Some((scene.segment(*id)?, *id))).collect();
        for segments in views {
            for id in ids.iter().copied() {
                let segment = scene.segment(id);
                segments.kept.hidden_changed(|moment| moves.before(id, moment).unwrap_or(segment));
            }
            segments.hidden_changed(&listed, &mut scene);
        }
    }

    /// Brings the rankings of segments up to date, at the end of a command.
    pub fn settle(&mut self, board_views: &[View], setting: Setting) {
        let (views, _, mut scene) = self.scene(setting);
        views.iter_mut().zip(board_views).for_each(|(segments, view)| segments.settle(view, &mut scene));
    }

    /// Builds the orders in a view again.
    pub fn rebuild(&mut self, number: usize, view: &View, setting: Setting) {
        let (views, _, mut scene) = self.scene(setting);
        if let Some(segments) = views.get_mut(number) {
            segments.rebuild(view, &mut scene);
        }
    }

    /// Follows a boundary of a view.
    pub fn roll_over(&mut self, number: usize, left: LeftPeriod, view: &View, setting: Setting) {
        let (views, _, mut scene) = self.scene(setting);
        if let Some(segments) = views.get_mut(number) {
            segments.roll_over(left, view, &mut scene);
        }
    }

    /// Puts members into segments, while a saved board is loaded.
    pub fn load(&mut self, pairs: &[(MemberId, SegmentId)], members: &mut Members) {
        for (id, segment) in pairs {
            members.set(*id, self.column, u64::from(*segment));
            self.values.join(*segment);
        }
    }

    /// Forgets changes and moves that no kept period needs: `needed` are the periods of each view, and `first_end` is the first end
    /// of a kept period.
    pub fn prune(&mut self, needed: &[Option<Needed>], first_end: Millis) {
        let Self { views, values, moves, .. } = self;
        for (segments, needed) in views.iter_mut().zip(needed) {
            if let Some(needed) = needed {
                segments.kept.retain(|start| start >= needed.oldest);
            }
            if let (Some(needed), Some(changes)) = (needed, &mut segments.changes) {
                changes.prune(*needed, values);
            }
        }
        moves.forget_before(first_end, values);
    }

    /// Drops what is kept for readers: the divided periods, and the hidden members of segments.
    pub fn drop_kept(&mut self) {
        self.hidden.take();
        self.views.iter_mut().for_each(|segments| segments.kept = KeptSegments::new());
    }

    /// Drops the data of the dimension.
    pub fn drop_all(&mut self, mut setting: Setting) {
        self.set_views(&[], setting.again());
        setting.members.release(self.column);
    }

    /// Returns the name of a member's segment; `None` if it is in no segment.
    pub fn name_of(&self, id: MemberId, members: &Members) -> Option<&[u8]> {
        self.segment(id, members).map(|segment| self.values.name(segment))
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self, hidden: &HiddenMembers, members: &Members) -> usize {
        let hidden = self.hidden_of(Some(hidden), members);
        let views = self.views.iter().map(|segments| segments.memory(hidden));
        let lists = crate::size_class::bytes_of::<ViewSegments>(self.views.capacity());
        let own = [self.values.memory(), self.moves.memory(), hidden.memory()];
        let own = own.into_iter().fold(lists, usize::saturating_add);
        views.fold(own, usize::saturating_add)
    }

    pub fn effort(&self) -> usize {
        let views = self.views.iter().map(ViewSegments::effort);
        let own = self.values.effort().saturating_add(self.moves.allocations());
        views.fold(own, usize::saturating_add)
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.values.relocate(walk);
        self.views.iter_mut().for_each(|view| view.relocate(walk));
    }
}

/// Notes that a segment has one member fewer. If nothing else refers to it, it is dropped.
fn leave(segment: SegmentId, views: &mut [ViewSegments], values: &mut Values) {
    if values.is_last_use(segment) {
        views.iter_mut().for_each(|segments| segments.drop_segment(segment, values));
    }
    values.leave(segment);
}
