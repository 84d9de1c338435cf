//! How the orders of segments follow the views: writes, members that are removed or fall out, boundaries, and loading.

use super::Board;
use crate::index::{Key, MemberId};
use crate::members::NewNumbers;
use crate::segments::{Cause, Dimension, LeftPeriod, Needed, Prepared, SegmentId, Setting};
use crate::time::Millis;
use crate::view::{Periods, Plan, View};

/// A view with periods: its number, and the period that it may leave.
pub(super) type Leaving = (usize, LeftPeriod);

impl Board {
    /// Prefetches the memory of a member's entries in the orders of its segments.
    pub(super) fn prefetch_in_segments(&self, id: MemberId) {
        for dimension in self.dimensions() {
            dimension.prefetch(id, &self.views, &self.members);
        }
    }

    /// Prefetches the memory that these entries move to.
    pub(super) fn prefetch_targets_in_segments(&self, id: MemberId, plans: &[Plan]) {
        for dimension in self.dimensions() {
            for (number, (view, plan)) in self.views.iter().zip(plans).enumerate() {
                if let Some(Some(key)) = plan.changed_key(&self.schema) {
                    dimension.prefetch_target(number, (id, key), view, &self.members);
                }
            }
        }
    }

    /// Follows a write of a member's score that was planned like this.
    pub(super) fn follow_in_segments(&mut self, id: MemberId, plans: &[Plan]) {
        let cause = Cause::Score(self.present());
        self.each_dimension(|dimension, views, mut setting| {
            for (number, (view, plan)) in views.iter().zip(plans).enumerate() {
                if let Some(key) = plan.changed_key(setting.schema) {
                    dimension.follow(number, (id, key), cause, view, setting.again());
                }
            }
        });
    }

    /// Follows a change of a member in the views, at the present moment.
    pub(super) fn refresh_in_segments(&mut self, id: MemberId) {
        self.each_dimension(|dimension, views, mut setting| {
            for (number, view) in views.iter().enumerate() {
                let key: Option<Key> = view.find(id, setting.members).map(|place| place.key);
                let cause = Cause::Score(setting.now);
                dimension.follow(number, (id, key), cause, view, setting.again());
            }
        });
    }

    /// Follows a member that has fallen out of a view.
    pub(super) fn take_out_of_segments(&mut self, number: usize, id: MemberId) {
        let at = self.present();
        self.each_dimension(|dimension, views, mut setting| {
            if let Some(view) = views.get(number) {
                dimension.follow(number, (id, None), Cause::Score(at), view, setting.again());
                dimension.follow_next(number, id, view, setting);
            }
        });
    }

    /// Forgets members that were removed from all views.
    pub(super) fn drop_from_segments(&mut self, ids: &[MemberId]) {
        self.each_dimension(|dimension, views, mut setting| {
            for id in ids {
                dimension.drop_member(*id, views, setting.again());
            }
        });
    }

    /// Notes that these members are hidden now, or visible again.
    pub(super) fn hidden_changed_in_segments(&mut self, ids: &[MemberId]) {
        self.each_dimension(|dimension, _, setting| dimension.hidden_changed(ids, setting));
    }

    /// Builds the orders of segments in a view again.
    pub(super) fn rebuild_segments(&mut self, number: usize) {
        self.each_dimension(|dimension, views, setting| {
            if let Some(view) = views.get(number) {
                dimension.rebuild(number, view, setting);
            }
        });
    }

    /// Gives the members of all dimensions their new numbers, when the board changes to the form for many members.
    pub(super) fn renumber_segments(&mut self, numbers: &NewNumbers) {
        let is_loading = self.loading.is_some();
        self.each_dimension(|dimension, views, mut setting| {
            setting.members.move_column(dimension.column, numbers);
            dimension.moves.renumber(|id| numbers.of(id));
            dimension.drop_kept();
            for (number, view) in views.iter().enumerate().filter(|_| !is_loading) {
                dimension.rebuild(number, view, setting.again());
            }
        });
    }

    /// Returns the dimension with this number, for loading.
    pub(super) fn dimension_mut(&mut self, number: usize) -> Option<&mut Dimension> {
        self.extras.as_mut()?.segments.as_mut()?.dimensions.get_mut(number)
    }

    /// Puts members into segments, while a saved board is loaded.
    pub(super) fn load_segments(&mut self, number: usize, pairs: &[(MemberId, SegmentId)]) {
        let mut at = 0;
        self.each_dimension(|dimension, _, Setting { members, .. }| {
            if at == number {
                dimension.load(pairs, members);
            }
            at = at.saturating_add(1);
        });
    }

    /// Builds the orders of all segments after a saved board was loaded.
    pub(super) fn finish_segments(&mut self) {
        self.note_present(self.last);
        self.each_dimension(|dimension, views, setting| dimension.finish(views, setting));
    }

    /// Follows a change of a member in the orders that the views have prepared for their next periods.
    pub(super) fn follow_next_in_segments(&mut self, id: MemberId) {
        self.each_dimension(|dimension, views, mut setting| {
            for (number, view) in views.iter().enumerate() {
                dimension.follow_next(number, id, view, setting.again());
            }
        });
    }

    /// Prepares a little of the orders of segments of the next periods. Returns false when there is nothing to prepare.
    pub(super) fn prepare_segments(&mut self) -> bool {
        let mut has_prepared = false;
        if self.has_segments() && !self.context().has_starting() {
            self.each_dimension(|dimension, views, setting| {
                has_prepared = has_prepared || dimension.prepare(views, setting);
            });
        }
        has_prepared
    }

    /// Returns whether there are orders of segments that are to be freed.
    pub(super) fn has_old_segments(&self) -> bool {
        let segments = self.extras.as_ref().and_then(|extras| extras.segments.as_ref());
        segments.is_some_and(|segments| !segments.garbage.is_empty())
    }

    /// Frees some of the orders that are not needed any more. Returns false when there are none.
    pub(super) fn free_segments(&mut self) -> bool {
        let Some(place) = self.extras.as_mut().map(|extras| &mut extras.segments) else { return false };
        let has_freed = place.as_mut().is_some_and(|segments| segments.free_some());
        // A board without dimensions pays nothing for them.
        place.take_if(|segments| segments.is_empty());
        has_freed
    }

    /// Drops the ended periods that were divided by segments for readers.
    pub(super) fn drop_kept_segments(&mut self) {
        self.each_dimension(|dimension, _, _| dimension.drop_kept());
    }

    /// Returns the views with periods, and the periods that they may leave.
    pub(super) fn periods_to_leave(&self) -> Vec<Leaving> {
        if !self.has_segments() {
            return Vec::new();
        }
        let has_starting = self.context().has_starting();
        let leaving = |(number, view): (usize, &View)| {
            let start = view.periods()?.span?.period.start;
            // Starting entries enter a period only when it begins, so they are not prepared.
            let prepared = Prepared::of(view).filter(|_| !has_starting);
            Some((number, LeftPeriod { start, is_final: !view.is_reversible(), prepared }))
        };
        self.views.iter().enumerate().filter_map(leaving).collect()
    }

    /// Follows the boundaries of views.
    pub(super) fn roll_segments_over(&mut self, leaving: &[Leaving]) {
        if leaving.is_empty() {
            return;
        }
        self.each_dimension(|dimension, views, mut setting| {
            for (number, left) in leaving {
                let Some(view) = views.get(*number) else { continue };
                let present = view.periods().and_then(|periods| periods.span).map(|span| span.period.start);
                if present != Some(left.start) {
                    dimension.roll_over(*number, *left, view, setting.again());
                }
            }
        });
    }

    /// Forgets changes and moves that no kept period needs, after the last boundaries became final.
    pub(super) fn prune_segments(&mut self) {
        if !self.has_segments() {
            return;
        }
        let calendar = &self.schema.calendar;
        let needed = |periods: &Periods| {
            let oldest = periods.oldest();
            let has_readable = periods.span.is_some_and(|span| oldest < span.period.start);
            let counting = periods.counting_in(calendar, oldest);
            if has_readable { Needed { oldest, counting } } else { Needed::NONE }
        };
        let needed: Vec<_> = self.views.iter().map(|view| view.periods().map(needed)).collect();
        let ends = self.views.iter().zip(&needed).filter_map(|(view, needed)| {
            let ((unit, _), needed) = (view.spec.reach()?, needed.filter(|needed| *needed != Needed::NONE)?);
            Some(calendar.period(unit, needed.oldest).end)
        });
        let first_end = ends.min().map_or(Millis::MAX, |end| Millis::try_from(end).unwrap_or(0));
        self.each_dimension(|dimension, _, _| dimension.prune(&needed, first_end));
    }
}
