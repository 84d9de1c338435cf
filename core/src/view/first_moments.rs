//! The moments of an ended period of a part: prizes are decided by them, over all parts of a board. Only those of
//! the first places are kept, since a moment takes as much memory as all else of an entry.
//!
//! A member that is removed from these places leaves one moment fewer. What stands behind them moves up, but its
//! moment is not known where the order is packed, so it counts as unknown everywhere.
//!
//! Orders of idle periods are derived from older ones, and nobody knows any more who stood where in them when a
//! member was removed. So in views that have such orders, every member that is removed leaves one moment fewer:
//! the answer is the same on a server that has the same orders as its own, since it was loaded meanwhile.

use crate::mover::{Mover, Relocation};
use crate::schema::Schema;
use crate::size_class::bytes_of;
use crate::time::Millis;

/// The most moments of a period that are kept.
pub(crate) const MOST_DATED: u64 = 1_000;

/// How many moments are kept of a period that ends, on a board with these rules.
pub(super) fn most_dated(schema: &Schema) -> u64 {
    schema.role.part().map_or(0, |_| MOST_DATED)
}

/// The moments of the first places of a packed order.
#[derive(Debug, Clone)]
pub(crate) struct FirstMoments {
    list: Vec<Millis>,
    /// How many there are at the most. In a short order there are fewer.
    most: u64,
}

impl FirstMoments {
    /// Those of entries that come best first.
    pub(super) fn new(moments: impl Iterator<Item = Millis>, most: u64) -> Self {
        let mut list: Vec<_> = moments.take(usize::try_from(most).unwrap_or(usize::MAX)).collect();
        list.shrink_to_fit();
        Self { list, most }
    }

    pub(super) fn list(&self) -> &[Millis] {
        &self.list
    }

    pub(super) const fn most(&self) -> u64 {
        self.most
    }

    /// Counts one fewer at the most. Unless one of them will be removed, the last one goes if it is too many.
    pub(super) fn lose(&mut self, has_one: bool) {
        self.most = self.most.saturating_sub(1);
        if !has_one {
            self.list.truncate(usize::try_from(self.most).unwrap_or(usize::MAX));
        }
    }

    /// Removes that of a place.
    pub(super) fn remove(&mut self, place: Option<u64>) {
        let place = place.and_then(|place| usize::try_from(place).ok());
        if let Some(place) = place.filter(|place| *place < self.list.len()) {
            self.list.remove(place);
        }
    }

    pub(super) fn memory(&self) -> usize {
        bytes_of::<Millis>(self.list.capacity())
    }

    pub(super) fn allocations(&self) -> usize {
        usize::from(self.list.capacity() > 0)
    }

    pub(super) fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        if self.list.capacity() > 0 {
            walk.steps(1, |_, mover| self.list = mover.relocate_vec(std::mem::take(&mut self.list)));
        }
    }
}
