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
}

/// How many writes each rule of the board held back, in the order of [`BoardRule::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct HeldBack([u64; BoardRule::ALL.len()]);

impl HeldBack {
    fn count(&mut self, rule: BoardRule) {
        if let Some(count) = self.0.get_mut(rule as usize) {
            *count = count.saturating_add(1);
        }
    }

    fn add(&mut self, other: Self) {
        let pairs = self.0.iter_mut().zip(other.0);
        pairs.for_each(|(own, other)| *own = own.saturating_add(other));
    }
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
    /// Counts a write that a rule of the board held back.
    pub(super) fn count_held_back(&mut self, rule: BoardRule) {
        self.extras.get_or_insert_default().held_back.count(rule);
    }

    /// Adds the counts of another board.
    pub(super) fn add_held_back(&mut self, other: &Self) {
        let counts = other.extras.as_ref().map(|extras| extras.held_back).unwrap_or_default();
        if counts != HeldBack::default() {
            self.extras.get_or_insert_default().held_back.add(counts);
        }
    }

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
        let counts = self.extras.as_ref().map(|extras| extras.held_back).unwrap_or_default();
        let counts = BoardRule::ALL.into_iter().zip(counts.0);
        let own = counts.filter(move |(rule, _)| is_there(*rule));
        let limits = campaign.into_iter().flat_map(|campaign| campaign.limits.held_back());
        own.map(|(rule, count)| (rule.name().as_bytes(), count)).chain(limits)
    }
}
