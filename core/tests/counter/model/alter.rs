//! Changes of the model's rules.

use leaderboard_core::board::Edit;
use leaderboard_core::counter::{Alter, MAX_PRECISIONS, MAX_SAMPLES};

use super::Model;

/// The maximum length of a slice, and the maximum time for which ids are remembered, in seconds.
const MOST_SECONDS: u32 = 315_360_000;

impl Model {
    /// Changes the rules at a moment, which becomes the moment of the last write. If the new rules are invalid,
    /// changes nothing and returns false.
    pub fn alter(&mut self, alter: &Alter, now: u64) -> bool {
        let Some(precisions) = self.altered(alter) else { return false };
        let samples = alter.samples.unwrap_or(self.rules.samples);
        let dedup = alter.dedup.unwrap_or(self.rules.dedup);
        if !(1..=MAX_SAMPLES).contains(&samples) || dedup > MOST_SECONDS {
            return false;
        }
        self.cut(now);
        self.requests.forget(self.rules.dedup, now.max(self.last));
        self.requests.turn_back(self.last.saturating_sub(now));
        self.last = now;
        self.events.retain(|precision, _| precisions.contains(precision));
        for precision in &precisions {
            self.events.entry(*precision).or_default();
        }
        (self.rules.precisions, self.rules.samples, self.rules.dedup) = (precisions, samples, dedup);
        self.cut(now);
        true
    }

    /// Returns the new precisions in ascending order, or nothing if the change is invalid.
    fn altered(&self, alter: &Alter) -> Option<Vec<u32>> {
        let mut precisions = self.rules.precisions.clone();
        let mut named = Vec::new();
        for (precision, edit) in &alter.precisions {
            let is_there = self.rules.precisions.contains(precision);
            if named.contains(precision) || is_there != (*edit == Edit::Drop) {
                return None;
            }
            named.push(*precision);
            match edit {
                Edit::Add => precisions.push(*precision),
                Edit::Drop => precisions.retain(|other| other != precision),
            }
        }
        precisions.sort_unstable();
        let are_possible = (1..=MAX_PRECISIONS).contains(&precisions.len())
            && precisions.iter().all(|precision| (1..=MOST_SECONDS).contains(precision));
        are_possible.then_some(precisions)
    }
}
