//! A plain model of the counts, in each slice of each precision. It gives the content of the hashes and the replies
//! that counters have to send.

use std::collections::BTreeMap;

use redis::Cmd;

use super::{PRECISIONS, SAMPLES, today};

/// The maximum number of fields in one command.
const FIELDS: usize = 100;

/// Events in the same second.
#[derive(Clone, Copy)]
pub struct Events {
    /// The moment of the events, in seconds.
    pub second: u64,
    pub count: u64,
}

/// Counts by the start of the slice in seconds, for each precision.
pub struct History(Vec<(u64, BTreeMap<u64, u64>)>);

impl History {
    pub fn of(all: impl Iterator<Item = Events>) -> Self {
        let mut slices = PRECISIONS.map(|precision| (precision, BTreeMap::<u64, u64>::new()));
        for Events { second, count } in all {
            for (precision, counts) in &mut slices {
                let into = second.checked_rem(*precision).unwrap_or(0);
                let sum = counts.entry(second.saturating_sub(into)).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        Self(slices.into())
    }

    /// Returns the history that remains if a program deletes old slices as soon as it may.
    pub fn cleaned(&self) -> Self {
        let latest = |counts: &BTreeMap<u64, u64>| {
            let old = counts.len().saturating_sub(SAMPLES);
            counts.iter().skip(old).map(|(start, count)| (*start, *count)).collect()
        };
        Self(self.0.iter().map(|(precision, counts)| (*precision, latest(counts))).collect())
    }

    /// Returns each precision with its slices, oldest first.
    pub fn slices(&self) -> impl Iterator<Item = (u64, &BTreeMap<u64, u64>)> {
        self.0.iter().map(|(precision, counts)| (*precision, counts))
    }

    /// Returns the commands that write the hashes of a counter.
    pub fn commands(&self, counter: &str) -> Vec<Cmd> {
        let mut commands = Vec::new();
        for (precision, counts) in self.slices() {
            let fields: Vec<_> = counts.iter().collect();
            for some in fields.chunks(FIELDS) {
                let mut set = redis::cmd("HSET");
                set.arg(today::hash(precision, counter)).arg(some);
                commands.push(set);
            }
        }
        commands
    }
}
