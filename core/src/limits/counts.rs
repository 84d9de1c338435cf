//! How many votes were counted in one period, for each hash that a rule counts.
//!
//! A few counts are in a list; more counts are in the [lines](super::lines) of a hash table. So no large memory is
//! ever copied, and old counts are freed in steps.

use std::mem;

use super::lines::{HashCount, Lines};
use crate::calendar::Period;
use crate::mover::{Mover, Relocation};
use crate::secret::Secret;
use crate::size_class::{bytes_of, put};

/// Up to this number of counts are in the list, which is searched one by one.
const FEW: usize = 8;

/// The counts of one period.
#[derive(Debug, Clone)]
pub struct Counts {
    /// The period in which the votes were counted.
    pub period: Period,
    /// The counts, if there are at most [`FEW`].
    few: Vec<HashCount>,
    /// All counts, if there are more than [`FEW`].
    lines: Option<Lines>,
}

impl Counts {
    pub const fn new(period: Period) -> Self {
        Self { period, few: Vec::new(), lines: None }
    }

    /// Prefetches the memory of the count of a hash.
    pub fn prefetch(&self, secret: Secret, hash: u64) {
        if let Some(lines) = &self.lines {
            lines.prefetch(secret, hash);
        }
    }

    /// Returns how many votes were counted for a hash.
    pub fn used(&self, secret: Secret, hash: u64) -> u32 {
        let found = match &self.lines {
            None => self.few.iter().find(|(other, _)| *other == hash).map(|(_, used)| *used),
            Some(lines) => lines.get(secret, hash),
        };
        found.unwrap_or(0)
    }

    /// Counts votes for a hash, up to [`u32::MAX`].
    pub fn add(&mut self, secret: Secret, hash: u64, votes: u64) {
        let votes = u32::try_from(votes).unwrap_or(u32::MAX);
        let found = match &mut self.lines {
            None => self.few.iter_mut().find(|(other, _)| *other == hash).map(|(_, used)| used),
            Some(lines) => lines.get_mut(secret, hash),
        };
        match found {
            Some(used) => *used = used.saturating_add(votes),
            None => self.push(secret, (hash, votes)),
        }
    }

    fn push(&mut self, secret: Secret, count: HashCount) {
        let len = self.few.len();
        if self.lines.is_none() && len < FEW {
            return put(&mut self.few, len, count);
        }
        let few = mem::take(&mut self.few);
        self.lines.get_or_insert_with(|| Lines::of(secret, &few)).insert(secret, count);
    }

    /// Returns how many hashes have a count.
    pub fn len(&self) -> usize {
        self.lines.as_ref().map_or(self.few.len(), Lines::len)
    }

    /// Returns the hashes and their votes, by ascending hash. The order is the same in every process.
    pub fn iter(&self) -> impl Iterator<Item = HashCount> + use<> {
        let in_lines = self.lines.iter().flat_map(Lines::iter);
        let mut counts: Vec<_> = self.few.iter().copied().chain(in_lines).collect();
        counts.sort_unstable();
        counts.into_iter()
    }

    /// Frees some counts that are no longer used. Returns false when there is nothing more to free.
    pub fn drain_some(&mut self) -> bool {
        self.few = Vec::new();
        if self.lines.as_mut().is_some_and(Lines::drain_some) {
            return true;
        }
        self.lines = None;
        false
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        let lines = self.lines.as_ref().map_or(0, Lines::memory);
        bytes_of::<HashCount>(self.few.capacity()).saturating_add(lines)
    }

    /// Returns about how many allocations there are.
    pub fn allocations(&self) -> usize {
        self.lines.as_ref().map_or(1, Lines::allocations)
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        match &mut self.lines {
            None => walk.steps(1, |_, mover| self.few = mover.relocate_vec(mem::take(&mut self.few))),
            Some(lines) => lines.relocate(walk),
        }
    }
}
