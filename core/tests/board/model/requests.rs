//! Request ids, done plainly: what each stands for, and since when.

use std::collections::HashMap;

use leaderboard_core::{Error, Schema};

use super::Op;

/// Writes and their times by request id; times go back with the clock.
#[derive(Debug, Clone, Default)]
pub struct Requests(HashMap<Vec<u8>, (Op, i128)>);

fn keep(schema: &Schema) -> i128 {
    i128::from(schema.dedup) * 1000
}

impl Requests {
    /// Whether the same write was applied under an id that is remembered.
    pub fn is_repeated(&self, schema: &Schema, id: &[u8], op: &Op, now: u64) -> Result<bool, Error> {
        match self.0.get(id) {
            Some((before, time)) if schema.dedup > 0 && i128::from(now) - time <= keep(schema) => {
                if *before == op.printed() { Ok(true) } else { Err(Error::RequestReused) }
            }
            _ => Ok(false),
        }
    }

    /// Remembers a write that was applied. A clock that was put right by so much makes no id younger.
    pub fn remember(&mut self, schema: &Schema, id: Option<&[u8]>, op: &Op, now: u64, back: u64) {
        self.0.values_mut().for_each(|(_, time)| *time -= i128::from(back));
        if let Some(id) = id.filter(|_| schema.dedup > 0) {
            self.0.insert(id.to_vec(), (op.printed(), now.into()));
        }
    }

    /// How many are remembered.
    pub fn count(&self, schema: &Schema, now: u64) -> usize {
        let kept = |(_, time): &&(Op, i128)| i128::from(now) - time <= keep(schema);
        if schema.dedup == 0 { 0 } else { self.0.values().filter(kept).count() }
    }

    /// Forgets what is too old: it does not come back when ids are to be kept for longer.
    pub fn forget(&mut self, schema: &Schema, last: u64) {
        self.0.retain(|_, (_, time)| i128::from(last) - *time <= keep(schema));
    }
}
