//! Data that a board has only while it is being loaded.

use std::cell::Cell;

use super::segments::LoadingSegments;
use crate::index::MemberId;
use crate::snapshot::prizes::OpenPayout;
use crate::view::{NumberedEntry, Recipe};

#[derive(Debug, Clone, Default)]
pub struct Loading {
    /// Members by their place, if parts refer to them.
    pub members: Vec<MemberId>,
    /// For each of these members, whether the board has anything of it.
    pub known: Vec<Cell<bool>>,
    /// The ended periods whose chunks are being loaded.
    pub past: Option<OpenPast>,
    /// The payout whose chunks are being loaded.
    pub payout: Option<OpenPayout>,
    /// The segments, if there are any.
    pub segments: LoadingSegments,
}

/// Ended periods with one order. The board takes them after all of their chunks have been read.
#[derive(Debug, Clone)]
pub struct OpenPast {
    pub view: usize,
    /// The starts of the first and the last of these periods.
    pub run: (i64, i64),
    /// The maximum number of entries, from the first one, that have moments.
    pub dated: u64,
    /// How the orders of the later periods are derived from this order, if they are derived from it.
    pub recipe: Option<Recipe>,
    pub entries: Vec<NumberedEntry>,
}

impl OpenPast {
    /// Returns whether `next` is a chunk of the same periods.
    pub fn goes_on_with(&self, next: &Self) -> bool {
        let of = |one: &Self| (one.view, one.run, one.dated, one.recipe);
        of(self) == of(next)
    }
}

impl Loading {
    /// Changes the numbers of all members, when the board changes to the form for many members.
    pub fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        let past = self.past.iter_mut().flat_map(|past| &mut past.entries).map(|((_, id), _)| id);
        self.members.iter_mut().chain(past).for_each(|id| *id = renumbered(*id));
    }
}
