//! The states of the roots that the gateway has seen: a state other than `whole` is work that somebody has begun and
//! not finished.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How many boards are remembered.
const MOST: usize = 10_000;
/// How long a board is remembered that no client uses.
const KEPT: Duration = Duration::from_secs(600);

/// The last state of each board, and when it was seen.
#[derive(Default)]
pub struct States(Mutex<Seen>);

type Seen = HashMap<Vec<u8>, (String, Instant)>;

impl States {
    /// Notes the state of a board. Only the first word counts: the rest may be different for each board.
    pub fn note(&self, board: &[u8], state: &impl Display) {
        let state = state.to_string();
        let word = state.split(' ').next().unwrap_or_default().to_owned();
        let (mut seen, entry) = (self.seen(), (word, Instant::now()));
        if let Some(known) = seen.get_mut(board) {
            *known = entry;
            return;
        }
        if seen.len() >= MOST {
            seen.retain(|_, (_, at)| at.elapsed() < KEPT);
        }
        if seen.len() < MOST {
            seen.insert(board.to_vec(), entry);
        }
    }

    /// Forgets a board: its key has no root any more.
    pub fn forget(&self, board: &[u8]) {
        self.seen().remove(board);
    }

    /// Returns how many boards have each state.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for (state, _) in self.seen().values().filter(|(_, at)| at.elapsed() < KEPT) {
            let count: &mut u64 = counts.entry(state.clone()).or_default();
            *count = count.saturating_add(1);
        }
        counts
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_last_state_counts_until_nobody_uses_the_board() {
        let states = States::default();
        for (board, state) in [("a", "making"), ("b", "whole"), ("a", "whole"), ("c", "altering to 3")] {
            states.note(board.as_bytes(), &state);
        }
        assert_eq!(states.counts(), BTreeMap::from([("whole".to_owned(), 2), ("altering".to_owned(), 1)]));
        states.forget(b"c");
        advance(KEPT).await;
        states.note(b"b", &"ending");
        assert_eq!(states.counts(), BTreeMap::from([("ending".to_owned(), 1)]));
    }

    #[tokio::test(start_paused = true)]
    async fn the_number_of_boards_is_limited() {
        let states = States::default();
        (0..=MOST).for_each(|board| states.note(board.to_string().as_bytes(), &"whole"));
        assert_eq!(states.counts()["whole"], MOST as u64);
    }
}
