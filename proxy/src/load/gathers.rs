//! Counts of gathers, by command, and how the reads of whole boards of the last seconds ended.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::histogram::Histogram;
use super::tally::Tally;

/// How long the gateway remembers how reads ended.
const RECENT: Duration = Duration::from_secs(10);

/// The counts of one command.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// How many gathers ended, and how long they took. The wait for a place is included.
    pub times: Histogram,
    /// How many commands they gave to the sender for parts.
    pub sent: u64,
    /// How often such a command was sent again.
    pub repeated: u64,
    /// How many gathers ended with an error of the gateway, by the code of the error.
    pub errors: BTreeMap<&'static str, u64>,
}

/// How a gather ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With an answer.
    Answered,
    /// With an error about the command or the board.
    Refused,
    /// With an error of the gateway, which has this code.
    Failed(&'static str),
}

/// How the reads of whole boards of the last seconds ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recent {
    /// How many reads had an answer.
    pub good: u64,
    /// How many reads ended with an error of the gateway, by the code of the error.
    pub failed: BTreeMap<&'static str, u64>,
}

/// The counts of all commands since the start.
#[derive(Default)]
pub struct Gathers {
    by_command: Mutex<BTreeMap<&'static str, Counts>>,
    /// For each second with reads of whole boards, how these reads ended.
    recent: Mutex<VecDeque<(Instant, Recent)>>,
}

impl Gathers {
    /// Adds a gather that has ended.
    pub fn add(&self, command: &'static str, took: Duration, tally: Tally, ended: Ended) {
        let mut by_command = held(&self.by_command);
        let counts = by_command.entry(command).or_default();
        counts.times.add(took);
        counts.sent = counts.sent.saturating_add(tally.sent.try_into().unwrap_or(u64::MAX));
        counts.repeated = counts.repeated.saturating_add(tally.repeated.try_into().unwrap_or(u64::MAX));
        if let Ended::Failed(code) = ended {
            increment(&mut counts.errors, code);
        }
    }

    /// Notes how a read of a whole board ended.
    pub fn note_read(&self, how: Ended) {
        let mut recent = held(&self.recent);
        if recent.back().is_none_or(|(second, _)| second.elapsed() >= Duration::from_secs(1)) {
            recent.push_back((Instant::now(), Recent::default()));
            recent.retain(|(second, _)| second.elapsed() <= RECENT);
        }
        let Some((_, ended)) = recent.back_mut() else { return };
        match how {
            Ended::Answered => ended.good = ended.good.saturating_add(1),
            Ended::Refused => {}
            Ended::Failed(code) => increment(&mut ended.failed, code),
        }
    }

    /// Returns the counts of each command that was a gather.
    pub fn counts(&self) -> Vec<(&'static str, Counts)> {
        held(&self.by_command).iter().map(|(name, counts)| (*name, counts.clone())).collect()
    }

    /// Returns the number of all gathers.
    pub fn total(&self) -> u64 {
        held(&self.by_command).values().map(|counts| counts.times.count).fold(0, u64::saturating_add)
    }

    /// Returns how many gathers ended with this code.
    pub fn errors(&self, code: &str) -> u64 {
        let of = |counts: &Counts| counts.errors.get(code).copied().unwrap_or_default();
        held(&self.by_command).values().map(of).fold(0, u64::saturating_add)
    }

    /// Returns how the reads of whole boards of the last ten seconds ended.
    pub fn recent(&self) -> Recent {
        let mut all = Recent::default();
        for (_, ended) in held(&self.recent).iter().filter(|(second, _)| second.elapsed() <= RECENT) {
            all.good = all.good.saturating_add(ended.good);
            for (code, count) in &ended.failed {
                let sum = all.failed.entry(code).or_default();
                *sum = sum.saturating_add(*count);
            }
        }
        all
    }
}

fn increment(counts: &mut BTreeMap<&'static str, u64>, code: &'static str) {
    let count = counts.entry(code).or_default();
    *count = count.saturating_add(1);
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn gathers_are_counted_by_command_and_forgotten_after_some_seconds() {
        let gathers = Gathers::default();
        let tally = Tally { sent: 64, repeated: 1 };
        let add = |command, took, tally, ended| {
            gathers.add(command, Duration::from_millis(took), tally, ended);
            gathers.note_read(ended);
        };
        add("LB.TOP", 2, tally, Ended::Answered);
        add("LB.TOP", 0, Tally::default(), Ended::Refused);
        advance(Duration::from_secs(6)).await;
        add("LB.TOP", 3, tally, Ended::Failed("PARTSDOWN"));
        add("LB.RANK", 4, Tally::default(), Ended::Failed("BUSY"));
        let counts = gathers.counts();
        assert_eq!(counts.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["LB.RANK", "LB.TOP"]);
        assert_eq!((counts[1].1.times.count, counts[1].1.sent, counts[1].1.repeated), (3, 128, 2));
        assert_eq!((gathers.total(), gathers.errors("BUSY"), gathers.errors("UNKNOWN")), (4, 1, 0));
        let failed = BTreeMap::from([("PARTSDOWN", 1), ("BUSY", 1)]);
        assert_eq!(gathers.recent(), Recent { good: 1, failed: failed.clone() });
        advance(Duration::from_secs(5)).await;
        assert_eq!(gathers.recent(), Recent { good: 0, failed });
        advance(Duration::from_secs(6)).await;
        assert_eq!(gathers.recent(), Recent::default());
    }
}
