//! A model of a counter, written from the contract in the simplest way. Each precision has a list of the events that
//! still count in it, and each read adds up these lists again. The model shares only the rules with the counter.

mod alter;
mod read;
mod requests;
mod write;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use leaderboard_core::counter::Rules;
use leaderboard_core::time::{Clock, Stamp, TimeSource};

pub use requests::Remembered;
use requests::Requests;
pub use write::{Told, Write};

/// The text of an error, as clients get it.
pub type Refusal = &'static str;

pub const MISSING_AT: Refusal = "AT is needed with CLOCK EVENT";
pub const AT_IN_FUTURE: Refusal = "AT is too far in the future (max-future-ms)";
pub const REUSED: Refusal = "request id was used for a different write";
pub const OUT_OF_RANGE: Refusal = "the count would be out of range";

/// An event that counts in a precision: its moment in milliseconds, and its amount.
type Counted = (u64, i64);

#[derive(Debug, Clone)]
pub struct Model {
    /// The rules, with precisions in ascending order.
    pub rules: Rules,
    /// The moment of the last applied write or alteration, in milliseconds.
    pub last: u64,
    pub total: i128,
    /// The events that count, by precision in seconds.
    events: BTreeMap<u32, Vec<Counted>>,
    requests: Requests,
}

/// Returns the number of the slice that contains a moment. Slices are numbered from the epoch.
pub fn slice(precision: u32, moment: u64) -> i128 {
    i128::from(moment) / length(precision)
}

/// Returns the length of a slice in milliseconds.
pub fn length(precision: u32) -> i128 {
    i128::from(precision) * 1000
}

/// Returns the numbers of the slices that are kept. Slices before the epoch have negative numbers.
pub fn kept(precision: u32, samples: u32, now: u64) -> RangeInclusive<i128> {
    let current = slice(precision, now);
    current - i128::from(samples - 1)..=current
}

impl Model {
    pub fn new(rules: &Rules) -> Self {
        let mut rules = rules.clone();
        rules.precisions.sort_unstable();
        let events = rules.precisions.iter().map(|precision| (*precision, Vec::new())).collect();
        Self { rules, last: 0, total: 0, events, requests: Requests::default() }
    }

    /// Returns the current moment of the counter. If the server's clock is a little behind the last write, the
    /// counter's clock stands still. If it is far behind, it was corrected, and the counter follows it.
    pub fn now(&self, wall: u64, max_future: u64) -> u64 {
        let behind = self.last.saturating_sub(wall);
        match self.rules.clock {
            Clock::Event => self.last,
            Clock::Server if behind > 0 && behind <= max_future => self.last,
            Clock::Server => wall,
        }
    }

    fn stamp(&self, at: Option<u64>, source: TimeSource) -> Result<Stamp, Refusal> {
        match (self.rules.clock, source) {
            (clock, TimeSource::Decided { now }) => {
                let at = at.ok_or(MISSING_AT)?;
                let now = now.unwrap_or(at);
                Ok(Stamp { now: if clock == Clock::Event { now.max(self.last) } else { now }, at })
            }
            (Clock::Event, TimeSource::Client { .. }) => {
                let at = at.ok_or(MISSING_AT)?;
                Ok(Stamp { now: at.max(self.last), at })
            }
            (Clock::Server, TimeSource::Client { wall, max_future }) => {
                let now = self.now(wall, max_future);
                match at {
                    Some(at) if at > now + max_future => Err(AT_IN_FUTURE),
                    at => Ok(Stamp { now, at: at.unwrap_or(now).min(now) }),
                }
            }
        }
    }

    /// Removes the events whose slices are not kept at a moment: older slices and future slices.
    fn cut(&mut self, now: u64) {
        let samples = self.rules.samples;
        for (precision, events) in &mut self.events {
            let kept = kept(*precision, samples, now);
            events.retain(|(at, _)| kept.contains(&slice(*precision, *at)));
        }
    }

    pub fn requests(&self, now: u64) -> usize {
        self.requests.kept(self.rules.dedup, now.max(self.last)).count()
    }

    /// Returns the requests that are remembered at the moment of the last write, the oldest first.
    pub fn remembered(&self) -> Vec<Remembered> {
        self.requests.kept(self.rules.dedup, self.last).cloned().collect()
    }
}
