//! The members of a board: names to numbers and back, and each member's leaf in the order index.
//!
//! Few members live in one run of bytes ([`small`]); from then on in an [`arena`] with a hash
//! [`table`] over it. A record of the arena is
//!
//! ```text
//!  columns | length (2) | name (1 to 512)      rounded up to 4 bytes
//! ```
//!
//! where a column is a number that some index needs of each member, such as its leaf (4 bytes). On a
//! board with one index a member with a name of 14 bytes takes 20 bytes here and about 8 in the
//! table. All columns of a member lie in the cache line that holds its name. A column that is added
//! when there are records already lies in a map beside them.
//!
//! Members' ids stay the same while they exist, but for the one time when a small board grows
//! ([`Members::enlarge`]).
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "offsets within a record are fixed, and records come from insert"
)]

mod arena;
mod index_members;
mod small;

use std::collections::BTreeMap;
use std::hash::Hasher;

use siphasher::sip::SipHasher13;

use crate::Error;
use crate::index::MemberId;
use crate::mover::{Mover, Relocation};
use crate::secret::Secret;
use crate::size_class::bytes_of;
use crate::sorted::Sorted;
use crate::table::Table;
use arena::Arena;
pub use index_members::{IndexMembers, Sequences};
use small::Small;

/// Longest name of a member in bytes.
pub const MAX_NAME: usize = 512;
/// Most members of a board without a hash table.
pub const SMALL_MEMBERS: usize = crate::index::SMALL;
/// Most bytes of names that are worth looking through.
const SMALL_BYTES: usize = 8192;

/// Bytes of the length before a name.
const LENGTH: usize = 2;
/// Bytes of a leaf's number.
const LEAF: usize = 4;
/// Bytes of the number of a write.
const SEQUENCE: usize = 6;
/// The greatest number of a write: 280 trillion.
pub const MAX_SEQUENCE: u64 = (1 << (8 * SEQUENCE as u32)) - 1;

/// A number that a board keeps for each of its members: in the member's record, or in a map beside
/// all records where it was not yet thought of when they were laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    number: u16,
    size: u8,
    /// Where in the record it lies.
    at: Option<u16>,
}

impl Column {
    /// A column of nothing, for an index without entries.
    pub const NONE: Self = Self { number: u16::MAX, size: LEAF as u8, at: None };

    const fn is_none(self) -> bool {
        self.number == Self::NONE.number
    }
}

/// Numbers by column and member.
type Beside = Sorted<(u16, MemberId), u64>;

/// All members of a board.
#[derive(Debug, Clone, Default)]
pub struct Members {
    store: Store,
    count: u32,
    columns: u16,
    /// Bytes of all columns in a record.
    width: u16,
    /// By column and member, what is not in a record.
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
}

impl Default for Store {
    fn default() -> Self {
        Self::Small(Small::default())
    }
}

impl Members {
    /// No members, with room for many.
    #[must_use]
    pub fn large() -> Self {
        Self { store: Store::Large(Box::default()), ..Self::default() }
    }

    /// One more number for each member: the leaf of its entry in an index.
    pub fn add_leaf_column(&mut self) -> Column {
        self.add_column(LEAF)
    }

    /// One more number for each member: that of the write which gave it its key.
    pub fn add_sequence_column(&mut self) -> Column {
        self.add_column(SEQUENCE)
    }

    fn add_column(&mut self, size: usize) -> Column {
        // Records that are there have no room for it.
        let at = match self.store {
            Store::Large(_) if self.count > 0 => None,
            _ => Some(self.width),
        };
        self.width += if at.is_some() { size as u16 } else { 0 };
        self.columns += 1;
        Column { number: self.columns - 1, size: size as u8, at }
    }

    /// Forgets what is kept beside the records for columns that nobody uses any more.
    pub fn release(&mut self, columns: &[Column]) {
        if let Some(beside) = &mut self.beside {
            columns.iter().for_each(|column| _ = beside.take_all(*column));
        }
    }

    /// The members as an index sees them.
    #[must_use]
    pub fn index_members<'a>(
        &'a self,
        leaf: Column,
        sequences: impl Into<Sequences<'a>>,
    ) -> IndexMembers<'a, &'a Self> {
        IndexMembers::new(self, leaf, sequences.into())
    }

    /// The same for an index that changes.
    #[must_use]
    pub fn index_members_mut<'a>(
        &'a mut self,
        leaf: Column,
        sequences: impl Into<Sequences<'a>>,
    ) -> IndexMembers<'a, &'a mut Self> {
        IndexMembers::new(self, leaf, sequences.into())
    }

    fn get(&self, id: MemberId, column: Column) -> Option<u64> {
        if let (Store::Large(large), Some(at)) = (&self.store, column.at) {
            let (at, size) = (usize::from(at), usize::from(column.size));
            let mut raw = [0; 8];
            raw[..size].copy_from_slice(&large.arena.at(id)[at..at + size]);
            return Some(u64::from_le_bytes(raw));
        }
        self.beside.as_ref()?.get((column.number, id)).copied()
    }

    fn set(&mut self, id: MemberId, column: Column, value: u64) {
        if let (Store::Large(large), Some(at)) = (&mut self.store, column.at) {
            let (at, size) = (usize::from(at), usize::from(column.size));
            large.arena.at_mut(id)[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
            return;
        }
        self.beside.get_or_insert_default().insert((column.number, id), value);
    }

    /// The number of a member's last write, in a column for that.
    #[must_use]
    pub fn sequence(&self, id: MemberId, column: Column) -> u64 {
        self.get(id, column).unwrap_or(0)
    }

    /// Notes it.
    pub fn set_sequence(&mut self, id: MemberId, column: Column, number: u64) {
        self.set(id, column, number);
    }

    /// Whether they have the form for many.
    #[must_use]
    pub const fn is_large(&self) -> bool {
        matches!(self.store, Store::Large(_))
    }

    /// How many members there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether so many more members, with so many bytes of names, make a small board large.
    #[must_use]
    pub fn outgrown_by(&self, members: usize, bytes: usize) -> bool {
        match &self.store {
            Store::Small(small) => {
                self.len() + members > SMALL_MEMBERS
                    || small.len() + members * (LEAF + LENGTH) + bytes > SMALL_BYTES
            }
            Store::Large(_) => false,
        }
    }

    /// Changes a small board over to the large form: the old and the new number of each member.
    ///
    /// # Errors
    /// Those of [`Members::insert`].
    pub fn enlarge(&mut self) -> Result<Vec<(MemberId, MemberId)>, Error> {
        let Store::Small(small) = &self.store else {
            return Ok(Vec::new());
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

    /// Moves the numbers of a column to where a large board keeps them: the last step of enlarging.
    pub fn move_column(&mut self, column: Column, numbers: &BTreeMap<MemberId, MemberId>) {
        let Some(beside) = &mut self.beside else { return };
        for (id, value) in beside.take_all(column) {
            self.set(numbers.get(&id).copied().unwrap_or(id), column, value);
        }
    }

    /// The member of this name.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<MemberId> {
        match &self.store {
            Store::Small(small) => small.find(name),
            Store::Large(large) => {
                let width = usize::from(self.width);
                large.table.find(large.hash(name), |id| large.name(id, width) == name)
            }
        }
    }

    /// Enters a member that is not there, without a leaf.
    ///
    /// # Errors
    /// [`Error::Full`] when numbers have run out: past 16 GB of names.
    pub fn insert(&mut self, name: &[u8]) -> Result<MemberId, Error> {
        let id = match &mut self.store {
            Store::Small(small) => small.insert(name),
            Store::Large(large) => large.insert(name, usize::from(self.width))?,
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
            for column in 0..self.columns {
                beside.remove((column, id));
            }
        }
        self.count -= 1;
    }

    /// A member's name.
    #[must_use]
    pub fn name(&self, id: MemberId) -> &[u8] {
        match &self.store {
            Store::Small(small) => small.name(id),
            Store::Large(large) => large.name(id, usize::from(self.width)),
        }
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn memory(&self) -> usize {
        let beside = self.beside.as_ref().map_or(0, |beside| bytes_of::<Beside>(1) + beside.memory());
        beside
            + match &self.store {
                Store::Small(small) => small.memory(),
                Store::Large(large) => bytes_of::<Large>(1) + large.arena.memory() + large.table.memory(),
            }
    }

    /// How many allocations freeing takes, about.
    #[must_use]
    pub fn effort(&self) -> usize {
        let beside = self.beside.as_ref().map_or(0, |beside| beside.allocations());
        beside
            + match &self.store {
                Store::Small(_) => 1,
                Store::Large(large) => large.arena.allocations() + large.table.allocations(),
            }
    }

    /// Lets the allocator move the members to better places, from a step on; where to go on, or nothing
    /// when all is done.
    pub fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        Relocation::run(from, mover, |walk| match &mut self.store {
            Store::Small(small) => small.relocate(walk),
            Store::Large(large) => {
                large.arena.relocate(walk);
                large.table.relocate(walk);
            }
        })
    }
}

impl Beside {
    /// Takes all of a column out.
    fn take_all(&mut self, column: Column) -> Vec<(MemberId, u64)> {
        let from = self.range_from((column.number, MemberId::MIN));
        let all = from.take_while(|((number, _), _)| *number == column.number);
        let all: Vec<_> = all.map(|((_, id), value)| (id, *value)).collect();
        // From the last on, so that little has to move.
        all.iter().rev().for_each(|(id, _)| _ = self.remove((column.number, *id)));
        all
    }
}

impl Default for Large {
    fn default() -> Self {
        Self { arena: Arena::default(), table: Table::default(), hash: Secret::default().hasher() }
    }
}

impl Large {
    fn hash(&self, name: &[u8]) -> u64 {
        hash_of(&self.hash, name)
    }

    fn name(&self, id: MemberId, width: usize) -> &[u8] {
        name_in(&self.arena, id, width)
    }

    fn insert(&mut self, name: &[u8], width: usize) -> Result<MemberId, Error> {
        let start = width + LENGTH;
        let id = self.arena.alloc(start + name.len()).ok_or(Error::Full)?;
        let record = self.arena.at_mut(id);
        // No leaf, that is.
        record[..width].fill(0xff);
        record[width..start].copy_from_slice(&(name.len() as u16).to_le_bytes());
        record[start..start + name.len()].copy_from_slice(name);
        let Self { arena, table, hash } = self;
        table.insert(hash_of(hash, name), id, |other| hash_of(hash, name_in(arena, other, width)));
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
