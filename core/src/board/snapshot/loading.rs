//! What is known while a board is being loaded, and not later.

use crate::index::MemberId;
use crate::view::{NumberedEntry, Recipe};

#[derive(Debug, Clone, Default)]
pub struct Loading {
    /// Members by their place, if parts refer to them.
    pub members: Vec<MemberId>,
    /// The ended periods whose chunks are coming.
    pub past: Option<OpenPast>,
}

/// Ended periods with one order, which the board takes when all of its chunks have come.
#[derive(Debug, Clone)]
pub struct OpenPast {
    pub view: usize,
    /// The starts of the first and the last period.
    pub run: (i64, i64),
    /// How many of the first entries have moments, at most.
    pub dated: u64,
    /// How the orders of the later periods follow from this one, if they do.
    pub recipe: Option<Recipe>,
    pub entries: Vec<NumberedEntry>,
}

impl OpenPast {
    /// Whether a chunk continues the same periods.
    pub fn goes_on_with(&self, next: &Self) -> bool {
        let of = |one: &Self| (one.view, one.run, one.dated, one.recipe);
        of(self) == of(next)
    }
}

impl Loading {
    /// Gives all members other numbers, on a board that grows.
    pub fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        let past = self.past.iter_mut().flat_map(|past| &mut past.entries).map(|((_, id), _)| id);
        self.members.iter_mut().chain(past).for_each(|id| *id = renumbered(*id));
    }
}
