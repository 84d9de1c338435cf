//! Derived orders of ended periods, cached for the next reader of the same period. The board drops them
//! when there are many.

use std::cell::OnceCell;

use super::PastOrder;
use crate::size_class::bytes_of;

/// A short list that grows while it is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cached(OnceCell<Box<Link>>);

#[derive(Debug, Clone)]
struct Link {
    /// The start of the first period with this order.
    start: i64,
    order: PastOrder,
    rest: Cached,
}

impl Cached {
    pub(super) const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// The order of the periods from a start on. `make` derives it where it is not cached.
    pub(super) fn order(&self, start: i64, make: impl FnOnce() -> PastOrder) -> &PastOrder {
        let mut cached = self;
        while let Some(link) = cached.0.get() {
            if link.start == start {
                return &link.order;
            }
            cached = &link.rest;
        }
        &cached.0.get_or_init(|| Box::new(Link { start, order: make(), rest: Self::new() })).order
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let link = |link: &Link| {
            bytes_of::<Link>(1).saturating_add(link.order.memory()).saturating_add(link.rest.memory())
        };
        self.0.get().map_or(0, |found| link(found))
    }
}
