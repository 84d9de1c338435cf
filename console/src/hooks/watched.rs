//! What this gateway knows of deliveries: for the page, the API and the metrics. Deliveries of other gateways are known
//! from the states of boards.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::state::{BoardState, Delivery, Pending};

/// How many deliveries are kept.
const KEPT: usize = 500;
/// How many deliveries that wait are kept.
const MOST_WAITING: usize = 10_000;

/// A delivery of a board.
#[derive(Debug, Clone)]
pub struct Told {
    pub key: String,
    pub delivery: Delivery,
}

/// A delivery of a board that failed, and is tried again.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub key: String,
    pub hook: String,
    pub pending: Pending,
}

/// What a hook has done since this gateway was started.
#[derive(Debug, Default)]
pub struct Counts {
    pub delivered: AtomicU64,
    pub failed: AtomicU64,
    pub given_up: AtomicU64,
    pub claimed: AtomicU64,
}

impl Counts {
    /// Deliveries that have arrived, tries that failed, deliveries that were given up, and winners that were claimed.
    pub const fn all(&self) -> [&AtomicU64; 4] {
        [&self.delivered, &self.failed, &self.given_up, &self.claimed]
    }

    pub fn add(count: &AtomicU64, more: u64) {
        count.fetch_add(more, Ordering::Relaxed);
    }
}

/// What is known of all boards.
#[derive(Debug, Default)]
pub struct Watched(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By time and id.
    latest: BTreeMap<(u64, String), Told>,
    /// By key and hook.
    waiting: BTreeMap<(String, String), Pending>,
    /// Why a board cannot be told, by key.
    troubles: BTreeMap<String, String>,
}

impl Watched {
    /// Notes the state of a board.
    pub fn note(&self, key: &str, state: &BoardState) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for delivery in &state.deliveries {
            let place = (delivery.at, delivery.subject.id.clone());
            let told = || Told { key: key.to_owned(), delivery: delivery.clone() };
            known.latest.entry(place).or_insert_with(told);
        }
        while known.latest.len() > KEPT {
            known.latest.pop_first();
        }
        for (hook, progress) in &state.hooks {
            let place = (key.to_owned(), hook.clone());
            match &progress.pending {
                Some(pending) if pending.tries > 0 && known.waiting.len() < MOST_WAITING => {
                    known.waiting.insert(place, pending.clone());
                }
                _ => _ = known.waiting.remove(&place),
            }
        }
        known.troubles.remove(key);
    }

    /// Notes why a board cannot be told. Returns whether this is new.
    pub fn trouble(&self, key: &str, reason: &str) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = known.troubles.len() >= MOST_WAITING;
        let before = if is_full { None } else { known.troubles.insert(key.to_owned(), reason.to_owned()) };
        before.as_deref() != Some(reason)
    }

    /// Forgets a board that is gone.
    pub fn forget(&self, key: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.waiting.retain(|(board, _), _| board != key);
        known.troubles.remove(key);
    }

    /// The deliveries of boards that pass the filter, latest first.
    pub fn latest(&self, sees: impl Fn(&str) -> bool) -> Vec<Told> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.latest.values().rev().filter(|told| sees(&told.key)).cloned().collect()
    }

    /// The deliveries of boards that pass the filter, and that are tried again.
    pub fn waiting(&self, sees: impl Fn(&str) -> bool) -> Vec<Waiting> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = known.waiting.iter().filter(|((key, _), _)| sees(key));
        let named = |((key, hook), pending): (&(String, String), &Pending)| Waiting {
            key: key.clone(),
            hook: hook.clone(),
            pending: pending.clone(),
        };
        waiting.map(named).collect()
    }

    /// The boards that pass the filter and cannot be told, and why.
    pub fn troubles(&self, sees: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let troubles = known.troubles.iter().filter(|(key, _)| sees(key));
        troubles.map(|(key, reason)| (key.clone(), reason.clone())).collect()
    }
}
