//! Lists in chunks: adding an item never copies more than one chunk.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the number of an item leads to its chunk, as all chunks before the last are full"
)]

use std::ops::{Index, IndexMut};

use crate::mover::{Mover, Relocation};
use crate::size_class::{bytes_of, room_for};

/// A list in chunks of up to `LEN` items. The first chunk grows while it is the only chunk. Every other chunk is
/// allocated at its full size.
#[derive(Debug, Clone)]
pub struct Chunked<T, const LEN: usize> {
    chunks: Vec<Vec<T>>,
}

impl<T, const LEN: usize> Default for Chunked<T, LEN> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T, const LEN: usize> Chunked<T, LEN> {
    /// Returns how many items the list has. The result is only correct if `push` was used for all items.
    pub fn len(&self) -> usize {
        self.chunks.len().saturating_sub(1) * LEN + self.chunks.last().map_or(0, Vec::len)
    }

    /// Returns all items, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.chunks.iter().flatten()
    }

    pub const fn chunks(&self) -> usize {
        self.chunks.len()
    }

    pub const fn allocations(&self) -> usize {
        self.chunks.len().saturating_add(1)
    }

    /// Returns whether the last chunk has room for `items` more items.
    pub fn fits(&self, items: usize) -> bool {
        self.chunks.last().is_some_and(|chunk| chunk.len() + items <= LEN)
    }

    /// Returns the last chunk, or a new chunk, with room for `items` more items.
    pub fn room(&mut self, items: usize) -> &mut Vec<T> {
        if !self.fits(items) {
            self.chunks.push(Vec::new());
        }
        let last = self.chunks.len() - 1;
        let chunk = &mut self.chunks[last];
        let need = chunk.len() + items;
        if need > chunk.capacity() {
            let room = if last == 0 { room_for::<T>(need * 3 / 2).min(LEN) } else { LEN };
            chunk.reserve_exact(room - chunk.len());
        }
        chunk
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        self.room(1).push(item);
    }

    /// Returns the last chunk.
    pub fn last_mut(&mut self) -> Option<&mut Vec<T>> {
        self.chunks.last_mut()
    }

    /// Removes the last item.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.chunks.last_mut()?;
        let item = last.pop();
        if last.is_empty() {
            self.chunks.pop();
        }
        item
    }

    /// Removes the last chunk. Returns whether there was one.
    pub fn pop_chunk(&mut self) -> bool {
        self.chunks.pop().is_some()
    }

    /// Returns the items of a chunk, from the index `from` of the chunk on.
    #[inline]
    pub fn rest(&self, chunk: usize, from: usize) -> &[T] {
        &self.chunks[chunk][from..]
    }

    /// Returns `count` items from an index on, if all of them are in one chunk.
    #[inline]
    pub fn run(&self, from: usize, count: usize) -> Option<&[T]> {
        let within = from % LEN;
        self.chunks.get(from / LEN)?.get(within..within + count)
    }

    /// Frees the unused memory of the last chunk and of the list of chunks.
    pub fn trim(&mut self) {
        if let Some(last) = self.chunks.last_mut() {
            last.shrink_to_fit();
        }
        self.chunks.shrink_to_fit();
    }

    pub fn memory(&self) -> usize {
        let of = |chunk: Option<&Vec<T>>| chunk.map_or(0, |chunk| bytes_of::<T>(chunk.capacity()));
        let full = of(self.chunks.first()) * self.chunks.len().saturating_sub(1);
        full + of(self.chunks.last()) + bytes_of::<Vec<T>>(self.chunks.capacity())
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(self.chunks.len(), |at, mover| {
            self.chunks[at] = mover.relocate_vec(std::mem::take(&mut self.chunks[at]));
        });
    }
}

impl<T, const LEN: usize> Index<usize> for Chunked<T, LEN> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.chunks[at / LEN][at % LEN]
    }
}

impl<T, const LEN: usize> IndexMut<usize> for Chunked<T, LEN> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        &mut self.chunks[at / LEN][at % LEN]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mover::tests::walk_all;

    fn held<const LEN: usize>(list: &Chunked<u32, LEN>) -> usize {
        let chunks = list.chunks.iter().map(|chunk| bytes_of::<u32>(chunk.capacity()));
        chunks.sum::<usize>() + bytes_of::<Vec<u32>>(list.chunks.capacity())
    }

    #[test]
    fn as_a_list() {
        let mut list = Chunked::<u32, 64>::default();
        for item in 0..500 {
            list.push(item);
            assert!(list.chunks() == 1 || list.chunks.iter().all(|chunk| chunk.capacity() == 64));
            assert_eq!((list.memory(), list.len()), (held(&list), item as usize + 1));
        }
        list[7] += 1;
        assert!(list.iter().rev().copied().eq((0..500).rev().map(|item| if item == 7 { 8 } else { item })));
        list[7] = 7;
        list.trim();
        assert_eq!((list.chunks(), list.memory()), (8, held(&list)));
        assert_eq!(walk_all(|from, mover| Relocation::run(from, mover, |walk| list.relocate(walk))), 8);
        for from in 0..500 {
            assert_eq!(list[from], from as u32);
            let run = list.run(from, 4).map(<[u32]>::to_vec);
            let within = from % 64 <= 60 && from <= 496;
            assert_eq!(run, within.then(|| (from as u32..from as u32 + 4).collect()));
        }
        assert!((0..500).rev().all(|item| list.pop() == Some(item)));
        assert_eq!((list.pop(), list.chunks()), (None, 0));
    }

    #[test]
    fn what_must_not_be_torn_begins_a_chunk() {
        let mut list = Chunked::<u32, 64>::default();
        for number in 0..6 {
            list.room(30).extend([number; 30]);
        }
        assert_eq!((list.chunks(), list.fits(4), list.fits(5)), (3, true, false));
        assert_eq!(list.rest(1, 30), [3; 30]);
        assert!((0..3).all(|_| list.pop_chunk()) && !list.pop_chunk());
    }
}
