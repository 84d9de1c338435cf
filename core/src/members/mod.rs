//! The members of a board: names to numbers and back, and each member's leaf in the order index.
//!
//! Few members live in one run of bytes ([`small`]); from then on in an [`arena`] with a hash
//! [`table`] over it. A record of the arena is
//!
//! ```text
//!  leaf (4) | length (2) | name (1 to 512)      rounded up to 4 bytes
//! ```
//!
//! so a member with a name of 14 bytes takes 20 bytes here and about 8 in the table. Numbers stay the
//! same while a member exists, but for the one time when a small board grows ([`Members::enlarge`]).
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "offsets within a record are fixed, and records come from insert"
)]

mod arena;
mod small;
pub mod table;

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hasher, RandomState};

use siphasher::sip::SipHasher13;

use crate::Error;
use crate::index::{Home, LeafId, MemberId, NO_LEAF};
use crate::mover::Mover;
use arena::Arena;
use small::Small;
use table::Table;

/// Longest name of a member in bytes.
pub const MAX_NAME: usize = 512;
/// Most members of a board without a hash table.
pub const SMALL_MEMBERS: usize = crate::index::SMALL;
/// Most bytes of names that are worth looking through.
const SMALL_BYTES: usize = 8192;

/// Where a record's length begins: behind the leaf.
const LENGTH: usize = 4;
const NAME: usize = LENGTH + 2;

/// All members of a board.
#[derive(Debug, Clone)]
pub struct Members {
    store: Store,
    count: u32,
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

impl Default for Members {
    fn default() -> Self {
        Self { store: Store::Small(Small::default()), count: 0 }
    }
}

impl Members {
    /// No members, with room for many.
    #[must_use]
    pub fn large() -> Self {
        // The keys are secret and nobody's business: they decide no order that anyone sees.
        let random = RandomState::new();
        let hash = SipHasher13::new_with_keys(random.hash_one(0), random.hash_one(1));
        let large = Large { arena: Arena::default(), table: Table::default(), hash };
        Self { store: Store::Large(Box::new(large)), count: 0 }
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
                self.len() + members > SMALL_MEMBERS || small.len() + members * NAME + bytes > SMALL_BYTES
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
        let mut large = Self::large();
        let numbers = small
            .iter()
            .map(|(old, name)| large.insert(name).map(|new| (old, new)))
            .collect::<Result<_, _>>()?;
        *self = large;
        Ok(numbers)
    }

    /// The member of this name.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<MemberId> {
        match &self.store {
            Store::Small(small) => small.find(name),
            Store::Large(large) => large.table.find(large.hash(name), |id| large.name(id) == name),
        }
    }

    /// Enters a member that is not there, without a leaf.
    ///
    /// # Errors
    /// [`Error::Full`] when numbers have run out: past 16 GB of names.
    pub fn insert(&mut self, name: &[u8]) -> Result<MemberId, Error> {
        let id = match &mut self.store {
            Store::Small(small) => small.insert(name),
            Store::Large(large) => large.insert(name)?,
        };
        self.count += 1;
        Ok(id)
    }

    /// Forgets a member.
    pub fn remove(&mut self, id: MemberId) {
        match &mut self.store {
            Store::Small(small) => small.remove(id),
            Store::Large(large) => large.remove(id),
        }
        self.count -= 1;
    }

    /// A member's name.
    #[must_use]
    pub fn name(&self, id: MemberId) -> &[u8] {
        match &self.store {
            Store::Small(small) => small.name(id),
            Store::Large(large) => large.name(id),
        }
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn memory(&self) -> usize {
        match &self.store {
            Store::Small(small) => small.memory(),
            Store::Large(large) => size_of::<Large>() + large.arena.memory() + large.table.memory(),
        }
    }

    /// How many allocations freeing takes, about.
    #[must_use]
    pub fn effort(&self) -> usize {
        match &self.store {
            Store::Small(_) => 1,
            Store::Large(large) => large.arena.allocations() + large.table.allocations(),
        }
    }

    /// Lets the allocator move chunks of names to better places, from a step on; where to go on.
    pub fn relocate_names(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        match &mut self.store {
            Store::Small(small) => {
                let bytes = small.bytes_mut();
                *bytes = mover.relocate_vec(std::mem::take(bytes));
                None
            }
            Store::Large(large) => large.arena.relocate(from, mover),
        }
    }

    /// The same for the hash table.
    pub fn relocate_table(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        match &mut self.store {
            Store::Small(_) => None,
            Store::Large(large) => large.table.relocate(from, mover),
        }
    }
}

impl Large {
    fn hash(&self, name: &[u8]) -> u64 {
        hash_of(&self.hash, name)
    }

    fn name(&self, id: MemberId) -> &[u8] {
        name_in(&self.arena, id)
    }

    fn insert(&mut self, name: &[u8]) -> Result<MemberId, Error> {
        let id = self.arena.alloc(NAME + name.len()).ok_or(Error::Full)?;
        let record = self.arena.at_mut(id);
        record[..LENGTH].copy_from_slice(&NO_LEAF.to_le_bytes());
        record[LENGTH..NAME].copy_from_slice(&(name.len() as u16).to_le_bytes());
        record[NAME..NAME + name.len()].copy_from_slice(name);
        let Self { arena, table, hash } = self;
        table.insert(hash_of(hash, name), id, |other| hash_of(hash, name_in(arena, other)));
        Ok(id)
    }

    fn remove(&mut self, id: MemberId) {
        let (hash, len) = (self.hash(self.name(id)), self.name(id).len());
        self.table.remove(hash, id);
        self.arena.free(id, NAME + len);
    }
}

fn hash_of(keyed: &SipHasher13, name: &[u8]) -> u64 {
    let mut hash = *keyed;
    hash.write(name);
    hash.finish()
}

fn name_in(arena: &Arena, id: MemberId) -> &[u8] {
    let record = arena.at(id);
    let len = u16::from_le_bytes([record[LENGTH], record[LENGTH + 1]]);
    &record[NAME..NAME + usize::from(len)]
}

impl Home for Members {
    fn leaf(&self, id: MemberId) -> LeafId {
        match &self.store {
            Store::Small(_) => NO_LEAF,
            Store::Large(large) => {
                let record = large.arena.at(id);
                LeafId::from_le_bytes([record[0], record[1], record[2], record[3]])
            }
        }
    }

    fn set_leaf(&mut self, id: MemberId, leaf: LeafId) {
        if let Store::Large(large) = &mut self.store {
            large.arena.at_mut(id)[..LENGTH].copy_from_slice(&leaf.to_le_bytes());
        }
    }

    fn compare(&self, a: MemberId, b: MemberId) -> Ordering {
        self.name(a).cmp(self.name(b))
    }
}

#[cfg(test)]
mod tests;
