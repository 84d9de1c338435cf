//! Who is in which segment, now and in periods that have ended.

use super::board::{Board, Move};
use super::calendar::View;

impl Board {
    /// Returns a member's segment in a period: that in which it ended it, if it has ended. Empty without one.
    pub fn segment(&self, member: &str, dimension: &str, (view, period): (&View, i64)) -> &str {
        let mut all = self.moves.iter().rev();
        let holds = |change: &&Move| change.member == member && change.dimension == dimension;
        let found = all.find(|change| holds(change) && view.period(change.now) <= period);
        found.map_or("", |change| change.value.as_str())
    }

    /// Returns a member's segment at the moment; empty without one.
    pub fn own_segment(&self, member: &str, dimension: &str) -> &str {
        let mut all = self.moves.iter().rev();
        let found = all.find(|change| change.member == member && change.dimension == dimension);
        found.map_or("", |change| change.value.as_str())
    }

    /// Puts a member into a segment. Returns whether that changed anything.
    pub fn put(&mut self, member: &str, dimension: &str, value: &str, now: i64) -> bool {
        let changes = self.own_segment(member, dimension) != value;
        if changes {
            let (member, dimension, value) = (member.to_owned(), dimension.to_owned(), value.to_owned());
            self.moves.push(Move { member, dimension, value, now });
        }
        changes
    }
}
