//! The last boundary of a view: final, or still to be taken back.

use super::Share;
use super::span::Span;
use crate::index::MemberId;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;

/// The last boundary between two periods.
#[derive(Debug, Clone)]
pub(crate) enum Boundary {
    /// Something was written since, or there was no boundary yet.
    Final,
    /// Nothing was written since: the clock can be put back to before it.
    Reversible(Box<Anchor>),
}

/// The last period in which something was written, while later ones have come with nothing but time.
/// Its order is that of the newest ended period, and nothing is thrown away until the next write: so
/// the clock can be put back to it exactly, and whoever looked in between has changed nothing.
#[derive(Debug, Clone)]
pub(crate) struct Anchor {
    pub(crate) span: Span,
    /// What was carried into it.
    pub(crate) share: Option<Share>,
    /// The numbers of their last writes, of options that only began a period with votes.
    pub(crate) sequences: Sorted<MemberId, u64>,
}

impl Boundary {
    pub(crate) fn anchor(&self) -> Option<&Anchor> {
        match self {
            Self::Final => None,
            Self::Reversible(anchor) => Some(anchor),
        }
    }

    pub(crate) fn anchor_mut(&mut self) -> Option<&mut Anchor> {
        match self {
            Self::Final => None,
            Self::Reversible(anchor) => Some(anchor),
        }
    }

    pub(crate) const fn is_reversible(&self) -> bool {
        matches!(self, Self::Reversible(_))
    }

    /// Leaves a final boundary, and gives the anchor of the one that was there.
    pub(crate) fn take(&mut self) -> Option<Anchor> {
        match std::mem::replace(self, Self::Final) {
            Self::Final => None,
            Self::Reversible(anchor) => Some(*anchor),
        }
    }
}

impl Anchor {
    pub(crate) fn memory(&self) -> usize {
        bytes_of::<Self>(1).saturating_add(self.sequences.memory())
    }
}
