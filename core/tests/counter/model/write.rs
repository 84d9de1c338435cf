//! Increases.

use leaderboard_core::time::{Stamp, TimeSource};

use super::{Model, OUT_OF_RANGE, Refusal, kept, slice};

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Write {
    pub by: i64,
    pub id: Option<Vec<u8>>,
    pub at: Option<u64>,
}

/// The answer; with a stamp where something was applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    pub stamp: Option<Stamp>,
    pub total: i128,
}

fn is_count(sum: i128) -> bool {
    sum.abs() <= i128::from(i64::MAX)
}

impl Model {
    pub fn increase(&mut self, write: &Write, source: TimeSource) -> Result<Told, Refusal> {
        let stamp = self.stamp(write.at, source)?;
        if self.is_repeated(write, stamp, source)? {
            return Ok(Told { stamp: None, total: self.total });
        }
        let mut after = self.clone();
        after.count(stamp, write.by);
        if !is_count(after.total) || after.counts_at(stamp.at.min(stamp.now)).any(|count| !is_count(count)) {
            return Err(OUT_OF_RANGE);
        }
        after.requests.turn_back(self.last.saturating_sub(stamp.now));
        if let Some(id) = &write.id {
            after.requests.remember(self.rules.dedup, id, write.by, stamp.now);
        }
        after.last = stamp.now;
        *self = after;
        Ok(Told { stamp: Some(stamp), total: self.total })
    }

    /// Whether it was applied before. What was decided is applied, whatever was before.
    fn is_repeated(&self, write: &Write, stamp: Stamp, source: TimeSource) -> Result<bool, Refusal> {
        match (&write.id, source) {
            (Some(id), TimeSource::Client { .. }) => {
                self.requests.is_repeated(self.rules.dedup, id, write.by, stamp.now.max(self.last))
            }
            _ => Ok(false),
        }
    }

    /// Counts an event in each precision in which its slice is kept. One that is ahead counts as now.
    fn count(&mut self, stamp: Stamp, by: i64) {
        let at = stamp.at.min(stamp.now);
        self.total += i128::from(by);
        self.cut(stamp.now);
        let samples = self.rules.samples;
        for (precision, events) in &mut self.events {
            if kept(*precision, samples, stamp.now).contains(&slice(*precision, at)) {
                events.push((at, by));
            }
        }
    }

    /// The counts of the slices that hold a moment.
    fn counts_at(&self, moment: u64) -> impl Iterator<Item = i128> {
        self.events.keys().map(move |precision| self.count_of(*precision, slice(*precision, moment)))
    }
}
