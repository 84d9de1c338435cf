//! The ended periods of a view.

use std::cell::OnceCell;

use super::decay::Decay;
use super::faded::{Faded, Fading};
use super::traces::Traces;
use super::{Garbage, HiddenEntries, PastOrder, Ranking, Recipe};
use crate::calendar::Period;
use crate::index::{Index, MemberId};
use crate::members::{Column, Members};
use crate::schema::Schema;
use crate::size_class::bytes_of;

/// Up to this number of members are searched for separately.
const FEW: usize = 16;

/// The moments that an order of a part loses when members are removed.
#[derive(Debug, Clone, Copy)]
pub(super) struct LostMoments {
    /// How many members are removed, including members that are forgotten already.
    pub(super) members: usize,
    /// Whether each removed member costs a moment, even if it had no moment in the order.
    pub(super) in_any_case: bool,
}

/// An ended period in which members were ranked, and the periods after it without a write.
#[derive(Debug, Clone)]
pub(crate) struct Past {
    /// The first of these periods.
    pub(crate) period: Period,
    /// The start of the last of these periods. While the boundary is reversible, all periods before the current
    /// period belong to these periods too.
    pub(crate) last: i64,
    /// The order of the first period.
    pub(crate) order: PastOrder,
    /// A filter that excludes most members that are not in the order.
    traces: Traces,
    /// The start of the oldest period that counted in the first period. It is set if points expire or decay in the
    /// later periods. Then reads derive the orders of the later periods from the first order ([`super::ended`]).
    pub(super) expires_from: Option<i64>,
    /// The decay of the first order in the later periods, if it decays.
    pub(super) decay: Option<Decay>,
    /// The first order with its moments, if the first order is packed and other orders are derived from it.
    pub(super) base: Option<Index>,
    pub(super) hidden: HiddenEntries,
    pub(super) cached: Cached,
    /// How many members are ranked in the later periods, after the first read: the starts of sequences of periods
    /// with equal counts, and the counts.
    pub(super) counts: OnceCell<Box<[(i64, u64)]>>,
}

impl Past {
    pub(crate) fn new(period: Period, last: i64, order: PastOrder) -> Self {
        Self {
            period,
            last,
            traces: Traces::of(&order),
            order,
            expires_from: None,
            decay: None,
            base: None,
            hidden: HiddenEntries::new(),
            cached: Cached::new(),
            counts: OnceCell::new(),
        }
    }

    /// Returns the order of the first period, for reads.
    pub(super) const fn first(&self) -> EndedOrder<'_> {
        EndedOrder { shape: EndedShape::Order(&self.order), hidden: &self.hidden }
    }

    /// Returns the data from which the orders of the later periods are derived; `None` if they have the same order.
    pub(crate) fn recipe(&self) -> Option<Recipe> {
        self.expires_from.map(|from| Recipe { from, decay: self.decay.map(Decay::share) })
    }

    /// Returns the entries of the first period with their moments.
    pub(super) fn index(&self) -> Option<&Index> {
        self.base.as_ref().or_else(|| self.order.index().map(|ended| &ended.index))
    }

    /// Packs a few entries of the order. The index is kept if `keep` is true or if derived orders need it.
    pub(super) fn pack(&mut self, garbage: &mut Vec<Garbage>, keep: bool) {
        let Some(index) = self.order.pack() else { return };
        if keep || self.expires_from.is_some() {
            self.base = Some(index);
        } else {
            garbage.push(Garbage::Index(index));
        }
    }

    /// Drops results that depend on the hidden members.
    pub(super) fn forget_hidden(&mut self) {
        visits::count();
        self.hidden.clear();
        (self.cached, self.counts) = (Cached::new(), OnceCell::new());
    }

    /// Changes the numbers of the members, when the board changes to the form for many members.
    pub(super) fn renumber(
        &mut self,
        schema: &Schema,
        members: &mut Members,
        renumbered: impl Fn(MemberId) -> MemberId,
    ) {
        self.cached = Cached::new();
        self.order.renumber(schema, members, renumbered);
        self.traces = Traces::of(&self.order);
    }

    /// Returns whether a member is in the order of the first period.
    pub(crate) fn contains(&self, id: MemberId, members: &Members) -> bool {
        visits::count();
        self.traces.may_have(id) && self.order.contains(id, members)
    }

    /// Returns the given members that are in the order, in no particular order. `ids` must be ascending. This never
    /// takes longer than one walk through the order.
    pub(super) fn those_in(&self, ids: &[MemberId], members: &Members) -> Vec<MemberId> {
        if ids.len() > FEW && ids.len() as u64 > self.order.len() {
            let is_among = |id: &MemberId| {
                visits::count();
                ids.binary_search(id).is_ok()
            };
            return self.order.ids().filter(is_among).collect();
        }
        ids.iter().copied().filter(|id| self.contains(*id, members)).collect()
    }

    /// Removes members. `ids` must be ascending.
    pub(super) fn remove_all(&mut self, ids: &[MemberId], lost: Option<LostMoments>, members: &mut Members) {
        self.forget_hidden();
        let present = self.those_in(ids, members);
        if let Some(lost) = lost.filter(|lost| lost.in_any_case) {
            let absent = lost.members.saturating_sub(present.len());
            (0..absent).for_each(|_| self.order.lose_moment(None, true, members));
        }
        for id in present {
            if let Some(lost) = lost {
                self.order.lose_moment(Some(id), lost.in_any_case, members);
            }
            let Some(before) = self.order.place(id, members) else { continue };
            self.order.remove(id, members);
            // The order and the base have the same entries.
            if let Some(base) = &mut self.base
                && let Some(place) = base.select(before)
            {
                base.remove(place, id, &mut members.index_members_mut(Column::NONE, None));
            }
        }
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let base = self.base.as_ref().map_or(0, Index::memory);
        let counts = self.counts.get().map_or(0, |counts| bytes_of::<(i64, u64)>(counts.len()));
        [base, counts, self.cached.memory(), self.hidden.memory()]
            .into_iter()
            .fold(self.order.memory(), usize::saturating_add)
    }

    pub(super) fn effort(&self) -> usize {
        self.order.effort().saturating_add(self.base.as_ref().map_or(0, Index::effort))
    }

    /// Returns the data that is to be freed in steps.
    pub(super) fn into_garbage(self) -> impl Iterator<Item = Garbage> {
        std::iter::once(Garbage::Order(self.order)).chain(self.base.map(Garbage::Index))
    }
}

/// The order of an ended period, for reads.
#[derive(Clone, Copy)]
pub(crate) struct EndedOrder<'a> {
    pub(super) shape: EndedShape<'a>,
    pub(crate) hidden: &'a HiddenEntries,
}

/// The form of such an order.
#[derive(Clone, Copy)]
pub(super) enum EndedShape<'a> {
    Order(&'a PastOrder),
    Faded(Faded<'a>),
}

impl<'a> EndedOrder<'a> {
    pub(crate) fn ranking(&self, schema: &'a Schema, members: &'a Members) -> Ranking<'a> {
        match self.shape {
            EndedShape::Order(order) => order.ranking(schema, members),
            EndedShape::Faded(faded) => Ranking::faded(schema, faded),
        }
    }

    /// Returns the whole order. It is derived if it was not derived before.
    pub(crate) fn order(&self) -> &'a PastOrder {
        match self.shape {
            EndedShape::Order(order) => order,
            EndedShape::Faded(faded) => faded.whole(),
        }
    }
}

/// Derived orders that are kept for the next read: a short linked list that grows during reads. Each item has the
/// start of the first period with its order. The board drops the list when there are many orders.
#[derive(Debug, Clone)]
pub(crate) struct Cached(OnceCell<Box<Link>>);

/// An order, its hidden members, and the remaining list.
#[derive(Debug, Clone)]
struct Link {
    start: i64,
    kept: Kept,
    hidden: HiddenEntries,
    rest: Cached,
}

/// A result about an order that is kept.
#[derive(Debug, Clone)]
pub(super) enum Kept {
    Order(PastOrder),
    Fading(Fading),
}

impl Cached {
    pub(super) const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// Returns the kept result for the order of the periods from `start` on. If there is no such result, `make`
    /// creates it.
    pub(super) fn kept(&self, start: i64, make: impl FnOnce() -> Kept) -> (&Kept, &HiddenEntries) {
        let mut cached = self;
        while let Some(link) = cached.0.get().filter(|link| link.start != start) {
            cached = &link.rest;
        }
        let new = || Link { start, kept: make(), hidden: HiddenEntries::new(), rest: Self::new() };
        let link = cached.0.get_or_init(|| Box::new(new()));
        (&link.kept, &link.hidden)
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.0.get().map_or(0, |link| {
            let own = bytes_of::<Link>(1);
            let kept = match &link.kept {
                Kept::Order(order) => order.memory(),
                Kept::Fading(fading) => fading.memory(),
            };
            let parts = [kept, link.hidden.memory(), link.rest.memory()];
            parts.into_iter().fold(own, usize::saturating_add)
        })
    }
}

/// Counts how often ended orders are read. Only tests use these counts.
pub(crate) mod visits {
    #[cfg(test)]
    thread_local! {
        static VISITS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[inline]
    pub(super) fn count() {
        #[cfg(test)]
        VISITS.set(VISITS.get().saturating_add(1));
    }

    /// Returns how many orders were read during `work`, and the result of `work`.
    #[cfg(test)]
    pub(crate) fn of<A>(work: impl FnOnce() -> A) -> (usize, A) {
        let before = VISITS.get();
        let answer = work();
        (VISITS.get().saturating_sub(before), answer)
    }
}
