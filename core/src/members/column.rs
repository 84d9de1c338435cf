//! Columns: numbers that a board stores for each of its members.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a column has at most 8 bytes, and a record has room for all its columns"
)]

use super::plane::Plane;
use crate::index::MemberId;
use crate::mover::{Mover, Relocation};
use crate::size_class::bytes_of;
use crate::sorted::Sorted;

/// The number of bytes of a leaf's number.
pub const LEAF: usize = 3;
/// The number of bytes of a number that is mostly less than 65,535. Of a greater number, it has the rest of a division by
/// 65,535, so that it never has all bits set. The quotient is in a [`Plane`].
pub const SHORT: usize = 2;
/// The number of bytes of the number of a write.
pub const SEQUENCE: usize = 6;
/// The greatest number of a write: 280 trillion. A number with all bits set means that there is no number.
pub const MAX_SEQUENCE: u64 = (1 << (8 * SEQUENCE as u32)) - 2;

/// A number that a board stores for each of its members. It is in the member's record. If there were already
/// records when the column was added, it is in a map beside the records. The map also has the numbers that are
/// too great for their columns; all bits are set in the records then, as in those of members without a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub(super) number: u16,
    pub(super) size: u8,
    /// The place of the number in the record, or [`Self::NOWHERE`].
    place: u16,
}

impl Column {
    /// A column without numbers: the leaves of members are not stored for such an index.
    pub const NONE: Self = Self { number: u16::MAX, size: LEAF as u8, place: Self::NOWHERE };
    /// The place of a number that is not in the record. A record is shorter.
    const NOWHERE: u16 = u16::MAX;

    pub(super) const fn new(number: u16, size: usize, at: Option<u16>) -> Self {
        let place = match at {
            Some(at) => at,
            None => Self::NOWHERE,
        };
        Self { number, size: size as u8, place }
    }

    /// Returns the place of the number in the record.
    #[inline]
    pub(super) const fn at(self) -> Option<u16> {
        if self.place == Self::NOWHERE { None } else { Some(self.place) }
    }

    pub(super) const fn is_none(self) -> bool {
        self.number == Self::NONE.number
    }

    /// Returns the number in a record with all bits set.
    const fn ones(self) -> u64 {
        u64::MAX >> (64 - 8 * self.size as u32)
    }

    const fn is_short(self) -> bool {
        self.size as usize == SHORT
    }

    /// Returns whether this number of a record, or for a record, is not stored in it, but in the map beside the records.
    #[inline]
    pub(super) const fn is_beside(self, number: u64) -> bool {
        match self.size as usize {
            SHORT => number >= self.ones() << 8,
            LEAF => number >= self.ones(),
            _ => false,
        }
    }

    /// Returns whether a record has the whole of this number.
    #[inline]
    pub(super) const fn fits(self, number: u64) -> bool {
        number < self.ones() || !self.is_beside(number) && !self.is_short()
    }

    /// Returns the number of a member whose record has `lower`. `None` if it is in the map, or was not set.
    #[inline]
    pub(super) fn whole(self, lower: u64, id: MemberId, beside: Option<&Beside>) -> Option<u64> {
        match beside {
            Some(beside) if self.is_short() && lower < self.ones() => {
                Some(lower + u64::from(beside.upper(id, self)) * self.ones())
            }
            _ => self.fits(lower).then_some(lower),
        }
    }

    /// Divides a number into what its record has, and its upper byte. If the number is in the map, the record has all bits set.
    #[inline]
    pub(super) const fn split(self, number: u64) -> (u64, u8) {
        if self.is_beside(number) {
            return (self.ones(), 0);
        }
        if self.is_short() && number >= self.ones() {
            return (number % self.ones(), (number / self.ones()) as u8);
        }
        (number, 0)
    }

    /// Returns the number in the bytes of a record that begin with this column.
    #[inline]
    pub(super) fn read(self, record: &[u8]) -> u64 {
        let size = usize::from(self.size);
        // The sizes of leaves have separate branches, where the compiler knows the length.
        if let (LEAF, Some(leaf)) = (size, record.first_chunk()) {
            return u64::from(u32::from_le_bytes(*leaf)) & self.ones();
        }
        if let (SHORT, Some(leaf)) = (size, record.first_chunk()) {
            return u64::from(u16::from_le_bytes(*leaf));
        }
        let mut raw = [0; 8];
        raw[..size].copy_from_slice(&record[..size]);
        u64::from_le_bytes(raw)
    }

    /// Writes a number to the bytes of a record that begin with this column.
    #[inline]
    pub(super) fn write(self, record: &mut [u8], number: u64) {
        let size = usize::from(self.size);
        if let (LEAF, Some(leaf)) = (size, record.first_chunk_mut()) {
            let others = u32::from_le_bytes(*leaf) & !(self.ones() as u32);
            *leaf = (others | number.min(self.ones()) as u32).to_le_bytes();
            return;
        }
        if let (SHORT, Some(leaf)) = (size, record.first_chunk_mut()) {
            *leaf = (number.min(self.ones()) as u16).to_le_bytes();
            return;
        }
        record[..size].copy_from_slice(&number.min(self.ones()).to_le_bytes()[..size]);
    }
}

/// The numbers of a column that are not in records, by member id.
pub type Numbers = Sorted<MemberId, u64>;

/// The numbers that are not in records, by column: all of them, or their upper bytes. A list without numbers is removed.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    numbers: Sorted<u16, Numbers>,
    /// The upper bytes, by column. Few boards have any.
    planes: Vec<(u16, Plane)>,
}

impl Beside {
    /// Returns the upper byte of a member's number.
    #[inline]
    pub fn upper(&self, id: MemberId, column: Column) -> u8 {
        let mut planes = self.planes.iter();
        planes.find(|(number, _)| *number == column.number).map_or(0, |(_, plane)| plane.get(id))
    }

    /// Sets the upper byte of a member's number. The ids of two members differ by at least `spacing`.
    pub fn set_upper(&mut self, id: MemberId, column: Column, byte: u8, spacing: u32) {
        let found = self.planes.iter().position(|(number, _)| *number == column.number);
        let at = match (found, byte) {
            (Some(at), _) => at,
            (None, 0) => return,
            (None, _) => {
                self.planes.reserve_exact(1);
                self.planes.push((column.number, Plane::new(spacing)));
                self.planes.len() - 1
            }
        };
        self.planes[at].1.set(id, byte);
        if self.planes[at].1.is_empty() {
            self.planes.swap_remove(at);
        }
    }

    pub fn get(&self, id: MemberId, column: Column) -> Option<u64> {
        self.numbers.get(column.number)?.get_near(id).copied()
    }

    pub fn set(&mut self, id: MemberId, column: Column, value: u64) {
        let numbers = self.numbers.or_default(column.number);
        match numbers.get_near_mut(id) {
            Some(number) => *number = value,
            None => _ = numbers.insert(id, value),
        }
    }

    /// Removes a member's number from a column, or its upper byte.
    pub fn clear(&mut self, id: MemberId, column: Column) {
        self.set_upper(id, column, 0, 1);
        self.forget(id, column);
    }

    /// Removes a member's number from the map of a column.
    pub fn forget(&mut self, id: MemberId, column: Column) {
        if let Some(numbers) = self.numbers.get_mut(column.number)
            && numbers.remove(id).is_some()
            && numbers.is_empty()
        {
            self.numbers.remove(column.number);
        }
    }

    /// Removes all numbers of a column, and returns those of the map.
    pub fn take(&mut self, column: Column) -> Numbers {
        self.planes.retain(|(number, _)| *number != column.number);
        self.numbers.remove(column.number).unwrap_or_default()
    }

    /// Removes the numbers of a member.
    pub fn remove(&mut self, id: MemberId) {
        self.planes.iter_mut().for_each(|(_, plane)| plane.set(id, 0));
        self.planes.retain(|(_, plane)| !plane.is_empty());
        let mut emptied = Vec::new();
        for (column, numbers) in self.numbers.range_from_mut(0) {
            if numbers.remove(id).is_some() && numbers.is_empty() {
                emptied.push(column);
            }
        }
        emptied.into_iter().for_each(|column| _ = self.numbers.remove(column));
    }

    pub const fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.planes.is_empty()
    }

    /// Returns the number of bytes on the heap.
    pub fn memory(&self) -> usize {
        let planes = self.planes.iter().map(|(_, plane)| plane.memory());
        let planes = planes.fold(bytes_of::<(u16, Plane)>(self.planes.capacity()), usize::saturating_add);
        let numbers = self.numbers.values().map(Numbers::memory);
        numbers.fold(self.numbers.memory().saturating_add(planes), usize::saturating_add)
    }

    pub fn allocations(&self) -> usize {
        let planes = self.planes.iter().map(|(_, plane)| plane.allocations());
        let numbers = self.numbers.values().map(Numbers::allocations);
        numbers.chain(planes).fold(self.numbers.allocations(), usize::saturating_add)
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.planes.iter_mut().for_each(|(_, plane)| plane.relocate(walk));
    }
}
