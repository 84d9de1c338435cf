//! Checks what a board reports to its listeners.

use leaderboard_core::NativeType;
use leaderboard_core::calendar::When;
use leaderboard_core::schema::{Ranks, Tally};

use super::Play;

impl Play {
    /// Checks whether the board reports a new top, and the end of the next period that it reports. A change of
    /// `notify_top` itself is not a new top.
    pub(super) fn listen(&mut self, is_watched_anew: bool) {
        let reading = self.board.read(None, When::Now, Tally::Shown).unwrap();
        let rows = reading.rows(0, u64::from(self.board.schema().notify_top), Ranks::Ordinal);
        let top: Vec<_> = rows.map(|row| self.board.name(row.id).to_vec()).collect();
        let is_new = top != self.top && !is_watched_anew;
        assert_eq!(self.board.has_new_top(), is_new, "{:?}, then {top:?}", self.top);
        assert!(!self.board.has_new_top());
        self.top = top;
        let last = self.board.last();
        if self.is_settled() {
            let after = NativeType::end_after(&self.board, last);
            assert_eq!(after, self.model.end_after(last), "behind {last}");
        }
    }
}
