//! Counts of answers and their times, by second.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The doors of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// The HTTP API.
    Http,
    /// The door for Redis clients.
    Resp,
}

/// All doors, with their names.
pub const DOORS: [(Door, &str); 2] = [(Door::Http, "HTTP"), (Door::Resp, "RESP")];

/// What came through one door in one second.
#[derive(Default)]
pub struct Counts {
    /// Answered requests. A pipeline has many.
    pub requests: u64,
    /// Answers that say that a server is away or the gateway is busy.
    pub away: u64,
    /// Answers that refuse a wrong request, or one too many.
    pub refused: u64,
    /// The times of requests, or of whole pipelines, in microseconds.
    pub times: Vec<u32>,
}

/// The counts of the present second.
#[derive(Default)]
pub struct Tally {
    present: Mutex<[Counts; 2]>,
    /// Whether a fault goes on.
    is_fault: AtomicBool,
    /// Whether a fault went on since the counts were taken.
    was_fault: AtomicBool,
}

impl Tally {
    /// Adds counts to those of a door.
    pub fn add(&self, door: Door, [requests, away, refused]: [u64; 3], time: Option<Duration>) {
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = &mut present[door as usize];
        counts.requests += requests;
        counts.away += away;
        counts.refused += refused;
        let micros = |time: Duration| u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        counts.times.extend(time.map(micros));
    }

    /// Says whether a fault goes on.
    pub fn set_fault(&self, is_fault: bool) {
        self.is_fault.store(is_fault, Relaxed);
        self.was_fault.fetch_or(is_fault, Relaxed);
    }

    /// Returns the counts since the last call, and whether a fault went on meanwhile.
    pub fn take(&self) -> (bool, [Counts; 2]) {
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let was_fault = self.was_fault.swap(self.is_fault.load(Relaxed), Relaxed);
        (was_fault, mem::take(&mut *present))
    }
}

/// Returns the middle time, the time that 1 in 100 takes, and the longest time. Sorts the times.
pub fn quantiles(times: &mut [u32]) -> [u32; 3] {
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied();
    [at(50), at(99), times.last().copied()].map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    #[test]
    fn quantiles_are_those_of_the_sorted_times() {
        assert_eq!(super::quantiles(&mut []), [0; 3]);
        assert_eq!(super::quantiles(&mut [7]), [7; 3]);
        let mut times: Vec<u32> = (1..=1_000).rev().collect();
        assert_eq!(super::quantiles(&mut times), [501, 991, 1_000]);
    }
}
