//! A sorted map whose memory is known exactly.
//!
//! The nodes of a `BTreeMap` are half full to full, depending on the order in which entries were inserted. A
//! `BTreeMap` does not report the number of its nodes. With ascending keys, its nodes take nearly twice as much
//! memory as the lists of this map.

use crate::sorted_lists::{ListPlace, SortedLists};

/// The number of bytes of a full list.
const LIST: usize = 8192;

/// A map from keys to values, in the order of the keys.
#[derive(Debug, Clone)]
pub struct Sorted<K: Copy + Ord, V>(SortedLists<(K, V), LIST>);

impl<K: Copy + Ord, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self(SortedLists::EMPTY)
    }
}

impl<V> Sorted<u32, V> {
    /// Does the same as [`Self::get`]. It is faster if the keys are spread nearly evenly, as the numbers of members are.
    pub fn get_near(&self, key: u32) -> Option<&V> {
        self.find_near(key).map(|place| &self.0.get(place).1)
    }

    /// Does the same as [`Self::get_mut`]. It is faster if the keys are spread nearly evenly.
    pub fn get_near_mut(&mut self, key: u32) -> Option<&mut V> {
        let place = self.find_near(key)?;
        Some(&mut self.0.get_mut(place).1)
    }

    fn find_near(&self, key: u32) -> Option<ListPlace> {
        let (list, after) = self.0.find_near(key)?;
        let place = (list, after.checked_sub(1)?);
        (self.0.get(place).0 == key).then_some(place)
    }
}

impl<K: Copy + Ord, V> Sorted<K, V> {
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the place of the entry of a key as `Ok`, or the place where it is to be inserted as `Err`.
    fn find(&self, key: K) -> Result<ListPlace, ListPlace> {
        let (list, after) = self.0.find(key).unwrap_or_default();
        match after.checked_sub(1) {
            Some(at) if self.0.get((list, at)).0 == key => Ok((list, at)),
            _ => Err((list, after)),
        }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: K) -> Option<&V> {
        self.find(key).ok().map(|place| &self.0.get(place).1)
    }

    /// Returns the value of a key, for changes.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let place = self.find(key).ok()?;
        Some(&mut self.0.get_mut(place).1)
    }

    /// Returns the value of a key, for changes. A key without a value gets the default.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let mut found = self.find(key);
        if let Err(place) = found {
            self.0.insert(place, (key, V::default()));
            found = self.find(key);
        }
        let (Ok(place) | Err(place)) = found;
        &mut self.0.get_mut(place).1
    }

    /// Sets the value of a key. Returns the value that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(key) {
            Ok(place) => Some(std::mem::replace(&mut self.0.get_mut(place).1, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// Removes a key. Returns the value that it had.
    pub fn remove(&mut self, key: K) -> Option<V> {
        self.find(key).ok().map(|place| self.0.remove(place).1)
    }

    /// Returns all entries, by ascending key.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> {
        self.0.iter().map(|(key, value)| (*key, value))
    }

    /// Returns the entries from a key on.
    pub fn range_from(&self, key: K) -> impl Iterator<Item = (K, &V)> {
        let (Ok(place) | Err(place)) = self.find(key);
        self.0.range(place).map(|(key, value)| (*key, value))
    }

    /// Returns the entries from a key on, for changes of their values.
    pub fn range_from_mut(&mut self, key: K) -> impl Iterator<Item = (K, &mut V)> {
        let (Ok(place) | Err(place)) = self.find(key);
        self.0.range_mut(place).map(|(key, value)| (*key, value))
    }

    /// Returns all keys, ascending.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> {
        self.iter().map(|(key, _)| key)
    }

    /// Returns all values, by ascending key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the values, for changes.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Returns the value of the greatest key, for changes.
    pub fn last_mut(&mut self) -> Option<&mut V> {
        let place = self.0.last()?;
        Some(&mut self.0.get_mut(place).1)
    }

    /// Removes the greatest key. Returns it with its value.
    pub fn pop(&mut self) -> Option<(K, V)> {
        self.0.last().map(|place| self.0.remove(place))
    }

    /// Frees a part of the map. Returns false when there is nothing more to free.
    pub fn drain_some(&mut self) -> bool {
        self.0.pop_list()
    }

    /// Changes the keys of all entries. The new keys must be distinct.
    pub fn rekey(&mut self, rekeyed: impl Fn(K) -> K) {
        let entries = std::mem::take(self).0.into_items();
        entries.for_each(|(key, value)| _ = self.insert(rekeyed(key), value));
    }

    /// Returns the number of bytes on the heap, not counting the heap memory of values.
    pub const fn memory(&self) -> usize {
        self.0.memory()
    }

    /// Returns about how many allocations there are, not counting allocations of values.
    pub const fn allocations(&self) -> usize {
        self.0.lists().saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn check(sorted: &Sorted<u32, u64>, model: &BTreeMap<u32, u64>) {
        assert!(sorted.iter().eq(model.iter().map(|(key, value)| (*key, value))));
        assert!(sorted.iter().rev().eq(model.iter().rev().map(|(key, value)| (*key, value))));
        assert_eq!((sorted.len(), sorted.is_empty()), (model.len(), model.is_empty()));
        sorted.0.check();
    }

    #[derive(Debug, Clone)]
    enum Step {
        Insert(u32),
        Remove(u32),
        /// This number of consecutive keys, from a key on.
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
            prop_assert!((0..8_000).all(|key| sorted.get_near(key) == model.get(&key)));
            prop_assert_eq!(sorted.get_near_mut(from).copied(), model.get(&from).copied());
            prop_assert_eq!(sorted.get_mut(from).copied(), model.get(&from).copied());
            prop_assert_eq!(sorted.or_default(from), model.entry(from).or_default());
            check(&sorted, &model);
            prop_assert!(sorted.keys().eq(model.keys().copied()));
            prop_assert_eq!(sorted.last_mut().copied(), model.values().last().copied());
            prop_assert_eq!(sorted.pop(), model.pop_last());
            sorted.values_mut().for_each(|value| *value += 1);
            model.values_mut().for_each(|value| *value += 1);
            check(&sorted, &model);
        }
    }

    #[test]
    fn keys_that_ascend_leave_full_lists() {
        let mut sorted = Sorted::default();
        (0..10_000_u32).for_each(|key| _ = sorted.insert(key, u64::from(key)));
        assert_eq!(sorted.0.lists(), 10_000_usize.div_ceil(LIST / 16));
        assert!(sorted.memory() < 10_000 * 17);
    }
}
