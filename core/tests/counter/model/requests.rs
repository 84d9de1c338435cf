//! The model of request ids: the amount and the moment of each id.

use super::{REUSED, Refusal};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    pub id: Vec<u8>,
    pub by: i64,
    /// The moment in milliseconds at which the request was applied. It moves back when the clock is put back.
    pub time: i128,
}

/// The requests, in the order in which they were applied.
#[derive(Debug, Clone, Default)]
pub struct Requests(Vec<Remembered>);

fn is_kept(request: &Remembered, dedup: u32, now: u64) -> bool {
    dedup > 0 && i128::from(now) - request.time <= i128::from(dedup) * 1000
}

impl Requests {
    /// Returns the requests that are remembered.
    pub fn kept(&self, dedup: u32, now: u64) -> impl Iterator<Item = &Remembered> {
        self.0.iter().filter(move |request| is_kept(request, dedup, now))
    }

    /// Returns whether the same write was applied with this id, and the id is remembered. Fails if another write has
    /// the id.
    pub fn is_repeated(&self, dedup: u32, id: &[u8], by: i64, now: u64) -> Result<bool, Refusal> {
        match self.kept(dedup, now).find(|request| request.id == id) {
            Some(request) if request.by == by => Ok(true),
            Some(_) => Err(REUSED),
            None => Ok(false),
        }
    }

    /// Moves all moments back by the distance that the clock was put back, so that no id becomes younger.
    pub fn turn_back(&mut self, by: u64) {
        self.0.iter_mut().for_each(|request| request.time -= i128::from(by));
    }

    /// Remembers an id, unless it is remembered already.
    pub fn remember(&mut self, dedup: u32, id: &[u8], by: i64, now: u64) {
        self.0.retain(|request| request.id != id || is_kept(request, dedup, now));
        if dedup > 0 && self.0.iter().all(|request| request.id != id) {
            self.0.push(Remembered { id: id.to_vec(), by, time: now.into() });
        }
    }

    /// Forgets the ids that are too old, so that they do not come back if ids are kept for longer afterwards.
    pub fn forget(&mut self, dedup: u32, now: u64) {
        self.0.retain(|request| is_kept(request, dedup, now));
    }
}
