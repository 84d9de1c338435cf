//! Members and their entries in views.
//!
//! The members of the default view come with their entries there. Those that only other parts refer to
//! follow, and the entries of the other views, whose members have been named by then.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::chunk::{Emit, Part, opening};
use super::places::{self, Places};
use super::values::{moment, rank_key, sequence};
use super::wire::{Reader, put_bytes, put_difference, put_number};
use super::{candidates, past, points, voters};
use crate::Error;
use crate::board::{Board, MAX_META};
use crate::index::{Key, MemberId, compare_keys};
use crate::members::{MAX_NAME, Members};
use crate::schema::{Aggregate, Ties};
use crate::time::{MAX_MILLIS, Millis};
use crate::view::View;

pub const RANKED: u8 = 2;
pub const OTHERS: u8 = 3;
pub const VIEW: u8 = 6;

/// The flag of a member with a text beside it.
const WITH_TEXT: u8 = 1;

/// An entry of a view.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: Key,
    /// The write that gave it its key; 0 where the view does not keep that.
    sequence: u64,
    /// Its latest event: later than the moment where that event left the score as it was.
    event: Millis,
}

/// Which fields the entries of a view have beside their key.
#[derive(Debug, Clone, Copy)]
struct Fields {
    sequence: bool,
    event: bool,
}

impl Fields {
    fn of(board: &Board, view: &View) -> Self {
        Self { sequence: view.sequence().is_some(), event: board.schema.aggregate == Aggregate::Last }
    }
}

impl Entry {
    /// What stands before the first entry of a chunk.
    const NONE: Self = Self { key: Key { rank_key: 0, moment: 0 }, sequence: 0, event: 0 };

    fn of(view: &View, members: &Members, (key, id): (Key, MemberId)) -> Self {
        let sequence = view.sequence().map_or(0, |column| members.sequence(id, column));
        Self { key, sequence, event: view.event(id, key.moment).unwrap_or(key.moment) }
    }

    fn write(&self, bytes: &mut Vec<u8>, fields: Fields, before: &Self) {
        put_number(bytes, self.key.rank_key.saturating_sub(before.key.rank_key));
        put_difference(bytes, before.key.moment, self.key.moment);
        if fields.sequence {
            put_difference(bytes, before.sequence, self.sequence);
        }
        if fields.event {
            put_number(bytes, self.event.saturating_sub(self.key.moment));
        }
    }

    fn read(reader: &mut Reader, fields: Fields, before: &Self) -> Result<Self, Error> {
        let rank_key = rank_key(reader, before.key.rank_key)?;
        let moment = moment(reader.difference(before.key.moment)?)?;
        let sequence = if fields.sequence { sequence(reader.difference(before.sequence)?)? } else { 0 };
        let later = if fields.event { reader.number()? } else { 0 };
        let event = moment.checked_add(later).filter(|event| *event <= MAX_MILLIS);
        let event = event.ok_or(Error::Corrupt("an event's time"))?;
        Ok(Self { key: Key { rank_key, moment }, sequence, event })
    }

    /// Checks that it may stand behind another. The order of equals is that in which they stand.
    fn check_behind(&self, before: &Self, ties: Ties, names: impl FnOnce() -> Ordering) -> Result<(), Error> {
        let order = compare_keys(ties, self.key, before.key).then_with(|| match ties {
            Ties::First => self.sequence.cmp(&before.sequence),
            Ties::Last => before.sequence.cmp(&self.sequence),
            Ties::Lex => names(),
        });
        if order.is_ge() { Ok(()) } else { Err(Error::Corrupt("entries out of order")) }
    }

    /// Enters a member behind all others of a view.
    fn enter(self, id: MemberId, view: &mut View, members: &mut Members) -> Result<(), Error> {
        let column = view.sequence();
        if let Some(column) = column {
            members.set_sequence(id, column, self.sequence);
        }
        view.set_event(id, Some(self.event).filter(|event| *event > self.key.moment));
        view.index.append(self.key, id, &mut members.index_members_mut(view.leaf, column))
    }
}

/// A member as it is named.
#[derive(Debug, Clone, Copy)]
struct Member<'a> {
    name: &'a [u8],
    text: Option<&'a [u8]>,
}

impl<'a> Member<'a> {
    fn of(board: &'a Board, id: MemberId) -> Self {
        Self { name: board.members.name(id), text: board.meta_of(id) }
    }

    /// Between the name and the text stands the entry, where it has one.
    fn write(&self, bytes: &mut Vec<u8>, entry: impl FnOnce(&mut Vec<u8>)) {
        bytes.push(if self.text.is_some() { WITH_TEXT } else { 0 });
        put_bytes(bytes, self.name);
        entry(bytes);
        if let Some(text) = self.text {
            put_bytes(bytes, text);
        }
    }

    fn read<T>(
        reader: &mut Reader<'a>,
        entry: impl FnOnce(&mut Reader<'a>) -> Result<T, Error>,
    ) -> Result<(Self, T), Error> {
        let flags = reader.byte()?;
        if flags & !WITH_TEXT != 0 {
            return Err(Error::Corrupt("an unknown flag"));
        }
        let name = reader.bytes(1, MAX_NAME)?;
        let entry = entry(reader)?;
        let text = if flags == WITH_TEXT { Some(reader.bytes(1, MAX_META)?) } else { None };
        Ok((Self { name, text }, entry))
    }

    /// Checks that neither the board nor its chunk has named it.
    fn check_new(&self, board: &Board, named: &mut HashSet<&'a [u8]>) -> Result<(), Error> {
        let is_new = board.members.find(self.name).is_none() && named.insert(self.name);
        if is_new { Ok(()) } else { Err(Error::Corrupt("a member twice")) }
    }

    fn enter(&self, board: &mut Board) -> Result<MemberId, Error> {
        let id = board.enter_member(self.name)?;
        places::add(board, id);
        if let Some(text) = self.text {
            board.extras.get_or_insert_default().set_text(id, text);
        }
        Ok(id)
    }
}

/// Writes the members of the default view, best first.
pub fn write_ranked(board: &Board, places: &mut Places, emit: Emit) -> u64 {
    let mut part = Part::new(vec![RANKED], Entry::NONE, emit);
    if let Some(view) = board.views.first() {
        let fields = Fields::of(board, view);
        for (key, id) in view.index.iter_from(0) {
            places.add(id);
            let (entry, before) = (Entry::of(view, &board.members, (key, id)), part.before);
            Member::of(board, id).write(&mut part.bytes, |bytes| entry.write(bytes, fields, &before));
            part.end_item(entry);
        }
    }
    part.finish()
}

pub fn read_ranked(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    for (member, entry) in ranked(board, reader)? {
        let id = member.enter(board)?;
        if let Some(view) = board.views.first_mut() {
            entry.enter(id, view, &mut board.members)?;
        }
    }
    Ok(())
}

fn ranked<'a>(board: &Board, reader: &mut Reader<'a>) -> Result<Vec<(Member<'a>, Entry)>, Error> {
    let view = board.views.first().ok_or(Error::Corrupt("a view"))?;
    let (fields, ties) = (Fields::of(board, view), board.schema.ties);
    let last = last_entry(board, view).map(|(id, entry)| (Member::of(board, id), entry));
    let (mut ranked, mut named) = (Vec::new(), HashSet::new());
    while !reader.is_empty() {
        let before = ranked.last().map_or(Entry::NONE, |(_, entry)| *entry);
        let (member, entry) = Member::read(reader, |reader| Entry::read(reader, fields, &before))?;
        member.check_new(board, &mut named)?;
        if let Some((other, before)) = ranked.last().or(last.as_ref()) {
            entry.check_behind(before, ties, || member.name.cmp(other.name))?;
        }
        ranked.push((member, entry));
    }
    Ok(ranked)
}

fn last_entry(board: &Board, view: &View) -> Option<(MemberId, Entry)> {
    let (key, id) = view.index.iter_from(view.index.len().checked_sub(1)?).next()?;
    Some((id, Entry::of(view, &board.members, (key, id))))
}

pub fn count_ranked(board: &Board) -> u64 {
    board.len()
}

/// Writes the members that are not in the default view, by name.
pub fn write_others(board: &Board, places: &mut Places, emit: Emit) -> u64 {
    let mut others = others(board, places);
    others.sort_unstable();
    others.dedup();
    let mut part = Part::new(vec![OTHERS], (), emit);
    for (_, id) in others {
        places.add(id);
        Member::of(board, id).write(&mut part.bytes, |_| {});
        part.end_item(());
    }
    part.finish()
}

fn others<'a>(board: &'a Board, places: &Places) -> Vec<(&'a [u8], MemberId)> {
    let Some(first) = board.views.first() else { return Vec::new() };
    let texts = board.extras.iter().flat_map(|extras| extras.texts.keys());
    let unranked = texts.filter(|id| first.find(*id, &board.members).is_none());
    let mut found: Vec<_> = unranked.map(|id| (board.members.name(id), id)).collect();
    let mut add = |id| {
        if places.find(id).is_none() {
            found.push((board.members.name(id), id));
        }
    };
    candidates::members(board).chain(voters::members(board)).for_each(&mut add);
    let others = board.views.iter().skip(1).flat_map(|view| view.index.iter_from(0));
    others.for_each(|(_, id)| add(id));
    for view in &board.views {
        points::members(view).for_each(&mut add);
        past::each_member(board, view, &mut add);
    }
    found
}

pub fn read_others(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let (mut others, mut named) = (Vec::new(), HashSet::new());
    while !reader.is_empty() {
        let (member, ()) = Member::read(reader, |_| Ok(()))?;
        member.check_new(board, &mut named)?;
        others.push(member);
    }
    others.iter().try_for_each(|member| member.enter(board).map(|_| ()))
}

pub fn count_others(board: &Board) -> u64 {
    (board.members.len() as u64).saturating_sub(board.len())
}

/// Writes the entries of another view, best first: the place of the member, its entry.
pub fn write_view(board: &Board, number: usize, places: &Places, emit: Emit) -> u64 {
    let mut part = Part::new(opening(VIEW, number, &[]), Entry::NONE, emit);
    if let Some(view) = board.views.get(number) {
        let fields = Fields::of(board, view);
        for (key, id) in view.index.iter_from(0) {
            let entry = Entry::of(view, &board.members, (key, id));
            put_number(&mut part.bytes, places.of(id));
            entry.write(&mut part.bytes, fields, &part.before);
            part.end_item(entry);
        }
    }
    part.finish()
}

pub fn read_view(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let number = places::view(board, reader)?;
    let mut entries = Vec::new();
    let read = entries_of(board, number, reader, &mut entries);
    let mut ids: Vec<_> = entries.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    // Where one comes twice, that is the first fault.
    if ids.windows(2).any(|pair| pair.first() == pair.last()) {
        return Err(Error::Corrupt("a member twice in a view"));
    }
    read?;
    let Some(view) = board.views.get_mut(number) else { return Ok(()) };
    entries.into_iter().try_for_each(|(id, entry)| entry.enter(id, view, &mut board.members))
}

/// Reads entries up to the first fault, but for members that come twice in the chunk.
fn entries_of(
    board: &Board,
    number: usize,
    reader: &mut Reader,
    entries: &mut Vec<(MemberId, Entry)>,
) -> Result<(), Error> {
    let view = board.views.get(number).ok_or(Error::Corrupt("a view"))?;
    let (fields, members) = (Fields::of(board, view), &board.members);
    let mut last = last_entry(board, view);
    while !reader.is_empty() {
        let id = places::member(board, reader.number()?)?;
        let before = entries.last().map_or(Entry::NONE, |(_, entry)| *entry);
        let entry = Entry::read(reader, fields, &before)?;
        if view.find(id, members).is_some() {
            return Err(Error::Corrupt("a member twice in a view"));
        }
        entries.push((id, entry));
        if let Some((other, before)) = last.replace((id, entry)) {
            let names = || members.name(id).cmp(members.name(other));
            entry.check_behind(&before, board.schema.ties, names)?;
        }
    }
    Ok(())
}

pub fn count_views(board: &Board) -> u64 {
    board.views.iter().skip(1).map(|view| view.index.len()).sum()
}
