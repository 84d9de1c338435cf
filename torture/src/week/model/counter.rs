//! A counter: all its events, and those in each slice of its precisions.

use std::collections::{BTreeMap, HashSet};

use super::board::{MOST_AHEAD, TooFarAhead};

/// A precision.
#[derive(Clone)]
pub struct Precision {
    /// The length of its slices, in milliseconds.
    pub length: u64,
    /// The counts by the start of the slice.
    slices: BTreeMap<u64, i64>,
}

/// A counter.
#[derive(Clone)]
pub struct Counter {
    pub precisions: Vec<Precision>,
    samples: u64,
    pub total: i64,
    last: u64,
    ids: HashSet<u64>,
}

impl Counter {
    /// A counter with slices of these lengths in seconds.
    pub fn new(seconds: &[u64], samples: u64) -> Self {
        let mut counter = Self { precisions: Vec::new(), samples, total: 0, last: 0, ids: HashSet::new() };
        seconds.iter().for_each(|seconds| counter.add_precision(*seconds));
        counter
    }

    /// Adds a precision, which begins empty.
    pub fn add_precision(&mut self, seconds: u64) {
        self.precisions.push(Precision { length: seconds * 1_000, slices: BTreeMap::new() });
    }

    /// Counts events. Returns the total, and whether the request was applied.
    pub fn add(&mut self, id: u64, by: i64, at: Option<u64>, wall: u64) -> Result<(i64, bool), TooFarAhead> {
        let now = self.last.max(wall);
        if at.is_some_and(|at| at > now + MOST_AHEAD) {
            return Err(TooFarAhead);
        }
        if !self.ids.insert(id) {
            return Ok((self.total, false));
        }
        self.last = now;
        self.total += by;
        let at = at.unwrap_or(now).min(now);
        for precision in &mut self.precisions {
            *precision.slices.entry(at - at % precision.length).or_default() += by;
        }
        self.trim(now);
        Ok((self.total, true))
    }

    /// Drops the slices that are too old.
    fn trim(&mut self, now: u64) {
        for Precision { length, slices } in &mut self.precisions {
            let oldest = (now - now % *length).saturating_sub((self.samples - 1) * *length);
            slices.retain(|start, _| *start >= oldest);
        }
    }

    /// Returns the slices with counts.
    pub fn slices(&mut self, precision: usize, wall: u64) -> Vec<(u64, i64)> {
        self.trim(self.last.max(wall));
        self.precisions[precision].slices.iter().map(|(start, count)| (*start, *count)).collect()
    }
}
