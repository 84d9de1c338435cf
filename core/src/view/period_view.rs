//! A view of periods after its first write, with references to its parts. The changes of a view by time are methods
//! of this struct, in [`super::rollover`], [`super::rewind`], [`super::finalize`], [`super::prepare`] and
//! [`super::starting`].

use std::cmp::Ordering;
use std::mem;

use super::{BoardContext, BoardContextMut, Events, Keyed, Periods, Span, Timeline, View, event_of};
use crate::index::{EntryPlace, Index, Key, MemberId, MemberLookup};
use crate::members::{Column, IndexMembers, Members};

/// A view of periods after its first write.
pub(crate) struct PeriodView<'a> {
    pub(super) index: &'a mut Index,
    /// The column of the leaves of the index.
    pub(super) leaf: &'a mut Column,
    pub(super) events: &'a mut Events,
    pub(super) periods: &'a mut Periods,
    /// The current period.
    pub(super) span: Span,
}

impl PeriodView<'_> {
    pub(super) fn set_span(&mut self, span: Span) {
        (self.span, self.periods.span) = (span, Some(span));
    }

    pub(super) fn index_members<'a>(&'a self, members: &'a Members) -> IndexMembers<'a, &'a Members> {
        members.index_members(*self.leaf, self.periods.sequences())
    }

    pub(super) fn find(&self, id: MemberId, members: &Members) -> Option<EntryPlace> {
        self.index.find(id, &self.index_members(members))
    }

    /// Returns the key of a member's entry in a later span, if no write happens until then; `None` if the member
    /// has no entry in that span.
    pub(super) fn remaining(&self, (key, id): Keyed, later: &Span, context: &BoardContext) -> Option<Key> {
        let event = event_of(self.events, id, key.moment);
        self.periods.remaining(context.schema, (key, id), event, later)
    }

    /// Returns whether points are set aside for future periods.
    pub(super) fn is_ahead(&self) -> bool {
        self.periods.buckets.back().is_some_and(|(start, _)| *start >= self.span.period.end)
    }

    /// Returns a function that compares entries by the present numbers of the writes.
    pub(super) fn order<'a>(&'a self, context: &'a BoardContext) -> impl Fn(&Keyed, &Keyed) -> Ordering + 'a {
        let index_members = self.index_members(context.members);
        context.order_by(move |id, moment| index_members.sequence(id, moment))
    }

    /// Returns an index of these entries, which must be in order. Their leaves are stored in the spare column.
    pub(super) fn build(&self, entries: &[Keyed], board: &mut BoardContextMut) -> Index {
        let mut index = View::empty(board.schema, self.index.is_tree());
        let mut index_members = board.members.index_members_mut(self.periods.spare, self.periods.sequences());
        index.append_all(entries, &mut index_members);
        index
    }

    /// Makes an index from [`Self::build`] the current index. Returns the previous current index.
    pub(super) fn swap_in(&mut self, index: Index) -> Index {
        let spare = self.periods.spare;
        let past = self.periods.past.iter_mut().filter(|past| past.order.occupies(spare));
        past.for_each(|past| past.order.detach());
        mem::swap(self.leaf, &mut self.periods.spare);
        mem::replace(self.index, index)
    }
}

impl View {
    /// Returns the view with its parts, if it is a view of periods and has had a write.
    pub(crate) fn in_periods(&mut self) -> Option<PeriodView<'_>> {
        let Self { index, leaf, events, .. } = self;
        let Timeline::Periods(periods) = &mut self.timeline else { return None };
        let span = periods.span?;
        Some(PeriodView { index, leaf, events, periods, span })
    }
}
