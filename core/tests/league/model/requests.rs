//! The model of request ids: the write and the moment of each id.

use std::collections::BTreeMap;

use leaderboard_core::Error;

use super::Name;

/// The write that an id stands for: points for a member.
type Asked = (Name, i64);

/// Writes and their moments by request id. When the clock is put back, the moments move back by the same distance.
#[derive(Debug, Clone, Default)]
pub struct Requests(BTreeMap<Vec<u8>, (Asked, i128)>);

fn keep(dedup: u32) -> i128 {
    i128::from(dedup) * 1000
}

impl Requests {
    /// Returns whether the same write was applied with this id, and the id is still remembered. Fails if another
    /// write has the id.
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

    /// Moves all moments back by the distance that the clock was put back, so that no id becomes younger.
    pub fn turn_back(&mut self, by: u64) {
        self.0.values_mut().for_each(|(_, time)| *time -= i128::from(by));
    }

    pub fn remember(&mut self, dedup: u32, id: &[u8], asked: Asked, now: u64) {
        if dedup > 0 {
            self.0.insert(id.to_vec(), (asked, now.into()));
        }
    }

    /// Returns how many ids are remembered.
    pub fn count(&self, dedup: u32, now: u64) -> usize {
        let kept = |(_, time): &&(Asked, i128)| i128::from(now) - time <= keep(dedup);
        if dedup == 0 { 0 } else { self.0.values().filter(kept).count() }
    }

    /// Forgets the ids that are too old, so that they do not come back if ids are kept for longer afterwards.
    pub fn forget(&mut self, dedup: u32, last: u64) {
        self.0.retain(|_, (_, time)| i128::from(last) - *time <= keep(dedup));
    }
}
