//! The model of request ids: the write and the moment of each id.

use std::collections::HashMap;

use leaderboard_core::{Error, Schema};

use super::Op;

/// Writes and their moments by request id. When the clock is put back, the moments move back by the same
/// distance.
#[derive(Debug, Clone, Default)]
pub struct Requests(HashMap<Vec<u8>, (Op, i128)>);

fn keep(schema: &Schema) -> i128 {
    i128::from(schema.dedup) * 1000
}

impl Requests {
    /// Returns whether the same write was applied with this id, and the id is still remembered. Fails if
    /// another write has the id.
    pub fn is_repeated(&self, schema: &Schema, id: &[u8], op: &Op, now: u64) -> Result<bool, Error> {
        match self.0.get(id) {
            Some((before, time)) if schema.dedup > 0 && i128::from(now) - time <= keep(schema) => {
                if *before == op.printed() { Ok(true) } else { Err(Error::RequestReused) }
            }
            _ => Ok(false),
        }
    }

    /// Remembers a write that was applied. `back` is the number of milliseconds by which the clock was put
    /// back. All older moments move back with it, so that no id becomes younger.
    pub fn remember(&mut self, schema: &Schema, id: Option<&[u8]>, op: &Op, now: u64, back: u64) {
        self.0.values_mut().for_each(|(_, time)| *time -= i128::from(back));
        if let Some(id) = id.filter(|_| schema.dedup > 0) {
            self.0.insert(id.to_vec(), (op.printed(), now.into()));
        }
    }

    /// Returns how many ids are remembered.
    pub fn count(&self, schema: &Schema, now: u64) -> usize {
        let kept = |(_, time): &&(Op, i128)| i128::from(now) - time <= keep(schema);
        if schema.dedup == 0 { 0 } else { self.0.values().filter(kept).count() }
    }

    /// Forgets the ids that are too old, so that they do not come back if ids are kept for longer afterwards.
    pub fn forget(&mut self, schema: &Schema, last: u64) {
        self.0.retain(|_, (_, time)| i128::from(last) - *time <= keep(schema));
    }
}
