//! The points of members in the periods of a view, by the members' places. There is one part for each period,
//! oldest period first.

use std::mem;

use super::places::{self, MemberPlaces};
use crate::Error;
use crate::board::Board;
use crate::bucket::{Bucket, Points};
use crate::index::MemberId;
use crate::score::Score;
use crate::snapshot::chunk::{Emit, PartWriter, items, opening};
use crate::snapshot::wire::{Reader, moment, put_difference, put_number, put_signed, sequence, start};
use crate::view::{Periods, View};

pub const POINTS: u8 = 7;

const TWICE: Error = Error::Corrupt("a member twice in a period");

/// The points of one member.
#[derive(Debug, Clone, Copy)]
pub struct SavedPoints {
    pub place: u64,
    pub points: Points,
}

impl SavedPoints {
    /// Returns the values that the first points of a chunk are compared with.
    pub const fn none(start: i64) -> Self {
        Self { place: 0, points: Points { units: 0, moment: start as u64, sequence: 0 } }
    }

    pub fn write(&self, bytes: &mut Vec<u8>, before: &Self) {
        let Points { units, moment, sequence } = self.points;
        put_number(bytes, self.place.saturating_sub(before.place));
        put_signed(bytes, units);
        put_difference(bytes, before.points.moment, moment);
        put_difference(bytes, before.points.sequence, sequence);
    }

    pub fn read(reader: &mut Reader, before: Option<&Self>, start: i64) -> Result<Self, Error> {
        let gap = reader.number()?;
        if gap == 0 && before.is_some() {
            return Err(TWICE);
        }
        let before = before.copied().unwrap_or(Self::none(start));
        let place = before.place.checked_add(gap).ok_or(Error::Corrupt("a member that was not named"))?;
        let units = Score::from_units(reader.signed()?).ok_or(Error::Corrupt("a score out of range"))?;
        let moment = moment(reader.difference(before.points.moment)?)?;
        let sequence = sequence(reader.difference(before.points.sequence)?)?;
        Ok(Self { place, points: Points { units: units.units(), moment, sequence } })
    }
}

/// Returns the members with points. A member with points in several periods comes several times.
pub fn members(periods: &Periods) -> impl Iterator<Item = MemberId> {
    periods.written_points().flat_map(|(_, bucket)| bucket.iter()).map(|(id, _)| id)
}

/// Writes the points of a view.
pub fn write(board: &Board, number: usize, places: &MemberPlaces, emit: Emit) -> u64 {
    let points = board.views.get(number).into_iter().flat_map(|view| view.written_points(&board.members));
    points.map(|period| write_bucket((POINTS, number), period, places, &mut *emit)).sum()
}

/// Writes the points of a period, for members with a place, as a part of this kind and view.
pub fn write_bucket(
    (kind, view): (u8, usize),
    (start, points): (i64, impl Iterator<Item = (MemberId, Points)>),
    places: &MemberPlaces,
    emit: Emit,
) -> u64 {
    let with_place = |(id, points)| Some(SavedPoints { place: places.find(id)?, points });
    let mut all: Vec<_> = points.filter_map(with_place).collect();
    all.sort_unstable_by_key(|points| points.place);
    let mut part = PartWriter::new(opening(kind, view, &[start]), SavedPoints::none(start), emit);
    for points in all {
        points.write(&mut part.bytes, &part.before);
        part.end_item(points);
    }
    part.finish()
}

/// Reads points of a period. Periods must come in ascending order.
pub fn read(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let number = places::view(board, reader)?;
    let start = start(reader)?;
    let mut points = read_bucket(board, start, reader)?;
    let Board { views, members, .. } = board;
    let periods = views.get_mut(number).and_then(View::periods_mut);
    let periods = periods.ok_or(Error::Corrupt("points of a view"))?;
    // If only the current period counts, its points are the scores. Later periods have separate points.
    let counts = |current| periods.has_buckets() || current < start;
    let is_next = periods.buckets.back().is_none_or(|(last, _)| *last <= start);
    if !is_next || !periods.span.is_some_and(|span| counts(span.period.start)) {
        return Err(Error::Corrupt("a period"));
    }
    if let Some(column) = periods.numbers_beside_points() {
        for (id, item) in &mut points {
            let number = mem::take(&mut item.points.sequence);
            if members.sequence(*id, column) == 0 {
                members.set_sequence(*id, column, number);
            }
        }
    }
    let Some(bucket) = periods.bucket_mut(start) else { return Ok(()) };
    fill(bucket, &points)?;
    let peak = points.iter().map(|(_, item)| item.points.units.unsigned_abs()).max();
    periods.peak = periods.peak.max(peak.unwrap_or(0));
    Ok(())
}

/// Points that were read, each with the member that has them.
type ReadPoints = Vec<(MemberId, SavedPoints)>;

/// Reads the points of the period with this start.
pub fn read_bucket(board: &Board, start: i64, reader: &mut Reader) -> Result<ReadPoints, Error> {
    items(reader, |reader, before: Option<&(MemberId, SavedPoints)>| {
        let item = SavedPoints::read(reader, before.map(|(_, item)| item), start)?;
        board.schema.check_saved(Score::from_units(item.points.units).unwrap_or(Score::MIN))?;
        Ok((places::member(board, item.place)?, item))
    })
}

/// Adds the points of members to a bucket, unless one of the members already has points in the bucket.
pub fn fill(bucket: &mut Bucket, points: &ReadPoints) -> Result<(), Error> {
    if points.iter().any(|(id, _)| bucket.contains(*id)) {
        return Err(TWICE);
    }
    points.iter().for_each(|(id, item)| bucket.set(*id, item.points));
    Ok(())
}

pub fn count(board: &Board) -> u64 {
    let periods = board.views.iter().filter_map(View::periods);
    periods.flat_map(|periods| &periods.buckets).map(|(_, bucket)| bucket.len() as u64).sum()
}
