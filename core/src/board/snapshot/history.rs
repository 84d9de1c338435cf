//! Data from which orders of ended periods are derived, besides the order of their base: points of periods that no
//! longer count, with one part for each period, oldest first; and points as they were before a late write changed
//! them.
//!
//! Only data that a base needs is saved, and only for members that have a place. So two boards that differ only in
//! other data are saved as the same bytes.

use super::places::{self, MemberPlaces};
use super::points::{self, SavedPoints};
use crate::Error;
use crate::board::Board;
use crate::bucket::Bucket;
use crate::repeats::repeats;
use crate::score::Score;
use crate::snapshot::chunk::{Emit, PartWriter, items, opening};
use crate::snapshot::wire::{Reader, put_number, put_signed, start};
use crate::view::{Periods, View};

pub const OLD_POINTS: u8 = 14;
pub const CHANGED_POINTS: u8 = 15;

const WRONG: Error = Error::Corrupt("points of an ended period");

fn periods_of(board: &Board, number: usize) -> Option<&Periods> {
    board.views.get(number)?.periods()
}

/// Writes the points of a view that no longer count.
pub fn write_old(board: &Board, number: usize, places: &MemberPlaces, emit: Emit) -> u64 {
    let buckets = periods_of(board, number).into_iter().flat_map(Periods::old_points);
    buckets
        .map(|(start, bucket)| {
            points::write_bucket((OLD_POINTS, number), (*start, bucket.iter()), places, &mut *emit)
        })
        .sum()
}

pub fn read_old(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let number = places::view(board, reader)?;
    let start = start(reader)?;
    let points = points::read_bucket(board, start, reader)?;
    let history = board.views.get_mut(number).and_then(View::periods_mut);
    let history = history.and_then(|periods| periods.history_to_load()).ok_or(WRONG)?;
    let is_next = history.buckets.back().is_none_or(|(last, _)| *last <= start);
    if !is_next || !history.needs(start) {
        return Err(WRONG);
    }
    if history.buckets.back().is_none_or(|(last, _)| *last < start) {
        history.buckets.push_back((start, Bucket::new()));
    }
    let Some((_, bucket)) = history.buckets.back_mut() else { return Ok(()) };
    points::fill(bucket, &points)
}

/// Writes points as they were in ended periods: the newest ended period with these points, and the points, if the
/// member had any.
pub fn write_changed(board: &Board, number: usize, places: &MemberPlaces, emit: Emit) -> u64 {
    let Some(periods) = periods_of(board, number) else { return 0 };
    let named = periods
        .changed_points()
        .into_iter()
        .filter_map(|((start, id, ended), points)| Some(((start, places.find(id)?, ended), points)));
    let mut all: Vec<_> = named.collect();
    all.sort_unstable_by_key(|(key, _)| *key);
    let mut part = PartWriter::new(opening(CHANGED_POINTS, number, &[]), (), emit);
    for ((start, place, ended), points) in all {
        put_signed(&mut part.bytes, start);
        put_signed(&mut part.bytes, ended);
        part.bytes.push(u8::from(points.is_some()));
        match points {
            Some(points) => SavedPoints { place, points }.write(&mut part.bytes, &SavedPoints::none(start)),
            None => put_number(&mut part.bytes, place),
        }
        part.end_item(());
    }
    part.finish()
}

pub fn read_changed(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let number = places::view(board, reader)?;
    let changes = items(reader, |reader, _| {
        let (start, ended) = (start(reader)?, start(reader)?);
        let (place, points) = match reader.byte()? {
            0 => (reader.number()?, None),
            1 => {
                let SavedPoints { place, points } = SavedPoints::read(reader, None, start)?;
                board.schema.check_saved(Score::from_units(points.units).unwrap_or(Score::MIN))?;
                (place, Some(points))
            }
            _ => return Err(WRONG),
        };
        Ok(((start, places::named(board, place)?, ended), points))
    })?;
    let periods = board.views.get_mut(number).and_then(View::periods_mut).ok_or(WRONG)?;
    let history = periods.history_to_load().ok_or(WRONG)?;
    let keys = || changes.iter().map(|(key, _)| *key);
    if repeats(keys()) || keys().any(|key| !history.needs(key.0) || history.has_points_of(key)) {
        return Err(WRONG);
    }
    changes.iter().for_each(|(key, points)| history.restore_points(*key, *points));
    changes.iter().for_each(|((start, ..), _)| periods.add_bucket(*start));
    Ok(())
}

/// Returns how many old points and changed points the views of a board have.
pub fn counts(board: &Board) -> [u64; 2] {
    let histories = || board.views.iter().filter_map(|view| view.periods()?.history());
    let old = histories().flat_map(|history| &history.buckets).map(|(_, bucket)| bucket.len() as u64).sum();
    [old, histories().map(|history| history.changed_points().count() as u64).sum()]
}
