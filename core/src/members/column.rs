//! Columns: numbers that a board stores for each of its members.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a column has at most 8 bytes, and a record has room for all its columns"
)]

use crate::index::MemberId;
use crate::sorted::Sorted;

/// The number of bytes of a leaf's number.
pub const LEAF: usize = 3;
/// The number of bytes of a leaf's number in an index that mostly has few leaves.
pub const SHORT: usize = 2;
/// The number of bytes of the number of a write.
pub const SEQUENCE: usize = 6;
/// The greatest number of a write: 280 trillion. A number with all bits set means that there is no number.
pub const MAX_SEQUENCE: u64 = (1 << (8 * SEQUENCE as u32)) - 2;

/// A number that a board stores for each of its members. It is in the member's record. If there were already
/// records when the column was added, it is in a map beside the records. The map also has the numbers of leaves that are
/// too great for their columns; all bits are set in the records then, as in those of members without a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub(super) number: u16,
    pub(super) size: u8,
    /// The place of the number in the record.
    pub(super) at: Option<u16>,
}

impl Column {
    /// A column without numbers: the leaves of members are not stored for such an index.
    pub const NONE: Self = Self { number: u16::MAX, size: LEAF as u8, at: None };

    pub(super) const fn is_none(self) -> bool {
        self.number == Self::NONE.number
    }

    /// Returns the number in a record with all bits set.
    const fn ones(self) -> u64 {
        u64::MAX >> (64 - 8 * self.size as u32)
    }

    /// Returns whether this number is not stored in a record, but in the map beside the records.
    #[inline]
    pub(super) const fn is_beside(self, number: u64) -> bool {
        matches!(self.size as usize, LEAF | SHORT) && number >= self.ones()
    }

    /// Returns the number in the bytes of a record that begin with this column.
    #[inline]
    pub(super) fn read(self, record: &[u8]) -> u64 {
        // The most frequent size has a separate branch, where the compiler knows the length.
        if let (LEAF, Some(leaf)) = (usize::from(self.size), record.first_chunk()) {
            return u64::from(u32::from_le_bytes(*leaf)) & self.ones();
        }
        let size = usize::from(self.size);
        let mut raw = [0; 8];
        raw[..size].copy_from_slice(&record[..size]);
        u64::from_le_bytes(raw)
    }

    /// Writes a number to the bytes of a record that begin with this column.
    #[inline]
    pub(super) fn write(self, record: &mut [u8], number: u64) {
        if let (LEAF, Some(leaf)) = (usize::from(self.size), record.first_chunk_mut()) {
            let others = u32::from_le_bytes(*leaf) & !(self.ones() as u32);
            *leaf = (others | number.min(self.ones()) as u32).to_le_bytes();
            return;
        }
        let size = usize::from(self.size);
        record[..size].copy_from_slice(&number.min(self.ones()).to_le_bytes()[..size]);
    }
}

/// The numbers of a column that are not in records, by member id.
pub type Numbers = Sorted<MemberId, u64>;

/// The numbers that are not in records, by column. A list without numbers is removed.
#[derive(Debug, Clone, Default)]
pub struct Beside(Sorted<u16, Numbers>);

impl Beside {
    pub fn get(&self, id: MemberId, column: Column) -> Option<u64> {
        self.0.get(column.number)?.get(id).copied()
    }

    pub fn set(&mut self, id: MemberId, column: Column, value: u64) {
        self.0.or_default(column.number).insert(id, value);
    }

    /// Removes a member's number from a column.
    pub fn clear(&mut self, id: MemberId, column: Column) {
        if let Some(numbers) = self.0.get_mut(column.number)
            && numbers.remove(id).is_some()
            && numbers.is_empty()
        {
            self.0.remove(column.number);
        }
    }

    /// Removes all numbers of a column, and returns them.
    pub fn take(&mut self, column: Column) -> Numbers {
        self.0.remove(column.number).unwrap_or_default()
    }

    /// Removes the numbers of a member.
    pub fn remove(&mut self, id: MemberId) {
        let mut emptied = Vec::new();
        for (column, numbers) in self.0.range_from_mut(0) {
            if numbers.remove(id).is_some() && numbers.is_empty() {
                emptied.push(column);
            }
        }
        emptied.into_iter().for_each(|column| _ = self.0.remove(column));
    }

    #[cfg(test)]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        self.0.values().map(Numbers::memory).fold(self.0.memory(), usize::saturating_add)
    }

    pub fn allocations(&self) -> usize {
        self.0.values().map(Numbers::allocations).fold(self.0.allocations(), usize::saturating_add)
    }
}
