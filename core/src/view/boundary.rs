//! The last boundary of a view: final, or still reversible.

use super::{Share, Span};
use crate::index::MemberId;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;

/// The boundary before the current period.
#[derive(Debug, Clone)]
pub(crate) enum Boundary {
    /// Something was written since, or there was no boundary yet.
    Final,
    /// Nothing was written since: the clock can be put back to before it.
    Reversible(Box<Anchor>),
}

/// The last period in which something was written, while only time has passed since. Its order is that of
/// the newest ended period. Nothing is thrown away until the next write, so the clock can be put back
/// exactly, and reads in between change nothing.
#[derive(Debug, Clone)]
pub(crate) struct Anchor {
    pub(super) span: Span,
    /// The share that was carried into it.
    pub(super) share: Option<Share>,
    /// The numbers of members' last writes, where a starting entry has replaced them.
    pub(super) sequences: Sorted<MemberId, u64>,
}

impl Boundary {
    pub(super) fn anchor(&self) -> Option<&Anchor> {
        match self {
            Self::Final => None,
            Self::Reversible(anchor) => Some(anchor),
        }
    }

    pub(super) fn anchor_mut(&mut self) -> Option<&mut Anchor> {
        match self {
            Self::Final => None,
            Self::Reversible(anchor) => Some(anchor),
        }
    }

    pub(super) const fn is_reversible(&self) -> bool {
        matches!(self, Self::Reversible(_))
    }

    /// Makes it final; the anchor that it had.
    pub(super) fn take(&mut self) -> Option<Anchor> {
        match std::mem::replace(self, Self::Final) {
            Self::Final => None,
            Self::Reversible(anchor) => Some(*anchor),
        }
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.anchor().map_or(0, |anchor| bytes_of::<Anchor>(1).saturating_add(anchor.sequences.memory()))
    }
}
