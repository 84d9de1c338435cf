//! Boxes with numbers. Each box is a separate allocation, so boxes do not move when others are added.
#![allow(clippy::indexing_slicing, reason = "a number that a slab gave out stays valid until it is removed")]

use std::ops;

use crate::mover::{Mover, Relocation};
use crate::size_class::bytes_of;

/// A number that no box has.
pub const NONE: u32 = u32::MAX;

/// Boxes with numbers. The numbers of removed boxes are used again.
#[derive(Debug, Clone)]
pub struct Slab<T> {
    items: Vec<Option<Box<T>>>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub const fn new() -> Self {
        Self { items: Vec::new(), free: Vec::new() }
    }

    pub fn insert(&mut self, item: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.items[number as usize] = Some(Box::new(item));
            return number;
        }
        self.items.push(Some(Box::new(item)));
        u32::try_from(self.items.len()).map_or(NONE, |len| len.saturating_sub(1))
    }

    /// Returns a slab without boxes that reserves the numbers of the boxes of another slab, for [`Self::put`].
    pub fn reserving<U>(other: &Slab<U>) -> Self {
        let items = std::iter::repeat_with(|| None).take(other.items.len());
        Self { items: items.collect(), free: other.free.clone() }
    }

    /// Adds a box with a number that is reserved.
    pub fn put(&mut self, number: u32, item: T) {
        debug_assert!(self.items[number as usize].is_none());
        self.items[number as usize] = Some(Box::new(item));
    }

    /// Ends the reservation of a number.
    pub fn release(&mut self, number: u32) {
        debug_assert!(self.items[number as usize].is_none() && !self.free.contains(&number));
        self.free.push(number);
    }

    pub fn remove(&mut self, number: u32) {
        self.items[number as usize] = None;
        self.free.push(number);
    }

    /// Returns the box with a number, if there is such a box.
    pub fn get(&self, number: u32) -> Option<&T> {
        self.items.get(number as usize)?.as_deref()
    }

    /// Removes any box and returns it; `None` when the slab is empty. The other boxes keep their numbers.
    pub fn pop(&mut self) -> Option<Box<T>> {
        while let Some(item) = self.items.pop() {
            if item.is_some() {
                return item;
            }
            self.free.pop();
        }
        None
    }

    /// Returns whether more numbers are free than in use.
    pub fn is_sparse(&self) -> bool {
        self.free.len() > self.len()
    }

    pub fn len(&self) -> usize {
        self.items.len().saturating_sub(self.free.len())
    }

    /// Returns the number of bytes of the boxes and of the lists of boxes and free numbers.
    pub fn memory(&self) -> usize {
        let boxes = self.len().saturating_mul(bytes_of::<T>(1));
        let items = bytes_of::<Option<Box<T>>>(self.items.capacity());
        boxes.saturating_add(items).saturating_add(bytes_of::<u32>(self.free.capacity()))
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(self.items.len(), |at, mover| {
            self.items[at] = self.items[at].take().map(|item| mover.relocate(item));
        });
    }
}

impl<T> ops::Index<u32> for Slab<T> {
    type Output = T;

    fn index(&self, number: u32) -> &T {
        match &self.items[number as usize] {
            Some(item) => item,
            None => unreachable!("node {number} was removed"),
        }
    }
}

impl<T> ops::IndexMut<u32> for Slab<T> {
    fn index_mut(&mut self, number: u32) -> &mut T {
        match &mut self.items[number as usize] {
            Some(item) => item,
            None => unreachable!("node {number} was removed"),
        }
    }
}
