//! Ended periods as chunks. Periods that follow each other with the same order are one part, however
//! the board came by them: so boards that were read, that slept, or that were loaded give the same bytes.

use super::PAST;
use super::save::{Chunk, Numbers};
use super::wire::put_number;
use crate::board::Board;
use crate::view::{PastOrder, Periods};

/// Ended periods that follow each other with the same order.
struct Run {
    first: i64,
    last: i64,
    len: u64,
    /// A hash of the order, where it may be that of its neighbour.
    hash: Option<blake3::Hash>,
}

impl Board {
    /// Saves the ended periods of a view, newest first; how many entries those are.
    pub(super) fn save_past(
        &self,
        number: usize,
        periods: &Periods,
        numbers: &Numbers,
        out: &mut impl FnMut(&[u8]),
    ) -> u64 {
        let runs = self.past_runs(periods);
        let (mut at, mut count) = (0, 0_u64);
        periods.each_ended(&self.facts(), |_, _, order| {
            // A run that goes on with the next order is saved with that.
            if let Some(Some(run)) = runs.get(at) {
                self.save_order(number, run, order, numbers, out);
                count = count.saturating_add(run.len);
            }
            at = at.saturating_add(1);
        });
        count
    }

    fn save_order(
        &self,
        number: usize,
        run: &Run,
        order: &PastOrder,
        numbers: &Numbers,
        out: &mut impl FnMut(&[u8]),
    ) {
        let mut chunk = Chunk::of_view(PAST, number, &[run.first, run.last], out);
        let mut before = 0;
        for (rank_key, id) in order.ranking(&self.schema, &self.members).walk(0) {
            put_number(&mut chunk.bytes, numbers.get(&id).copied().unwrap_or(0));
            put_number(&mut chunk.bytes, rank_key.saturating_sub(before));
            before = if chunk.close_if_full() { 0 } else { rank_key };
        }
        chunk.finish();
    }

    /// What to save at each order of a view's ended periods; nothing where it is that of the next one,
    /// or nobody was ranked.
    fn past_runs(&self, periods: &Periods) -> Vec<Option<Run>> {
        let (facts, mut runs) = (self.facts(), Vec::new());
        periods.each_ended(&facts, |first, last, order| {
            runs.push(Some(Run { first, last, len: order.len(), hash: None }).filter(|run| run.len > 0));
        });
        let mut alike = vec![false; runs.len()];
        for (at, pair) in runs.windows(2).enumerate() {
            if let [Some(newer), Some(older)] = pair
                && newer.len == older.len
                && self.is_next(periods, older.last, newer.first)
            {
                alike.iter_mut().skip(at).take(2).for_each(|alike| *alike = true);
            }
        }
        if !alike.contains(&true) {
            return runs;
        }
        let mut at = 0;
        periods.each_ended(&facts, |_, _, order| {
            if let (Some(Some(run)), Some(true)) = (runs.get_mut(at), alike.get(at)) {
                run.hash = Some(self.hash_of(order));
            }
            at = at.saturating_add(1);
        });
        self.merge(periods, &mut runs);
        runs
    }

    /// Leaves those of equal orders to the oldest of them.
    fn merge(&self, periods: &Periods, runs: &mut [Option<Run>]) {
        for at in 1..runs.len() {
            let Some([newer, Some(older)]) = runs.get_mut(at.saturating_sub(1)..=at) else { continue };
            let goes_on = |newer: &&mut Run| {
                newer.hash.is_some()
                    && newer.hash == older.hash
                    && self.is_next(periods, older.last, newer.first)
            };
            if let Some(last) = newer.as_mut().filter(goes_on).map(|newer| newer.last) {
                (older.last, *newer) = (last, None);
            }
        }
    }

    fn is_next(&self, periods: &Periods, last: i64, first: i64) -> bool {
        self.schema.calendar.period(periods.rules.unit, last).end == first
    }

    fn hash_of(&self, order: &PastOrder) -> blake3::Hash {
        let mut hash = blake3::Hasher::new();
        for (rank_key, id) in order.ranking(&self.schema, &self.members).walk(0) {
            hash.update(&rank_key.to_le_bytes());
            hash.update(&id.to_le_bytes());
        }
        hash.finalize()
    }
}
