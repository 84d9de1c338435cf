//! Items in the order of their keys, in lists of limited length. Lists grow by one size of the allocator at a time,
//! so their memory is known exactly. They are never rebuilt as a whole.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a place comes from a search and is used before the lists change"
)]

use crate::mover::{Mover, Relocation};
use crate::size_class::{bytes_of, put, room_for, trim};

/// An item that contains its key.
pub trait HasKey {
    type Key: Copy + Ord;

    fn key(&self) -> Self::Key;
}

impl<K: Copy + Ord, V> HasKey for (K, V) {
    type Key = K;

    #[inline]
    fn key(&self) -> K {
        self.0
    }
}

#[derive(Debug, Clone)]
struct SortedList<K, T> {
    /// The lower bound of the list: no key of this list is less than `low`, and all keys of earlier lists are less.
    low: K,
    items: Vec<T>,
}

/// The place of an item: the index of its list, and its index in the list.
pub type ListPlace = (usize, usize);

/// The lists, each of up to `BYTES` bytes. Each list has at least one item.
#[derive(Debug, Clone)]
pub struct SortedLists<T: HasKey, const BYTES: usize> {
    lists: Vec<SortedList<T::Key, T>>,
    len: usize,
    /// The number of bytes of the items of all lists.
    bytes: usize,
}

impl<T: HasKey<Key = u32>, const BYTES: usize> SortedLists<T, BYTES> {
    /// Does the same as [`Self::find`], for keys that are spread nearly evenly: it first looks where the key is if they are
    /// (interpolation search). A list is read in one or two places then, and not in eight.
    #[inline]
    pub fn find_near(&self, key: u32) -> Option<ListPlace> {
        let list = self.list_of(key)?;
        let SortedList { low, items } = &self.lists[list];
        let next = self.lists.get(list + 1).map(|next| next.low);
        let high = next.or_else(|| items.last().map(HasKey::key)).unwrap_or(*low);
        let part = u64::from(key - low) * items.len() as u64 / u64::from(high - low).max(1);
        Some((list, partition_point_near(items, part as usize, |item| item.key() <= key)))
    }
}

/// Returns the number of items at the beginning that fulfil a condition, which all items behind them do not. Looks at the item
/// `guess` first, and goes on from there in steps that double.
pub fn partition_point_near<T>(items: &[T], guess: usize, holds: impl Fn(&T) -> bool) -> usize {
    let (mut from, mut to) = (0, items.len());
    let mut at = guess.min(to.saturating_sub(1));
    let mut step = 1;
    while from < to {
        if holds(&items[at]) {
            from = at + 1;
            at += step;
        } else {
            to = at;
            at = at.saturating_sub(step);
        }
        if at < from || at >= to {
            break;
        }
        step *= 2;
    }
    from + items[from..to].partition_point(holds)
}

impl<T: HasKey, const BYTES: usize> SortedLists<T, BYTES> {
    /// An empty collection, without an allocation.
    pub const EMPTY: Self = Self { lists: Vec::new(), len: 0, bytes: 0 };
    /// The maximum number of items of a list.
    pub const MOST: usize = BYTES / size_of::<T>();

    pub const fn len(&self) -> usize {
        self.len
    }

    pub const fn lists(&self) -> usize {
        self.lists.len()
    }

    /// Returns the list that contains a key or to which it is to be added, and how many of its items have this key
    /// or a smaller key. `None` for a key before all lists.
    #[inline]
    pub fn find(&self, key: T::Key) -> Option<ListPlace> {
        let list = self.list_of(key)?;
        Some((list, self.lists[list].items.partition_point(|item| item.key() <= key)))
    }

    #[inline]
    fn list_of(&self, key: T::Key) -> Option<usize> {
        self.lists.partition_point(|list| list.low <= key).checked_sub(1)
    }

    #[inline]
    pub fn get(&self, (list, at): ListPlace) -> &T {
        &self.lists[list].items[at]
    }

    #[inline]
    pub fn get_mut(&mut self, (list, at): ListPlace) -> &mut T {
        &mut self.lists[list].items[at]
    }

    /// Returns how many items a list has; 0 if there is no such list.
    pub fn items(&self, list: usize) -> usize {
        self.lists.get(list).map_or(0, |list| list.items.len())
    }

    /// Returns the place of the last item.
    pub fn last(&self) -> Option<ListPlace> {
        let list = self.lists.len().checked_sub(1)?;
        Some((list, self.items(list) - 1))
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.lists.iter().flat_map(|list| &list.items)
    }

    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> {
        self.lists.iter_mut().flat_map(|list| &mut list.items)
    }

    /// Returns the items from a place on. The place may be the end of a list.
    pub fn range(&self, (list, at): ListPlace) -> impl Iterator<Item = &T> {
        self.lists.get(list..).unwrap_or_default().iter().flat_map(|list| &list.items).skip(at)
    }

    /// Returns the items from a place on, for changes.
    pub fn range_mut(&mut self, (list, at): ListPlace) -> impl Iterator<Item = &mut T> {
        let lists = self.lists.get_mut(list..).unwrap_or_default();
        lists.iter_mut().flat_map(|list| &mut list.items).skip(at)
    }

    /// Frees the last list. Returns false if there was no list.
    pub fn pop_list(&mut self) -> bool {
        let Some(last) = self.lists.pop() else { return false };
        self.len -= last.items.len();
        self.bytes -= bytes_of::<T>(last.items.len());
        trim(&mut self.lists);
        true
    }

    /// Returns all items, in order.
    pub fn into_items(self) -> impl Iterator<Item = T> {
        self.lists.into_iter().flat_map(|list| list.items)
    }

    /// Inserts an item at its place. A full list is split in the middle. But an item behind all other items begins
    /// a new list, so lists stay full when keys are inserted in ascending order.
    pub fn insert(&mut self, (mut list, mut at): ListPlace, item: T) {
        let mut low = item.key();
        if self.lists.is_empty() {
            put(&mut self.lists, 0, SortedList { low, items: Vec::new() });
        } else if self.items(list) == Self::MOST {
            let is_last = list + 1 == self.lists.len() && at == Self::MOST;
            let cut = if is_last { Self::MOST } else { Self::MOST / 2 };
            let upper = self.change(list, |items| {
                let upper = items.split_off(cut);
                trim(items);
                upper
            });
            low = upper.first().map_or(low, HasKey::key);
            self.bytes += bytes_of::<T>(upper.len());
            put(&mut self.lists, list + 1, SortedList { low, items: upper });
            if at >= cut {
                (list, at) = (list + 1, at - cut);
            }
        }
        self.len += 1;
        self.lists[list].low = self.lists[list].low.min(item.key());
        self.change(list, |items| put(items, at, item));
    }

    /// Removes an item, and returns it. An empty list is dropped, and a short list is joined with a neighbour.
    pub fn remove(&mut self, (list, at): ListPlace) -> T {
        let item = self.change(list, |items| {
            let item = items.remove(at);
            trim(items);
            item
        });
        self.len -= 1;
        match self.lists[list].items.first().map(HasKey::key) {
            None => {
                self.lists.remove(list);
                trim(&mut self.lists);
            }
            Some(first) => {
                self.lists[list].low = first;
                if self.items(list) < Self::MOST / 4 {
                    let _ = self.join(list) || list > 0 && self.join(list - 1);
                }
            }
        }
        item
    }

    /// Moves the items of the next list to this list, if both have few items. Returns whether they were moved.
    fn join(&mut self, list: usize) -> bool {
        let (left, right) = (self.items(list), self.items(list + 1));
        if right == 0 || left + right > Self::MOST / 2 {
            return false;
        }
        let next = self.lists.remove(list + 1).items;
        trim(&mut self.lists);
        self.bytes -= bytes_of::<T>(right);
        self.change(list, |items| {
            items.reserve_exact(room_for::<T>(left + right) - left);
            items.extend(next);
        });
        true
    }

    /// Changes the items of a list, and updates the count of bytes.
    fn change<R>(&mut self, list: usize, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let items = &mut self.lists[list].items;
        self.bytes -= bytes_of::<T>(items.len());
        let changed = change(items);
        self.bytes += bytes_of::<T>(items.len());
        changed
    }

    /// Returns the number of bytes on the heap, not counting the heap memory of items.
    pub const fn memory(&self) -> usize {
        self.bytes.saturating_add(bytes_of::<SortedList<T::Key, T>>(self.lists.len()))
    }

    /// Lets the allocator move the lists. `relocate` moves the heap memory of an item, with one item in each step.
    pub fn relocate<M: Mover>(&mut self, walk: &mut Relocation<'_, M>, relocate: impl Fn(&mut T, &mut M)) {
        walk.steps(self.lists.len().min(1), |_, mover| {
            self.lists = mover.relocate_vec(std::mem::take(&mut self.lists));
        });
        for SortedList { items, .. } in &mut self.lists {
            walk.steps(items.len(), |at, mover| {
                if at == 0 {
                    *items = mover.relocate_vec(std::mem::take(items));
                }
                relocate(&mut items[at], mover);
            });
        }
    }

    /// Walks through all lists. Panics if an invariant is broken. Only tests call it.
    pub fn check(&self) {
        let held = |items: &Vec<T>| bytes_of::<T>(items.capacity());
        assert_eq!(self.bytes, self.lists.iter().map(|list| held(&list.items)).sum::<usize>());
        assert_eq!(self.memory(), self.bytes + bytes_of::<SortedList<T::Key, T>>(self.lists.capacity()));
        assert_eq!(self.len, self.iter().count());
        for (number, SortedList { low, items }) in self.lists.iter().enumerate() {
            assert!((1..=Self::MOST).contains(&items.len()), "{} items in a list", items.len());
            assert!(items.first().is_some_and(|first| *low <= first.key()));
            assert!(items.is_sorted_by(|a, b| a.key() < b.key()), "items out of order");
            let next = self.lists.get(number + 1);
            assert!(next.is_none_or(|next| items.iter().all(|item| item.key() < next.low)));
        }
    }
}
