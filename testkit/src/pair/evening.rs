//! Writes that make segments equal: random points alone seldom do.

use leaderboard_core::board::Condition;
use leaderboard_core::schema::Aggregate;

use super::{Call, Pair};
use crate::board::segment::Tally;
use crate::board::{Name, Op, Sent};

impl Pair {
    /// Gives a segment the score of another one, by points for one of its members. Nothing where this is not possible.
    pub fn even_out(&mut self) -> Option<Call> {
        let is_plain = self.model.rules.levels.is_empty() && !self.model.rules.shown;
        let view = self.random.below(self.model.views.len() as u64) as usize;
        let op = match self.random.below(2) {
            0 if is_plain && self.model.rules.aggregate == Aggregate::Sum => self.difference(view)?,
            _ if is_plain => self.same_as_another(view)?,
            _ => return None,
        };
        self.send(Sent { op, id: None, view, meta: None })
    }

    fn difference(&mut self, view: usize) -> Option<Op> {
        let dimension = self.a_dimension(100).and_then(|name| self.model.dimension(name))?;
        let entries = &self.model.views[view].entries;
        let sums = self.model.grouped(dimension, entries, &self.model.places);
        let mut sums: Vec<_> = sums.into_iter().map(|segment| (segment.value, segment.tally)).collect();
        self.random.shuffle(&mut sums);
        let [(value, Tally::Sum(sum)), (_, Tally::Sum(wanted)), ..] = &sums[..] else { return None };
        let points = i64::try_from(wanted - sum).ok()?;
        let values = &self.model.places[dimension.name];
        let is_own = |name: &&Name| values.get(*name) == Some(value) && !self.model.hidden.contains(*name);
        let own: Vec<Name> = self.names.iter().filter(is_own).cloned().collect();
        (!own.is_empty()).then(|| Op::Add(vec![points], self.random.pick(&own).clone()))
    }

    /// The score of another member.
    fn same_as_another(&mut self, view: usize) -> Option<Op> {
        let (name, other) = (self.member(), self.member());
        Some(Op::Set(self.model.score(view, &other)?, name, Condition::default()))
    }
}
