//! Columns: numbers that a board stores for each of its members.

use crate::index::MemberId;
use crate::sorted::Sorted;

/// The number of bytes of a leaf's number.
pub const LEAF: usize = 4;
/// The number of bytes of the number of a write.
pub const SEQUENCE: usize = 6;
/// The greatest number of a write: 280 trillion. A number with all bits set means that there is no number.
pub const MAX_SEQUENCE: u64 = (1 << (8 * SEQUENCE as u32)) - 2;

/// A number that a board stores for each of its members. It is in the member's record. If there were already
/// records when the column was added, it is in a map beside the records.
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
