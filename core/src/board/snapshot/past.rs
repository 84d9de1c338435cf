//! The ended periods of a view, newest first: the members' places, best first, and their scores. On a part of a
//! board, the first entries have moments, too.
//!
//! A plain board does not keep the moments of ended periods. When it becomes parts, all parts get moments that follow from
//! the places on the plain board: so equal scores keep their order over all parts.
//!
//! Orders of periods without a write are not saved. Instead, the data that they are derived from is saved: the
//! order of the last period before them, with moments and the numbers of writes, the start of the oldest period
//! that counted in it, and the decay. The older points that they need are in [`super::history`].

use super::loading::OpenPast;
use super::places::{self, MemberPlaces};
use crate::Error;
use crate::board::Board;
use crate::index::{Key, MemberId, compare_keys};
use crate::schema::Ties;
use crate::snapshot::chunk::{Emit, PartWriter, items, opening};
use crate::snapshot::rules::{read_share, write_share};
use crate::snapshot::wire::{
    Reader, moment, put_difference, put_number, put_signed, rank_key, sequence, start,
};
use crate::time::{MAX_MILLIS, Millis};
use crate::view::{MOST_DATED, NumberedEntry, Past, PastOrder, Periods, Recipe, View};

pub const PAST: u8 = 8;
/// An ended period from which later periods are derived.
pub const BASE: u8 = 13;

const WRONG_MOMENTS: Error = Error::Corrupt("the moments of a period");
const NONE: Key = Key { rank_key: 0, moment: 0 };

/// Calls `each` with the members of all orders of a view. A member of several orders is passed several times.
pub fn each_member(board: &Board, periods: &Periods, mut each: impl FnMut(MemberId)) {
    periods.written_past().for_each(|past| entries(board, &past.order).for_each(|(_, id)| each(id)));
}

fn entries<'a>(board: &'a Board, order: &'a PastOrder) -> impl Iterator<Item = (u64, MemberId)> {
    order.ranking(&board.schema, &board.members).walk(0).map(|(key, id)| (key.rank_key, id))
}

/// Writes the ended periods of a view.
pub fn write(board: &Board, number: usize, places: &MemberPlaces, emit: Emit) -> u64 {
    let Some(periods) = board.views.get(number).and_then(View::periods) else { return 0 };
    let write_one = |past: &Past| {
        let kind = if past.recipe().is_some() { BASE } else { PAST };
        let mut opening = opening(kind, number, &[past.period.start, past.last]);
        put_number(&mut opening, dated_of(board, past, places));
        match past.recipe() {
            None => write_order(board, past, places, PartWriter::new(opening, NONE, &mut *emit)),
            Some(recipe) => {
                put_signed(&mut opening, recipe.from);
                write_share(&mut opening, recipe.decay);
                let part = PartWriter::new(opening, (NONE, 0), &mut *emit);
                write_base(periods.numbered(past, recipe, &board.context()), places, part)
            }
        }
    };
    periods.written_past().map(write_one).sum()
}

/// Returns the maximum number of saved entries, from the first one, that have moments. Each entry that is not saved
/// leaves one moment fewer, unless all moments are saved.
fn dated_of(board: &Board, past: &Past, places: &MemberPlaces) -> u64 {
    if places.spreads() {
        return MOST_DATED;
    }
    let dated = past.order.dated();
    if past.recipe().is_some() {
        return dated;
    }
    let first = entries(board, &past.order).take(usize::try_from(dated).unwrap_or(usize::MAX));
    let left_out = first.filter(|(_, id)| places.find(*id).is_none()).count();
    dated.saturating_sub(left_out as u64)
}

/// Returns moments for all places of an ended period, from the first one. They are in the order of the places if equal
/// scores are in the order of their moments.
fn moments_of_places(board: &Board, past: &Past) -> impl Iterator<Item = Millis> {
    let (start, last) = (past.period.start.max(0).cast_unsigned(), past.order.len());
    let is_reversed = board.schema.ties == Ties::Last;
    (0..=last).map(move |place| {
        let later = if is_reversed { last.saturating_sub(place) } else { place };
        start.saturating_add(later).min(MAX_MILLIS)
    })
}

fn write_order(board: &Board, past: &Past, places: &MemberPlaces, mut part: PartWriter<Key>) -> u64 {
    let known = past.order.moments().take(if places.spreads() { 0 } else { usize::MAX });
    let given = moments_of_places(board, past).take(if places.spreads() { usize::MAX } else { 0 });
    let (mut moments, mut left) = (known.chain(given), dated_of(board, past, places));
    for (rank_key, id) in entries(board, &past.order) {
        let moment = moments.next();
        let Some(place) = places.find(id) else { continue };
        let moment = moment.filter(|_| left > 0);
        left = left.saturating_sub(1);
        put_number(&mut part.bytes, place);
        put_number(&mut part.bytes, rank_key.saturating_sub(part.before.rank_key));
        if let Some(moment) = moment {
            put_difference(&mut part.bytes, part.before.moment, moment);
        }
        part.end_item(Key { rank_key, moment: moment.unwrap_or(0) });
    }
    part.finish()
}

fn write_base(
    entries: impl Iterator<Item = NumberedEntry>,
    places: &MemberPlaces,
    mut part: PartWriter<(Key, u64)>,
) -> u64 {
    for ((key, id), number) in entries {
        let Some(place) = places.find(id) else { continue };
        let (before, before_number) = part.before;
        put_number(&mut part.bytes, place);
        put_number(&mut part.bytes, key.rank_key.saturating_sub(before.rank_key));
        put_difference(&mut part.bytes, before.moment, key.moment);
        put_difference(&mut part.bytes, before_number, number);
        part.end_item((key, number));
    }
    // Half of a part may have points that the base needs, although none of its members is in the base.
    part.finish_always()
}

/// Reads a chunk with entries of ended periods. If its header is the same as the header of the chunk before it, the
/// entries are added to the same periods. Otherwise those periods are complete, and the chunk begins the next periods.
pub fn read(board: &mut Board, kind: u8, reader: &mut Reader) -> Result<(), Error> {
    let view = places::view(board, reader)?;
    let run = (start(reader)?, start(reader)?);
    let dated = dated(board, reader)?;
    let recipe =
        if kind == BASE { Some(Recipe { from: start(reader)?, decay: read_share(reader)? }) } else { None };
    let new = OpenPast { view, run, dated, recipe, entries: Vec::new() };
    if !open(board).is_some_and(|open| open.goes_on_with(&new)) {
        finish(board)?;
        check_run(board, &new)?;
    }
    let entries = read_entries(board, &new, reader)?;
    let last = open(board).and_then(|open| open.entries.last());
    if last.zip(entries.first()).is_some_and(|(last, first)| last.0.0.rank_key > first.0.0.rank_key) {
        return Err(Error::Corrupt("entries out of order"));
    }
    if let Some(loading) = &mut board.loading {
        loading.past.get_or_insert(new).entries.extend(entries);
    }
    Ok(())
}

fn read_entries(board: &Board, new: &OpenPast, reader: &mut Reader) -> Result<Vec<NumberedEntry>, Error> {
    let mut place = open(board).map_or(0, |open| open.entries.len() as u64);
    items(reader, |reader, before: Option<&NumberedEntry>| {
        let (before, before_number) = before.map_or((NONE, 0), |((key, _), number)| (*key, *number));
        let id = places::member(board, reader.number()?)?;
        let rank_key = rank_key(reader, before.rank_key)?;
        board.schema.check_saved(board.schema.score(rank_key))?;
        let has_moment = new.recipe.is_some() || place < new.dated;
        let moment = if has_moment { moment(reader.difference(before.moment)?)? } else { 0 };
        let number = if new.recipe.is_some() { sequence(reader.difference(before_number)?)? } else { 0 };
        place = place.saturating_add(1);
        Ok(((Key { rank_key, moment }, id), number))
    })
}

/// Reads the maximum number of entries, from the first one, that have moments.
fn dated(board: &Board, reader: &mut Reader) -> Result<u64, Error> {
    let most = if board.schema.role.part().is_some() { MOST_DATED } else { 0 };
    let dated = reader.number()?;
    if dated <= most { Ok(dated) } else { Err(WRONG_MOMENTS) }
}

/// Checks that the entries with moments are in the order of their moments.
fn check_moments(OpenPast { entries, dated, recipe, .. }: &OpenPast, ties: Ties) -> Result<(), Error> {
    let known = if recipe.is_some() { usize::MAX } else { usize::try_from(*dated).unwrap_or(usize::MAX) };
    let is_sorted = entries
        .iter()
        .take(known)
        .is_sorted_by(|((a, _), _), ((b, _), _)| compare_keys(ties, *a, *b).is_le());
    if is_sorted { Ok(()) } else { Err(WRONG_MOMENTS) }
}

fn open(board: &Board) -> Option<&OpenPast> {
    board.loading.as_ref()?.past.as_ref()
}

/// Checks the order of ended periods: they come newest first, and all are before the current period.
fn check_run(board: &Board, new: &OpenPast) -> Result<(), Error> {
    let (first, last) = new.run;
    let periods = board.views.get(new.view).and_then(View::periods);
    let later = periods.and_then(|periods| {
        let current = periods.span?.period.start;
        Some(periods.past.back().map_or(current, |past| past.period.start))
    });
    let is_base = new.recipe.is_none_or(|recipe| recipe.from <= first);
    let fits = is_base && first <= last && later.is_some_and(|later| last < later);
    if fits { Ok(()) } else { Err(Error::Corrupt("a period")) }
}

/// Adds the open ended periods to their view, after all their chunks have been read.
pub fn finish(board: &mut Board) -> Result<(), Error> {
    let Some(loading) = &mut board.loading else { return Ok(()) };
    let Some(open) = loading.past.take() else { return Ok(()) };
    let Board { members, views, schema, .. } = board;
    check_moments(&open, schema.ties)?;
    let OpenPast { view, run, dated, recipe, entries } = open;
    let Some(periods) = views.get_mut(view).and_then(View::periods_mut) else { return Ok(()) };
    periods.push_saved(run, &entries, dated, recipe, (schema, members))
}

pub fn count(board: &Board) -> u64 {
    let periods = board.views.iter().filter_map(View::periods);
    periods.flat_map(|periods| &periods.past).map(|past| past.order.len()).sum()
}
