//! Writes of the model.

use leaderboard_core::time::{Stamp, TimeSource};

use super::{Model, OUT_OF_RANGE, Refusal, kept, slice};

/// An increase, as it is sent to a counter.
#[derive(Debug, Clone)]
pub struct Write {
    pub by: i64,
    pub id: Option<Vec<u8>>,
    pub at: Option<u64>,
}

/// The reply to an increase. It has a stamp if the increase was applied.
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

    /// Returns whether the write was applied before. If it was decided, another write with its id is no error.
    fn is_repeated(&self, write: &Write, stamp: Stamp, source: TimeSource) -> Result<bool, Refusal> {
        let Some(id) = &write.id else { return Ok(false) };
        let now = stamp.now.max(self.last);
        match (self.requests.is_repeated(self.rules.dedup, id, write.by, now), source) {
            (Err(_), TimeSource::Decided { .. }) => Ok(false),
            (seen, _) => seen,
        }
    }

    /// Counts an event in each precision that keeps its slice. An event after now counts as an event of now.
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

    /// Returns the counts of the slices that contain a moment, one of each precision.
    fn counts_at(&self, moment: u64) -> impl Iterator<Item = i128> {
        self.events.keys().map(move |precision| self.count_of(*precision, slice(*precision, moment)))
    }
}
