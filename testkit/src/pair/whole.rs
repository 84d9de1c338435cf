//! Reads that together show the whole board.

use super::{Call, Pair};
use crate::{Words, words};

/// How many ended periods of each view are read.
const ENDED: u64 = 4;

impl Pair {
    /// Reads all members of all views and of their last periods, all texts, and what the board counts.
    pub fn whole(&mut self) -> Vec<Call> {
        self.present(|pair| {
            let names = pair.names.clone();
            let mut calls = vec![pair.ask_info(), pair.ask_hidden(), pair.ask_metas(names)];
            calls.extend(pair.whole_places());
            let ended = pair.model.rules.retain.min(ENDED) as i64 + 1;
            for view in 0..pair.model.views.len() {
                let is_period = pair.model.views[view].kind.is_period();
                for back in 0..=if is_period { ended } else { 0 } {
                    calls.extend(pair.whole_period(view, false, back));
                    calls.extend(pair.whole_segments(view, back));
                    if pair.model.rules.shown {
                        calls.extend(pair.whole_period(view, true, back));
                    }
                }
            }
            calls
        })
    }

    fn whole_period(&mut self, view: usize, is_real: bool, back: i64) -> [Call; 2] {
        let (period, options) = self.period_of(view, is_real, back);
        let mut rows = self.plainly(period, options);
        rows.metas = true;
        rows.options.push(words(&["WITHMETA"]));
        let all = rows.ranking.rows(rows.ranks, rows.rev);
        let rows = self.rows(rows, "LB.TOP", words(&["100000"]), &all);
        let (period, options): (_, Vec<Words>) = self.period_of(view, is_real, back);
        let places = self.plainly(period, options);
        [rows, self.ask_all(places)]
    }
}
