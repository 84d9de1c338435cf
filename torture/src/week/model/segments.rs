//! The segments of a board's members, and the ranking of the segments.

use std::collections::{BTreeMap, HashMap};

use super::board::{Board, Entry, Member, View};

/// By what the segments of a dimension are ranked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Sum,
    Count,
    Best,
}

/// The number of a segment.
pub type Segment = u16;

/// A moment, and the number of the change among those of this moment.
type Change = (u64, u64);

/// What was so at the end of a period.
#[derive(Clone)]
struct End {
    places: Vec<Option<Segment>>,
    /// When the numbers had changed last.
    changes: HashMap<Segment, Change>,
    /// Whether a member was hidden, shown again or removed since. Then the documents do not say how equal segments stand.
    is_disturbed: bool,
}

/// A dimension.
#[derive(Clone)]
pub struct Dimension {
    pub name: &'static str,
    pub by: By,
    /// The segment of each member.
    pub places: Vec<Option<Segment>>,
    /// When the number of each segment has changed last, for each view.
    changes: Vec<HashMap<Segment, Change>>,
    /// The ends of each view's ended periods, by view and start.
    ended: BTreeMap<(usize, u64), End>,
}

/// A line of the ranking of segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub segment: Segment,
    pub score: i64,
    pub members: u64,
}

/// What a command can change of a member: its entries in all views, if others see it, and its segments.
pub struct Before {
    entries: Vec<Option<Entry>>,
    places: Vec<Option<Segment>>,
}

/// The dimensions of a board.
#[derive(Clone, Default)]
pub struct Segments {
    pub dimensions: Vec<Dimension>,
    steps: u64,
}

impl Segments {
    /// Adds a dimension without segments.
    pub fn add(&mut self, name: &'static str, by: By, board: &Board) {
        let places = vec![None; board.views[0].entries.len()];
        let changes = vec![HashMap::new(); board.views.len()];
        self.dimensions.push(Dimension { name, by, places, changes, ended: BTreeMap::new() });
    }

    /// Returns the dimension with this name.
    pub fn named(&self, name: &str) -> Option<&Dimension> {
        self.dimensions.iter().find(|dimension| dimension.name == name)
    }

    /// Notes the places at the end of a period.
    pub fn end(&mut self, view: usize, start: u64) {
        for dimension in &mut self.dimensions {
            let (places, changes) = (dimension.places.clone(), dimension.changes[view].clone());
            dimension.ended.insert((view, start), End { places, changes, is_disturbed: false });
        }
    }

    /// Drops ended periods that no view keeps.
    pub fn trim(&mut self, views: &[View]) {
        for dimension in &mut self.dimensions {
            dimension.ended.retain(|(view, start), _| views[*view].ended.contains_key(start));
        }
    }

    /// Puts a member into a segment. Returns whether it was in another one.
    pub fn put(&mut self, member: Member, name: &str, segment: Segment) -> bool {
        let dimension = self.dimensions.iter_mut().find(|dimension| dimension.name == name);
        let place = &mut dimension.expect("a dimension").places[member];
        place.replace(segment) != Some(segment)
    }

    /// Takes a member out of all its segments, in ended periods too.
    pub fn remove(&mut self, member: Member) {
        for dimension in &mut self.dimensions {
            dimension.places[member] = None;
            dimension.ended.values_mut().for_each(|end| end.places[member] = None);
        }
    }

    /// Notes that a member was hidden, shown again or removed.
    pub fn disturb(&mut self) {
        let ends = self.dimensions.iter_mut().flat_map(|dimension| dimension.ended.values_mut());
        ends.for_each(|end| end.is_disturbed = true);
    }

    /// Returns what a command can change of a member.
    pub fn before(&self, board: &Board, member: Member) -> Before {
        let is_seen = !board.hidden.contains(&member);
        let entries = board.views.iter().map(|view| view.entries[member].filter(|_| is_seen));
        let places = self.dimensions.iter().map(|dimension| dimension.places[member]);
        Before { entries: entries.collect(), places: places.collect() }
    }

    /// Notes which numbers a command on one member has changed, and that they changed at this moment.
    pub fn after(&mut self, board: &Board, member: Member, before: &Before, moment: u64) {
        let after = self.before(board, member);
        for (number, dimension) in self.dimensions.iter_mut().enumerate() {
            for view in 0..board.views.len() {
                let part = |state: &Before| {
                    state.places[number].zip(state.entries[view]).map(|(place, entry)| (place, entry.score))
                };
                // A member that moves leaves one segment, and then enters the other.
                for segment in changed(dimension.by, part(before), part(&after)) {
                    self.steps += 1;
                    dimension.changes[view].insert(segment, (moment, self.steps));
                }
            }
        }
    }

    /// Returns the present ranking of the segments in a view.
    pub fn ranking(&self, board: &Board, view: usize, dimension: &Dimension) -> Vec<Line> {
        let mut members: Vec<(Member, Entry)> =
            board.views[view].all().filter(|(member, _)| !board.hidden.contains(member)).collect();
        members.sort_by_key(|(_, entry)| entry.place());
        let members: Vec<(Member, i64)> =
            members.into_iter().map(|(member, entry)| (member, entry.score)).collect();
        ranked(dimension.by, &members, &dimension.places, &dimension.changes[view])
    }

    /// Returns the ranking of the segments in an ended period, by the members whom all see now, and whether the documents say how
    /// equal segments stand.
    pub fn past(&self, board: &Board, view: usize, back: u64, dimension: &Dimension) -> (Vec<Line>, bool) {
        let lines = board.past(&board.views[view], back);
        let start = board.views[view].earlier(back).unwrap_or_default();
        dimension.ended.get(&(view, start)).map_or((Vec::new(), true), |end| {
            (ranked(dimension.by, &lines, &end.places, &end.changes), !end.is_disturbed)
        })
    }
}

/// The segments whose number another part of one member has changed.
fn changed(by: By, before: Option<(Segment, i64)>, after: Option<(Segment, i64)>) -> Vec<Segment> {
    let is_same = match (before, after) {
        (Some((one, old)), Some((other, new))) => one == other && (by == By::Count || old == new),
        (None, None) => true,
        _ => false,
    };
    if is_same { Vec::new() } else { before.into_iter().chain(after).map(|(segment, _)| segment).collect() }
}

/// Ranks segments by their members, who come best first.
fn ranked(
    by: By,
    members: &[(Member, i64)],
    places: &[Option<Segment>],
    changes: &HashMap<Segment, Change>,
) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut known: HashMap<Segment, usize> = HashMap::new();
    for (member, score) in members {
        let Some(segment) = places[*member] else { continue };
        let number = *known.entry(segment).or_insert_with(|| {
            // The first member of a segment is its best one, so segments come in the order of their best members.
            let score = if by == By::Best { *score } else { 0 };
            lines.push(Line { segment, score, members: 0 });
            lines.len() - 1
        });
        let line = &mut lines[number];
        line.members += 1;
        line.score += match by {
            By::Sum => *score,
            By::Count => 1,
            By::Best => 0,
        };
    }
    if by != By::Best {
        let change = |line: &Line| changes.get(&line.segment).copied().unwrap_or_default();
        lines.sort_by_key(|line| (std::cmp::Reverse(line.score), change(line)));
    }
    lines
}
