//! Segments and their ranks.

use redis::Value;

use super::reading::{Items, bytes, reply, unsigned};
use super::score::score;
use super::{Name, Score};

/// A line of the ranking of segments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SegmentRow {
    /// The rank, from 1.
    pub rank: u64,
    /// The name of the segment.
    pub value: Name,
    /// The sum of the scores of its members, their number, or their best score, as the dimension says.
    pub score: Score,
    /// The number of its visible members.
    pub members: u64,
}

reply!(SegmentRow, |value: Value| {
    let mut items = Items::of(value)?;
    let row = SegmentRow {
        rank: items.next(unsigned)?,
        value: items.next(|value| bytes(value).map(Name))?,
        score: items.next(score)?,
        members: items.next(unsigned)?,
    };
    items.end().map(|()| row)
});

/// The rank of a segment among the segments of its dimension.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SegmentRank {
    /// The rank, from 1.
    pub rank: u64,
    /// The number by which the segment is ranked, as in [`SegmentRow::score`].
    pub score: Score,
    /// The number of its visible members.
    pub members: u64,
}

reply!(SegmentRank, |value: Value| {
    let mut items = Items::of(value)?;
    let rank = SegmentRank {
        rank: items.next(unsigned)?,
        score: items.next(score)?,
        members: items.next(unsigned)?,
    };
    items.end().map(|()| rank)
});
