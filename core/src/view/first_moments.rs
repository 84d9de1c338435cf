//! The moments of an ended period of a part: prizes are decided by them, over all parts of a board. Only the moments
//! of the first places are kept, since a moment takes as much memory as the rest of an entry.
//!
//! A member that is removed from these places leaves one moment fewer. The entry behind the first places moves up,
//! but its moment is not known where the order is packed. So it counts as unknown everywhere.
//!
//! Orders of idle periods are derived from older ones. When a member was removed, its place in a derived order is no
//! longer known. So in views with derived orders, every removed member costs one moment. The answer is then the same
//! on a server that has the same orders as orders of its own, because it loaded the board meanwhile.

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
    /// The largest number of moments. A short order has fewer.
    most: u64,
}

impl FirstMoments {
    /// The moments of entries that come best first.
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

    /// Lowers the largest number by one. With `has_one`, the caller removes one moment itself; otherwise the last
    /// moment is dropped if there are too many.
    pub(super) fn lose(&mut self, has_one: bool) {
        self.most = self.most.saturating_sub(1);
        if !has_one {
            self.list.truncate(usize::try_from(self.most).unwrap_or(usize::MAX));
        }
    }

    /// Removes the moment of a place.
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
