//! The counts of one precision. Nearly all increases are in the current slice. This slice is stored outside of the
//! ring of ended slices, so that an increase reads no other memory.

use super::ring::Ring;
use crate::time::Millis;

/// The slices of one precision. They are numbered from the epoch.
#[derive(Debug, Clone)]
pub struct Lane {
    /// The length of a slice.
    pub seconds: u32,
    /// The number of the current slice. `count` is its count.
    current: u64,
    count: i64,
    /// The slices that have ended, up to the slice before the current slice.
    ended: Ring,
}

impl Lane {
    /// Returns a lane without counts, whose current slice contains the moment `now`.
    pub fn new(seconds: u32, now: Millis) -> Self {
        let mut lane = Self { seconds, current: 0, count: 0, ended: Ring::default() };
        lane.current = lane.slice(now);
        lane
    }

    /// Returns the length of a slice in milliseconds.
    const fn length(&self) -> Millis {
        (self.seconds as Millis).saturating_mul(1000)
    }

    /// Returns the number of the slice that contains a moment.
    pub fn slice(&self, at: Millis) -> u64 {
        let is_current = at.wrapping_sub(self.start(self.current)) < self.length();
        // This check avoids the division, which is slow.
        if is_current { self.current } else { at.checked_div(self.length()).unwrap_or(0) }
    }

    /// Returns the moment at which a slice begins.
    pub const fn start(&self, slice: u64) -> Millis {
        slice.saturating_mul(self.length())
    }

    pub const fn current(&self) -> u64 {
        self.current
    }

    /// Returns the oldest slice that may have a count.
    const fn oldest(&self) -> u64 {
        self.current.saturating_sub(self.ended.len())
    }

    /// Returns the newest slice that has ended; 0 if there is no such slice.
    const fn newest_ended(&self) -> u64 {
        self.current.saturating_sub(1)
    }

    /// Returns the count of a slice; 0 if the slice is not kept.
    pub fn get(&self, slice: u64) -> i64 {
        if slice == self.current {
            self.count
        } else if slice < self.current && slice >= self.oldest() {
            self.ended.get(slice)
        } else {
            0
        }
    }

    /// Sets the count of a slice that is kept. The slice must be one of the latest `samples` slices.
    pub fn set(&mut self, slice: u64, count: i64, samples: u32) {
        if slice == self.current {
            self.count = count;
            return;
        }
        let back = self.current.saturating_sub(slice);
        if back > self.ended.len() {
            self.ended.resize(self.newest_ended(), back, most_ended(samples));
        }
        self.ended.set(slice, count, self.newest_ended());
    }

    /// Makes another slice the current slice. Slices that are not among the latest `samples` slices are dropped.
    pub fn come_to(&mut self, slice: u64, samples: u32) {
        if slice > self.current {
            self.go_on(slice, samples);
        } else if slice < self.current {
            self.go_back(slice, samples);
        }
    }

    fn go_on(&mut self, slice: u64, samples: u32) {
        let (last, count, first_kept) = (self.current, self.count, first_kept(slice, samples));
        if last < first_kept {
            *self = Self { seconds: self.seconds, current: slice, count: 0, ended: Ring::default() };
            return;
        }
        // Find the oldest slice that is still kept but whose slot would go to another slice.
        let reused = first_kept..slice.saturating_sub(self.ended.len());
        let oldest = self.slices(reused).next();
        if let Some((oldest, _)) = oldest {
            let needed = slice.saturating_sub(oldest);
            self.ended.resize(self.newest_ended(), needed, most_ended(samples));
        }
        (self.current, self.count) = (slice, 0);
        // The slots of dropped slices now belong to new slices.
        self.ended.clear(last, slice.saturating_sub(last));
        if count != 0 {
            self.ended.set(last, count, self.newest_ended());
        }
    }

    /// Goes back to an earlier slice, when a clock that was ahead is put back. The counts of later slices are
    /// dropped.
    fn go_back(&mut self, slice: u64, samples: u32) {
        let kept: Vec<_> = self.slices(first_kept(slice, samples)..slice.saturating_add(1)).collect();
        (self.current, self.count, self.ended) = (slice, 0, Ring::default());
        kept.into_iter().for_each(|(slice, count)| self.set(slice, count, samples));
    }

    /// Drops slices that are not among the latest `samples` slices.
    pub fn cut(&mut self, samples: u32) {
        if self.ended.len() > most_ended(samples) {
            self.go_back(self.current, samples);
        }
    }

    /// Returns the slices of a range that have a count, with their counts, in order.
    pub fn slices(&self, range: std::ops::Range<u64>) -> impl Iterator<Item = (u64, i64)> + '_ {
        let known = range.start.max(self.oldest())..range.end.min(self.current.saturating_add(1));
        known.map(|slice| (slice, self.get(slice))).filter(|(_, count)| *count != 0)
    }

    pub const fn ended_mut(&mut self) -> &mut Ring {
        &mut self.ended
    }

    /// Returns the number of bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.ended.memory()
    }
}

/// Returns the first of the latest `samples` slices. `current` is the last of them.
pub fn first_kept(current: u64, samples: u32) -> u64 {
    current.saturating_sub(most_ended(samples))
}

/// Returns how many ended slices are kept, not counting the current slice.
fn most_ended(samples: u32) -> u64 {
    u64::from(samples).saturating_sub(1)
}
