//! Handles many members at once. Distant memory is prefetched before any of it is read, and room is made for all
//! members together.

use arrayvec::ArrayVec;

use super::arena::{Arena, UNIT};
use super::{LENGTH, Large, Members, Store};
use crate::Error;
use crate::index::MemberId;
use crate::table::Table;

/// The maximum number of names that are looked up at once.
pub const BATCH: usize = 16;
/// A value for each of these names.
pub type Batch<T> = ArrayVec<T, BATCH>;

/// With fewer members, the table and the records mostly are in the processor's cache.
const FAR: usize = 100_000;

/// Where a name will be looked up: the hash of the name, if that memory was prefetched.
#[derive(Debug, Clone, Copy)]
pub struct Approach(Option<u64>);

impl Members {
    /// Prefetches the memory in which a name will be looked up, unless it probably is in the cache. Returns where this is, for
    /// [`approach_record`](Self::approach_record).
    pub fn approach(&self, name: &[u8]) -> Approach {
        let Store::Large(large) = &self.store else { return Approach(None) };
        if self.len() < FAR {
            return Approach(None);
        }
        let hash = large.hash(name);
        large.table.prefetch(hash);
        Approach(Some(hash))
    }

    /// Prefetches the record of the member that probably has a name, after the table was prefetched.
    pub fn approach_record(&self, Approach(hash): Approach) {
        if let (Store::Large(large), Some(hash)) = (&self.store, hash)
            && let Some(id) = large.table.likely(hash)
        {
            self.prefetch(id);
        }
    }

    /// Returns the members with these names.
    pub fn find_some(&self, names: &[&[u8]]) -> Batch<Option<MemberId>> {
        let Store::Large(large) = &self.store else {
            return names.iter().map(|name| self.find(name)).collect();
        };
        let hashes = large.approach(names);
        hashes.iter().filter_map(|hash| large.table.likely(*hash)).for_each(|id| self.prefetch(id));
        names.iter().zip(hashes).map(|(name, hash)| large.find(name, hash, usize::from(self.width))).collect()
    }

    /// Finds the members with these names. On a board with the form for many members, distant memory is prefetched.
    /// New names are added without a leaf.
    ///
    /// # Errors
    /// The errors of [`Members::insert`]. After an error, some names may have been added.
    pub fn find_or_insert_some(&mut self, names: &[&[u8]]) -> Result<Batch<MemberId>, Error> {
        let Store::Large(large) = &mut self.store else {
            return names.iter().map(|name| self.find(name).map_or_else(|| self.insert(name), Ok)).collect();
        };
        let (hashes, width) = (large.approach(names), usize::from(self.width));
        let mut ids = Batch::new();
        for (name, hash) in names.iter().zip(hashes) {
            ids.push(match large.find(name, hash, width) {
                Some(id) => id,
                None => {
                    let id = large.insert(name, hash, width)?;
                    self.count += 1;
                    id
                }
            });
        }
        Ok(ids)
    }

    /// Returns whether there are enough free ids for this number of new members. `bytes` is the length of all their
    /// names together.
    pub fn has_room_for(&self, members: usize, bytes: usize) -> bool {
        let record = usize::from(self.width) + LENGTH + UNIT;
        let room = match &self.store {
            Store::Large(large) => large.arena.room(),
            Store::Small(_) => Arena::default().room(),
        };
        members.saturating_mul(record).saturating_add(bytes) <= room
    }

    /// Makes room for `members` members in the form for many members, if there are no members yet.
    pub fn reserve(&mut self, members: usize) {
        if let (Store::Large(large), 0) = (&mut self.store, self.count) {
            large.table = Table::with_room(members);
        }
    }
}

impl Large {
    /// Prefetches the memory in which these names are looked up. Returns the hashes of the names.
    fn approach(&self, names: &[&[u8]]) -> Batch<u64> {
        let hashes: Batch<_> = names.iter().map(|name| self.hash(name)).collect();
        hashes.iter().for_each(|hash| self.table.prefetch(*hash));
        hashes
    }
}
