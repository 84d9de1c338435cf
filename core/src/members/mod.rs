//! The members of a board: their names, their numbers (ids), and the leaf of each member in an order index.
//!
//! A few members are in one list of bytes ([`small`]). Many members are in an [`arena`] with a hash
//! [`table`](crate::table) for it. A record of the arena is
//!
//! ```text
//!  columns | length (2) | name (1 to 512)      rounded up to 4 bytes
//! ```
//!
//! where a column is a number that is stored for each member, such as its leaf in an index (3 bytes). On a board
//! with one index, a member with a name of 15 bytes takes 20 bytes here and about 8 bytes in the table. All columns
//! of a member are in the same cache line as its name. If a column is added when there are already records, it is
//! in a map beside them.
//!
//! A member keeps its id as long as it exists. The only exception is the change of a small board to a large board
//! ([`Members::enlarge`]).
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "offsets within a record are fixed, and records come from insert"
)]

mod arena;
mod batch;
mod column;
mod index_members;
mod new_numbers;
mod numbers;
mod plane;
mod small;
mod tags;
mod texts;
mod walk;

use std::hash::Hasher;

use siphasher::sip::SipHasher13;

use crate::Error;
use crate::index::MemberId;
use crate::mover::{Mover, Relocation};
use crate::prefetch::prefetch;
use crate::secret::Secret;
use crate::size_class::bytes_of;
use crate::table::Table;
use arena::Arena;
pub use batch::{BATCH, Batch};
use column::{Beside, LEAF};
pub use column::{Column, MAX_SEQUENCE, Numbers};
pub use index_members::{IndexMembers, Sequences};
pub use new_numbers::NewNumbers;
use small::Small;

/// The maximum length of the name of a member, in bytes.
pub const MAX_NAME: usize = 512;
/// The maximum number of members of a small board, which has no hash table.
pub const SMALL_MEMBERS: usize = crate::index::MOST_SMALL;
/// The maximum number of bytes of names on a small board. The place of each name must fit into its tag.
const SMALL_BYTES: usize = 24_576;

/// The number of bytes of the length before a name.
const LENGTH: usize = 2;
/// All members of a board.
#[derive(Debug, Clone, Default)]
pub struct Members {
    store: Store,
    count: u32,
    columns: u16,
    /// The number of bytes of all columns in a record.
    width: u16,
    beside: Option<Box<Beside>>,
}

#[derive(Debug, Clone)]
enum Store {
    Small(Small),
    Large(Box<Large>),
}

#[derive(Debug, Clone)]
struct Large {
    arena: Arena,
    table: Table,
    hash: SipHasher13,
    texts: Arena,
}

impl Default for Store {
    fn default() -> Self {
        Self::Small(Small::default())
    }
}

impl Members {
    /// Returns an empty set of members, in the form for many members.
    pub fn large() -> Self {
        Self { store: Store::Large(Box::default()), ..Self::default() }
    }

    /// Returns the members, with the columns of one index.
    pub fn index_members<'a>(
        &'a self,
        leaf: Column,
        sequences: impl Into<Sequences<'a>>,
    ) -> IndexMembers<'a, &'a Self> {
        IndexMembers::new(self, leaf, sequences.into())
    }

    /// Returns the members, with the columns of an index that is being changed.
    pub fn index_members_mut<'a>(
        &'a mut self,
        leaf: Column,
        sequences: impl Into<Sequences<'a>>,
    ) -> IndexMembers<'a, &'a mut Self> {
        IndexMembers::new(self, leaf, sequences.into())
    }

    /// Returns whether the members are in the form for many members.
    pub const fn is_large(&self) -> bool {
        matches!(self.store, Store::Large(_))
    }

    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns whether a small board becomes too large with this number of new members and this number of bytes of
    /// their names.
    pub fn outgrown_by(&self, members: usize, bytes: usize) -> bool {
        match &self.store {
            Store::Small(small) => {
                self.len() + members > SMALL_MEMBERS
                    || small.len() + members * (LEAF + LENGTH) + bytes > SMALL_BYTES
            }
            Store::Large(_) => false,
        }
    }

    /// Changes a small board to the form for many members. Returns the new numbers of the members.
    ///
    /// # Errors
    /// The errors of [`Members::insert`].
    pub fn enlarge(&mut self) -> Result<NewNumbers, Error> {
        let Store::Small(small) = &self.store else {
            return Ok(NewNumbers::default());
        };
        let (columns, width) = (self.columns, self.width);
        let mut large = Self { columns, width, ..Self::large() };
        let numbers = small
            .iter()
            .map(|(old, name)| large.insert(name).map(|new| (old, new)))
            .collect::<Result<_, _>>()?;
        large.beside = std::mem::take(&mut self.beside);
        *self = large;
        Ok(numbers)
    }

    /// Returns the member with this name.
    pub fn find(&self, name: &[u8]) -> Option<MemberId> {
        match &self.store {
            Store::Small(small) => small.find(name),
            Store::Large(large) => {
                let width = usize::from(self.width);
                large.find(name, large.hash(name), width)
            }
        }
    }

    /// Adds a new member, without a leaf. Returns its id.
    ///
    /// # Errors
    /// [`Error::Full`] when there are no more ids, at more than 16 GB of names.
    pub fn insert(&mut self, name: &[u8]) -> Result<MemberId, Error> {
        let id = match &mut self.store {
            Store::Small(small) => small.insert(name),
            Store::Large(large) => large.insert(name, large.hash(name), usize::from(self.width))?,
        };
        self.count += 1;
        Ok(id)
    }

    /// Forgets a member.
    pub fn remove(&mut self, id: MemberId) {
        let width = usize::from(self.width);
        match &mut self.store {
            Store::Small(small) => small.remove(id),
            Store::Large(large) => large.remove(id, width),
        }
        if let Some(beside) = &mut self.beside {
            beside.remove(id);
        }
        self.count -= 1;
    }

    /// Returns a member's name.
    pub fn name(&self, id: MemberId) -> &[u8] {
        match &self.store {
            Store::Small(small) => small.name(id),
            Store::Large(large) => large.name(id, usize::from(self.width)),
        }
    }

    /// Returns all members, in no particular order.
    pub fn ids(&self) -> impl Iterator<Item = MemberId> {
        let (small, large) = match &self.store {
            Store::Large(large) => (None, Some(large)),
            Store::Small(small) => (Some(small), None),
        };
        let few = small.into_iter().flat_map(|small| small.iter().map(|(id, _)| id));
        few.chain(large.into_iter().flat_map(|large| large.table.numbers()))
    }

    /// Prefetches the memory of a member's record.
    pub fn prefetch(&self, id: MemberId) {
        if let Store::Large(large) = &self.store
            && let Some(first) = large.arena.at(id).first()
        {
            prefetch(first);
        }
    }

    pub fn memory(&self) -> usize {
        let beside = self.beside.as_ref().map_or(0, |beside| bytes_of::<Beside>(1) + beside.memory());
        beside
            + match &self.store {
                Store::Small(small) => small.memory(),
                Store::Large(large) => {
                    bytes_of::<Large>(1) + large.arena.memory() + large.table.memory() + large.texts.memory()
                }
            }
    }

    pub fn effort(&self) -> usize {
        let beside = self.beside.as_ref().map_or(0, |beside| beside.allocations());
        beside
            + match &self.store {
                Store::Small(small) => small.allocations(),
                Store::Large(large) => {
                    large.arena.allocations() + large.table.allocations() + large.texts.allocations()
                }
            }
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        match &mut self.store {
            Store::Small(small) => small.relocate(walk),
            Store::Large(large) => {
                large.arena.relocate(walk);
                large.table.relocate(walk);
                large.texts.relocate(walk);
            }
        }
        if let Some(beside) = &mut self.beside {
            beside.relocate(walk);
        }
    }
}

impl Default for Large {
    fn default() -> Self {
        Self {
            arena: Arena::default(),
            table: Table::default(),
            hash: Secret::draw().hasher(),
            texts: Arena::default(),
        }
    }
}

impl Large {
    fn hash(&self, name: &[u8]) -> u64 {
        hash_of(&self.hash, name)
    }

    fn name(&self, id: MemberId, width: usize) -> &[u8] {
        name_in(&self.arena, id, width)
    }

    fn find(&self, name: &[u8], hash: u64, width: usize) -> Option<MemberId> {
        self.table.find(hash, |id| self.name(id, width) == name)
    }

    fn insert(&mut self, name: &[u8], hash: u64, width: usize) -> Result<MemberId, Error> {
        let start = width + LENGTH;
        let id = self.arena.alloc(start + name.len()).ok_or(Error::Full)?;
        let record = self.arena.at_mut(id);
        // A column with all bits set has no number, so the member has no leaf.
        record[..width].fill(0xff);
        record[width..start].copy_from_slice(&(name.len() as u16).to_le_bytes());
        record[start..start + name.len()].copy_from_slice(name);
        let Self { arena, table, hash: keyed, .. } = self;
        table.insert(hash, id, |other| hash_of(keyed, name_in(arena, other, width)));
        Ok(id)
    }

    fn remove(&mut self, id: MemberId, width: usize) {
        let (hash, len) = (self.hash(self.name(id, width)), self.name(id, width).len());
        self.table.remove(hash, id);
        self.arena.free(id, width + LENGTH + len);
    }
}

fn hash_of(keyed: &SipHasher13, name: &[u8]) -> u64 {
    let mut hash = *keyed;
    hash.write(name);
    hash.finish()
}

fn name_in(arena: &Arena, id: MemberId, width: usize) -> &[u8] {
    let record = arena.at(id);
    let len = u16::from_le_bytes([record[width], record[width + 1]]);
    let start = width + LENGTH;
    &record[start..start + usize::from(len)]
}

#[cfg(test)]
mod tests;
