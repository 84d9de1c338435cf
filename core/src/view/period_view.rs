//! A view of periods that has begun, with its parts at hand. The effects of time on a view are here: in
//! [`super::rollover`], [`super::rewind`], [`super::finalize`], [`super::prepare`] and [`super::starting`].

use std::cmp::Ordering;
use std::mem;

use super::{BoardContext, BoardContextMut, Events, Keyed, Periods, Span, Timeline, View, event_of};
use crate::index::{EntryPlace, Index, Key, MemberId, MemberLookup};
use crate::members::{Column, IndexMembers, Members};

/// A view of periods in which something was written.
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

    /// The key of a member's entry in a later span, if nothing more is written; `None` if the member has no entry
    /// there.
    pub(super) fn remaining(&self, (key, id): Keyed, later: &Span, context: &BoardContext) -> Option<Key> {
        let event = event_of(self.events, id, key.moment);
        self.periods.remaining(context.schema, (key, id), event, later)
    }

    /// Whether points are kept for future periods.
    pub(super) fn is_ahead(&self) -> bool {
        self.periods.buckets.back().is_some_and(|(start, _)| *start >= self.span.period.end)
    }

    /// Compares entries, by the numbers of the writes as they are now.
    pub(super) fn order<'a>(&'a self, context: &'a BoardContext) -> impl Fn(&Keyed, &Keyed) -> Ordering + 'a {
        let index_members = self.index_members(context.members);
        context.order_by(move |id, moment| index_members.sequence(id, moment))
    }

    /// An index of entries that are in order. Their leaves go to the spare column.
    pub(super) fn build(&self, entries: &[Keyed], board: &mut BoardContextMut) -> Index {
        let mut index = View::empty(board.schema, self.index.is_tree());
        let mut index_members = board.members.index_members_mut(self.periods.spare, self.periods.sequences());
        for (key, id) in entries {
            // The entries are in order, so the index takes all of them.
            let _ = index.append(*key, *id, &mut index_members);
        }
        index
    }

    /// Puts an index from [`Self::build`] in the place of the current index. Returns the index that was current.
    pub(super) fn swap_in(&mut self, index: Index) -> Index {
        let spare = self.periods.spare;
        let past = self.periods.past.iter_mut().filter(|past| past.order.occupies(spare));
        past.for_each(|past| past.order.detach());
        mem::swap(self.leaf, &mut self.periods.spare);
        mem::replace(self.index, index)
    }
}

impl View {
    /// The view with its parts, if it has periods and something was written to it.
    pub(crate) fn in_periods(&mut self) -> Option<PeriodView<'_>> {
        let Self { index, leaf, events, .. } = self;
        let Timeline::Periods(periods) = &mut self.timeline else { return None };
        let span = periods.span?;
        Some(PeriodView { index, leaf, events, periods, span })
    }
}
