//! Commands that make segments equal, and commands on equal segments: random points alone seldom do. Each of them is
//! mostly followed by a look at the segments.

use leaderboard_core::board::Condition;
use leaderboard_core::schema::Aggregate;

use super::reply::Reply;
use super::{Call, Pair};
use crate::board::score::Score;
use crate::board::segment::{Dimension, Rule, Segment, Tally, Value};
use crate::board::{Name, Op, Sent};

/// A dimension in the current period of a view.
pub type Watched = (usize, Dimension);

impl Pair {
    /// Makes segments equal, or changes equal ones. Nothing where this is not possible, and before the first command of a
    /// period.
    pub fn stir(&mut self) -> Option<Call> {
        if !self.model.is_at(self.model.now(self.wall)) {
            return None;
        }
        let view = self.random.below(self.model.views.len() as u64) as usize;
        let dimension = self.a_dimension(100).and_then(|name| self.model.dimension(name))?;
        let mut segments = self.current(view, dimension);
        let equal = segments.windows(2).position(|pair| pair[0].tally == pair[1].tally);
        let call = match equal {
            Some(place) if self.random.percent(70) => {
                let values = [0, 1].map(|next| segments[place + next].value.clone());
                self.stir_equal(view, dimension, values)
            }
            _ => {
                self.random.shuffle(&mut segments);
                self.even_out(view, dimension, &segments)
            }
        };
        self.watched = call.is_some().then_some((view, dimension));
        call
    }

    /// The segments of the current period of a view.
    pub fn current(&self, view: usize, dimension: Dimension) -> Vec<Segment> {
        let view = &self.model.views[view];
        self.model.segments(dimension, &view.entries, &self.model.places, &view.marks)
    }

    /// The members of a segment in a view that everybody sees.
    fn own(&mut self, view: usize, dimension: Dimension, value: &Value) -> Vec<Name> {
        let values = &self.model.places[dimension.name];
        let entries = &self.model.views[view].entries;
        let is_own = |name: &&Name| values.get(*name) == Some(value) && !self.model.hidden.contains(*name);
        let mut own: Vec<Name> = entries.keys().filter(is_own).cloned().collect();
        self.random.shuffle(&mut own);
        own
    }

    /// Changes one of two segments so that it is as good as the other.
    fn even_out(&mut self, view: usize, dimension: Dimension, segments: &[Segment]) -> Option<Call> {
        if self.model.rules.shown || !self.model.rules.levels.is_empty() {
            return None;
        }
        let [one, other, ..] = segments else { return None };
        let name = self.own(view, dimension, &one.value).pop()?;
        let score = self.model.score(view, &name)?[0];
        let wanted = match (&one.tally, &other.tally) {
            (Tally::Sum(sum), Tally::Sum(wanted)) => {
                in_range(i64::try_from(i128::from(score) + wanted - sum).ok()?)?
            }
            (Tally::Best(_), Tally::Best(wanted)) => wanted[0],
            (Tally::Count(count), Tally::Count(wanted)) if count > wanted => {
                return self.leave(dimension, name);
            }
            _ => return self.join(dimension, &one.value),
        };
        let op = match wanted.checked_sub(score).and_then(in_range) {
            Some(points) if self.model.rules.aggregate == Aggregate::Sum => Op::Add(vec![points], name),
            _ => Op::Set(vec![wanted], name, Condition::default()),
        };
        self.send(Sent { op, id: None, view, meta: None })
    }

    fn leave(&mut self, dimension: Dimension, name: Name) -> Option<Call> {
        let value = if self.random.percent(50) { Value::new() } else { self.value() };
        Some(self.move_to(name, vec![(dimension.name, value)]))
    }

    /// A write puts a member into this segment, perhaps one that has a score already.
    fn join(&mut self, dimension: Dimension, value: &Value) -> Option<Call> {
        let (op, at) = (Op::Add(self.points(), self.member()), self.moment());
        let mut extras = self.extras(&op);
        extras.placed = vec![(dimension.name, value.clone())];
        self.send_with(Sent { op, id: None, view: 0, meta: None }, at, &extras)
    }

    /// A command on one of two equal segments. Some of them change its score not at all, or no score as others see it.
    fn stir_equal(&mut self, view: usize, dimension: Dimension, values: [Value; 2]) -> Option<Call> {
        let [value, other] = values;
        let mut own = self.own(view, dimension, &value);
        let name = own.pop()?;
        let placed = vec![(dimension.name, other)];
        // Boards of shown votes get no other writes than votes.
        match self.random.below(if self.model.rules.shown { 3 } else { 7 }) {
            0 => Some(self.hide_all(vec![name])),
            1 => Some(self.unhide_all(self.model.hidden.iter().cloned().collect())),
            2 => Some(self.move_to(name, placed)),
            3 => self.nothing_in_all(view, vec![name.clone(), own.pop().unwrap_or(name)]),
            4 => {
                let op = Op::Add(self.zero(), name);
                self.send(Sent { op, id: None, view, meta: None })
            }
            5 => {
                let (op, at) = (Op::Add(self.zero(), name), self.moment());
                let mut extras = self.extras(&op);
                extras.placed = placed;
                self.send_with(Sent { op, id: None, view, meta: None }, at, &extras)
            }
            _ => self.join(dimension, &value),
        }
    }

    fn zero(&self) -> Score {
        vec![0; self.model.rules.levels.len().max(1)]
    }

    /// A list that gives a segment as much as it takes.
    fn nothing_in_all(&mut self, view: usize, names: Vec<Name>) -> Option<Call> {
        let points = self.points();
        let taken: Score = points.iter().map(|points| -points).collect();
        let mut pairs: Vec<(Score, Name)> = [points, taken].into_iter().zip(names).collect();
        if self.random.percent(50) {
            pairs.push((self.zero(), self.member()));
        }
        self.send(Sent { op: Op::Many(pairs), id: None, view, meta: None })
    }

    /// A view and a dimension whose segments have moments of their own.
    pub fn a_watched(&mut self) -> Option<Watched> {
        let view = self.random.below(self.model.views.len() as u64) as usize;
        let dimensions = self.model.dimensions.iter().filter(|dimension| dimension.rule != Rule::Best);
        let dimensions: Vec<Dimension> = dimensions.copied().collect();
        (!dimensions.is_empty()).then(|| (view, *self.random.pick(&dimensions)))
    }

    /// Hides these members.
    pub fn hide_all(&mut self, names: Vec<Name>) -> Call {
        self.changed = self.wall;
        let hidden = self.command(|model| names.iter().filter(|name| model.hide(name)).count());
        self.call("LB.HIDE", &[names], Reply::count(hidden as u64))
    }

    /// Shows these members again.
    pub fn unhide_all(&mut self, mut names: Vec<Name>) -> Call {
        self.changed = self.wall;
        if names.is_empty() {
            names.push(self.member());
        }
        let all: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let shown = self.command(|model| model.unhide_all(&all));
        self.call("LB.UNHIDE", &[names], Reply::count(shown as u64))
    }
}

/// Returns a number if it can be a score.
fn in_range(units: i64) -> Option<i64> {
    Some(units).filter(|units| *units != i64::MIN)
}
