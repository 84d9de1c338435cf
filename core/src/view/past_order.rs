//! The order of an ended period. At first, it is the index that was current, or a copy of that index.
//! [`PastOrder::pack`] changes it to a [`PackedOrder`] in small steps.

use std::cell::{Cell, OnceCell};
use std::mem;

use super::first_moments::{FirstMoments, most_dated};
use crate::Error;
use crate::index::{EntryPlace, Index, Key, LeafId, MemberId};
use crate::members::{Column, Members};
use crate::mover::{Mover, Relocation};
use crate::packed::{PackedOrder, Packer};
use crate::repeats::repeats;
use crate::schema::{Schema, Ties};
use crate::size_class::bytes_of;
use crate::time::Millis;

/// The number of entries that one step packs.
const STEP: usize = 64;
/// After this number of scans for single members, a list of all leaves is built. With a million members, a scan
/// takes a millisecond, and building the list takes thirty milliseconds.
const SCANS: u32 = 16;

/// The order of an ended period.
#[derive(Debug, Clone)]
pub(crate) enum PastOrder {
    Index(EndedIndex),
    Packing(Box<Packing>),
    Packed(Box<PackedOrder>, FirstMoments),
}

/// An index that is not current any more.
#[derive(Debug, Clone)]
pub(crate) struct EndedIndex {
    pub(crate) index: Index,
    /// The column of the members' leaves.
    pub(crate) leaf: Column,
    /// Whether the column belongs to this index. If it belongs to another index, its numbers are hints: most
    /// members are still in the leaf with this number, and the other members must be searched for.
    pub(crate) owned: bool,
    /// How many of the first places have moments that are used, see [`FirstMoments`].
    pub(crate) dated: u64,
    /// The number of scans for members without a known leaf. After many scans, `leaves` is a list of all leaves.
    scans: Cell<u32>,
    leaves: OnceCell<Box<[(MemberId, LeafId)]>>,
}

/// An index of which some entries are packed.
#[derive(Debug, Clone)]
pub(crate) struct Packing {
    index: EndedIndex,
    packer: Packer,
    /// How many entries of the index the packer has taken.
    done: u64,
    /// Members that the packer has taken and that were removed after that.
    removed: Vec<MemberId>,
}

impl EndedIndex {
    pub(crate) const fn new(index: Index, leaf: Column, owned: bool) -> Self {
        Self { index, leaf, owned, dated: 0, scans: Cell::new(0), leaves: OnceCell::new() }
    }

    /// Returns the same index, with the moments that are used on a board with these rules. The period must have
    /// just ended.
    pub(super) fn of(self, schema: &Schema) -> Self {
        Self { dated: most_dated(schema), ..self }
    }

    /// Returns an empty index.
    pub(super) fn small() -> Self {
        Self::new(Index::small(Ties::First), Column::NONE, false)
    }

    /// Returns an index from which other orders are derived, with the given entries. They must be in order. The
    /// order must have the form for many members.
    pub(super) fn base(
        entries: &[(Key, MemberId)],
        ties: Ties,
        members: &mut Members,
    ) -> Result<Index, Error> {
        let mut index = Index::tree(ties);
        index.append_checked(entries, &mut members.index_members_mut(Column::NONE, None))?;
        Ok(index)
    }

    pub(super) fn find(&self, id: MemberId, members: &Members) -> Option<EntryPlace> {
        let found = self.index.find(id, &members.index_members(self.leaf, None));
        match found {
            None if self.is_unowned_tree() => self.search(id),
            found => found,
        }
    }

    fn search(&self, id: MemberId) -> Option<EntryPlace> {
        if self.scans.get() < SCANS && self.leaves.get().is_none() {
            self.scans.set(self.scans.get().saturating_add(1));
            return self.index.scan(id);
        }
        let leaves = self.leaves.get_or_init(|| {
            let mut leaves: Vec<_> = self.index.leaves().collect();
            leaves.sort_unstable();
            leaves.into_boxed_slice()
        });
        let at = leaves.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        // A removal may have moved the entry to a neighbouring leaf.
        let leaf = leaves.get(at).map(|(_, leaf)| *leaf)?;
        self.index.find_in(leaf, id).or_else(|| self.index.scan(id))
    }

    /// Returns whether a search for a member may have to read all leaves.
    pub(super) const fn is_unowned_tree(&self) -> bool {
        !self.owned && self.index.is_tree()
    }

    pub(super) fn remove(&mut self, place: EntryPlace, id: MemberId, members: &mut Members) {
        let leaf = if self.owned { self.leaf } else { Column::NONE };
        self.index.remove(place, id, &mut members.index_members_mut(leaf, None));
    }

    pub(super) fn memory(&self) -> usize {
        let leaves = self.leaves.get().map_or(0, |leaves| bytes_of::<(MemberId, LeafId)>(leaves.len()));
        self.index.memory().saturating_add(leaves)
    }
}

impl PastOrder {
    /// Returns an empty order.
    pub(crate) fn none() -> Self {
        Self::Index(EndedIndex::small())
    }

    /// Returns an order of these entries, which must be given best first, with the moments of the first `dated`
    /// entries. `None` if a member occurs twice.
    pub(crate) fn of(entries: &[(Key, MemberId)], dated: u64) -> Option<Self> {
        let mut packer = Packer::new();
        for (key, id) in entries {
            packer.push(key.rank_key, *id);
        }
        let moments = FirstMoments::new(entries.iter().map(|(key, _)| key.moment), dated);
        packer.finish().map(|packed| Self::Packed(Box::new(packed), moments))
    }

    /// Returns the order of a small board, whose orders stay indexes. The first `known` moments are known, and the
    /// first `dated` moments are used.
    pub(crate) fn of_few(
        entries: &[(Key, MemberId)],
        (known, dated): (u64, u64),
        ties: Ties,
        members: &mut Members,
    ) -> Option<Self> {
        let mut ended = EndedIndex { index: Index::small(ties), dated, ..EndedIndex::small() };
        let mut moment = 0;
        // The substitute for an unknown moment must not contradict the order.
        let dated = entries.iter().zip(0_u64..).map(|((key, id), place)| {
            moment = if place < known { key.moment } else { moment };
            (Key { moment, ..*key }, *id)
        });
        let dated: Vec<_> = dated.collect();
        let mut index_members = members.index_members_mut(Column::NONE, None);
        ended.index.append_checked(&dated, &mut index_members).ok()?;
        let is_twice = repeats(entries.iter().map(|(_, id)| *id));
        (!is_twice).then_some(Self::Index(ended))
    }

    /// Returns the maximum number of first places that have moments.
    pub(crate) fn dated(&self) -> u64 {
        match self {
            Self::Packed(_, moments) => moments.most(),
            _ => self.index().map_or(0, |ended| ended.dated),
        }
    }

    /// Returns the moments of the first places, in order.
    pub(crate) fn moments(&self) -> impl Iterator<Item = Millis> {
        let packed = if let Self::Packed(_, moments) = self { moments.list() } else { &[] };
        let index = self.index().map(|ended| {
            let dated = usize::try_from(ended.dated).unwrap_or(usize::MAX);
            ended.index.iter_from(0).take(dated).map(|(key, _)| key.moment)
        });
        packed.iter().copied().chain(index.into_iter().flatten())
    }

    /// Returns the order's index with the moments of the entries; `None` if the order was packed.
    pub(super) const fn index(&self) -> Option<&EndedIndex> {
        match self {
            Self::Index(ended) => Some(ended),
            Self::Packing(packing) => Some(&packing.index),
            Self::Packed(..) => None,
        }
    }

    const fn index_mut(&mut self) -> Option<&mut EndedIndex> {
        match self {
            Self::Index(ended) => Some(ended),
            Self::Packing(packing) => Some(&mut packing.index),
            Self::Packed(..) => None,
        }
    }

    /// Removes the order's index with the moments of the entries, and returns it; `None` if the order was packed.
    pub(super) fn take_index(&mut self) -> Option<Index> {
        self.index_mut().map(|ended| mem::replace(ended, EndedIndex::small()).index)
    }

    /// Changes the numbers of the members, when the board changes to the form for many members. Orders of a few
    /// members stay small indexes.
    pub(super) fn renumber(
        &mut self,
        schema: &Schema,
        members: &mut Members,
        renumbered: impl Fn(MemberId) -> MemberId,
    ) {
        if let Self::Index(ended) = self {
            let entries: Vec<_> = ended.index.iter_from(0).map(|(key, id)| (key, renumbered(id))).collect();
            ended.index = Index::small(schema.ties);
            ended.index.append_all(&entries, &mut members.index_members_mut(Column::NONE, None));
        } else {
            let walk = self.ranking(schema, members).walk_dated(0);
            let entries: Vec<_> = walk.map(|(key, id)| (key, renumbered(id))).collect();
            *self = Self::of(&entries, self.dated()).unwrap_or_else(Self::none);
        }
    }

    /// Returns whether this column of leaves belongs to the order.
    pub(super) fn occupies(&self, column: Column) -> bool {
        self.index().is_some_and(|ended| ended.index.is_tree() && ended.owned && ended.leaf == column)
    }

    /// Makes the order's column free for another index.
    pub(super) fn detach(&mut self) {
        if let Some(ended) = self.index_mut() {
            ended.owned = false;
        }
    }

    pub(super) fn contains(&self, id: MemberId, members: &Members) -> bool {
        match self {
            Self::Packed(packed, _) => packed.place(id).is_some(),
            _ => self.index().and_then(|ended| ended.find(id, members)).is_some(),
        }
    }

    /// Returns how many members are before a member.
    pub(super) fn place(&self, id: MemberId, members: &Members) -> Option<u64> {
        match self {
            Self::Packed(packed, _) => packed.place(id),
            _ => self.index().and_then(|ended| Some(ended.index.rank(ended.find(id, members)?))),
        }
    }

    /// Returns the members, best first.
    pub(crate) fn ids(&self) -> impl Iterator<Item = MemberId> {
        let packed = if let Self::Packed(packed, _) = self { Some(packed.iter_from(0)) } else { None };
        let index = self.index().map(|ended| ended.index.iter_from(0));
        packed.into_iter().flatten().map(|(_, id)| id).chain(index.into_iter().flatten().map(|(_, id)| id))
    }

    /// Returns how many members are ranked.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Packed(packed, _) => packed.len(),
            _ => self.index().map_or(0, |ended| ended.index.len()),
        }
    }

    /// Lowers the number of kept moments by one, if the removed member has a kept moment or if `in_any_case` is
    /// true.
    pub(super) fn lose_moment(&mut self, id: Option<MemberId>, in_any_case: bool, members: &Members) {
        let place = id.and_then(|id| self.place(id, members)).filter(|place| *place < self.dated());
        match self {
            _ if place.is_none() && !in_any_case => {}
            Self::Packed(_, moments) => moments.lose(place.is_some()),
            _ => self.index_mut().into_iter().for_each(|ended| ended.dated = ended.dated.saturating_sub(1)),
        }
    }

    pub(super) fn remove(&mut self, id: MemberId, members: &mut Members) {
        let place = self.index().and_then(|ended| ended.find(id, members));
        match (self, place) {
            (Self::Packed(packed, moments), _) => {
                moments.remove(packed.place(id));
                packed.remove(id);
            }
            (Self::Index(ended), Some(place)) => ended.remove(place, id, members),
            (Self::Packing(packing), Some(place)) => packing.remove(place, id, members),
            (_, None) => {}
        }
    }

    /// Returns whether there is anything to pack.
    pub(super) fn is_unpacked(&self) -> bool {
        self.index().is_some_and(|ended| ended.index.is_tree())
    }

    /// Packs a few more entries. Returns the index after all entries were packed.
    pub(super) fn pack(&mut self) -> Option<Index> {
        if let Self::Index(ended) = self {
            let index = mem::replace(ended, EndedIndex::small());
            *self = Self::Packing(Box::new(Packing { index, ..Packing::none() }));
        }
        let Self::Packing(packing) = self else { return None };
        if packing.step() {
            return None;
        }
        let moments = FirstMoments::new(self.moments(), self.dated());
        let Self::Packing(packing) = self else { return None };
        let Packing { packer, removed, index, .. } = mem::replace(&mut **packing, Packing::none());
        let Some(mut packed) = packer.finish() else {
            *self = Self::Index(index);
            return None;
        };
        for id in removed {
            packed.remove(id);
        }
        *self = Self::Packed(Box::new(packed), moments);
        Some(index.index)
    }

    /// Frees a part of the order, and appends its members to `into`. Returns false when nothing is left.
    pub(super) fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        match self {
            Self::Packed(packed, _) => packed.drain_some(into),
            _ => self.index_mut().is_some_and(|ended| ended.index.drain_some(into)),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Index(ended) => ended.memory(),
            Self::Packing(packing) => {
                let lists =
                    bytes_of::<Packing>(1).saturating_add(bytes_of::<MemberId>(packing.removed.capacity()));
                packing.index.memory().saturating_add(packing.packer.memory()).saturating_add(lists)
            }
            Self::Packed(packed, moments) => packed.memory().saturating_add(moments.memory()),
        }
    }

    pub(super) fn effort(&self) -> usize {
        match self {
            Self::Packed(packed, moments) => packed.effort().saturating_add(moments.allocations()),
            _ => self.index().map_or(0, |ended| ended.index.effort()),
        }
    }

    pub(super) fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        match self {
            Self::Index(ended) => ended.index.relocate(walk),
            // The order is about to be freed.
            Self::Packing(_) => {}
            Self::Packed(packed, moments) => {
                packed.relocate(walk);
                moments.relocate(walk);
            }
        }
    }
}

impl Packing {
    fn none() -> Self {
        Self { index: EndedIndex::small(), packer: Packer::new(), done: 0, removed: Vec::new() }
    }

    fn step(&mut self) -> bool {
        if self.done >= self.index.index.len() {
            return self.packer.step();
        }
        for (key, id) in self.index.index.iter_from(self.done).take(STEP) {
            self.packer.push(key.rank_key, id);
            self.done = self.done.saturating_add(1);
        }
        true
    }

    fn remove(&mut self, place: EntryPlace, id: MemberId, members: &mut Members) {
        if self.index.index.rank(place) < self.done {
            self.done = self.done.saturating_sub(1);
            self.removed.push(id);
        }
        self.index.remove(place, id, members);
    }
}
