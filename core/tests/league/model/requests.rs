//! Request ids, done plainly: what each stands for, and since when.

use std::collections::BTreeMap;

use leaderboard_core::Error;

use super::Name;

/// What an id stands for: points for a member.
type Asked = (Name, i64);

/// What was asked for and when, by request id; times go back with the clock.
#[derive(Debug, Clone, Default)]
pub struct Requests(BTreeMap<Vec<u8>, (Asked, i128)>);

fn keep(dedup: u32) -> i128 {
    i128::from(dedup) * 1000
}

impl Requests {
    /// Whether the same was applied under an id that is remembered.
    pub fn is_repeated(&self, dedup: u32, id: &[u8], asked: &Asked, now: u64) -> Result<bool, Error> {
        match self.0.get(id) {
            Some((before, time)) if dedup > 0 && i128::from(now) - time <= keep(dedup) => {
                if before == asked {
                    Ok(true)
                } else {
                    Err(Error::RequestReused)
                }
            }
            _ => Ok(false),
        }
    }

    /// Follows a clock that is put right by so much: no id becomes younger.
    pub fn turn_back(&mut self, by: u64) {
        self.0.values_mut().for_each(|(_, time)| *time -= i128::from(by));
    }

    pub fn remember(&mut self, dedup: u32, id: &[u8], asked: Asked, now: u64) {
        if dedup > 0 {
            self.0.insert(id.to_vec(), (asked, now.into()));
        }
    }

    /// How many are remembered.
    pub fn count(&self, dedup: u32, now: u64) -> usize {
        let kept = |(_, time): &&(Asked, i128)| i128::from(now) - time <= keep(dedup);
        if dedup == 0 { 0 } else { self.0.values().filter(kept).count() }
    }

    /// Forgets what is too old: it does not come back when ids are to be kept for longer.
    pub fn forget(&mut self, dedup: u32, last: u64) {
        self.0.retain(|_, (_, time)| i128::from(last) - *time <= keep(dedup));
    }
}
