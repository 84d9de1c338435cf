//! The moments of segments. Before and after each step of a command, the scores of all segments are computed. What
//! differs between the two has changed.
//!
//! The contract says: a segment's moment is that of the last command that changed its score (its AT; the board's now for
//! moves and removals). This model reads it so:
//!
//! - The command as a whole counts. A segment whose score is the same before and after a command keeps its moment.
//! - Scores are those that everybody sees. So hiding a member is a removal, and showing it again is a move into its
//!   segment. Points of a hidden member change nothing.
//! - A write that moves a member who has a score already is a move of both segments, whatever points it gives.
//! - A member that falls out of a board that keeps its best falls by the command that pushed it out, at the AT of it.
//! - At one moment, the order is that of the last steps that changed the segments. The steps of a write of several pairs
//!   are the pairs, in the order of the list. A move is two steps: the member leaves, and the member enters.
//! - An empty segment does not exist: to come into being is a change, even if the score is 0.

use std::collections::{BTreeMap, BTreeSet};

use super::segment::{Dimension, Mark, Rule, Value};
use super::{Model, Name};

/// A segment of the current period of a view.
type Key = (usize, &'static str, Value);

/// Sums of scores, or numbers of members.
type Tallies = BTreeMap<Key, i128>;

/// What a step of a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A member gets points, or falls out of the best.
    Score,
    /// A member moves, or is removed, hidden or shown again.
    Move,
}

/// What a command has changed so far.
#[derive(Debug, Clone)]
pub struct Change {
    before: Tallies,
    latest: Tallies,
    /// The number of the last step that changed a segment.
    numbers: BTreeMap<Key, u64>,
    /// The segments that a move changed.
    moved: BTreeSet<Key>,
}

impl Model {
    /// The scores of all segments of the current periods. Those that are the best of a member need no moments.
    fn tallies(&self) -> Tallies {
        let mut tallies = Tallies::new();
        for (number, view) in self.views.iter().enumerate() {
            for (dimension, values) in self.tallied() {
                let seen = view.entries.iter().filter(|(name, _)| !self.hidden.contains(*name));
                for (entry, value) in seen.filter_map(|(name, entry)| Some((entry, values.get(name)?))) {
                    let score = if dimension.rule == Rule::Sum { i128::from(entry.score[0]) } else { 1 };
                    *tallies.entry((number, dimension.name, value.clone())).or_default() += score;
                }
            }
        }
        tallies
    }

    /// The dimensions of sums and counts, with their values.
    fn tallied(&self) -> impl Iterator<Item = (&Dimension, &BTreeMap<Name, Value>)> {
        let dimensions = self.dimensions.iter().filter(|dimension| dimension.rule != Rule::Best);
        dimensions.filter_map(|dimension| Some((dimension, self.places.get(dimension.name)?)))
    }

    /// Applies a command whose moment is the board's now.
    pub fn command<T>(&mut self, now: u64, apply: impl FnOnce(&mut Self) -> T) -> T {
        self.begin();
        let result = apply(self);
        self.end(now, now);
        result
    }

    /// Begins a command. All periods before it have ended.
    pub fn begin(&mut self) {
        if self.dimensions.is_empty() {
            return;
        }
        let before = self.tallies();
        let latest = before.clone();
        self.change = Some(Change { before, latest, numbers: BTreeMap::new(), moved: BTreeSet::new() });
    }

    /// A step of the command is done.
    pub fn step(&mut self, cause: Cause) {
        let Some(mut change) = self.change.take() else { return };
        self.steps += 1;
        let tallies = self.tallies();
        let keys: BTreeSet<&Key> = tallies.keys().chain(change.latest.keys()).collect();
        for key in keys.into_iter().filter(|key| tallies.get(*key) != change.latest.get(*key)) {
            change.numbers.insert(key.clone(), self.steps);
            if cause == Cause::Move {
                change.moved.insert(key.clone());
            }
        }
        change.latest = tallies;
        self.change = Some(change);
    }

    /// Ends a command with this AT, at this time of the board.
    pub fn end(&mut self, at: u64, now: u64) {
        let Some(Change { before, latest, numbers, moved }) = self.change.take() else { return };
        for (key, number) in numbers {
            if before.get(&key) == latest.get(&key) {
                continue;
            }
            let moment = if moved.contains(&key) { now } else { at };
            let (view, dimension, value) = key;
            self.views[view].marks.insert((dimension, value), Mark { moment, number });
        }
    }
}
