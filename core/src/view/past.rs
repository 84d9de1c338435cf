//! The orders of ended periods. Such an order is first the index that was current, or a copy of it;
//! [`Order::pack`] turns it into a [`PackedOrder`] one in small steps.

use std::cell::{Cell, OnceCell};
use std::mem;

use super::Ranking;
use super::worked::Worked;
use crate::Error;
use crate::calendar::Period;
use crate::index::{Index, Key, LeafId, MemberId, Place};
use crate::members::{Column, Members};
use crate::mover::Mover;
use crate::packed::{PackedOrder, Packer};
use crate::schema::{Schema, Ties};
use crate::size_class::bytes_of;

/// An ended period in which somebody was ranked, and those behind it in which nobody wrote.
#[derive(Debug, Clone)]
pub(crate) struct Past {
    /// The first of these periods.
    pub(crate) period: Period,
    /// The start of the last one. While nothing has been written since, the periods up to the current
    /// one follow from this one too.
    pub(crate) last: i64,
    /// The order of the first period.
    pub(crate) order: Order,
    /// Where points expire in the periods behind the first one, since when they counted in that: the
    /// orders of the others are worked out when somebody reads them ([`super::fade`]).
    pub(crate) fades: Option<i64>,
    /// The first order with its moments, where it was packed and is needed to work out others.
    pub(crate) base: Option<Index>,
    pub(crate) worked: Worked,
    /// How many members are ranked in the periods that follow, once somebody has asked: the starts of
    /// runs of equal counts.
    pub(crate) counts: OnceCell<Box<[(i64, u64)]>>,
}

impl Past {
    pub(crate) const fn new(period: Period, last: i64, order: Order) -> Self {
        Self { period, last, order, fades: None, base: None, worked: Worked::new(), counts: OnceCell::new() }
    }

    /// The entries of the first period with their moments.
    pub(crate) fn index(&self) -> Option<&Index> {
        self.base.as_ref().or_else(|| self.order.live().map(|live| &live.index))
    }

    /// Packs a little of its order. The entries stay if other orders are worked out from them, or as
    /// `keep` says.
    pub(crate) fn pack(&mut self, garbage: &mut Vec<super::Garbage>, keep: bool) {
        let Some(index) = self.order.pack() else { return };
        if keep || self.fades.is_some() {
            self.base = Some(index);
        } else {
            garbage.push(super::Garbage::Index(index));
        }
    }

    pub(crate) fn remove(&mut self, id: MemberId, members: &mut Members) {
        (self.worked, self.counts) = (Worked::new(), OnceCell::new());
        self.order.remove(id, members);
        if let Some(base) = &mut self.base
            && let Some(place) = base.scan(id)
        {
            base.remove(place, id, &mut members.index_members_mut(Column::NONE, None));
        }
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let base = self.base.as_ref().map_or(0, Index::memory);
        let counts = self.counts.get().map_or(0, |counts| bytes_of::<(i64, u64)>(counts.len()));
        [base, counts, self.worked.memory()].into_iter().fold(self.order.memory(), usize::saturating_add)
    }

    pub(crate) fn effort(&self) -> usize {
        self.order.effort().saturating_add(self.base.as_ref().map_or(0, Index::effort))
    }

    /// What is to be freed of it.
    pub(crate) fn into_waste(self) -> impl Iterator<Item = super::Garbage> {
        [super::Garbage::Order(self.order)].into_iter().chain(self.base.map(super::Garbage::Index))
    }
}

/// The order of an ended period.
#[derive(Debug, Clone)]
pub(crate) enum Order {
    Live(Live),
    /// An index, and how much of it has been packed.
    Packing(Box<Packing>),
    Packed(Box<PackedOrder>),
}

/// The index as it was when the period ended.
#[derive(Debug, Clone)]
pub(crate) struct Live {
    pub(crate) index: Index,
    /// Where members' leaves are.
    pub(crate) leaf: Column,
    /// Whether that column belongs to this index. If not, it is a hint: most members are still in the
    /// leaf of that number, and the others are looked for everywhere.
    pub(crate) owned: bool,
    pub(crate) search: Search,
}

/// Looking for members whose leaf is not known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search {
    /// How many were looked for everywhere.
    scans: Cell<u32>,
    /// The leaves of all by member, once those were many.
    leaves: OnceCell<Box<[(MemberId, LeafId)]>>,
}

impl Search {
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
        // A removal may have brought it to a neighbour.
        let leaf = leaves.get(at).map(|(_, leaf)| *leaf)?;
        index.find_in(leaf, id).or_else(|| index.scan(id))
    }

    fn memory(&self) -> usize {
        self.leaves.get().map_or(0, |leaves| bytes_of::<(MemberId, LeafId)>(leaves.len()))
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Packing {
    live: Live,
    packer: Packer,
    /// How many entries of the index the packer has been given.
    done: u64,
    /// Who was given to the packer and has been removed since.
    removed: Vec<MemberId>,
}

/// Entries that one step packs.
const STEP: usize = 64;
/// Members that are looked for everywhere before a list of all is made: a scan takes a millisecond for a
/// million members, the list thirty.
const SCANS: u32 = 16;

impl Live {
    pub(crate) const fn new(index: Index, leaf: Column, owned: bool) -> Self {
        Self { index, leaf, owned, search: Search { scans: Cell::new(0), leaves: OnceCell::new() } }
    }

    const fn small() -> Self {
        Self::new(Index::small(Ties::First), Column::NONE, false)
    }

    pub(crate) fn find(&self, id: MemberId, members: &Members) -> Option<Place> {
        let found = self.index.find(id, &members.index_members(self.leaf, None));
        match found {
            None if !self.owned && self.index.is_tree() => self.search.find(&self.index, id),
            found => found,
        }
    }

    fn memory(&self) -> usize {
        self.index.memory().saturating_add(self.search.memory())
    }

    fn remove(&mut self, place: Place, id: MemberId, members: &mut Members) {
        let leaf = if self.owned { self.leaf } else { Column::NONE };
        self.index.remove(place, id, &mut members.index_members_mut(leaf, None));
    }
}

impl Order {
    /// An order of entries that come best first; nothing where a member is in it twice.
    pub(crate) fn of(entries: &[(Key, MemberId)]) -> Option<Self> {
        let mut packer = Packer::new();
        for (key, id) in entries {
            packer.push(key.rank_key, *id);
        }
        packer.finish().map(|packed| Self::Packed(Box::new(packed)))
    }

    /// Its entries with their moments, unless it was packed.
    pub(crate) fn into_index(self) -> Option<Index> {
        match self {
            Self::Live(live) => Some(live.index),
            Self::Packing(packing) => Some(packing.live.index),
            Self::Packed(_) => None,
        }
    }

    /// An order of nobody.
    pub(crate) const fn none() -> Self {
        Self::Live(Live::small())
    }

    /// The same on a small board, where they stay an index.
    pub(crate) fn of_few(entries: &[(Key, MemberId)], members: &mut Members) -> Option<Self> {
        let mut live = Live::small();
        for (key, id) in entries {
            let mut index_members = members.index_members_mut(Column::NONE, None);
            if live.index.find(*id, &index_members).is_some() {
                return None;
            }
            live.index.append(Key { moment: 0, ..*key }, *id, &mut index_members).ok()?;
        }
        Some(Self::Live(live))
    }

    /// Gives all members other numbers, on a board that grows. The orders of few members are small
    /// indexes, and stay so.
    pub(crate) fn renumber(
        &mut self,
        schema: &Schema,
        members: &mut Members,
        renumbered: impl Fn(MemberId) -> MemberId,
    ) -> Result<(), Error> {
        if let Self::Live(live) = self {
            let mut index = Index::small(schema.ties);
            for (key, id) in live.index.iter_from(0) {
                index.append(key, renumbered(id), &mut members.index_members_mut(Column::NONE, None))?;
            }
            live.index = index;
        } else {
            let walk = self.ranking(schema, members).walk(0);
            let entries: Vec<_> =
                walk.map(|(rank_key, id)| (Key { rank_key, moment: 0 }, renumbered(id))).collect();
            *self = Self::of(&entries).unwrap_or_else(Self::none);
        }
        Ok(())
    }

    pub(crate) const fn live(&self) -> Option<&Live> {
        match self {
            Self::Live(live) => Some(live),
            Self::Packing(packing) => Some(&packing.live),
            Self::Packed(_) => None,
        }
    }

    /// Whether members' leaves in this column belong to it.
    pub(crate) fn occupies(&self, column: Column) -> bool {
        self.live().is_some_and(|live| live.index.is_tree() && live.owned && live.leaf == column)
    }

    /// Leaves its column to another index.
    pub(crate) const fn detach(&mut self) {
        match self {
            Self::Live(live) => live.owned = false,
            Self::Packing(packing) => packing.live.owned = false,
            Self::Packed(_) => {}
        }
    }

    pub(crate) fn contains(&self, id: MemberId, members: &Members) -> bool {
        match self {
            Self::Packed(packed) => packed.place(id).is_some(),
            _ => self.live().and_then(|live| live.find(id, members)).is_some(),
        }
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Packed(packed) => packed.len(),
            _ => self.live().map_or(0, |live| live.index.len()),
        }
    }

    pub(crate) fn remove(&mut self, id: MemberId, members: &mut Members) {
        let place = self.live().and_then(|live| live.find(id, members));
        match (self, place) {
            (Self::Packed(packed), _) => {
                packed.remove(id);
            }
            (Self::Live(live), Some(place)) => live.remove(place, id, members),
            (Self::Packing(packing), Some(place)) => packing.remove(place, id, members),
            (_, None) => {}
        }
    }

    /// Whether there is anything to pack.
    pub(crate) fn is_unpacked(&self) -> bool {
        self.live().is_some_and(|live| live.index.is_tree())
    }

    /// Packs a few entries more; the index once it is packed and of no use for this any more.
    pub(crate) fn pack(&mut self) -> Option<Index> {
        if let Self::Live(live) = self {
            let live = mem::replace(live, Live::small());
            let packing = Packing { live, packer: Packer::new(), done: 0, removed: Vec::new() };
            *self = Self::Packing(Box::new(packing));
        }
        let Self::Packing(packing) = self else { return None };
        if packing.step() {
            return None;
        }
        let Packing { packer, removed, live, .. } = mem::replace(&mut **packing, Packing::none());
        let Some(mut packed) = packer.finish() else {
            *self = Self::Live(live);
            return None;
        };
        for id in removed {
            packed.remove(id);
        }
        *self = Self::Packed(Box::new(packed));
        Some(live.index)
    }

    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Live(live) => live.memory(),
            Self::Packing(packing) => {
                let lists =
                    bytes_of::<Packing>(1).saturating_add(bytes_of::<MemberId>(packing.removed.capacity()));
                packing.live.memory().saturating_add(packing.packer.memory()).saturating_add(lists)
            }
            Self::Packed(packed) => packed.memory(),
        }
    }

    pub(crate) fn effort(&self) -> usize {
        match self {
            Self::Packed(packed) => packed.effort(),
            _ => self.live().map_or(0, |live| live.index.effort()),
        }
    }

    pub(crate) fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        match self {
            Self::Live(live) => live.index.relocate(from, mover),
            // It is about to be freed.
            Self::Packing(_) => None,
            Self::Packed(packed) => packed.relocate(from, mover),
        }
    }

    pub(crate) fn ranking<'a>(&'a self, schema: &'a Schema, members: &'a Members) -> Ranking<'a> {
        match (self, self.live()) {
            (Self::Packed(packed), _) => Ranking::packed(schema, packed),
            (_, Some(live)) => Ranking::live(schema, &live.index, members.index_members(live.leaf, None))
                .ended(live, members),
            (_, None) => Ranking::empty(schema),
        }
    }
}

impl Packing {
    /// What stays behind when the parts are taken.
    fn none() -> Self {
        Self { live: Live::small(), packer: Packer::new(), done: 0, removed: Vec::new() }
    }

    fn step(&mut self) -> bool {
        if self.done >= self.live.index.len() {
            return self.packer.step();
        }
        for (key, id) in self.live.index.iter_from(self.done).take(STEP) {
            self.packer.push(key.rank_key, id);
            self.done = self.done.saturating_add(1);
        }
        true
    }

    /// Frees a part of the index; false when nothing is left.
    pub(super) fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        self.live.index.drain_some(into)
    }

    fn remove(&mut self, place: Place, id: MemberId, members: &mut Members) {
        if self.live.index.rank(place) < self.done {
            self.done = self.done.saturating_sub(1);
            self.removed.push(id);
        }
        self.live.remove(place, id, members);
    }
}
