//! The orders of ended periods. Such an order is first the index that was current; [`Order::pack`]
//! turns it into a [`Frozen`] one in small steps.

use std::mem;

use super::Ranking;
use crate::calendar::Period;
use crate::frozen::{Freezer, Frozen};
use crate::index::{Index, Key, MemberId, Place};
use crate::members::{Column, Members};
use crate::mover::Mover;
use crate::schema::Schema;

/// An ended period in which somebody was ranked.
#[derive(Debug, Clone)]
pub(crate) struct Past {
    pub(crate) period: Period,
    pub(crate) order: Order,
}

/// The order of an ended period.
#[derive(Debug, Clone)]
pub(crate) enum Order {
    /// The index as it was when the period ended.
    Live {
        index: Index,
        leaf: Column,
    },
    /// The same, and how much of it has been packed.
    Packing(Box<Packing>),
    Packed(Box<Frozen>),
}

#[derive(Debug, Clone)]
pub(crate) struct Packing {
    index: Index,
    leaf: Column,
    freezer: Freezer,
    /// How many entries of the index the freezer has been given.
    done: u64,
    /// Who was given to the freezer and has been removed since.
    removed: Vec<MemberId>,
}

/// Entries that one step packs.
const STEP: usize = 64;

impl Order {
    /// An order of entries that come best first; nothing where a member is in it twice.
    pub(crate) fn of(entries: &[(Key, MemberId)]) -> Option<Self> {
        let mut freezer = Freezer::new();
        for (key, id) in entries {
            freezer.push(key.grade, *id);
        }
        freezer.finish().map(|frozen| Self::Packed(Box::new(frozen)))
    }

    /// The same on a small board, where they stay an index.
    pub(crate) fn of_few(entries: &[(Key, MemberId)], members: &mut Members) -> Option<Self> {
        let mut index = Index::small(crate::schema::Ties::First);
        for (key, id) in entries {
            let mut seats = members.seats_mut(Column::NONE, None);
            if index.find(*id, &seats).is_some() {
                return None;
            }
            index.append(Key { moment: 0, ..*key }, *id, &mut seats).ok()?;
        }
        Some(Self::Live { index, leaf: Column::NONE })
    }

    fn live(&self) -> Option<(&Index, Column)> {
        match self {
            Self::Live { index, leaf } => Some((index, *leaf)),
            Self::Packing(packing) => Some((&packing.index, packing.leaf)),
            Self::Packed(_) => None,
        }
    }

    /// Whether members' leaves in this column belong to it.
    pub(crate) fn occupies(&self, column: Column) -> bool {
        self.live().is_some_and(|(index, leaf)| index.is_tree() && leaf == column)
    }

    pub(crate) fn contains(&self, id: MemberId, members: &Members) -> bool {
        match self {
            Self::Packed(frozen) => frozen.place(id).is_some(),
            _ => self.find_live(id, members).is_some(),
        }
    }

    fn find_live(&self, id: MemberId, members: &Members) -> Option<Place> {
        let (index, leaf) = self.live()?;
        index.find(id, &members.seats(leaf, None))
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Packed(frozen) => frozen.len(),
            _ => self.live().map_or(0, |(index, _)| index.len()),
        }
    }

    pub(crate) fn remove(&mut self, id: MemberId, members: &mut Members) {
        let place = self.find_live(id, members);
        match (self, place) {
            (Self::Packed(frozen), _) => {
                frozen.remove(id);
            }
            (Self::Live { index, leaf }, Some(place)) => {
                index.remove(place, id, &mut members.seats_mut(*leaf, None));
            }
            (Self::Packing(packing), Some(place)) => packing.remove(place, id, members),
            (_, None) => {}
        }
    }

    /// Packs a few entries more; false when there is nothing to pack. What is left of the index is
    /// the caller's to free.
    pub(crate) fn pack(&mut self, waste: &mut Vec<super::Waste>) -> bool {
        if let Self::Live { index, leaf } = self {
            if !index.is_tree() {
                return false;
            }
            let index = mem::replace(index, Index::small(crate::schema::Ties::First));
            let packing =
                Packing { index, leaf: *leaf, freezer: Freezer::new(), done: 0, removed: Vec::new() };
            *self = Self::Packing(Box::new(packing));
        }
        let Self::Packing(packing) = self else { return false };
        if packing.step() {
            return true;
        }
        let Packing { freezer, removed, index, leaf, .. } = mem::replace(&mut **packing, Packing::none());
        *self = match freezer.finish() {
            Some(mut frozen) => {
                for id in removed {
                    frozen.remove(id);
                }
                waste.push(super::Waste::Index(index));
                Self::Packed(Box::new(frozen))
            }
            None => Self::Live { index, leaf },
        };
        false
    }

    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Live { index, .. } => index.memory(),
            Self::Packing(packing) => {
                packing.index.memory().saturating_add(packing.freezer.memory()).saturating_add(128)
            }
            Self::Packed(frozen) => frozen.memory(),
        }
    }

    pub(crate) fn effort(&self) -> usize {
        match self {
            Self::Packed(frozen) => frozen.effort(),
            _ => self.live().map_or(0, |(index, _)| index.effort()),
        }
    }

    pub(crate) fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        match self {
            Self::Live { index, .. } => index.relocate(from, mover),
            // It is about to be freed.
            Self::Packing(_) => None,
            Self::Packed(frozen) => frozen.relocate(from, mover),
        }
    }

    pub(crate) fn ranking<'a>(&'a self, schema: &'a Schema, members: &'a Members) -> Ranking<'a> {
        match self {
            Self::Packed(frozen) => Ranking::frozen(schema, frozen),
            Self::Live { index, leaf } => Ranking::live(schema, index, members.seats(*leaf, None)),
            Self::Packing(packing) => {
                Ranking::live(schema, &packing.index, members.seats(packing.leaf, None))
            }
        }
        .ended()
    }
}

impl Packing {
    /// What stays behind when the parts are taken.
    fn none() -> Self {
        Self {
            index: Index::small(crate::schema::Ties::First),
            leaf: Column::NONE,
            freezer: Freezer::new(),
            done: 0,
            removed: Vec::new(),
        }
    }

    fn step(&mut self) -> bool {
        if self.done >= self.index.len() {
            return self.freezer.step();
        }
        for (key, id) in self.index.iter_from(self.done).take(STEP) {
            self.freezer.push(key.grade, id);
            self.done = self.done.saturating_add(1);
        }
        true
    }

    /// Frees a part of the index; false when nothing is left.
    pub(super) fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        self.index.drain_some(into)
    }

    fn remove(&mut self, place: Place, id: MemberId, members: &mut Members) {
        if self.index.rank(place) < self.done {
            self.done = self.done.saturating_sub(1);
            self.removed.push(id);
        }
        self.index.remove(place, id, &mut members.seats_mut(self.leaf, None));
    }
}
