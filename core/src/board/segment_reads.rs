//! Reads of segments: the ranking of one segment, in any period, and the ranking of the segments themselves.

use super::periods::Missing;
use super::{Board, Reading};
use crate::calendar::{Calendar, When};
use crate::dimensions::Metric;
use crate::index::MemberId;
use crate::schema::Ranks;
use crate::score::Score;
use crate::segments::{
    Dimension, EndedSegments, HiddenBySegment, SegmentId, SegmentRank, ViewSegments, number,
};
use crate::short_name::ShortName;
use crate::time::Millis;
use crate::view::{Ranking, Seen, View};

/// The segment of which a [`Reading`] shows the members.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within {
    /// The number of the dimension.
    dimension: usize,
    choice: Choice,
}

/// The choice of a segment.
#[derive(Debug, Clone, Copy)]
enum Choice {
    /// This segment; `None` if there is no segment with the name that the reader gave.
    Named(Option<SegmentId>),
    /// The segment of the member that is read, which may be another one in another period.
    Own,
}

/// The number by which a segment is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentScore {
    /// The sum of the scores of its members, in smallest units.
    Sum(i128),
    /// The number of its members.
    Count(u64),
    /// The best score of its members.
    Best(Score),
}

/// A row of the ranking of segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentRow<'a> {
    /// The segment's rank, from 1.
    pub rank: u64,
    /// The segment's name.
    pub name: &'a [u8],
    /// The number by which it is ranked.
    pub score: SegmentScore,
    /// How many visible members it has in the period.
    pub members: u64,
}

/// The segments of a period.
#[derive(Clone, Copy)]
enum Segments<'a> {
    Current(&'a ViewSegments),
    Ended(Ended<'a>),
    Nobody,
}

/// The segments of an ended period.
#[derive(Clone, Copy)]
struct Ended<'a> {
    board: &'a Board,
    dimension: &'a Dimension,
    own: &'a ViewSegments,
    /// The start of the period.
    start: i64,
    /// Its end.
    end: Millis,
    /// The order of the whole period.
    whole: Ranking<'a>,
    divided: &'a EndedSegments,
}

impl Board {
    /// Returns the segments of a dimension in a period of a view.
    fn segments_in<'a>(
        &'a self,
        view: &'a View,
        start: Result<i64, Missing>,
        dimension: usize,
    ) -> Segments<'a> {
        let Some(dimension) = self.dimensions().get(dimension) else { return Segments::Nobody };
        let key = (view.tally, view.spec.kind);
        let Some(own) = dimension.views.iter().find(|segments| segments.view == key) else {
            return Segments::Nobody;
        };
        let (start, periods) = match (start, view.periods()) {
            (Err(Missing::Endless), _) => return Segments::Current(own),
            (Ok(start), Some(periods)) => (start, periods),
            _ => return Segments::Nobody,
        };
        if periods.span.is_some_and(|span| span.period.start == start) {
            return Segments::Current(own);
        }
        let ended = periods.ended_since(start, &self.context(), || self.note_worked());
        ended.map_or(Segments::Nobody, |ended| {
            let whole = ended.ranking(&self.schema, &self.members);
            let end = end_of(&self.schema.calendar, view, start);
            let divided = own.kept.kept((start, end), || self.divide(end, dimension, &whole));
            Segments::Ended(Ended { board: self, dimension, own, start, end, whole, divided })
        })
    }

    /// Divides an ended period by segments.
    fn divide(&self, end: Millis, dimension: &Dimension, whole: &Ranking) -> EndedSegments {
        self.note_worked();
        let segment = |id: MemberId| dimension.segment_before(id, end, &self.members);
        EndedSegments::divide(whole.walk(0), |id| self.members.prefetch(id), segment)
    }

    /// Returns a member's rank in the current period of a view, among the members of its own segment. `None` if it is in no
    /// segment of this dimension, or not in the view. The view and the dimension are given by their numbers.
    #[must_use]
    pub fn rank_within(&self, view: usize, member: &[u8], dimension: usize) -> Option<u64> {
        let view = self.views.get(view)?;
        let start = self.start_of(view, When::Now).ok()?;
        Reading::new(self, view, start).within(dimension, member)?.rank(member, Ranks::Ordinal)
    }

    /// Returns the order of a segment in a period, as readers see it.
    fn seen_in<'a>(
        &'a self,
        view: &'a View,
        start: Result<i64, Missing>,
        dimension: usize,
        segment: Option<MemberId>,
    ) -> Seen<'a> {
        let found = segment
            .zip(self.dimensions().get(dimension))
            .and_then(|(segment, own)| self.segments_in(view, start, dimension).seen(segment, own, self));
        found.unwrap_or_else(|| Seen::new(Ranking::empty(&self.schema), &[]))
    }
}

/// Returns the end of a period of a view.
pub(super) fn end_of(calendar: &Calendar, view: &View, start: i64) -> Millis {
    let end = view.spec.reach().map_or(i64::MAX, |(unit, _)| calendar.period(unit, start).end);
    Millis::try_from(end).unwrap_or(0)
}

impl<'a> Reading<'a> {
    /// Returns the start of the period, in the form in which orders are looked up.
    const fn started(&self) -> Result<i64, Missing> {
        match self.start {
            Some(start) => Ok(start),
            None => Err(self.missing),
        }
    }

    /// Returns the same period with the members of one segment alone. The dimension is given by its number. Nobody is in a
    /// segment that does not exist.
    #[must_use]
    pub fn in_segment(self, dimension: usize, name: &[u8]) -> Self {
        let found = self.board.dimensions().get(dimension).and_then(|dimension| dimension.values.find(name));
        self.restricted(Within { dimension, choice: Choice::Named(found) }, found)
    }

    /// Returns the same period with the members of the segment of one member alone: the segment in which it is, or in which it
    /// ended the period. `None` if it is in no segment of this dimension.
    #[must_use]
    pub fn within(self, dimension: usize, member: &[u8]) -> Option<Self> {
        let segment = self.own_segment(dimension, member)?;
        Some(self.restricted(Within { dimension, choice: Choice::Own }, Some(segment)))
    }

    /// Returns the names of the dimensions in which a member is in a segment, or in which it ended the period in one, and the
    /// names of these segments. They are empty if the view does not have the period.
    #[must_use]
    pub fn segments_of(&self, member: &[u8]) -> Vec<(ShortName, &'a [u8])> {
        let is_later = self.start.is_some_and(|start| self.current().is_some_and(|current| current < start));
        if is_later || matches!((self.start, self.missing), (None, Missing::Nothing)) {
            return Vec::new();
        }
        let named = |(number, dimension): (usize, &'a Dimension)| {
            let segment = self.own_segment(number, member)?;
            Some((dimension.spec.name, dimension.values.name(segment)))
        };
        (0_usize..).zip(self.board.dimensions()).filter_map(named).collect()
    }

    /// Returns the start of the current period.
    fn current(&self) -> Option<i64> {
        self.view.periods().and_then(|periods| periods.span).map(|span| span.period.start)
    }

    /// Returns the segment in which a member is, or in which it ended the period.
    fn own_segment(&self, dimension: usize, member: &[u8]) -> Option<SegmentId> {
        let id = self.board.members.find(member)?;
        let own = self.board.dimensions().get(dimension)?;
        match self.start.filter(|start| self.current() != Some(*start)) {
            Some(start) => {
                let end = end_of(&self.board.schema.calendar, self.view, start);
                own.segment_before(id, end, &self.board.members)
            }
            None => own.segment(id, &self.board.members),
        }
    }

    fn restricted(self, within: Within, segment: Option<MemberId>) -> Self {
        let seen = self.board.seen_in(self.view, self.started(), within.dimension, segment);
        let seen = if self.from_last { seen.reversed() } else { seen };
        Self { seen, within: Some(within), ..self }
    }

    /// Returns this period of the whole view with the members that `other` shows for a member.
    pub(super) fn like(self, other: &Self, member: &[u8]) -> Option<Self> {
        match other.within {
            None => Some(self),
            Some(within @ Within { choice: Choice::Named(segment), .. }) => {
                Some(self.restricted(within, segment))
            }
            Some(Within { dimension, choice: Choice::Own }) => self.within(dimension, member),
        }
    }

    /// Returns up to `count` rows of the ranking of the segments of a dimension, without the first `before` rows.
    #[must_use]
    pub fn segments(&self, dimension: usize, before: u64, count: u64) -> Vec<SegmentRow<'a>> {
        let all = self.board.segments_in(self.view, self.started(), dimension);
        let Some(own) = self.board.dimensions().get(dimension) else { return Vec::new() };
        let len = all.len();
        let count = count.min(len.saturating_sub(before));
        let first = if self.from_last { len.saturating_sub(before).saturating_sub(count) } else { before };
        let mut ids = all.some(first, count);
        if self.from_last {
            ids.reverse();
        }
        let rows = ids.into_iter().zip(before.saturating_add(1)..);
        rows.filter_map(|(segment, rank)| self.segment_row(all, own, segment, rank)).collect()
    }

    /// Returns the row of a segment in the ranking of its dimension; `None` if no visible member is in it.
    #[must_use]
    pub fn segment(&self, dimension: usize, name: &[u8]) -> Option<SegmentRow<'a>> {
        let own = self.board.dimensions().get(dimension)?;
        let segment = own.values.find(name)?;
        let all = self.board.segments_in(self.view, self.started(), dimension);
        let before = all.before(segment, own)?;
        let ahead = if self.from_last { all.len().saturating_sub(before) } else { before.saturating_add(1) };
        self.segment_row(all, own, segment, ahead)
    }

    fn segment_row(
        &self,
        all: Segments<'a>,
        own: &'a Dimension,
        segment: MemberId,
        rank: u64,
    ) -> Option<SegmentRow<'a>> {
        let (schema, seen) = (&self.board.schema, all.seen(segment, own, self.board)?);
        let members = seen.len();
        let score = match own.spec.metric {
            Metric::Sum => SegmentScore::Sum(schema.sum_of_rank_keys(seen.sum_of_rank_keys(), members)),
            Metric::Count => SegmentScore::Count(members),
            Metric::Best => SegmentScore::Best(schema.score(seen.select(0)?.rank_key())),
        };
        Some(SegmentRow { rank, name: own.values.name(segment), score, members })
    }
}

impl<'a> Ended<'a> {
    /// Returns the order of a segment as readers see it.
    fn seen(self, segment: SegmentId) -> Option<Seen<'a>> {
        let Self { board, dimension, end, .. } = self;
        let segment_of = |id| dimension.segment_before(id, end, &board.members);
        let hidden = || HiddenBySegment::new(board.hidden_members(), segment_of);
        self.divided.seen(segment, &board.schema, hidden)
    }

    /// Returns the segments with visible members, best first.
    fn ranked(self) -> &'a [SegmentId] {
        self.divided.ranked(self.board.schema.ties, || self.ranks())
    }

    /// Returns what each segment with visible members is ranked by.
    fn ranks(self) -> Vec<(SegmentId, SegmentRank<'a>)> {
        let schema = &self.board.schema;
        let (metric, values) = (self.dimension.spec.metric, &self.dimension.values);
        let changes = self
            .own
            .changes
            .as_ref()
            .map(|changes| changes.at(self.start, &self.divided.ids().collect::<Vec<_>>(), values));
        let rank = |id: SegmentId| {
            let seen = self.seen(id)?;
            let (number, name) = (number(&seen, metric, schema)?, values.name(id));
            if metric == Metric::Best {
                let (_, best) = seen.walk(0).next()?;
                let place = self.whole.before(self.whole.find(best)?);
                return Some((id, SegmentRank::of_best(number, place, name, schema.ties)));
            }
            let change = changes.as_ref().and_then(|changes| changes.get(&id)).copied().unwrap_or_default();
            Some((id, SegmentRank { number, change, name }))
        };
        self.divided.ids().filter_map(rank).collect()
    }
}

impl<'a> Segments<'a> {
    /// Returns the order of a segment of a dimension as readers see it; `None` if it has no members in the period.
    fn seen(self, segment: SegmentId, dimension: &'a Dimension, board: &'a Board) -> Option<Seen<'a>> {
        match self {
            Self::Current(own) => {
                let hidden = dimension.hidden_of(board.hidden_members(), &board.members);
                own.seen(segment, &board.schema, &board.members, hidden)
            }
            Self::Ended(ended) => ended.seen(segment),
            Self::Nobody => None,
        }
    }

    /// Returns how many segments have visible members.
    fn len(self) -> u64 {
        match self {
            Self::Current(own) => own.len(),
            Self::Ended(ended) => ended.ranked().len() as u64,
            Self::Nobody => 0,
        }
    }

    /// Returns `count` segments from a place on, best first.
    fn some(self, first: u64, count: u64) -> Vec<MemberId> {
        let place = |place| usize::try_from(place).unwrap_or(usize::MAX);
        match self {
            Self::Current(own) => own.walk(first).take(place(count)).collect(),
            Self::Ended(ended) => {
                ended.ranked().iter().skip(place(first)).take(place(count)).copied().collect()
            }
            Self::Nobody => Vec::new(),
        }
    }

    /// Returns how many segments are before a segment.
    fn before(self, segment: MemberId, dimension: &Dimension) -> Option<u64> {
        match self {
            Self::Current(own) => own.before(segment, &dimension.values),
            Self::Ended(ended) => {
                ended.ranked().iter().position(|other| *other == segment).map(|at| at as u64)
            }
            Self::Nobody => None,
        }
    }
}
