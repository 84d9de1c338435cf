//! Which boards are spread, as far as this gateway has heard. Roots are asked for by whoever carries a command out; of
//! those who want to know the same, one asks.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;
use redis::Value;
use tokio::time::Instant;

use crate::spread::root::Root;

/// How many boards are remembered.
const MOST: usize = 10_000;
/// How long a root is used until it is asked for again.
const FRESH: Duration = Duration::from_secs(1);

/// What was told of a key, and when it was asked for.
#[derive(Clone)]
struct Told {
    /// None: it is no root.
    root: Option<Arc<Root>>,
    at: Instant,
}

/// What is known of a key.
pub enum Known {
    /// It is a root.
    Root(Arc<Root>),
    /// It was this root a while ago.
    Stale(Arc<Root>),
    /// Nothing, or that it is none.
    Nothing,
}

pub struct Roots(Cache<Vec<u8>, Told>);

impl Default for Roots {
    fn default() -> Self {
        Self(Cache::new(MOST))
    }
}

impl Roots {
    pub fn known(&self, name: &[u8]) -> Known {
        match self.0.get(name) {
            Some(Told { root: Some(root), at }) if at.elapsed() < FRESH => Known::Root(root),
            Some(Told { root: Some(root), .. }) => Known::Stale(root),
            _ => Known::Nothing,
        }
    }

    /// What is told of a key after `since`: what others heard, or else what `ask` brings.
    ///
    /// # Errors
    /// That of `ask`.
    pub async fn learn(
        &self,
        name: &[u8],
        since: Instant,
        ask: impl Future<Output = Result<Option<Root>, Value>> + Send,
    ) -> Result<Option<Arc<Root>>, Value> {
        self.0.remove_if(name, |told| told.at <= since);
        match self.0.get_value_or_guard_async(name).await {
            Ok(told) => Ok(told.root),
            Err(place) => {
                let at = Instant::now();
                let root = ask.await?.map(Arc::new);
                // It was forgotten meanwhile where this fails: the next one asks again.
                let _ = place.insert(Told { root: root.clone(), at });
                Ok(root)
            }
        }
    }

    /// Goes on with a root that does not answer now: parts say themselves when they are others.
    pub fn keep(&self, root: Arc<Root>) {
        self.0.insert(root.name.clone(), Told { root: Some(root), at: Instant::now() });
    }

    /// Makes the next one ask.
    pub fn forget(&self, name: &[u8]) {
        self.0.remove(name);
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
        Root { name: b"game".to_vec(), parts, hash: 7, schema: Schema::default(), specs: Vec::new() }
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
        let told = join_all((0..10).map(|_| roots.learn(b"game", since, ask()))).await;
        assert!(told.iter().all(|told| told.as_ref().unwrap().as_ref().unwrap().hash == 7));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert!(matches!(roots.known(b"game"), Known::Root(_)));
        tokio::time::advance(FRESH).await;
        assert!(matches!(roots.known(b"game"), Known::Stale(_)));
        roots.learn(b"game", Instant::now(), ask()).await.unwrap();
        assert_eq!(asked.load(Ordering::Relaxed), 2);
        roots.forget(b"game");
        assert!(matches!(roots.known(b"game"), Known::Nothing));
    }

    #[tokio::test]
    async fn an_error_is_not_remembered() {
        let roots = Roots::default();
        let now = Instant::now();
        let failed = roots.learn(b"game", now, async { Err(Value::Nil) }).await;
        assert_eq!(failed.unwrap_err(), Value::Nil);
        assert!(roots.learn(b"game", now, async { Ok(Some(root())) }).await.unwrap().is_some());
    }
}
