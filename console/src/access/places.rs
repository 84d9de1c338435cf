//! A limited number of places for each caller. A caller that has taken all its places does not take places of other
//! callers.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The same number of places for each caller.
#[derive(Debug)]
pub struct Places<K> {
    each: usize,
    taken: Arc<Taken<K>>,
}

/// How many places each caller has taken. A caller that has taken no place is not in the map.
type Taken<K> = Mutex<HashMap<K, usize>>;

/// A taken place. It becomes free when this value is dropped.
#[derive(Debug)]
pub struct Place<K: Hash + Eq> {
    caller: K,
    taken: Arc<Taken<K>>,
}

impl<K: Hash + Eq + Clone> Places<K> {
    pub fn new(each: usize) -> Self {
        Self { each, taken: Arc::default() }
    }

    /// Takes a place of the caller; `None` if the caller has taken all its places.
    pub fn take(&self, caller: &K) -> Option<Place<K>> {
        let mut taken = locked(&self.taken);
        let number = taken.get(caller).copied().unwrap_or_default();
        if number >= self.each {
            return None;
        }
        taken.insert(caller.clone(), number.saturating_add(1));
        Some(Place { caller: caller.clone(), taken: Arc::clone(&self.taken) })
    }
}

impl<K: Hash + Eq> Drop for Place<K> {
    fn drop(&mut self) {
        let mut taken = locked(&self.taken);
        if let Some(number) = taken.get_mut(&self.caller) {
            *number = number.saturating_sub(1);
            if *number == 0 {
                taken.remove(&self.caller);
            }
        }
    }
}

fn locked<K>(taken: &Taken<K>) -> MutexGuard<'_, HashMap<K, usize>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_places_of_its_own() {
        let places = Places::new(2);
        let (first, second) = (places.take(&"a"), places.take(&"a"));
        assert!(first.is_some() && second.is_some() && places.take(&"a").is_none());
        assert!(places.take(&"b").is_some());
        drop(first);
        let third = places.take(&"a");
        assert!(third.is_some() && places.take(&"a").is_none());
        drop((second, third));
        assert!(locked(&places.taken).is_empty(), "callers that are gone take no memory");
    }
}
