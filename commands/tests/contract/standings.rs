//! The ranking of segments: by sum, number or best of their members.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::board::{Board, Ties};
use super::calendar::View;
use super::reads::Read;

/// When the number of a segment changed.
#[derive(Debug, Clone)]
pub struct Change {
    /// The view and the dimension.
    place: (String, String),
    value: String,
    at: i64,
    period: i64,
    /// The number of the command.
    order: usize,
}

/// A segment in a ranking.
#[derive(Debug, Clone, Default)]
pub struct Segment {
    pub value: String,
    pub score: i128,
    pub members: usize,
    /// The moment of the number, and the command that gave it.
    pub key: (i64, usize),
}

type Numbers = BTreeMap<(String, String), BTreeMap<String, i128>>;

impl Board {
    /// Changes the board, and notes which numbers of segments change by it.
    pub fn tracked<A>(&mut self, at: i64, now: i64, change: impl FnOnce(&mut Self) -> A) -> A {
        let before = self.numbers(now);
        let result = change(self);
        let after = self.numbers(now);
        self.commands += 1;
        for (place, values) in &after {
            let period = self.view(&place.0).period(now);
            for (value, number) in values {
                if before[place].get(value) != Some(number) {
                    let (place, value, order) = (place.clone(), value.clone(), self.commands);
                    self.changes.push(Change { place, value, at, period, order });
                }
            }
        }
        result
    }

    fn numbers(&self, now: i64) -> Numbers {
        let mut all = Numbers::new();
        for view in &self.views {
            for (name, _) in &self.dimensions {
                let segments = self.unordered(name, (view, view.period(now)));
                let numbers = segments.into_iter().map(|segment| (segment.value, segment.score)).collect();
                all.insert((view.name.clone(), name.clone()), numbers);
            }
        }
        all
    }

    /// Returns the segments of a dimension in a period, in no order.
    fn unordered(&self, name: &str, place: (&View, i64)) -> Vec<Segment> {
        let kind = self
            .dimensions
            .iter()
            .find(|dimension| dimension.0 == name)
            .map(|dimension| dimension.1.as_str());
        let mut all: BTreeMap<String, Segment> = BTreeMap::new();
        for entry in self.visible(place.0, place.1) {
            let value = self.segment(&entry.member, name, place).to_owned();
            if value.is_empty() {
                continue;
            }
            let segment = all.entry(value.clone()).or_default();
            let is_first = segment.members == 0;
            (segment.value, segment.members) = (value, segment.members + 1);
            match kind {
                Some("SUM") => segment.score += i128::from(entry.score),
                Some("BEST") if is_first => {
                    segment.score = i128::from(entry.score);
                    segment.key = (entry.moment, entry.order);
                }
                Some("BEST") => {}
                _ => segment.score += 1,
            }
        }
        if kind != Some("BEST") {
            all.values_mut().for_each(|segment| segment.key = self.last_change(name, place, &segment.value));
        }
        all.into_values().collect()
    }

    fn last_change(&self, name: &str, (view, period): (&View, i64), value: &str) -> (i64, usize) {
        let holds = |change: &&Change| {
            change.place.0 == view.name
                && change.place.1 == name
                && change.value == value
                && change.period <= period
        };
        self.changes.iter().rev().find(holds).map_or((0, 0), |change| (change.at, change.order))
    }

    /// Returns the segments of a dimension, best first.
    pub fn segments(&self, name: &str, read: &Read, now: i64) -> Vec<Segment> {
        let (view, Some(period)) = self.read_place(read, now) else { return Vec::new() };
        let mut all = self.unordered(name, (view, period));
        let is_count = self.dimensions.iter().any(|(other, kind)| other == name && kind == "COUNT");
        all.sort_by(|one, other| self.compare_segments(one, other, is_count || self.descending));
        if read.is_reversed {
            all.reverse();
        }
        all
    }

    fn compare_segments(&self, one: &Segment, other: &Segment, is_descending: bool) -> Ordering {
        let scores = one.score.cmp(&other.score);
        let scores = if is_descending { scores.reverse() } else { scores };
        scores.then(match self.ties {
            Ties::First => one.key.cmp(&other.key),
            Ties::Last => other.key.cmp(&one.key),
            Ties::Lex => one.value.cmp(&other.value),
            Ties::RevLex => other.value.cmp(&one.value),
        })
    }
}
