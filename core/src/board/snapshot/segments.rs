//! The segments of a board's members. The orders of segments follow from the views, so only this is saved, for each dimension:
//! the names of the segments, the segment of each member, the segments that members have left, and the last changes of
//! the segments in the current and in ended periods of each view.
//!
//! The changes are saved as they were at the last write of the board. Segments are named once. After that, they are known by their place in the list of names, which is in alphabetical order.

use super::needed::{Move, Needed, SavedChanges};
use super::places::{self, MemberPlaces};
use crate::Error;
use crate::board::Board;
use crate::dimensions::MAX_SEGMENT;
use crate::index::MemberId;
use crate::members::MAX_SEQUENCE;
use crate::secret::{HashMap, HashSet};
use crate::segments::{Change, ChangeRange, Dimension, SegmentId};
use crate::snapshot::chunk::{Emit, PartWriter, items, opening};
use crate::snapshot::wire::{Reader, moment, put_bytes, put_difference, put_number, put_signed, start};
use crate::time::Millis;
use crate::view::View;

pub const NAMES: u8 = 16;
pub const MEMBERS: u8 = 17;
pub const MOVES: u8 = 18;
pub const CHANGES: u8 = 19;
pub const ENDED: u8 = 20;

const WRONG: Error = Error::Corrupt("a segment");

/// The segments of a board that is being loaded.
#[derive(Debug, Clone, Default)]
pub struct LoadingSegments {
    /// For each dimension: the segments in the order of their names.
    named: Vec<Vec<SegmentId>>,
    /// How many names, members, moves and changes there were.
    counts: [u64; 4],
}

impl LoadingSegments {
    fn named(&self, dimension: usize, place: u64) -> Result<SegmentId, Error> {
        let place = usize::try_from(place).ok();
        let found = place.and_then(|place| self.named.get(dimension)?.get(place));
        found.copied().ok_or(WRONG)
    }
}

/// Returns the members that are in segments.
pub fn members(board: &Board) -> impl Iterator<Item = MemberId> {
    let ids = board.has_segments().then(|| board.members.ids());
    ids.into_iter().flatten().filter(|id| board.is_in_segment(*id))
}

/// Writes the segments. Returns how many names, members, moves and changes there are.
pub fn write(board: &Board, places: &MemberPlaces, emit: Emit) -> [u64; 4] {
    let mut counts = [0; 4];
    for (number, dimension) in board.dimensions().iter().enumerate() {
        let written = write_dimension(board, (number, dimension), places, &mut *emit);
        counts.iter_mut().zip(written).for_each(|(all, own)| *all = own.saturating_add(*all));
    }
    counts
}

fn write_dimension(
    board: &Board,
    (number, dimension): (usize, &Dimension),
    places: &MemberPlaces,
    emit: Emit,
) -> [u64; 4] {
    let needed = Needed::new(board, dimension);
    let moves = needed.moves(places);
    let changes: Vec<_> = board
        .views
        .iter()
        .zip(&dimension.views)
        .map(|(view, segments)| needed.changes(view, segments))
        .collect();
    let sorted = needed_names(dimension, &moves, &changes);
    let at: HashMap<SegmentId, u64> = sorted.iter().copied().zip(0..).collect();
    let at = |segment: SegmentId| at.get(&segment).copied().unwrap_or(u64::MAX);
    let mut part = PartWriter::new(opening(NAMES, number, &[]), (), &mut *emit);
    for segment in &sorted {
        put_bytes(&mut part.bytes, dimension.values.name(*segment));
        part.end_item(());
    }
    let names = part.finish();
    let placed = |id: MemberId| Some((places.find(id)?, at(dimension.segment(id, &board.members)?)));
    let mut pairs: Vec<_> = board.members.ids().filter_map(placed).collect();
    pairs.sort_unstable();
    let mut part = PartWriter::new(opening(MEMBERS, number, &[]), 0, &mut *emit);
    for (place, segment) in pairs {
        put_number(&mut part.bytes, place.saturating_sub(part.before));
        put_number(&mut part.bytes, segment);
        part.end_item(place);
    }
    let members = part.finish();
    let mut moved: Vec<_> =
        moves.into_iter().map(|(place, moment, old)| (place, moment, old.map(at))).collect();
    moved.sort_unstable();
    let mut part = PartWriter::new(opening(MOVES, number, &[]), (0, 0), &mut *emit);
    for (place, moment, old) in moved {
        put_number(&mut part.bytes, place.saturating_sub(part.before.0));
        put_difference(&mut part.bytes, part.before.1, moment);
        put_number(&mut part.bytes, old.map_or(0, |old| old.saturating_add(1)));
        part.end_item((place, moment));
    }
    let moves = part.finish();
    let changes = write_changes(number, changes, at, emit);
    [names, members, moves, changes]
}

/// Returns the segments that are saved, in the order of their names: those with members, and those that moves or changes refer to.
fn needed_names(dimension: &Dimension, moves: &[Move], changes: &[Vec<SavedChanges>]) -> Vec<SegmentId> {
    let left = moves.iter().filter_map(|(_, _, old)| *old);
    let changed = changes.iter().flatten().flat_map(|saved| &saved.changes).map(|(segment, _)| *segment);
    let past: HashSet<_> = left.chain(changed).collect();
    let mut sorted = dimension.values.sorted();
    sorted.retain(|segment| dimension.values.has_members(*segment) || past.contains(segment));
    sorted
}

/// Writes the changes of the views. `at` returns the place of a segment.
fn write_changes(
    number: usize,
    changes: Vec<Vec<SavedChanges>>,
    at: impl Fn(SegmentId) -> u64,
    emit: Emit,
) -> u64 {
    let mut written = 0_u64;
    for (view, all) in changes.into_iter().enumerate() {
        for SavedChanges { start, range, changes } in all {
            let mut changes: Vec<_> =
                changes.into_iter().map(|(segment, change)| (at(segment), change)).collect();
            changes.sort_unstable_by_key(|(place, _)| *place);
            let mut opening = opening(if start.is_some() { ENDED } else { CHANGES }, number, &[]);
            put_number(&mut opening, view as u64);
            start.into_iter().for_each(|start| put_signed(&mut opening, start));
            put_number(&mut opening, range.floor);
            put_number(&mut opening, range.last);
            let mut part = PartWriter::new(opening, (0, Change::default()), &mut *emit);
            for (place, change) in changes {
                let (before, last) = part.before;
                put_number(&mut part.bytes, place.saturating_sub(before));
                put_difference(&mut part.bytes, last.number, change.number);
                put_difference(&mut part.bytes, last.moment, change.moment);
                part.end_item((place, change));
            }
            written = written.saturating_add(part.finish_always());
        }
    }
    written
}

/// Reads the number of a dimension.
fn dimension(board: &Board, reader: &mut Reader) -> Result<usize, Error> {
    let number = usize::try_from(reader.number()?).ok();
    number.filter(|number| *number < board.dimensions().len()).ok_or(WRONG)
}

/// Reads a chunk of one of the kinds of this file.
pub fn read(board: &mut Board, kind: u8, reader: &mut Reader) -> Result<(), Error> {
    let number = dimension(board, reader)?;
    let (at, count) = match kind {
        NAMES => (0, read_names(board, number, reader)?),
        MEMBERS => (1, read_members(board, number, reader)?),
        MOVES => (2, read_moves(board, number, reader)?),
        _ => (3, read_changes(board, (kind, number), reader)?),
    };
    let loading = board.loading.as_mut().map(|loading| &mut loading.segments);
    if let Some(all) = loading.and_then(|segments| segments.counts.get_mut(at)) {
        *all = all.saturating_add(count as u64);
    }
    Ok(())
}

fn read_names(board: &mut Board, number: usize, reader: &mut Reader) -> Result<usize, Error> {
    let names = items(reader, |reader, before: Option<&&[u8]>| {
        let name = reader.bytes(1, MAX_SEGMENT)?;
        if before.is_some_and(|before| *before >= name) { Err(WRONG) } else { Ok(name) }
    })?;
    let dimension = board.dimension_mut(number).ok_or(WRONG)?;
    if names.iter().any(|name| dimension.values.find(name).is_some()) {
        return Err(WRONG);
    }
    let ids = names.iter().map(|name| dimension.values.find_or_add(name)).collect::<Result<Vec<_>, _>>()?;
    if let Some(loading) = board.loading.as_mut().map(|loading| &mut loading.segments) {
        loading.named.resize(number.saturating_add(1).max(loading.named.len()), Vec::new());
        loading.named.get_mut(number).into_iter().for_each(|named| named.extend(&ids));
    }
    Ok(names.len())
}

fn named(board: &Board, number: usize, place: u64) -> Result<SegmentId, Error> {
    board.loading.as_ref().ok_or(WRONG)?.segments.named(number, place)
}

fn read_members(board: &mut Board, number: usize, reader: &mut Reader) -> Result<usize, Error> {
    let dimension = board.dimensions().get(number).ok_or(WRONG)?;
    let mut place = 0_u64;
    let pairs = items(reader, |reader, before: Option<&(MemberId, SegmentId)>| {
        let distance = reader.number()?;
        if distance == 0 && before.is_some() {
            return Err(WRONG);
        }
        place = place.saturating_add(distance);
        let (id, segment) = (places::member(board, place)?, named(board, number, reader.number()?)?);
        if dimension.segment(id, &board.members).is_some() { Err(WRONG) } else { Ok((id, segment)) }
    })?;
    let count = pairs.len();
    board.load_segments(number, &pairs);
    Ok(count)
}

fn read_moves(board: &mut Board, number: usize, reader: &mut Reader) -> Result<usize, Error> {
    let mut place = 0_u64;
    let moves = items(reader, |reader, before: Option<&((MemberId, Millis), Option<SegmentId>)>| {
        place = place.saturating_add(reader.number()?);
        let id = places::named(board, place)?;
        let last = before.map(|(leaving, _)| *leaving);
        let moment = moment(reader.difference(last.map_or(0, |(_, moment)| moment))?)?;
        if last.is_some_and(|(other, last)| other == id && moment <= last) {
            return Err(WRONG);
        }
        let old = reader.number()?.checked_sub(1).map(|old| named(board, number, old)).transpose()?;
        Ok(((id, moment), old))
    })?;
    let dimension = board.dimension_mut(number).ok_or(WRONG)?;
    if moves.iter().any(|((id, moment), _)| dimension.moves.has((*id, *moment))) {
        return Err(WRONG);
    }
    let Dimension { moves: all, values, .. } = dimension;
    moves.iter().for_each(|(leaving, old)| all.load(*leaving, *old, values));
    Ok(moves.len())
}

fn read_changes(board: &mut Board, (kind, number): (u8, usize), reader: &mut Reader) -> Result<usize, Error> {
    let view = places::view(board, reader)?;
    let start = if kind == ENDED { Some(start(reader)?) } else { None };
    let range = ChangeRange { floor: reader.number()?, last: reader.number()? };
    let mut place = 0_u64;
    let read = items(reader, |reader, before: Option<&(SegmentId, Change)>| {
        place = place.saturating_add(reader.number()?);
        let last = before.map_or_else(Change::default, |(_, change)| *change);
        let change = Change {
            number: reader.difference(last.number)?,
            moment: moment(reader.difference(last.moment)?)?,
        };
        let is_right = (1..=range.last).contains(&change.number) && range.last <= MAX_SEQUENCE;
        Ok((named(board, number, place)?, if is_right { change } else { return Err(WRONG) }))
    })?;
    let has_periods = board.views.get(view).and_then(View::periods).is_some();
    let dimension = board.dimension_mut(number).ok_or(WRONG)?;
    let (values, segments) = (&mut dimension.values, dimension.views.get_mut(view).ok_or(WRONG)?);
    let changes = segments.changes.as_mut().ok_or(WRONG)?;
    match start {
        Some(start) if has_periods && changes.load(start, range, &read, values) => {}
        Some(_) => return Err(WRONG),
        None => changes.load_present(range, &read, values),
    }
    Ok(read.len())
}

/// Returns how many names, members, moves and changes were loaded.
pub fn counts(board: &Board) -> [u64; 4] {
    board.loading.as_ref().map_or([0; 4], |loading| loading.segments.counts)
}

/// Checks the changes of segments, after everything else was loaded.
pub fn check(board: &Board) -> Result<(), Error> {
    if board.dimensions().iter().all(Dimension::has_sound_changes) { Ok(()) } else { Err(WRONG) }
}

/// Builds the orders of the segments after everything else was loaded.
pub fn finish(board: &mut Board) {
    if board.has_segments() {
        board.finish_segments();
    }
}
