//! The numbers of members in columns: where they are, and how they are read and set.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a record has room for all columns that were added before it"
)]

use super::arena::UNIT;
use super::column::{LEAF, SEQUENCE, SHORT};
use super::{Column, LENGTH, MAX_SEQUENCE, Members, NewNumbers, Numbers, Store};
use crate::index::{LeafId, MemberId, NO_LEAF};

impl Members {
    /// Adds a column for the leaf of each member's entry in an index.
    pub fn add_leaf_column(&mut self) -> Column {
        self.add_column(LEAF)
    }

    /// Adds a column for numbers that are mostly less than 65,535, such as those of the leaves of a segment. Greater numbers take
    /// a byte more for each member, and those from 16,776,960 on much more.
    pub fn add_short_column(&mut self) -> Column {
        self.add_column(SHORT)
    }

    /// Adds a column for the number of the write that set each member's key.
    pub fn add_sequence_column(&mut self) -> Column {
        self.add_column(SEQUENCE)
    }

    /// Adds a column of numbers with `size` bytes, at most 8. A new member's number has all bits set.
    pub fn add_column(&mut self, size: usize) -> Column {
        // Existing records have no room for the column.
        let at = match self.store {
            Store::Large(_) if self.count > 0 => None,
            _ => Some(self.width),
        };
        self.width += if at.is_some() { size as u16 } else { 0 };
        self.columns += 1;
        Column::new(self.columns - 1, size, at)
    }

    /// Removes the numbers of a column that are beside the records, and returns them. The column must not be used
    /// any more.
    pub fn release(&mut self, column: Column) -> Numbers {
        self.beside.as_mut().map(|beside| beside.take(column)).unwrap_or_default()
    }

    /// Sets the numbers of members in a column. The members should come by ascending id, so that lists are not
    /// split repeatedly.
    pub fn fill(&mut self, column: Column, numbers: impl IntoIterator<Item = (MemberId, u64)>) {
        numbers.into_iter().for_each(|(id, number)| self.set(id, column, number));
    }

    /// Returns a member's number in a column; `None` if it was not set.
    #[inline]
    pub fn get(&self, id: MemberId, column: Column) -> Option<u64> {
        if let (Store::Large(large), Some(at)) = (&self.store, column.at()) {
            let lower = column.read(&large.arena.at(id)[usize::from(at)..]);
            if let Some(number) = column.whole(lower, id, self.beside.as_deref()) {
                return Some(number);
            }
        }
        self.beside.as_ref()?.get(id, column)
    }

    /// Sets a member's number in a column.
    #[inline]
    pub fn set(&mut self, id: MemberId, column: Column, value: u64) {
        if let (Store::Large(large), Some(at), None) = (&mut self.store, column.at(), &self.beside)
            && column.fits(value)
        {
            column.write(&mut large.arena.at_mut(id)[usize::from(at)..], value);
        } else {
            self.set_beside(id, column, value);
        }
    }

    /// Sets a number of a board that has numbers outside its records, or will have this one there.
    #[inline(never)]
    fn set_beside(&mut self, id: MemberId, column: Column, value: u64) {
        let beside = self.beside.get_or_insert_default();
        if let (Store::Large(large), Some(at)) = (&mut self.store, column.at()) {
            let (lower, upper) = column.split(value);
            let record = &mut large.arena.at_mut(id)[usize::from(at)..];
            if !column.fits(column.read(record)) {
                beside.forget(id, column);
            }
            column.write(record, lower);
            beside.set_upper(id, column, upper, large_spacing(self.width));
            if !column.is_beside(value) {
                return;
            }
        }
        beside.set(id, column, value);
    }

    /// Returns the index of a member in a list that has room for each id. No two members have the same index.
    pub const fn slot(&self, id: MemberId) -> usize {
        match self.store {
            Store::Small(_) => id as usize,
            Store::Large(_) => (id / large_spacing(self.width)) as usize,
        }
    }

    /// Forgets a member's number in a column of leaves.
    pub fn clear(&mut self, id: MemberId, column: Column) {
        if let (Store::Large(large), Some(at)) = (&mut self.store, column.at()) {
            column.write(&mut large.arena.at_mut(id)[usize::from(at)..], u64::MAX);
        }
        self.beside.iter_mut().for_each(|beside| beside.clear(id, column));
    }

    /// Returns the leaf of a member's entry, from a column of leaves. It may be a leaf that the member has left.
    #[inline]
    pub fn leaf(&self, id: MemberId, column: Column) -> LeafId {
        self.get(id, column).map_or(NO_LEAF, |leaf| leaf as LeafId)
    }

    /// Stores the leaf of a member's entry.
    pub fn set_leaf(&mut self, id: MemberId, column: Column, leaf: LeafId) {
        match leaf {
            NO_LEAF => self.clear(id, column),
            leaf => self.set(id, column, u64::from(leaf)),
        }
    }

    /// Returns the number of a member's last write, from a sequence column; 0 if there is no number.
    pub fn sequence(&self, id: MemberId, column: Column) -> u64 {
        self.get(id, column).filter(|number| *number <= MAX_SEQUENCE).unwrap_or(0)
    }

    /// Stores the number of a member's last write.
    pub fn set_sequence(&mut self, id: MemberId, column: Column, number: u64) {
        self.set(id, column, number);
    }

    /// Moves the numbers of a column to the place where a large board stores them. This is called after
    /// [`enlarge`](Self::enlarge). `numbers` contains the new id of each old id.
    pub fn move_column(&mut self, column: Column, numbers: &NewNumbers) {
        let Some(beside) = &mut self.beside else { return };
        for (id, value) in beside.take(column).iter() {
            self.set(numbers.of(id), column, *value);
        }
        // Each later change would look there.
        self.beside.take_if(|beside| beside.is_empty());
    }
}

/// Returns the least difference between the ids of two members on a large board, whose columns have this number of bytes. No
/// record is smaller than one with a name of one byte.
const fn large_spacing(width: u16) -> u32 {
    (width as usize + LENGTH + 1).div_ceil(UNIT) as u32
}
