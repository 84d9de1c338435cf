//! An index that was current when its period ended, or a copy of it.

use std::cell::{Cell, OnceCell};

use crate::index::{Index, LeafId, MemberId, Place};
use crate::members::{Column, Members};
use crate::schema::Ties;
use crate::size_class::bytes_of;

/// After so many scans for single members, a list of all leaves is made: for a million members a scan
/// takes a millisecond, the list thirty.
const SCANS: u32 = 16;

/// An index that is current no more.
#[derive(Debug, Clone)]
pub(crate) struct EndedIndex {
    pub(crate) index: Index,
    /// The column of the members' leaves.
    pub(crate) leaf: Column,
    /// Whether the column belongs to this index. If not, it is a hint: most members are still in the leaf
    /// that it names, and the others are searched for.
    pub(crate) owned: bool,
    search: Search,
}

/// The search for members whose leaf is not known.
#[derive(Debug, Clone, Default)]
struct Search {
    /// How many scans there were.
    scans: Cell<u32>,
    /// The leaves of all members, once there were many scans.
    leaves: OnceCell<Box<[(MemberId, LeafId)]>>,
}

impl Search {
    const fn new() -> Self {
        Self { scans: Cell::new(0), leaves: OnceCell::new() }
    }

    fn find(&self, index: &Index, id: MemberId) -> Option<Place> {
        if self.scans.get() < SCANS && self.leaves.get().is_none() {
            self.scans.set(self.scans.get().saturating_add(1));
            return index.scan(id);
        }
        let leaves = self.leaves.get_or_init(|| {
            let mut leaves: Vec<_> = index.leaves().collect();
            leaves.sort_unstable();
            leaves.into_boxed_slice()
        });
        let at = leaves.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        // A removal may have moved the entry to a neighbour.
        let leaf = leaves.get(at).map(|(_, leaf)| *leaf)?;
        index.find_in(leaf, id).or_else(|| index.scan(id))
    }
}

impl EndedIndex {
    pub(crate) const fn new(index: Index, leaf: Column, owned: bool) -> Self {
        Self { index, leaf, owned, search: Search::new() }
    }

    /// An index of few members, still empty.
    pub(super) const fn small() -> Self {
        Self::new(Index::small(Ties::First), Column::NONE, false)
    }

    pub(super) fn find(&self, id: MemberId, members: &Members) -> Option<Place> {
        let found = self.index.find(id, &members.index_members(self.leaf, None));
        match found {
            None if self.is_unowned_tree() => self.search.find(&self.index, id),
            found => found,
        }
    }

    /// Whether members may have to be searched for.
    pub(super) const fn is_unowned_tree(&self) -> bool {
        !self.owned && self.index.is_tree()
    }

    pub(super) fn remove(&mut self, place: Place, id: MemberId, members: &mut Members) {
        let leaf = if self.owned { self.leaf } else { Column::NONE };
        self.index.remove(place, id, &mut members.index_members_mut(leaf, None));
    }

    pub(super) fn memory(&self) -> usize {
        let leaves =
            self.search.leaves.get().map_or(0, |leaves| bytes_of::<(MemberId, LeafId)>(leaves.len()));
        self.index.memory().saturating_add(leaves)
    }
}
