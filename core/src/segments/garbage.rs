//! Orders of segments that are not needed any more. They are freed in small steps.

use super::hidden::HiddenBySegment;
use super::order_list::Orders;
use crate::index::Index;

/// Data that is to be freed.
#[derive(Debug, Clone)]
pub enum Garbage {
    Orders(Orders),
    Ranking(Index),
}

impl Garbage {
    /// Frees a part of the data. Returns false when there is nothing more to free.
    pub fn drain_some(&mut self) -> bool {
        match self {
            Self::Ranking(ranking) => ranking.drain_some(&mut Vec::new()),
            Self::Orders(orders) => orders.drain_some(),
        }
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        match self {
            Self::Ranking(ranking) => ranking.memory(),
            Self::Orders(orders) => orders.memory(&HiddenBySegment::default()),
        }
    }

    /// Returns about how many allocations must be freed with this data.
    pub fn effort(&self) -> usize {
        match self {
            Self::Ranking(ranking) => ranking.effort(),
            Self::Orders(orders) => orders.effort(),
        }
    }
}
