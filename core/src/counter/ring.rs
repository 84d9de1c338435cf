//! Counts of the latest slices, in a ring: the count of slice `n` is in slot `n % len`.
//!
//! All slots have the width that the greatest count needs: 1, 2, 4 or 8 bytes. A ring is rebuilt with wider slots
//! when a count needs them. Before the first count, a ring has no memory.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "places are below the length, by the remainder, and rings are short"
)]

use crate::mover::Mover;
use crate::size_class::{bytes_of, round_up};

/// The number of bytes of the narrowest slots.
const NARROW: usize = size_of::<i8>();

#[derive(Debug, Clone)]
pub struct Ring {
    slots: Box<[u8]>,
    /// The width of a slot in bytes.
    width: u8,
}

impl Default for Ring {
    fn default() -> Self {
        Self { slots: Box::default(), width: NARROW as u8 }
    }
}

impl Ring {
    /// Returns a ring of at least `slots` and at most `most` slots, all of them 0. It uses all memory of the block
    /// that the allocator returns for `slots` slots.
    fn new(slots: u64, most: u64, width: usize) -> Self {
        let room = (round_up(slots as usize * width) / width).min(most as usize).max(slots as usize);
        Self { slots: vec![0; room * width].into(), width: width as u8 }
    }

    const fn width(&self) -> usize {
        self.width as usize
    }

    /// Returns how many slots there are.
    pub const fn len(&self) -> u64 {
        (self.slots.len() / self.width()) as u64
    }

    fn place(&self, number: u64) -> usize {
        (number % self.len()) as usize * self.width()
    }

    /// Returns the count of a slice, which must be one of the latest `len` slices.
    pub fn get(&self, number: u64) -> i64 {
        let place = self.place(number);
        let slot = &self.slots[place..place + self.width()];
        // The bytes that are not stored are copies of the sign.
        let sign = if slot[slot.len() - 1] & 0x80 == 0 { 0 } else { 0xff };
        let mut bytes = [sign; 8];
        bytes[..slot.len()].copy_from_slice(slot);
        i64::from_le_bytes(bytes)
    }

    /// Sets the count of a slice, which must be one of the latest `len` slices. `newest` is the latest slice.
    pub fn set(&mut self, number: u64, count: i64, newest: u64) {
        let width = width_of(count);
        if width > self.width() {
            self.rebuild(newest, self.len(), self.len(), width);
        }
        let place = self.place(number);
        let width = self.width();
        self.slots[place..place + width].copy_from_slice(&count.to_le_bytes()[..width]);
    }

    /// Sets the counts of `slices` slices to 0, from `first` on. If there are fewer slots, it sets all of them to
    /// 0.
    pub fn clear(&mut self, first: u64, slices: u64) {
        if slices >= self.len() {
            self.slots.fill(0);
            return;
        }
        let (start, bytes) = (self.place(first), slices as usize * self.width());
        let end = (start + bytes).min(self.slots.len());
        self.slots[start..end].fill(0);
        self.slots[..bytes - (end - start)].fill(0);
    }

    /// Changes the number of slots to at least `slots` and at most `most`. The counts of the latest slices are
    /// kept.
    pub fn resize(&mut self, newest: u64, slots: u64, most: u64) {
        self.rebuild(newest, slots, most, self.width());
    }

    fn rebuild(&mut self, newest: u64, slots: u64, most: u64, width: usize) {
        let mut ring = Self::new(slots, most, width);
        for back in 0..self.len().min(ring.len()).min(newest.saturating_add(1)) {
            let number = newest - back;
            let place = ring.place(number);
            ring.slots[place..place + width].copy_from_slice(&self.get(number).to_le_bytes()[..width]);
        }
        *self = ring;
    }

    pub const fn memory(&self) -> usize {
        bytes_of::<u8>(self.slots.len())
    }

    pub fn relocate(&mut self, mover: &mut impl Mover) {
        self.slots = mover.relocate_slice(std::mem::take(&mut self.slots));
    }
}

/// Returns how many bytes a count needs: 1, 2, 4 or 8.
fn width_of(count: i64) -> usize {
    match count {
        _ if i8::try_from(count).is_ok() => NARROW,
        _ if i16::try_from(count).is_ok() => size_of::<i16>(),
        _ if i32::try_from(count).is_ok() => size_of::<i32>(),
        _ => size_of::<i64>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_any_width_come_back() {
        let mut ring = Ring::new(3, 7, NARROW);
        assert_eq!(ring.len(), 7);
        for (number, count) in
            [(100, -1), (101, 127), (102, -129), (103, 1 << 31), (104, -i64::MAX), (105, 5)]
        {
            ring.set(number, count, 105);
            assert_eq!(ring.get(number), count);
        }
        let counts: Vec<_> = (99..=105).map(|number| ring.get(number)).collect();
        assert_eq!(counts, [0, -1, 127, -129, 1 << 31, -i64::MAX, 5]);
        ring.resize(105, 9, 9);
        assert_eq!((ring.len(), ring.get(100), ring.get(97), ring.get(105)), (9, -1, 0, 5));
        ring.resize(105, 2, 2);
        assert_eq!((ring.len(), ring.get(104), ring.get(105)), (2, -i64::MAX, 5));
        ring.clear(104, 2);
        assert_eq!((ring.get(104), ring.get(105)), (0, 0));
        let mut ring = Ring::new(5, 5, NARROW);
        for (first, slices, left) in
            [(8, 3, vec![11, 12]), (7, 4, vec![11]), (9, 0, vec![8, 9, 10, 11, 12]), (3, 9, vec![])]
        {
            (8..=12).for_each(|number| ring.set(number, number as i64, 12));
            ring.clear(first, slices);
            assert_eq!(
                (8..=12).map(|number| ring.get(number)).filter(|count| *count > 0).collect::<Vec<_>>(),
                left
            );
        }
    }
}
