//! Counts of commands for one part that got no answer: by error, by reason and by the number of the part.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// How many different combinations are counted. Further ones are counted without the number of their part.
const MOST: usize = 512;

/// A command that got no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lost {
    /// The code of the error: `PARTSDOWN` or `UNKNOWN`.
    pub code: &'static str,
    /// Why there was no answer: `timeout`, or `connection`.
    pub reason: &'static str,
    /// The number of the part. `None` if too many different combinations were counted before.
    pub part: Option<u16>,
}

/// The counts since the start.
#[derive(Default)]
pub struct Unanswered(Mutex<BTreeMap<Lost, u64>>);

impl Unanswered {
    /// Adds a command.
    pub fn add(&self, mut lost: Lost) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= MOST && !counts.contains_key(&lost) {
            lost.part = None;
        }
        let count = counts.entry(lost).or_default();
        *count = count.saturating_add(1);
    }

    /// Returns all counts.
    pub fn counts(&self) -> Vec<(Lost, u64)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|(lost, count)| (*lost, *count)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_counts_is_limited() {
        let unanswered = Unanswered::default();
        let lost = |part| Lost { code: "UNKNOWN", reason: "timeout", part: Some(part) };
        (0..1_024).chain([3]).for_each(|part| unanswered.add(lost(part)));
        let counts = unanswered.counts();
        assert_eq!(counts.len(), MOST + 1);
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 1_025);
        assert!(counts.contains(&(lost(3), 2)) && counts.contains(&(Lost { part: None, ..lost(0) }, 512)));
    }
}
