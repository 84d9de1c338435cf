//! History that outlives this gateway: each minute, one gateway counts the figures of boards and servers in counters of the
//! servers. So all gateways show the same plots, a restart loses nothing, and the counters forget what is too old.
//!
//! A counter has sums, so a subject has one more counter, `samples`, for how many minutes were noted. The mean of a level is its sum
//! divided by the samples, and a slice without samples is a gap: no gateway ran, or the server did not answer.

mod days;
mod listing;
mod plot;
mod reading;
mod recorder;
mod rules;
mod sweep;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, PoisonError};

pub use days::Days;
pub use recorder::record;

use rules::Rules;

/// The precisions of the counters, in seconds: [`Range::slice`](crate::history::Range::slice) says which range uses which.
const PRECISIONS: &str = "60,300,3600,21600,86400";
/// How many slices of each precision are kept: more than a year of days.
const SLICES: u64 = 400;
/// The counter of how many minutes of a subject were noted.
const SAMPLES: &str = "samples";

/// What has figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    Board(&'a str),
    /// A server, by its address.
    Server(&'a str),
}

/// Where figures are kept.
#[derive(Debug)]
pub struct Kept {
    /// What the keys of the counters begin with; `None` if nothing is kept.
    prefix: Option<String>,
    is_read_only: bool,
    /// The rules of each board that have counters.
    rules: Rules,
    /// Why the last minute was not noted.
    trouble: Mutex<Option<String>>,
}

impl Kept {
    /// Figures in counters whose keys begin with this prefix; an empty prefix keeps nothing.
    pub fn new(prefix: &str, is_read_only: bool) -> Self {
        let prefix = (!prefix.is_empty()).then(|| prefix.to_owned());
        Self { prefix, is_read_only, rules: Rules::default(), trouble: Mutex::default() }
    }

    /// What the keys of the counters begin with; `None` if nothing is kept.
    pub fn prefix(&self) -> Option<&str> {
        self.prefix.as_deref()
    }

    /// Why the last minute was not noted; `None` if it was, or if nothing is kept.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes why a minute was not noted. Returns whether this is new.
    fn set_trouble(&self, trouble: Option<String>) -> bool {
        let mut current = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *current != trouble;
        *current = trouble;
        is_new
    }

    /// The key of a counter.
    fn key(&self, of: Subject<'_>, figure: &str) -> Option<String> {
        let (kind, name) = match of {
            Subject::Board(key) => ("board", key),
            Subject::Server(address) => ("server", address),
        };
        Some(format!("{}:{kind}:{}:{figure}", self.prefix()?, escaped(name)))
    }

    /// The key of the counter by which gateways take turns.
    fn turn(&self) -> Option<String> {
        Some(format!("{}:turn", self.prefix()?))
    }
}

/// A name in the key of a counter, without colons.
fn escaped(name: &str) -> String {
    name.replace('%', "%25").replace(':', "%3A")
}
