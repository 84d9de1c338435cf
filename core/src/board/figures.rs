//! Counts of the writes of a board since it was made or loaded, for `INFO` and monitoring. These counts are not
//! saved.

use super::{Board, Effect};

/// Counts of the effects of writes. A copy begins with the counts of the original board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Writes of scores and votes that were applied.
    pub writes: u64,
    /// Requests that had been applied before.
    pub repeated: u64,
    /// Requests to vote that were counted.
    pub votes: u64,
}

impl Figures {
    /// Counts the effect of a write.
    pub(super) const fn count(&mut self, effect: Effect) {
        match effect {
            Effect::Applied(_) => self.writes = self.writes.saturating_add(1),
            Effect::Repeated | Effect::SameAttempt => self.repeated = self.repeated.saturating_add(1),
            Effect::HeldBack => {}
        }
    }

    /// Returns the sums of these counts and the counts of another board.
    pub(super) const fn and(self, other: Self) -> Self {
        Self {
            writes: self.writes.saturating_add(other.writes),
            repeated: self.repeated.saturating_add(other.repeated),
            votes: self.votes.saturating_add(other.votes),
        }
    }

    /// Counts the effect of a request to vote.
    pub(super) const fn count_vote(&mut self, effect: Effect) {
        if matches!(effect, Effect::Applied(_)) {
            self.votes = self.votes.saturating_add(1);
        }
    }
}

impl Board {
    /// Returns the counts of the board.
    #[must_use]
    pub const fn figures(&self) -> Figures {
        self.figures
    }

    /// Returns the name of each rule, and how many requests to vote it held back. The rules come in the order in
    /// which they are judged. If the board has hours of voting, the hours come first.
    pub fn held_back(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.campaign().into_iter().flat_map(|campaign| campaign.held_back())
    }
}
