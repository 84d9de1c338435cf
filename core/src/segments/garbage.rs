//! Orders of segments that are not needed any more. They are freed in small steps.

use super::orders::{Orders, SegmentOrder};
use crate::index::Index;

/// The number of small orders that one step frees.
const STEP: usize = 16;

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
            Self::Orders(orders) => {
                for _ in 0..STEP {
                    let Some(last) = orders.last_mut() else { return false };
                    if last.index.is_tree() && last.index.drain_some(&mut Vec::new()) {
                        return true;
                    }
                    orders.pop();
                }
                true
            }
        }
    }

    pub fn memory(&self) -> usize {
        match self {
            Self::Ranking(ranking) => ranking.memory(),
            Self::Orders(orders) => {
                let own = orders.values().map(SegmentOrder::memory);
                own.fold(orders.memory(), usize::saturating_add)
            }
        }
    }

    /// Returns about how many allocations must be freed with this data.
    pub fn effort(&self) -> usize {
        match self {
            Self::Ranking(ranking) => ranking.effort(),
            Self::Orders(orders) => {
                let own = orders.values().map(SegmentOrder::effort);
                own.fold(orders.allocations(), usize::saturating_add)
            }
        }
    }
}
