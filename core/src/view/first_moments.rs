//! The moments of an ended period of a part. The best members over all parts of a board are determined with these
//! moments. Only the moments of the first places are kept, because a moment takes as much memory as the other data
//! of an entry.
//!
//! When a member is removed from the first places, one moment fewer is kept. The first entry after these places
//! moves up. If the order is packed, the moment of this entry is not known. To get the same result on all servers,
//! the moment counts as unknown in every order.
//!
//! Orders of idle periods are derived from older orders. After a member was removed, its place in a derived order
//! cannot be found any more. So in views with derived orders, every removed member costs one moment. A server that
//! has loaded the board before the removal may have saved orders instead of derived orders. With this rule, it gets
//! the same result.

use crate::mover::{Mover, Relocation};
use crate::schema::Schema;
use crate::size_class::bytes_of;
use crate::time::Millis;

/// The maximum number of moments that are kept of a period.
pub(crate) const MOST_DATED: u64 = 1_000;

/// Returns the maximum number of moments that are kept of a period that ends, on a board with these rules.
pub(super) fn most_dated(schema: &Schema) -> u64 {
    schema.role.part().map_or(0, |_| MOST_DATED)
}

/// The moments of the first places of a packed order.
#[derive(Debug, Clone)]
pub(crate) struct FirstMoments {
    list: Vec<Millis>,
    /// The maximum number of moments. A short order has fewer moments.
    most: u64,
}

impl FirstMoments {
    /// Returns the first `most` of the moments of entries. The entries must be given best first.
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

    /// Lowers the maximum number of moments by one. If `has_one` is true, the caller removes one moment. Otherwise
    /// the last moment is dropped if there are too many.
    pub(super) fn lose(&mut self, has_one: bool) {
        self.most = self.most.saturating_sub(1);
        if !has_one {
            self.list.truncate(usize::try_from(self.most).unwrap_or(usize::MAX));
        }
    }

    /// Removes the moment of a place, if this place has a moment.
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
