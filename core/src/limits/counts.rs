//! How many votes were counted in one period, by the hash of what a rule counts by.
//!
//! Entries of 12 bytes stand in chunks, in the order of their first vote. More than a few have a hash
//! table over them. So nothing large is ever copied, and old counts are freed chunk by chunk.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "numbers come from the table or run up to len, and the chunks hold so many entries"
)]

use std::mem;

use crate::calendar::Period;
use crate::mover::{Mover, Relocation};
use crate::prefetch::prefetch;
use crate::secret::Secret;
use crate::size_class::{bytes_of, room_for};
use crate::table::Table;

/// Entries of a chunk: 12 KB, which is a size class of the allocator.
const CHUNK: usize = 1024;
/// Up to so many entries are searched one by one.
const FEW: usize = 8;
/// Chunks that one step frees, in well under 10 microseconds.
const STEP: usize = 8;

/// Aligned to 4 bytes, so that it takes 12 and not 16.
#[derive(Debug, Clone, Copy)]
#[repr(C, packed(4))]
struct HashCount {
    hash: u64,
    used: u32,
}

const _: () = assert!(size_of::<HashCount>() == 12);

/// The counts of one period.
#[derive(Debug, Clone)]
pub struct Counts {
    /// The period in which they count.
    pub period: Period,
    /// The first [`CHUNK`] entries, in an allocation that grows.
    first: Vec<HashCount>,
    /// The others.
    more: Vec<Vec<HashCount>>,
    /// Finds the entries, if there are more than [`FEW`].
    table: Option<Table>,
}

fn entry<'a>(first: &'a [HashCount], more: &'a [Vec<HashCount>], number: u32) -> &'a HashCount {
    let at = number as usize;
    if at < CHUNK { &first[at] } else { &more[at / CHUNK - 1][at % CHUNK] }
}

impl Counts {
    pub const fn new(period: Period) -> Self {
        Self { period, first: Vec::new(), more: Vec::new(), table: None }
    }

    fn find(&self, secret: Secret, hash: u64) -> Option<u32> {
        match &self.table {
            None => self.first.iter().position(|entry| entry.hash == hash).map(|at| at as u32),
            Some(table) => table
                .find(secret.place([hash, 0]), |number| entry(&self.first, &self.more, number).hash == hash),
        }
    }

    /// Asks for the memory that finding a hash reads first.
    pub fn prefetch(&self, secret: Secret, hash: u64) {
        if let Some(table) = &self.table {
            table.prefetch(secret.place([hash, 0]));
        }
    }

    /// Asks for the entry of a hash, once what [`prefetch`](Self::prefetch) asked for is there.
    pub fn prefetch_target(&self, secret: Secret, hash: u64) {
        if let Some(number) = self.table.as_ref().and_then(|table| table.likely(secret.place([hash, 0]))) {
            prefetch(entry(&self.first, &self.more, number));
        }
    }

    /// How many votes were counted for a hash.
    pub fn used(&self, secret: Secret, hash: u64) -> u32 {
        self.find(secret, hash).map_or(0, |number| entry(&self.first, &self.more, number).used)
    }

    /// Counts votes for a hash, up to [`u32::MAX`].
    pub fn add(&mut self, secret: Secret, hash: u64, votes: u64) {
        let votes = u32::try_from(votes).unwrap_or(u32::MAX);
        match self.find(secret, hash) {
            Some(number) => {
                let at = number as usize;
                let entry = match at.checked_sub(CHUNK) {
                    None => &mut self.first[at],
                    Some(at) => &mut self.more[at / CHUNK][at % CHUNK],
                };
                entry.used = entry.used.saturating_add(votes);
            }
            None => self.push(secret, HashCount { hash, used: votes }),
        }
    }

    fn push(&mut self, secret: Secret, entry: HashCount) {
        // Hashes beyond four billion are not counted.
        let Ok(number) = u32::try_from(self.len()) else { return };
        self.chunk_with_room().push(entry);
        if self.table.is_some() {
            self.place(secret, number);
        } else if number as usize == FEW {
            self.table = Some(Table::default());
            (0..=number).for_each(|number| self.place(secret, number));
        }
    }

    fn place(&mut self, secret: Secret, number: u32) {
        let Self { first, more, table, .. } = self;
        let place_of = |number| secret.place([entry(first, more, number).hash, 0]);
        if let Some(table) = table {
            table.insert(place_of(number), number, place_of);
        }
    }

    fn chunk_with_room(&mut self) -> &mut Vec<HashCount> {
        let len = self.first.len();
        if len < CHUNK {
            if len == self.first.capacity() {
                self.first.reserve_exact(room_for::<HashCount>(len + len / 4 + 1).min(CHUNK) - len);
            }
            return &mut self.first;
        }
        if self.more.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            self.more.push(Vec::with_capacity(CHUNK));
        }
        let last = self.more.len() - 1;
        &mut self.more[last]
    }

    /// How many hashes have votes.
    pub fn len(&self) -> usize {
        self.more.last().map_or(self.first.len(), |last| self.more.len() * CHUNK + last.len())
    }

    /// Hashes and their votes, in the order of their first vote.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.first.iter().chain(self.more.iter().flatten()).map(|entry| (entry.hash, entry.used))
    }

    /// Frees a part of counts that are not needed any more; false when nothing is left.
    pub fn drain_some(&mut self) -> bool {
        if let Some(table) = &mut self.table {
            if !table.drain_some() {
                self.table = None;
            }
            return true;
        }
        if self.more.is_empty() {
            self.first = Vec::new();
            return false;
        }
        self.more.truncate(self.more.len().saturating_sub(STEP));
        true
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let more = self.more.len() * bytes_of::<HashCount>(CHUNK);
        let lists =
            bytes_of::<HashCount>(self.first.capacity()) + bytes_of::<Vec<HashCount>>(self.more.capacity());
        more + lists + self.table.as_ref().map_or(0, Table::memory)
    }

    /// About how many allocations there are.
    pub fn allocations(&self) -> usize {
        2 + self.more.len() + self.table.as_ref().map_or(0, Table::allocations)
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(1 + self.more.len(), |at, mover| match at.checked_sub(1) {
            None => {
                self.first = mover.relocate_vec(mem::take(&mut self.first));
                self.more = mover.relocate_vec(mem::take(&mut self.more));
            }
            Some(at) => self.more[at] = mover.relocate_vec(mem::take(&mut self.more[at])),
        });
        if let Some(table) = &mut self.table {
            table.relocate(walk);
        }
    }
}
