//! Orders of ended periods that were worked out for a reader, kept for the next reader of the same
//! period. The board drops them when they become many.

use std::cell::OnceCell;

use super::Order;
use crate::size_class::bytes_of;

/// A short list that grows while it is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Worked(OnceCell<Box<Link>>);

#[derive(Debug, Clone)]
struct Link {
    /// The start of the first period with this order.
    start: i64,
    order: Order,
    rest: Worked,
}

impl Worked {
    pub(crate) const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// The order of the periods from a start on; `make` works it out where nobody has asked for it.
    pub(crate) fn order(&self, start: i64, make: impl FnOnce() -> Order) -> &Order {
        let mut worked = self;
        while let Some(link) = worked.0.get() {
            if link.start == start {
                return &link.order;
            }
            worked = &link.rest;
        }
        &worked.0.get_or_init(|| Box::new(Link { start, order: make(), rest: Self::new() })).order
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let link = |link: &Link| {
            bytes_of::<Link>(1).saturating_add(link.order.memory()).saturating_add(link.rest.memory())
        };
        self.0.get().map_or(0, |found| link(found))
    }
}
