//! What is of no use any more but takes long to free.

use super::PastOrder;
use crate::bucket::Bucket;
use crate::index::{Index, MemberId};

/// A part that is of no use any more. Perhaps nothing else refers to its members.
#[derive(Debug, Clone)]
pub(crate) enum Garbage {
    Index(Index),
    Bucket(Bucket),
    Order(PastOrder),
}

impl Garbage {
    /// Frees a piece, and tells the members in it; false when nothing is left.
    pub(crate) fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        match self {
            Self::Index(index) => index.drain_some(into),
            Self::Bucket(bucket) => bucket.drain_some(into),
            Self::Order(order) => order.drain_some(into),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Index(index) => index.memory(),
            Self::Bucket(bucket) => bucket.memory(),
            Self::Order(order) => order.memory(),
        }
    }
}
