//! `LB.RANK … ESTIMATE`: the number of entries ahead is exact in the member's own part. In the other parts, the number
//! is estimated from samples, which may be some seconds old. The reply contains the largest possible error.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use leaderboard_core::Error;
use leaderboard_core::schema::Ranks;
use redis::Value;
use tokio::time::{Instant, timeout_at};

use super::locate::{Sampled, of_each};
use super::round::{Gather, Stop};
use super::{options, reply};
use crate::nodes::Transport;

/// The greatest age of samples that an estimate may use.
const AGE: Duration = Duration::from_secs(10);
/// The maximum number of samples of all parts together, and the maximum and the minimum number of samples of each part.
const ALL_SAMPLES: u64 = 16_384;
const MOST_SAMPLES: u64 = 256;
const FEWEST_SAMPLES: u64 = 16;
/// For how many boards and views samples are kept at the same time.
const MOST_KEPT: usize = 64;

/// Samples of boards, for estimates.
#[derive(Default)]
pub struct Samples {
    kept: Mutex<HashMap<Key, Slot>>,
}

/// The hash of a board's rules, the board's name, its layout, and the options for the view and the period that are read.
type Key = (u64, Vec<Vec<u8>>);
/// The task that holds the lock takes samples; the other tasks wait for the lock.
type Slot = Arc<tokio::sync::Mutex<Option<Taken>>>;

#[derive(Clone)]
struct Taken {
    at: Instant,
    start: Option<i64>,
    parts: Arc<Vec<Sampled>>,
}

impl Samples {
    fn slot(&self, key: Key) -> Slot {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT && !kept.contains_key(&key) {
            // The samples that a task waits for are kept.
            kept.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        Arc::clone(kept.entry(key).or_default())
    }

    /// Returns samples of all parts, for the period that a gather reads.
    async fn of<T: Transport>(&self, gather: &Gather<'_, T>) -> Result<Arc<Vec<Sampled>>, Stop> {
        let root = gather.call.root;
        let board = [root.name.clone(), root.parts.to_bytes()];
        let words = board.into_iter().chain(gather.scope.words(None)).collect();
        let slot = self.slot((root.hash, words));
        let call = &gather.call;
        let slot = timeout_at(call.deadline, slot.lock()).await;
        let mut slot = slot.map_err(|_| call.down(gather.parts().len()))?;
        let is_fresh = |taken: &&Taken| taken.start == gather.start() && taken.at.elapsed() <= AGE;
        if let Some(taken) = slot.as_ref().filter(is_fresh) {
            return Ok(Arc::clone(&taken.parts));
        }
        let at = Instant::now();
        let each = of_each(ALL_SAMPLES, gather.parts().end).clamp(FEWEST_SAMPLES, MOST_SAMPLES);
        let parts = Arc::new(gather.sample_all(each).await?);
        if parts.len() == gather.parts().len() {
            *slot = Some(Taken { at, start: gather.start(), parts: Arc::clone(&parts) });
        }
        Ok(parts)
    }
}

/// Replies to `LB.RANK key member ESTIMATE`.
pub async fn rank<T: Transport>(gather: &Gather<'_, T>, samples: &Samples) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    if options::ranks(asked)? != Ranks::Ordinal {
        return Err(Error::Conflict("ESTIMATE", "RANKS").into());
    }
    let Some(found) = gather.find(options::fixed(asked, 0), 0, 0, false).await? else {
        return Ok(Value::Nil);
    };
    let samples = samples.of(gather).await?;
    let (mut before, mut error) = (found.entry.before, 0_u64);
    for part in samples.iter().filter(|part| part.part != found.entry.part) {
        let (least, most) = part.ahead_of(gather.order, found.entry.place(gather.order));
        let width = most.saturating_sub(least);
        before = before.saturating_add(least).saturating_add(width / 2);
        error = error.saturating_add(width.div_ceil(2));
    }
    Ok(Value::Array(vec![reply::int(before.saturating_add(1)), reply::int(error)]))
}
