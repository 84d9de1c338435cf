//! Commands of segments: moves, rankings of segments, and dimensions that come and go.

use leaderboard_core::schema::Ties;

use super::creation::{DIMENSIONS, dimension_text};
use super::evening::Watched;
use super::placing::VALUES;
use super::reads::Period;
use super::reply::{Expected, Reply};
use super::{Call, Pair, shown};
use crate::board::Name;
use crate::board::segment::{Dimension, Marks, Placed, Rule, Segment, Tally};
use crate::{Words, words};

/// More than there are segments.
const ALL: u64 = 1_000;

/// The members of a board on which all of them are often written to.
const FEW: usize = 100;

static NEVER: Marks = Marks::new();

impl Pair {
    /// In a session about segments: often a command of segments, more often at a boundary, and often a look at what it did.
    pub fn draw_segments(&mut self) -> Option<Call> {
        if !self.is_segmented {
            return None;
        }
        if self.leap.is_some() {
            return self.random.percent(60).then(|| self.present(Self::read_segments));
        }
        let watched = self.watched.take().filter(|watched| self.can_watch(*watched));
        if let Some(watched) = watched.filter(|_| self.random.percent(70)) {
            return Some(self.watch(watched));
        }
        let moves = if self.is_at_edge() { 45 } else { 12 };
        match self.random.below(100) {
            drawn if drawn < moves => Some(self.change_segments()),
            45..50 | 83..90 => Some(self.present(Self::read_segments)),
            50..75 => self.stir(),
            75..83 if self.names.len() < FEW => Some(self.crowd()),
            75 => Some(self.crowd()),
            _ => {
                self.watched = self.a_watched().filter(|_| self.random.percent(30));
                None
            }
        }
    }

    /// Whether the board still has the view and the dimension.
    fn can_watch(&self, (view, dimension): Watched) -> bool {
        view < self.model.views.len() && self.model.dimensions.contains(&dimension)
    }

    /// All segments of a dimension in the current period of a view.
    fn watch(&mut self, (view, dimension): Watched) -> Call {
        self.present(|pair| {
            let (_, options) = pair.period_of(view, false, 0);
            let segments = pair.current(view, dimension);
            let rev = pair.random.percent(20);
            pair.list_segments(dimension, options, &segments, (ALL, 0, rev))
        })
    }

    /// Whether the clock is at a boundary of a view, or a millisecond before it.
    fn is_at_edge(&self) -> bool {
        let mut lengths = self.model.rules.kinds.iter().map(|kind| kind.length).filter(|length| *length > 0);
        lengths.any(|length| self.wall.is_multiple_of(length) || (self.wall + 1).is_multiple_of(length))
    }

    fn change_segments(&mut self) -> Call {
        self.advance();
        self.changed = self.wall;
        match self.random.below(100) {
            0..4 => self.add_dimension(),
            4..6 => self.drop_dimension(),
            6..12 => self.segment_nonsense(),
            _ if self.model.dimensions.is_empty() => self.add_dimension(),
            _ => self.move_member(),
        }
    }

    fn move_member(&mut self) -> Call {
        let (name, placed) = (self.member(), self.placed(100));
        self.watched = self.a_watched();
        self.move_to(name, placed)
    }

    /// LB.SEGMENT, at the board's now.
    pub fn move_to(&mut self, name: Name, placed: Vec<Placed>) -> Call {
        self.changed = self.wall;
        let now = self.model.now(self.wall);
        let changed = self.model.place_all(&name, &placed, now);
        let pairs =
            placed.iter().flat_map(|(dimension, value)| [dimension.as_bytes().to_vec(), value.clone()]);
        self.call("LB.SEGMENT", &[vec![name], pairs.collect()], Reply::count(changed))
    }

    fn add_dimension(&mut self) -> Call {
        let (name, rule) =
            (*self.random.pick(&DIMENSIONS), *self.random.pick(&[Rule::Sum, Rule::Count, Rule::Best]));
        let dimension = Dimension { name, rule };
        let is_possible = self.model.add_dimension(dimension);
        let text = dimension_text(&mut self.random, dimension);
        self.alter("SEGMENTS", &format!("+{text}"), is_possible)
    }

    fn drop_dimension(&mut self) -> Call {
        let name = *self.random.pick(&DIMENSIONS);
        let is_possible = self.model.drop_dimension(name);
        self.alter("SEGMENTS", &format!("-{name}"), is_possible)
    }

    fn read_segments(&mut self) -> Call {
        let which = self.random.below(10);
        match self.a_dimension(100).and_then(|name| self.model.dimension(name)) {
            Some(dimension) if which < 6 => self.ask_segments(dimension),
            Some(dimension) if which < 8 => self.ask_segment_rank(dimension),
            Some(dimension) if which < 9 => self.ask_previous(dimension.name),
            _ => {
                let name = self.member();
                self.ask_places(name)
            }
        }
    }

    /// A period of a view, and its segments. Nothing where the contract does not say in which order they stand.
    fn segments_of(&mut self, dimension: Dimension) -> (Vec<Words>, Option<Vec<Segment>>) {
        let view = self.random.below(self.model.views.len() as u64) as usize;
        let most = self.model.rules.retain.min(4) as i64 + 2;
        let back = if self.random.percent(75) { 0 } else { self.random.within(-1..most) };
        let (period, options) = self.period_of(view, false, back);
        (options, self.ranked(dimension, &period))
    }

    fn ranked(&self, dimension: Dimension, period: &Period) -> Option<Vec<Segment>> {
        let marks = match self.ended(period, 0) {
            Some(ended) => &ended.marks,
            None if period.is_current => &self.model.views[period.view].marks,
            None => &NEVER,
        };
        let (entries, places) = (self.entries(period, 0), self.places(period, 0));
        let segments = self.model.segments(dimension, entries, places, marks);
        (dimension.rule == Rule::Best || self.is_ordered(period, &segments)).then_some(segments)
    }

    /// If a member of an ended period was hidden, shown again or removed since it ended, the contract does not say which
    /// moments its segments have.
    fn is_ordered(&self, period: &Period, segments: &[Segment]) -> bool {
        let Some(ended) = self.ended(period, 0) else { return true };
        let names = self.entries(period, 0).keys();
        let is_as_it_was = names.filter(|name| !self.model.hidden.contains(*name)).eq(&ended.seen);
        let has_equals = segments.windows(2).any(|pair| pair[0].tally == pair[1].tally);
        is_as_it_was || !has_equals || !matches!(self.model.rules.ties, Ties::First | Ties::Last)
    }

    fn ask_segments(&mut self, dimension: Dimension) -> Call {
        let (options, segments) = self.segments_of(dimension);
        let (rev, is_all) = (self.random.percent(30), self.random.percent(70));
        let count = if is_all { ALL } else { self.random.below(5) };
        let offset = if self.random.percent(30) { self.random.below(4) } else { 0 };
        match segments {
            Some(segments) => self.list_segments(dimension, options, &segments, (count, offset, rev)),
            None => self.read_segments(),
        }
    }

    /// LB.SEGMENTS. The contract does not say how many it shows without COUNT.
    fn list_segments(
        &mut self,
        dimension: Dimension,
        mut options: Vec<Words>,
        segments: &[Segment],
        (count, offset, rev): (u64, u64, bool),
    ) -> Call {
        options.push(words(&["COUNT", &count.to_string()]));
        if offset > 0 {
            options.push(words(&["OFFSET", &offset.to_string()]));
        }
        options.extend(rev.then(|| words(&["REV"])));
        let mut segments = segments.to_vec();
        if rev {
            segments.reverse();
        }
        let row = |(place, segment): (usize, &Segment)| {
            let rank = Reply::count(place as u64 + 1);
            let score = self.tally(&segment.tally);
            Reply::Array(vec![rank, Reply::bulk(segment.value.clone()), score, Reply::count(segment.members)])
        };
        let rows = segments.iter().enumerate().skip(offset as usize).take(count as usize);
        let expected = Reply::Array(rows.map(row).collect());
        let options = self.shuffled(options);
        self.call("LB.SEGMENTS", &[words(&[dimension.name]), options], expected)
    }

    fn tally(&self, tally: &Tally) -> Reply {
        let rules = &self.model.rules;
        match tally {
            Tally::Sum(sum) => shown::units(rules, *sum),
            Tally::Count(count) => Reply::count(*count),
            Tally::Best(best) => shown::score(rules, best),
        }
    }

    fn ask_segment_rank(&mut self, dimension: Dimension) -> Call {
        let (options, segments) = self.segments_of(dimension);
        let Some(segments) = segments else { return self.read_segments() };
        let value = self.value();
        let place = segments.iter().position(|segment| segment.value == value);
        let expected = place.map_or(Reply::Nil, |place| {
            let (score, members) = (self.tally(&segments[place].tally), segments[place].members);
            Reply::Array(vec![Reply::count(place as u64 + 1), score, Reply::count(members)])
        });
        let options = self.shuffled(options);
        let fixed = vec![dimension.name.as_bytes().to_vec(), value];
        self.call("LB.SEGMENTRANK", &[fixed, options], expected)
    }

    /// LB.GETSEGMENT: the dimensions in which the member has a value, in the order of the board.
    fn ask_places(&mut self, name: Vec<u8>) -> Call {
        let placed = self.model.placed(&name);
        let fields = placed.into_iter().map(|(dimension, value)| (dimension, Reply::Bulk(value)));
        let expected = Reply::Map(fields.collect());
        self.call("LB.GETSEGMENT", &[vec![name]], expected)
    }

    /// The segments of all members.
    pub fn whole_places(&mut self) -> Vec<Call> {
        let names = if self.is_segmented { self.names.clone() } else { Vec::new() };
        names.into_iter().map(|name| self.ask_places(name)).collect()
    }

    /// The segments of a period, and the members of each of them.
    pub fn whole_segments(&mut self, view: usize, back: i64) -> Vec<Call> {
        let mut calls = Vec::new();
        for dimension in self.model.dimensions.clone() {
            let (period, options) = self.period_of(view, false, back);
            if let Some(segments) = self.ranked(dimension, &period) {
                calls.push(self.list_segments(dimension, options, &segments, (ALL, 0, false)));
            }
            for value in VALUES {
                let (period, options) = self.period_of(view, false, back);
                let mut read = self.plainly(period, options);
                self.cut_to(&mut read, dimension.name, value);
                let rows = read.ranking.rows(read.ranks, read.rev);
                calls.push(self.rows(read, "LB.TOP", words(&["100000"]), &rows));
            }
        }
        calls
    }

    /// Refused, whatever the board.
    fn segment_nonsense(&mut self) -> Call {
        let at = self.model.last.max(self.wall).to_string();
        let known = self.model.dimensions.first().map_or("country", |dimension| dimension.name);
        let long = "x".repeat(65);
        let bad: [(&str, &[&str]); 15] = [
            ("LB.TOP", &["5", "IN", "nowhere", "de"]),
            ("LB.TOP", &["5", "WITHIN", known]),
            ("LB.RANK", &["member", "WITHIN", "nowhere"]),
            ("LB.RANK", &["member", "IN", known, "de", "WITHIN", known]),
            ("LB.SEGMENTS", &["nowhere"]),
            ("LB.SEGMENTS", &[known, "PERIOD", "0", "AT", &at]),
            ("LB.SEGMENTRANK", &["nowhere", "de"]),
            ("LB.SEGMENT", &["member", "nowhere", "de"]),
            ("LB.SEGMENT", &["member", known, "de", "nowhere", "de"]),
            ("LB.SEGMENT", &["member", known]),
            ("LB.SEGMENT", &["member", known, &long]),
            ("LB.ADD", &["1", "member", "AT", &at, "SEGMENT", "nowhere", "de"]),
            ("LB.ADD", &["1", "member", "AT", &at, "SEGMENT", known, &long, "ID", "never"]),
            ("LB.ADD", &["1", "member", "AT", &at, "WITHIN", "nowhere"]),
            ("LB.ALTER", &["SEGMENTS", "+other:MEAN"]),
        ];
        let (command, rest) = *self.random.pick(&bad);
        let rest = words(rest);
        self.call(command, &[rest], Expected::Error(Vec::new()))
    }
}
