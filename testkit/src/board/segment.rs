//! Segments: groups of members with the same value in a dimension, such as a country. Their ranking is computed anew for
//! each read, from the members that everybody sees.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use leaderboard_core::schema::Ties;

use super::read::Line;
use super::score::{self, Score};
use super::{Entry, Model, Name};

/// The name of a segment in its dimension.
pub type Value = Vec<u8>;

/// A dimension, and the value that a member gets in it. An empty value takes the member out of its segment.
pub type Placed = (&'static str, Value);

/// The values of the members, by dimension. A member without a value is not in the map.
pub type Places = BTreeMap<&'static str, BTreeMap<Name, Value>>;

/// When segments got their scores, by dimension and value. Segments that do not exist can be in it.
pub type Marks = BTreeMap<(&'static str, Value), Mark>;

/// How a dimension ranks its segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// By the sum of the members' scores.
    Sum,
    /// By the number of members.
    Count,
    /// By the best score of a member.
    Best,
}

/// A dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimension {
    /// Its name.
    pub name: &'static str,
    /// How it ranks its segments.
    pub rule: Rule,
}

/// When a segment got its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The moment, in milliseconds.
    pub moment: u64,
    /// The number of the change: the order of changes at one moment.
    pub number: u64,
}

/// For a segment of an ended period that nobody saw then: its members were hidden.
const NEVER: Mark = Mark { moment: 0, number: 0 };

/// What a view keeps of the segments of a period that ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// The segments in which the members ended the period.
    pub places: Places,
    /// When the segments got their scores.
    pub marks: Marks,
    /// The members that everybody saw when it ended.
    pub seen: BTreeSet<Name>,
}

/// The score of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tally {
    /// A sum of scores, in smallest units. It can be out of the range of scores.
    Sum(i128),
    /// A number of members.
    Count(u64),
    /// A score of a member.
    Best(Score),
}

/// A segment as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its value.
    pub value: Value,
    /// Its score.
    pub tally: Tally,
    /// The number of its members.
    pub members: u64,
    /// What decides between equal scores. The best member of a segment gives its segment its own place in the ranking
    /// of all members, so its place stands for the moment.
    order: Mark,
}

impl Model {
    /// The dimension with this name.
    pub fn dimension(&self, name: &str) -> Option<Dimension> {
        self.dimensions.iter().copied().find(|dimension| dimension.name == name)
    }

    /// The segments of a period, best first. A segment without a member that everybody sees does not exist.
    pub fn segments(
        &self,
        dimension: Dimension,
        entries: &BTreeMap<Name, Entry>,
        places: &Places,
        marks: &Marks,
    ) -> Vec<Segment> {
        let mut segments = self.grouped(dimension, entries, places);
        for segment in &mut segments {
            let key = (dimension.name, segment.value.clone());
            match dimension.rule {
                Rule::Best => {}
                Rule::Sum | Rule::Count => segment.order = marks.get(&key).copied().unwrap_or(NEVER),
            }
        }
        segments.sort_by(|a, b| self.compare_segments(a, b));
        segments
    }

    /// The segments of a period in the order of their values, without the moments of sums and counts.
    pub fn grouped(
        &self,
        dimension: Dimension,
        entries: &BTreeMap<Name, Entry>,
        places: &Places,
    ) -> Vec<Segment> {
        let Some(values) = places.get(dimension.name) else { return Vec::new() };
        let ranking = self.ranking(entries);
        let mut groups: BTreeMap<&Value, Vec<(usize, &Line)>> = BTreeMap::new();
        for (place, line) in ranking.seen(false).into_iter().enumerate() {
            if let Some(value) = values.get(&line.name) {
                groups.entry(value).or_default().push((place, line));
            }
        }
        let segment = |(value, lines): (&Value, Vec<(usize, &Line)>)| {
            let (place, best) = lines[0];
            let tally = match dimension.rule {
                Rule::Sum => Tally::Sum(lines.iter().map(|(_, line)| i128::from(line.score[0])).sum()),
                Rule::Count => Tally::Count(lines.len() as u64),
                Rule::Best => Tally::Best(best.score.clone()),
            };
            let order = self.place_order(place as u64);
            Segment { value: value.clone(), tally, members: lines.len() as u64, order }
        };
        groups.into_iter().map(segment).collect()
    }

    /// Of two equal best members, the one that ranks higher gives its segment the higher place.
    fn place_order(&self, place: u64) -> Mark {
        let moment = if self.rules.ties == Ties::Last { u64::MAX - place } else { place };
        Mark { moment, number: 0 }
    }

    /// The order of places: the better one is less.
    fn compare_segments(&self, a: &Segment, b: &Segment) -> Ordering {
        let is_ascending = self.rules.ascending;
        let by_score = match (&a.tally, &b.tally) {
            (Tally::Sum(a), Tally::Sum(b)) if is_ascending => a.cmp(b),
            (Tally::Sum(a), Tally::Sum(b)) => b.cmp(a),
            (Tally::Count(a), Tally::Count(b)) => b.cmp(a),
            (Tally::Best(a), Tally::Best(b)) => score::places(&self.rules, a, b),
            _ => unreachable!("one dimension has one rule"),
        };
        by_score.then_with(|| match self.rules.ties {
            Ties::First => a.order.cmp(&b.order),
            Ties::Last => b.order.cmp(&a.order),
            Ties::Lex => a.value.cmp(&b.value),
            Ties::RevLex => b.value.cmp(&a.value),
        })
    }
}
