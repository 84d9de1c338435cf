//! The spread boards that this gateway knows. The task that carries out a command reads the root. If several tasks need
//! the same root at the same time, only one of them reads it.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quick_cache::sync::Cache;
use redis::Value;
use tokio::time::Instant;

use crate::spread::root::Root;

/// How many boards are remembered.
const MOST: usize = 10_000;
/// How long a root counts as fresh. After this time, the next use reads the root again and does not wait for the
/// answer.
const FRESH: Duration = Duration::from_secs(1);
/// How long a root is used. After this time, a command waits until the root has been read again.
const USABLE: Duration = Duration::from_secs(10);

/// The last answer about a key, and the time of the request.
struct Told {
    /// `None` if the key has no root.
    root: Option<Arc<Root>>,
    at: Instant,
}

/// The stored data about a key.
pub enum Known {
    /// The key has this root.
    Root(Arc<Root>),
    /// The key had this root a short time ago.
    Ageing(Arc<Root>),
    /// The key had this root a longer time ago.
    Old(Arc<Root>),
    /// A short time ago, the key had no root, and there were no parts of a board whose root was lost.
    NoRoot,
    /// Nothing is known.
    Nothing,
}

/// The stored data about a key. The task that holds `asking` may ask the server.
#[derive(Default)]
struct Slot {
    asking: tokio::sync::Mutex<()>,
    memory: Mutex<SlotMemory>,
}

#[derive(Default)]
struct SlotMemory {
    told: Option<Told>,
    /// How often the answer was forgotten. An answer to a request that was sent before that is not kept.
    forgotten: u64,
}

impl Slot {
    fn memory(&self) -> MutexGuard<'_, SlotMemory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an answer, unless the key was forgotten while the request was under way. Returns whether the answer is
    /// kept.
    fn keeps(&self, told: Told, forgotten: u64) -> bool {
        let mut memory = self.memory();
        let is_current = memory.forgotten == forgotten;
        if is_current {
            memory.told = Some(told);
        }
        is_current
    }
}

pub struct Roots(Cache<Vec<u8>, Arc<Slot>>);

impl Default for Roots {
    fn default() -> Self {
        Self(Cache::new(MOST))
    }
}

impl Roots {
    pub fn known(&self, name: &[u8]) -> Known {
        let Some(slot) = self.0.get(name) else { return Known::Nothing };
        let memory = slot.memory();
        let Some(Told { root, at }) = &memory.told else { return Known::Nothing };
        let Some(root) = root.as_ref().map(Arc::clone) else {
            return if at.elapsed() < FRESH { Known::NoRoot } else { Known::Nothing };
        };
        match at.elapsed() {
            age if age < FRESH => Known::Root(root),
            age if age < USABLE => Known::Ageing(root),
            _ => Known::Old(root),
        }
    }

    /// Returns the answer about a key, from a request that was sent after `since`. If another task has sent a request
    /// since then, its answer is used. Otherwise `ask` asks the server.
    ///
    /// # Errors
    /// The error of `ask`.
    pub async fn learn<F: Future<Output = Result<Option<Root>, Value>> + Send>(
        &self,
        name: &[u8],
        since: Instant,
        ask: impl Fn() -> F,
    ) -> Result<Option<Arc<Root>>, Value> {
        let slot = self.slot(name);
        let _turn = slot.asking.lock().await;
        if let Some(told) = slot.memory().told.as_ref().filter(|told| told.at > since) {
            return Ok(told.root.clone());
        }
        loop {
            let (at, forgotten) = (Instant::now(), slot.memory().forgotten);
            let root = ask().await?.map(Arc::new);
            if slot.keeps(Told { root: root.clone(), at }, forgotten) {
                return Ok(root);
            }
        }
    }

    fn slot(&self, name: &[u8]) -> Arc<Slot> {
        let found: Result<_, Infallible> = self.0.get_or_insert_with(name, || Ok(Arc::default()));
        found.unwrap_or_default()
    }

    /// Keeps using a root that does not answer at present. If the parts have changed, their answers show the change.
    pub fn keep(&self, name: &[u8]) {
        if let Some(slot) = self.0.get(name)
            && let Some(told) = &mut slot.memory().told
        {
            told.at = Instant::now();
        }
    }

    /// Forgets the stored data about a key: the next task has to ask the server.
    pub fn forget(&self, name: &[u8]) {
        if let Some(slot) = self.0.get(name) {
            let mut memory = slot.memory();
            *memory = SlotMemory { told: None, forgotten: memory.forgotten.wrapping_add(1) };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures_util::future::join_all;
    use leaderboard_core::Schema;
    use leaderboard_core::parts::Parts;

    use super::*;

    fn root() -> Root {
        let parts = Parts::new(4, "PARTS").unwrap();
        Root {
            name: b"game".to_vec(),
            parts: parts.into(),
            grown: None,
            entry: crate::spread::catalog::CatalogEntry::default(),
            hash: 7,
            schema: Schema::default(),
            specs: Vec::new(),
            has_prizes: false,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_asks_for_all_and_again_when_it_is_old() {
        let (roots, asked) = (Roots::default(), AtomicU32::new(0));
        let ask = || async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            asked.fetch_add(1, Ordering::Relaxed);
            Ok(Some(root()))
        };
        let since = Instant::now();
        tokio::time::advance(Duration::from_millis(1)).await;
        let told = join_all((0..10).map(|_| roots.learn(b"game", since, ask))).await;
        assert!(told.iter().all(|told| told.as_ref().unwrap().as_ref().unwrap().hash == 7));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert!(matches!(roots.known(b"game"), Known::Root(_)));
        tokio::time::advance(FRESH).await;
        assert!(matches!(roots.known(b"game"), Known::Ageing(_)));
        roots.learn(b"game", Instant::now(), ask).await.unwrap();
        assert_eq!(asked.load(Ordering::Relaxed), 2);
        roots.forget(b"game");
        assert!(matches!(roots.known(b"game"), Known::Nothing));
    }

    #[tokio::test]
    async fn an_error_is_not_remembered() {
        let roots = Roots::default();
        let now = Instant::now();
        let failed = roots.learn(b"game", now, || async { Err(Value::Nil) }).await;
        assert_eq!(failed.unwrap_err(), Value::Nil);
        assert!(roots.learn(b"game", now, || async { Ok(Some(root())) }).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn what_is_forgotten_while_it_is_asked_for_is_asked_for_again() {
        let (roots, asked) = (Roots::default(), AtomicU32::new(0));
        let ask = || async {
            if asked.fetch_add(1, Ordering::Relaxed) == 0 {
                roots.forget(b"game");
                return Ok(None);
            }
            Ok(Some(root()))
        };
        assert!(roots.learn(b"game", Instant::now(), ask).await.unwrap().is_some());
        assert!(matches!(roots.known(b"game"), Known::Root(_)));
    }
}
