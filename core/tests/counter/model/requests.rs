//! Request ids, done plainly: what each stands for, and since when.

use super::{REUSED, Refusal};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    pub id: Vec<u8>,
    pub by: i64,
    /// When it was applied; goes back with the clock.
    pub time: i128,
}

/// The requests, in the order in which they were applied.
#[derive(Debug, Clone, Default)]
pub struct Requests(Vec<Remembered>);

fn is_kept(request: &Remembered, dedup: u32, now: u64) -> bool {
    dedup > 0 && i128::from(now) - request.time <= i128::from(dedup) * 1000
}

impl Requests {
    /// Those that are remembered.
    pub fn kept(&self, dedup: u32, now: u64) -> impl Iterator<Item = &Remembered> {
        self.0.iter().filter(move |request| is_kept(request, dedup, now))
    }

    /// Whether the same was applied under an id that is remembered.
    pub fn is_repeated(&self, dedup: u32, id: &[u8], by: i64, now: u64) -> Result<bool, Refusal> {
        match self.kept(dedup, now).find(|request| request.id == id) {
            Some(request) if request.by == by => Ok(true),
            Some(_) => Err(REUSED),
            None => Ok(false),
        }
    }

    /// Follows a clock that is put right by so much: no id becomes younger.
    pub fn turn_back(&mut self, by: u64) {
        self.0.iter_mut().for_each(|request| request.time -= i128::from(by));
    }

    /// Remembers an id from now on, unless it is already.
    pub fn remember(&mut self, dedup: u32, id: &[u8], by: i64, now: u64) {
        self.0.retain(|request| request.id != id || is_kept(request, dedup, now));
        if dedup > 0 && self.0.iter().all(|request| request.id != id) {
            self.0.push(Remembered { id: id.to_vec(), by, time: now.into() });
        }
    }

    /// Forgets what is too old: it does not come back when ids are to be kept for longer.
    pub fn forget(&mut self, dedup: u32, now: u64) {
        self.0.retain(|request| is_kept(request, dedup, now));
    }
}
