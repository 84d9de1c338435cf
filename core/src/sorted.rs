//! A sorted map whose memory is known to the byte: entries in order, in lists that grow by one size of
//! the allocator at a time.
//!
//! The nodes of a `BTreeMap` are half to wholly full, as its entries happened to come; nobody can ask how
//! many there are, and where numbers come in ascending order it takes nearly twice as much as here.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a place comes from a search and is used before the lists change"
)]

use crate::size_class::{bytes_of, put, trim};

/// Bytes of a list that is full.
const LIST: usize = 8192;

#[derive(Debug, Clone)]
struct List<K, V> {
    /// No key in the list is below it, and all before the list are.
    low: K,
    entries: Vec<(K, V)>,
}

/// A map from keys to values, in the order of the keys.
#[derive(Debug, Clone)]
pub struct Sorted<K, V> {
    /// None of them empty.
    lists: Vec<List<K, V>>,
    len: usize,
    /// Bytes of the entries of all lists.
    bytes: usize,
}

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self { lists: Vec::new(), len: 0, bytes: 0 }
    }
}

impl<K: Copy + Ord, V> Sorted<K, V> {
    /// Entries of a list that is full.
    const MOST: usize = LIST / size_of::<(K, V)>();

    /// How many entries there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The list that has this key, or should have, and where in there it is or belongs. No list where
    /// there is none yet.
    fn find(&self, key: K) -> (usize, Result<usize, usize>) {
        let list = self.lists.partition_point(|list| list.low <= key).saturating_sub(1);
        let entries = self.lists.get(list).map_or(&[][..], |list| &list.entries);
        (list, entries.binary_search_by(|entry| entry.0.cmp(&key)))
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&V> {
        let (list, found) = self.find(key);
        found.ok().map(|at| &self.lists[list].entries[at].1)
    }

    /// The same, to change it; from now on it has one.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let (mut list, mut found) = self.find(key);
        if found.is_err() {
            self.insert(key, V::default());
            (list, found) = self.find(key);
        }
        let (Ok(at) | Err(at)) = found;
        &mut self.lists[list].entries[at].1
    }

    /// Gives a key a value; the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(key) {
            (list, Ok(at)) => Some(std::mem::replace(&mut self.lists[list].entries[at].1, value)),
            (list, Err(at)) => {
                self.enter(list, at, (key, value));
                self.len += 1;
                None
            }
        }
    }

    fn enter(&mut self, list: usize, at: usize, entry: (K, V)) {
        let low = entry.0;
        if self.lists.is_empty() {
            put(&mut self.lists, 0, List { low, entries: Vec::new() });
        }
        if self.lists[list].entries.len() < Self::MOST {
            self.lists[list].low = self.lists[list].low.min(low);
            return self.change(list, |entries| put(entries, at, entry));
        }
        // Behind the last of all, keys go on ascending: what is full stays so.
        let is_last = list + 1 == self.lists.len() && at == Self::MOST;
        let cut = if is_last { Self::MOST } else { Self::MOST / 2 };
        let mut upper = Vec::new();
        self.change(list, |entries| {
            upper = entries.split_off(cut);
            trim(entries);
        });
        trim(&mut upper);
        self.bytes += bytes_of::<(K, V)>(upper.len());
        let low = upper.first().map_or(low, |first| first.0);
        put(&mut self.lists, list + 1, List { low, entries: upper });
        let (list, at) = if at < cut { (list, at) } else { (list + 1, at - cut) };
        self.enter(list, at, entry);
    }

    /// Changes the entries of a list, and counts what that takes.
    fn change<T>(&mut self, list: usize, change: impl FnOnce(&mut Vec<(K, V)>) -> T) -> T {
        let entries = &mut self.lists[list].entries;
        self.bytes -= bytes_of::<(K, V)>(entries.len());
        let changed = change(entries);
        self.bytes += bytes_of::<(K, V)>(entries.len());
        changed
    }

    /// Takes a key out; the value that it had.
    pub fn remove(&mut self, key: K) -> Option<V> {
        let (list, found) = self.find(key);
        let at = found.ok()?;
        let (_, value) = self.change(list, |entries| {
            let entry = entries.remove(at);
            trim(entries);
            entry
        });
        self.len -= 1;
        self.tidy(list);
        Some(value)
    }

    /// Drops a list that is empty, and joins one that is short with a neighbour.
    fn tidy(&mut self, list: usize) {
        match self.lists[list].entries.len() {
            0 => {
                self.lists.remove(list);
                trim(&mut self.lists);
            }
            len if len < Self::MOST / 4 => {
                let _ = self.join(list) || list > 0 && self.join(list - 1);
            }
            _ => {}
        }
    }

    /// Moves the entries of the next list to this one, if there are few.
    fn join(&mut self, list: usize) -> bool {
        let len = |list: usize| self.lists.get(list).map_or(Self::MOST, |list| list.entries.len());
        if len(list) + len(list + 1) > Self::MOST / 2 {
            return false;
        }
        let next = self.lists.remove(list + 1).entries;
        trim(&mut self.lists);
        self.bytes -= bytes_of::<(K, V)>(next.len());
        self.change(list, |entries| {
            entries.extend(next);
            trim(entries);
        });
        true
    }

    /// All entries, by ascending key.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> {
        self.lists.iter().flat_map(|list| &list.entries).map(|(key, value)| (*key, value))
    }

    /// Those from a key on.
    pub fn range_from(&self, key: K) -> impl Iterator<Item = (K, &V)> {
        let (first, found) = self.find(key);
        let (Ok(at) | Err(at)) = found;
        let lists = self.lists.get(first..).unwrap_or_default().iter();
        lists.flat_map(|list| &list.entries).skip(at).map(|(key, value)| (*key, value))
    }

    /// The same, to change their values.
    pub fn range_from_mut(&mut self, key: K) -> impl Iterator<Item = (K, &mut V)> {
        let (first, found) = self.find(key);
        let (Ok(at) | Err(at)) = found;
        let lists = self.lists.get_mut(first..).unwrap_or_default().iter_mut();
        lists.flat_map(|list| &mut list.entries).skip(at).map(|(key, value)| (*key, value))
    }

    /// All keys, ascending.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> {
        self.iter().map(|(key, _)| key)
    }

    /// All values, by ascending key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// The same, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.lists.iter_mut().flat_map(|list| &mut list.entries).map(|(_, value)| value)
    }

    /// Gives all entries other keys, of which no two are the same.
    pub fn rekey(&mut self, rekeyed: impl Fn(K) -> K) {
        let entries = std::mem::take(self).lists.into_iter().flat_map(|list| list.entries);
        entries.for_each(|(key, value)| _ = self.insert(rekeyed(key), value));
    }

    /// Bytes on the heap, without what values have there.
    #[must_use]
    pub const fn memory(&self) -> usize {
        self.bytes.saturating_add(bytes_of::<List<K, V>>(self.lists.len()))
    }

    /// How many allocations those are.
    #[must_use]
    pub const fn allocations(&self) -> usize {
        self.lists.len().saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn check(sorted: &Sorted<u32, u64>, model: &BTreeMap<u32, u64>) {
        assert!(sorted.iter().eq(model.iter().map(|(key, value)| (*key, value))));
        assert!(sorted.iter().rev().eq(model.iter().rev().map(|(key, value)| (*key, value))));
        assert_eq!((sorted.len(), sorted.is_empty()), (model.len(), model.is_empty()));
        assert!(sorted.lists.iter().all(|list| (1..=Sorted::<u32, u64>::MOST).contains(&list.entries.len())));
        assert!(sorted.lists.iter().all(|list| list.low <= list.entries[0].0));
        let held: usize =
            sorted.lists.iter().map(|list| bytes_of::<(u32, u64)>(list.entries.capacity())).sum();
        assert_eq!(sorted.memory(), held + bytes_of::<List<u32, u64>>(sorted.lists.capacity()));
    }

    #[derive(Debug, Clone)]
    enum Step {
        Insert(u32),
        Remove(u32),
        /// So many keys from one on.
        Run(u32, u32),
        RemoveRun(u32, u32),
        Rekey(u32),
    }

    fn step() -> impl Strategy<Value = Step> {
        let key = || 0..6_000_u32;
        prop_oneof![
            6 => key().prop_map(Step::Insert),
            4 => key().prop_map(Step::Remove),
            3 => (key(), 0..1_500_u32).prop_map(|(from, count)| Step::Run(from, count)),
            3 => (key(), 0..1_500_u32).prop_map(|(from, count)| Step::RemoveRun(from, count)),
            1 => key().prop_map(Step::Rekey),
        ]
    }

    proptest! {
        #[test]
        fn as_a_map(steps in proptest::collection::vec(step(), 0..40), from in 0..7_000_u32) {
            let (mut sorted, mut model) = (Sorted::default(), BTreeMap::new());
            for (number, step) in (0_u64..).zip(steps) {
                let keys = match step {
                    Step::Insert(key) | Step::Remove(key) => key..key + 1,
                    Step::Run(key, count) | Step::RemoveRun(key, count) => key..key + count,
                    Step::Rekey(mask) => {
                        sorted.rekey(|key| key ^ mask);
                        model = model.into_iter().map(|(key, value)| (key ^ mask, value)).collect();
                        0..0
                    }
                };
                for key in keys {
                    if matches!(step, Step::Insert(_) | Step::Run(..)) {
                        prop_assert_eq!(sorted.insert(key, number), model.insert(key, number));
                    } else {
                        prop_assert_eq!(sorted.remove(key), model.remove(&key));
                    }
                }
                check(&sorted, &model);
                check(&sorted.clone(), &model);
            }
            prop_assert!(sorted.range_from(from).eq(model.range(from..).map(|(key, value)| (*key, value))));
            prop_assert!(sorted.range_from_mut(from).map(|(key, value)| (key, *value)).eq(model.range(from..).map(|(key, value)| (*key, *value))));
            prop_assert_eq!(sorted.get(from), model.get(&from));
            prop_assert_eq!(sorted.or_default(from), model.entry(from).or_default());
            check(&sorted, &model);
            prop_assert!(sorted.keys().eq(model.keys().copied()));
            sorted.values_mut().for_each(|value| *value += 1);
            model.values_mut().for_each(|value| *value += 1);
            check(&sorted, &model);
        }
    }

    #[test]
    fn keys_that_ascend_leave_full_lists() {
        let mut sorted = Sorted::default();
        (0..10_000_u32).for_each(|key| _ = sorted.insert(key, u64::from(key)));
        assert_eq!(sorted.lists.len(), 10_000_usize.div_ceil(LIST / 16));
        assert!(sorted.memory() < 10_000 * 17);
    }
}
