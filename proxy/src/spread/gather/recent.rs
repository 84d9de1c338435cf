//! The data that a gatherer remembers for a short time: the tops that it has read, and samples. If several callers
//! request the same top at the same time, one of them reads it and the others wait for the result.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redis::Value;
use tokio::time::{Instant, timeout_at};

use super::estimate::Samples;
use super::{Refused, read_with};
use crate::load::Entry;
use crate::nodes::{RetryingClient, Transport};
use crate::spread::asked::{Asked, Own};
use crate::spread::root::Root;

/// How many tops are remembered at the same time.
const MOST_KEPT: usize = 1_024;

/// The tops and samples that the gateway remembers for one user.
pub struct TopCache {
    samples: Samples,
    /// For how long a top that was read may be given to other callers.
    cache: Duration,
    tops: Mutex<Tops>,
}

struct Tops {
    slots: HashMap<Key, Slot>,
    /// When the tops that nobody needs were last forgotten.
    swept: Instant,
}

/// The hash of a board's rules, and the arguments of the command.
type Key = (u64, Vec<Vec<u8>>);
/// The task that holds the lock reads; the other tasks wait for the lock.
type Slot = Arc<tokio::sync::Mutex<Option<Kept>>>;

struct Kept {
    /// When the read ended.
    at: Instant,
    result: Result<Value, Refused>,
}

impl Kept {
    /// Returns the result, if it is still valid for a caller whose request came at `asked_at`. An error is valid only
    /// for callers whose request came before the read ended.
    fn result_for(&self, asked_at: Instant, cache: Duration) -> Option<Result<Value, Refused>> {
        let age = asked_at.saturating_duration_since(self.at);
        let is_good = self.at >= asked_at || self.result.is_ok() && age < cache;
        is_good.then(|| self.result.clone())
    }
}

impl TopCache {
    /// Remembers tops for the duration `cache`. If `cache` is zero, no top is remembered.
    pub fn new(cache: Duration) -> Self {
        let tops = Tops { slots: HashMap::new(), swept: Instant::now() };
        Self { samples: Samples::default(), cache, tops: Mutex::new(tops) }
    }

    /// Carries out a read over all parts of a board, or returns the result of a read that ended a short time ago. Callers
    /// that share a read take the places of one gather.
    ///
    /// # Errors
    /// See [`Refused`].
    pub async fn read<T: Transport>(
        &self,
        sender: &RetryingClient<T>,
        root: &Root,
        asked: &Asked<'_>,
        entry: &Entry<'_>,
    ) -> Result<Value, Refused> {
        let read = || async {
            let (_place, deadline) = entry.enter().await?;
            read_with(&self.samples, sender, root, asked, deadline).await
        };
        if asked.row.name != "LB.TOP" || self.cache.is_zero() {
            return read().await;
        }
        let asked_at = Instant::now();
        let slot = self.slot((root.hash, words(asked)));
        let Ok(mut slot) = timeout_at(entry.patience(), slot.lock()).await else {
            let parts = root.parts.count();
            return Err(Refused::PartsDown { silent: parts, parts });
        };
        if let Some(result) = slot.as_ref().and_then(|kept| kept.result_for(asked_at, self.cache)) {
            return result;
        }
        let result = read().await;
        *slot = Some(Kept { at: Instant::now(), result: result.clone() });
        result
    }

    /// Returns the slot of a top. Tops that nobody needs are forgotten on the way: each can be as large as a reply, so pages that are
    /// read once must not stay.
    fn slot(&self, key: Key) -> Slot {
        let mut tops = self.tops.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |tops: &Tops| tops.slots.len() >= MOST_KEPT && !tops.slots.contains_key(&key);
        if tops.swept.elapsed() >= self.cache || is_full(&tops) {
            tops.slots.retain(|_, slot| self.is_wanted(slot));
            tops.swept = Instant::now();
        }
        if is_full(&tops) {
            return Slot::default();
        }
        Arc::clone(tops.slots.entry(key).or_default())
    }

    /// Returns whether this top is still needed: a caller waits for it, or it may still be returned to callers.
    fn is_wanted(&self, slot: &Slot) -> bool {
        let Ok(kept) = slot.try_lock() else { return true };
        Arc::strong_count(slot) > 1 || kept.as_ref().is_some_and(|kept| kept.at.elapsed() < self.cache)
    }
}

/// Returns the arguments that change the reply.
fn words(asked: &Asked) -> Vec<Vec<u8>> {
    let partial: &[&[u8]] = if asked.wants(Own::Partial) { &[b"PARTIAL"] } else { &[] };
    asked.command(asked.key, partial, std::iter::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_result_is_for_those_who_waited_and_a_good_one_for_some_time() {
        let cache = Duration::from_millis(100);
        let asked_at = Instant::now();
        tokio::time::advance(Duration::from_millis(50)).await;
        let good = Kept { at: Instant::now(), result: Ok(Value::Int(1)) };
        let bad = Kept { at: Instant::now(), result: Err(Refused::Invalid("ERR no".to_owned())) };
        assert!(good.result_for(asked_at, cache).is_some() && bad.result_for(asked_at, cache).is_some());
        tokio::time::advance(Duration::from_millis(99)).await;
        assert!(good.result_for(Instant::now(), cache).is_some());
        assert!(bad.result_for(Instant::now(), cache).is_none());
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(good.result_for(Instant::now(), cache).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn pages_that_were_read_once_are_forgotten() {
        let cache = Duration::from_millis(100);
        let tops = TopCache::new(cache);
        let read = |number: u64| {
            let slot = tops.slot((number, Vec::new()));
            *slot.try_lock().unwrap() = Some(Kept { at: Instant::now(), result: Ok(Value::Int(1)) });
            slot
        };
        let count = || tops.tops.lock().unwrap().slots.len();
        let waiting = read(0);
        for number in 1..10 {
            tokio::time::advance(cache / 2).await;
            read(number);
            assert!(count() <= 5, "{number}: {}", count());
        }
        tokio::time::advance(cache).await;
        read(10);
        assert_eq!(count(), 2, "the one that a caller waits for, and the new one");
        drop(waiting);
        tokio::time::advance(cache).await;
        read(11);
        assert_eq!(count(), 1);
    }
}
