//! The orders of the ended periods of a view, newest period first: the members' places, best first, and
//! their scores. On a part of a board, the first of them have moments, too.
//!
//! Periods that follow each other with the same order are one part, however the board came by them: so
//! boards that were read, that slept, or that were loaded give the same bytes.

use super::chunk::{Emit, PartWriter, items, opening};
use super::loading::OpenPast;
use super::places::{self, MemberPlaces};
use super::wire::{Reader, moment, put_difference, put_number, rank_key, start};
use crate::Error;
use crate::board::Board;
use crate::calendar::Period;
use crate::index::{Key, MemberId, compare_keys};
use crate::schema::Ties;
use crate::view::{MOST_DATED, Past, PastOrder, Periods, View};

pub const PAST: u8 = 8;

const WRONG_MOMENTS: Error = Error::Corrupt("the moments of a period");

/// Periods that follow each other with the same order.
struct Run {
    /// The starts of the first and the last one.
    first: i64,
    last: i64,
    /// How many members are ranked; 0 where nothing is to be saved.
    len: u64,
}

/// Tells the members of all orders of a view. Who is in several orders comes several times.
pub fn each_member(board: &Board, periods: &Periods, mut tell: impl FnMut(MemberId)) {
    periods.each_ended(&board.facts(), |_, _, order| entries(board, order).for_each(|(_, id)| tell(id)));
}

fn entries<'a>(board: &'a Board, order: &'a PastOrder) -> impl Iterator<Item = (u64, MemberId)> {
    order.ranking(&board.schema, &board.members).walk(0).map(|(key, id)| (key.rank_key, id))
}

/// Writes the ended periods of a view.
pub fn write(board: &Board, number: usize, places: &MemberPlaces, emit: Emit) -> u64 {
    let Some(periods) = board.views.get(number).and_then(View::periods) else { return 0 };
    let (mut count, mut runs) = (0_u64, runs(board, periods).into_iter());
    periods.each_ended(&board.facts(), |_, _, order| {
        let Some(Run { first, last, .. }) = runs.next().filter(|run| run.len > 0) else { return };
        let mut opening = opening(PAST, number, &[first, last]);
        put_number(&mut opening, order.dated());
        let mut part = PartWriter::new(opening, Key { rank_key: 0, moment: 0 }, &mut *emit);
        let mut moments = order.moments();
        for (rank_key, id) in entries(board, order) {
            put_number(&mut part.bytes, places.of(id));
            put_number(&mut part.bytes, rank_key.saturating_sub(part.before.rank_key));
            let moment = moments.next();
            if let Some(moment) = moment {
                put_difference(&mut part.bytes, part.before.moment, moment);
            }
            part.end_item(Key { rank_key, moment: moment.unwrap_or(0) });
        }
        count = count.saturating_add(part.finish());
    });
    count
}

/// Reads a chunk of ended periods: more of the open ones, or others that come after them.
pub fn read(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let view = places::view(board, reader)?;
    let run = (start(reader)?, start(reader)?);
    let dated = dated(board, reader)?;
    if open(board).is_none_or(|open| (open.view, open.run, open.dated) != (view, run, dated)) {
        finish(board)?;
        check_run(board, view, run)?;
    }
    let mut place = open(board).map_or(0, |open| open.entries.len() as u64);
    let entries = items(reader, |reader, before: Option<&(Key, MemberId)>| {
        let before = before.map_or(Key { rank_key: 0, moment: 0 }, |(key, _)| *key);
        let id = places::member(board, reader.number()?)?;
        let rank_key = rank_key(reader, before.rank_key)?;
        board.schema.check_saved(board.schema.score(rank_key))?;
        let moment = if place < dated { moment(reader.difference(before.moment)?)? } else { 0 };
        place = place.saturating_add(1);
        Ok((Key { rank_key, moment }, id))
    })?;
    let last = open(board).and_then(|open| open.entries.last());
    if last.zip(entries.first()).is_some_and(|(last, first)| last.0.rank_key > first.0.rank_key) {
        return Err(Error::Corrupt("entries out of order"));
    }
    if let Some(loading) = &mut board.loading {
        let new = || OpenPast { view, run, dated, entries: Vec::new() };
        loading.past.get_or_insert_with(new).entries.extend(entries);
    }
    Ok(())
}

/// Reads how many of the first entries have moments at the most.
fn dated(board: &Board, reader: &mut Reader) -> Result<u64, Error> {
    let most = if board.schema.role.part().is_some() { MOST_DATED } else { 0 };
    let dated = reader.number()?;
    if dated <= most { Ok(dated) } else { Err(WRONG_MOMENTS) }
}

/// Checks that the entries with moments are in the order of these.
fn check_moments(OpenPast { entries, dated, .. }: &OpenPast, ties: Ties) -> Result<(), Error> {
    let dated = entries.iter().take(usize::try_from(*dated).unwrap_or(usize::MAX));
    let is_sorted = dated.is_sorted_by(|(a, _), (b, _)| compare_keys(ties, *a, *b).is_le());
    if is_sorted { Ok(()) } else { Err(WRONG_MOMENTS) }
}

fn open(board: &Board) -> Option<&OpenPast> {
    board.loading.as_ref()?.past.as_ref()
}

/// Ended periods come newest first, all before the current one.
fn check_run(board: &Board, view: usize, (first, last): (i64, i64)) -> Result<(), Error> {
    let periods = board.views.get(view).and_then(View::periods);
    let later = periods.and_then(|periods| {
        let current = periods.span?.period.start;
        Some(periods.past.back().map_or(current, |past| past.period.start))
    });
    let fits = first <= last && later.is_some_and(|later| last < later);
    if fits { Ok(()) } else { Err(Error::Corrupt("a period")) }
}

/// Gives the view the open ended periods, now that all their chunks have come.
pub fn finish(board: &mut Board) -> Result<(), Error> {
    let Some(loading) = &mut board.loading else { return Ok(()) };
    let Some(open) = loading.past.take() else { return Ok(()) };
    let Board { members, views, schema, .. } = board;
    check_moments(&open, schema.ties)?;
    let OpenPast { view, run: (first, last), dated, entries } = open;
    let order = match members.is_large() {
        true => PastOrder::of(&entries, dated),
        false => PastOrder::of_few(&entries, dated, schema.ties, members),
    };
    let order = order.ok_or(Error::Corrupt("a member twice in a period"))?;
    if let Some(periods) = views.get_mut(view).and_then(View::periods_mut) {
        let period = Period { start: first, end: periods.rules.period(&schema.calendar, first).end };
        periods.past.push_back(Past::new(period, last, order));
    }
    Ok(())
}

pub fn count(board: &Board) -> u64 {
    let periods = board.views.iter().filter_map(View::periods);
    periods.flat_map(|periods| &periods.past).map(|past| past.order.len()).sum()
}

/// What to save at each order of a view. Of equal orders, the oldest stands for all of them.
fn runs(board: &Board, periods: &Periods) -> Vec<Run> {
    let (facts, mut runs) = (board.facts(), Vec::new());
    periods.each_ended(&facts, |first, last, order| runs.push(Run { first, last, len: order.len() }));
    // Only neighbours of the same length need hashes to tell whether they are equal.
    let may_equal = |pair: &[Run]| {
        let [newer, older] = pair else { return false };
        let end = periods.rules.period(&board.schema.calendar, older.last).end;
        newer.len > 0 && newer.len == older.len && newer.first == end
    };
    let pairs: Vec<_> = runs.windows(2).map(may_equal).collect();
    if !pairs.contains(&true) {
        return runs;
    }
    let (mut with_newer, mut with_older) = ([false].iter().chain(&pairs), pairs.iter().chain(&[false]));
    let mut hashes = Vec::new();
    periods.each_ended(&facts, |_, _, order| {
        let needed = [with_newer.next(), with_older.next()].contains(&Some(&true));
        hashes.push(needed.then(|| hash(board, order)));
    });
    for (at, (pair, hashes)) in pairs.iter().zip(hashes.windows(2)).enumerate() {
        if let (true, [newer, older]) = (pair, hashes)
            && newer == older
            && let Some([newer, older]) = runs.get_mut(at..at.saturating_add(2))
        {
            (older.last, newer.len) = (newer.last, 0);
        }
    }
    runs
}

fn hash(board: &Board, order: &PastOrder) -> blake3::Hash {
    let mut hash = blake3::Hasher::new();
    for (rank_key, id) in entries(board, order) {
        hash.update(&rank_key.to_le_bytes());
        hash.update(&id.to_le_bytes());
    }
    hash.update(&order.dated().to_le_bytes());
    for moment in order.moments() {
        hash.update(&moment.to_le_bytes());
    }
    hash.finalize()
}
