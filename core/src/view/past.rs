//! Ended periods of a view.

use std::cell::OnceCell;

use super::decay::Decay;
use super::{Garbage, PastOrder};
use crate::calendar::Period;
use crate::index::{Index, MemberId};
use crate::members::{Column, Members};
use crate::size_class::bytes_of;

/// An ended period in which somebody was ranked, and the periods after it in which nobody wrote.
#[derive(Debug, Clone)]
pub(crate) struct Past {
    /// The first of these periods.
    pub(crate) period: Period,
    /// The start of the last one. While the boundary is reversible, all periods up to the current one
    /// belong here too.
    pub(crate) last: i64,
    /// The order of the first period.
    pub(crate) order: PastOrder,
    /// Where points expire or decay in the later periods, since when they counted in the first one. The orders of
    /// the later periods are derived from it for readers ([`super::ended`]).
    pub(super) expires_from: Option<i64>,
    /// How the first order decays in the later periods, where it does.
    pub(super) decay: Option<Decay>,
    /// The first order with its moments, where it was packed and others are derived from it.
    pub(super) base: Option<Index>,
    pub(super) cached: Cached,
    /// How many members are ranked in the later periods, cached: the starts of runs of equal counts.
    pub(super) counts: OnceCell<Box<[(i64, u64)]>>,
}

impl Past {
    pub(crate) const fn new(period: Period, last: i64, order: PastOrder) -> Self {
        Self {
            period,
            last,
            order,
            expires_from: None,
            decay: None,
            base: None,
            cached: Cached::new(),
            counts: OnceCell::new(),
        }
    }

    /// The entries of the first period with their moments.
    pub(super) fn index(&self) -> Option<&Index> {
        self.base.as_ref().or_else(|| self.order.index().map(|ended| &ended.index))
    }

    /// Packs a little of its order. The index stays if `keep` or derived orders need it.
    pub(super) fn pack(&mut self, garbage: &mut Vec<Garbage>, keep: bool) {
        let Some(index) = self.order.pack() else { return };
        if keep || self.expires_from.is_some() {
            self.base = Some(index);
        } else {
            garbage.push(Garbage::Index(index));
        }
    }

    pub(super) fn remove(&mut self, id: MemberId, members: &mut Members) {
        (self.cached, self.counts) = (Cached::new(), OnceCell::new());
        self.order.remove(id, members);
        if let Some(base) = &mut self.base
            && let Some(place) = base.scan(id)
        {
            base.remove(place, id, &mut members.index_members_mut(Column::NONE, None));
        }
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let base = self.base.as_ref().map_or(0, Index::memory);
        let counts = self.counts.get().map_or(0, |counts| bytes_of::<(i64, u64)>(counts.len()));
        [base, counts, self.cached.memory()].into_iter().fold(self.order.memory(), usize::saturating_add)
    }

    pub(super) fn effort(&self) -> usize {
        self.order.effort().saturating_add(self.base.as_ref().map_or(0, Index::effort))
    }

    /// What is to be freed of it.
    pub(super) fn into_garbage(self) -> impl Iterator<Item = Garbage> {
        std::iter::once(Garbage::Order(self.order)).chain(self.base.map(Garbage::Index))
    }
}

/// Derived orders, cached for the next reader: a short list that grows while it is read. Each has the start
/// of the first period with that order. The board drops them when there are many.
#[derive(Debug, Clone)]
pub(crate) struct Cached(OnceCell<Box<(i64, PastOrder, Self)>>);

impl Cached {
    pub(super) const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// The order of the periods from a start on. `make` derives it where it is not cached.
    pub(super) fn order(&self, start: i64, make: impl FnOnce() -> PastOrder) -> &PastOrder {
        let mut cached = self;
        while let Some((other, order, rest)) = cached.0.get().map(|link| &**link) {
            if *other == start {
                return order;
            }
            cached = rest;
        }
        &cached.0.get_or_init(|| Box::new((start, make(), Self::new()))).1
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.0.get().map_or(0, |link| {
            let own = bytes_of::<(i64, PastOrder, Self)>(1);
            own.saturating_add(link.1.memory()).saturating_add(link.2.memory())
        })
    }
}
