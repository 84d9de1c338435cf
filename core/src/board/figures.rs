//! Counts of the writes of a board since it was made or loaded, for `INFO` and monitoring. These counts are not
//! saved.

use super::{Board, Effect};
use crate::board_rule::BoardRule;

/// Counts of the effects of writes. A copy begins with the counts of the original board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Writes of scores and votes that were applied.
    pub writes: u64,
    /// Requests that had been applied before.
    pub repeated: u64,
    /// Requests to vote that were counted.
    pub votes: u64,
    /// Writes that each rule of the board held back, in the order of [`BoardRule::ALL`].
    held_back: [u64; BoardRule::ALL.len()],
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
    pub(super) fn and(self, other: Self) -> Self {
        let mut held_back = self.held_back;
        let pairs = held_back.iter_mut().zip(other.held_back);
        pairs.for_each(|(own, other)| *own = own.saturating_add(other));
        Self {
            held_back,
            writes: self.writes.saturating_add(other.writes),
            repeated: self.repeated.saturating_add(other.repeated),
            votes: self.votes.saturating_add(other.votes),
        }
    }

    /// Counts a write that a rule of the board held back.
    pub(super) fn count_held_back(&mut self, rule: BoardRule) {
        if let Some(count) = self.held_back.get_mut(rule as usize) {
            *count = count.saturating_add(1);
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

    /// Returns the name of each rule that the board has, and how many writes it held back. The rules come in the order in which
    /// they are judged, those of scores before the limits of votes.
    pub fn held_back(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let (declared, campaign) = (self.schema.declared, self.campaign());
        let is_there = move |rule: BoardRule| match rule {
            BoardRule::Joined => declared,
            _ => campaign.is_some_and(|campaign| campaign.has(rule)),
        };
        let counts = BoardRule::ALL.into_iter().zip(self.figures.held_back);
        let own = counts.filter(move |(rule, _)| is_there(*rule));
        let limits = campaign.into_iter().flat_map(|campaign| campaign.limits.held_back());
        own.map(|(rule, count)| (rule.name().as_bytes(), count)).chain(limits)
    }
}
