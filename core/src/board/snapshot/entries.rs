//! Members and their entries in views.
//!
//! The members of the default view are written with their entries. After them come the members that only other
//! parts refer to, and then the entries of the other views. At that point, all members have been named.

use std::cmp::Ordering;

use super::places::{self, MemberPlaces};
use super::{campaign, past, points, segments};
use crate::Error;
use crate::board::{Board, MAX_HIDDEN, MAX_META};
use crate::index::{Key, MemberId, compare_keys};
use crate::members::{MAX_NAME, Members};
use crate::repeats::repeats;
use crate::schema::{Aggregate, Ties};
use crate::secret::HashSet;
use crate::snapshot::chunk::{Emit, PartWriter, items, opening};
use crate::snapshot::wire::{Reader, moment, put_bytes, put_difference, put_number, rank_key, sequence};
use crate::time::{MAX_MILLIS, Millis};
use crate::view::View;

pub const RANKED: u8 = 2;
pub const OTHERS: u8 = 3;
pub const VIEW: u8 = 6;

/// The flag of a member with a text.
const WITH_TEXT: u8 = 1;
/// The flag of a hidden member.
const HIDDEN: u8 = 2;
const OUT_OF_ORDER: Error = Error::Corrupt("entries out of order");
const TWICE: Error = Error::Corrupt("a member twice in a view");

type ViewOf<'a> = (&'a Board, &'a View);

/// An entry of a view.
#[derive(Debug, Clone, Copy)]
pub struct SavedEntry {
    pub key: Key,
    /// The number of the write that set the entry's key; 0 if the view does not keep this number.
    pub sequence: u64,
    /// The moment of the member's latest event. The event may be later than the key's moment, if it did not change
    /// the score.
    pub event: Millis,
}

impl SavedEntry {
    /// The values that the first entry of a chunk is compared with.
    const NONE: Self = Self { key: Key { rank_key: 0, moment: 0 }, sequence: 0, event: 0 };

    pub fn of((board, view): ViewOf, (key, id): (Key, MemberId)) -> Self {
        let sequence = view.written_sequence(id, &board.members);
        Self { key, sequence, event: view.event(id, key.moment).unwrap_or(key.moment) }
    }

    fn write(&self, bytes: &mut Vec<u8>, before: &Self, (board, view): ViewOf) {
        put_number(bytes, self.key.rank_key.saturating_sub(before.key.rank_key));
        put_difference(bytes, before.key.moment, self.key.moment);
        if view.sequence().is_some() {
            put_difference(bytes, before.sequence, self.sequence);
        }
        if board.schema.aggregate == Aggregate::Last {
            put_number(bytes, self.event.saturating_sub(self.key.moment));
        }
    }

    fn read(reader: &mut Reader, before: Option<&Self>, (board, view): ViewOf) -> Result<Self, Error> {
        let before = before.unwrap_or(&Self::NONE);
        let rank_key = rank_key(reader, before.key.rank_key)?;
        board.schema.check_saved(board.schema.score(rank_key))?;
        let moment = moment(reader.difference(before.key.moment)?)?;
        let sequence = match view.sequence() {
            Some(_) => sequence(reader.difference(before.sequence)?)?,
            None => 0,
        };
        let later = if board.schema.aggregate == Aggregate::Last { reader.number()? } else { 0 };
        let event = moment.checked_add(later).filter(|event| *event <= MAX_MILLIS);
        let event = event.ok_or(Error::Corrupt("an event's time"))?;
        Ok(Self { key: Key { rank_key, moment }, sequence, event })
    }

    /// Checks that this entry may follow another entry. Entries that are equal in everything that is compared may
    /// come in any order.
    fn check_behind(&self, before: &Self, ties: Ties, names: impl FnOnce() -> Ordering) -> Result<(), Error> {
        let order = compare_keys(ties, self.key, before.key).then_with(|| match ties {
            Ties::First => self.sequence.cmp(&before.sequence),
            Ties::Last => before.sequence.cmp(&self.sequence),
            Ties::Lex => names(),
            Ties::RevLex => names().reverse(),
        });
        if order.is_ge() { Ok(()) } else { Err(OUT_OF_ORDER) }
    }
}

/// Adds members to a view, behind all other members.
///
/// # Errors
/// [`Error::Corrupt`] if the entries are not in order. Then the board must not be used any more.
pub fn enter_all(
    entries: &[(MemberId, SavedEntry)],
    view: &mut View,
    members: &mut Members,
) -> Result<(), Error> {
    let column = view.sequence();
    for (id, entry) in entries {
        if let Some(column) = column {
            members.set_sequence(*id, column, entry.sequence);
        }
        view.set_event(*id, Some(entry.event).filter(|event| *event > entry.key.moment));
    }
    let keyed: Vec<_> = entries.iter().map(|(id, entry)| (entry.key, *id)).collect();
    view.index.append_checked(&keyed, &mut members.index_members_mut(view.leaf, column))
}

/// A member with its name, its text and whether it is hidden.
#[derive(Debug, Clone, Copy)]
pub struct SavedMember<'a> {
    pub name: &'a [u8],
    text: Option<&'a [u8]>,
    is_hidden: bool,
}

impl<'a> SavedMember<'a> {
    pub fn of(board: &'a Board, id: MemberId) -> Self {
        Self { name: board.members.name(id), text: board.meta_of(id), is_hidden: board.is_hidden(id) }
    }

    /// Writes the member. If there is an entry, it is written between the name and the text.
    fn write(&self, bytes: &mut Vec<u8>, entry: impl FnOnce(&mut Vec<u8>)) {
        let hidden = if self.is_hidden { HIDDEN } else { 0 };
        bytes.push(hidden | if self.text.is_some() { WITH_TEXT } else { 0 });
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
        if flags & !(WITH_TEXT | HIDDEN) != 0 {
            return Err(Error::Corrupt("an unknown flag"));
        }
        let name = reader.bytes(1, MAX_NAME)?;
        let entry = entry(reader)?;
        let has_text = flags & WITH_TEXT != 0;
        let text = if has_text { Some(reader.bytes(1, MAX_META)?) } else { None };
        Ok((Self { name, text, is_hidden: flags & HIDDEN != 0 }, entry))
    }

    /// Checks that neither the board nor an earlier item of the chunk has named this member.
    fn check_new(&self, board: &Board, named: &mut HashSet<&'a [u8]>) -> Result<(), Error> {
        let is_new = board.members.find(self.name).is_none() && named.insert(self.name);
        if is_new { Ok(()) } else { Err(Error::Corrupt("a member twice")) }
    }

    /// Adds the member to a board that is being loaded. `is_ranked` is whether it has an entry in the default view.
    fn load(&self, board: &mut Board, is_ranked: bool) -> Result<MemberId, Error> {
        let id = self.enter(board)?;
        places::add(board, id, is_ranked || self.is_hidden || self.text.is_some())?;
        Ok(id)
    }

    pub fn enter(&self, board: &mut Board) -> Result<MemberId, Error> {
        let id = board.enter_member(self.name)?;
        if let Some(text) = self.text {
            board.extras.get_or_insert_default().set_text(id, text);
        }
        if self.is_hidden {
            board.extras.get_or_insert_default().hidden.insert(id, ());
        }
        Ok(id)
    }
}

/// Changes the board to the form for many members if the new members need it. After that, adding them cannot fail
/// because of the data that was loaded before.
pub fn make_room<'a>(
    board: &mut Board,
    new: impl Iterator<Item = &'a SavedMember<'a>> + Clone,
) -> Result<(), Error> {
    let hidden = new.clone().filter(|member| member.is_hidden).count();
    if hidden.saturating_add(board.count_hidden()) > MAX_HIDDEN {
        return Err(Error::Corrupt("too many hidden members"));
    }
    if board.members.is_large() {
        return Ok(());
    }
    let mut few = board.members.clone();
    let outgrows = |name: &[u8]| few.outgrown_by(1, name.len()) || few.insert(name).is_err();
    if new.map(|member| member.name).any(outgrows) { board.enlarge() } else { Ok(()) }
}

/// Returns the last entry of a view.
fn last((board, view): ViewOf) -> Option<(MemberId, SavedEntry)> {
    let (key, id) = view.index.iter_from(view.index.len().checked_sub(1)?).next()?;
    Some((id, SavedEntry::of((board, view), (key, id))))
}

/// Writes the members of the default view, best first.
pub fn write_ranked(board: &Board, places: &mut MemberPlaces, emit: Emit) -> u64 {
    let mut part = PartWriter::new(vec![RANKED], SavedEntry::NONE, emit);
    let Some(view) = board.views.first() else { return 0 };
    for (key, id) in view.written_index().iter_from(0) {
        if !places.keeps(board, id) {
            continue;
        }
        places.add(id);
        let (entry, before) = (SavedEntry::of((board, view), (key, id)), part.before);
        let write = |bytes: &mut Vec<u8>| entry.write(bytes, &before, (board, view));
        SavedMember::of(board, id).write(&mut part.bytes, write);
        part.end_item(entry);
    }
    part.finish()
}

pub fn read_ranked(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let Some(view) = board.views.first() else { return Ok(()) };
    let last = last((board, view)).map(|(id, entry)| (SavedMember::of(board, id), entry));
    let mut named = HashSet::default();
    let ranked = items(reader, |reader, before: Option<&(SavedMember, SavedEntry)>| {
        let before_it = before.map(|(_, entry)| entry);
        let entry = |reader: &mut Reader| SavedEntry::read(reader, before_it, (board, view));
        let (member, entry) = SavedMember::read(reader, entry)?;
        member.check_new(board, &mut named)?;
        if let Some((other, before)) = before.or(last.as_ref()) {
            entry.check_behind(before, board.schema.ties, || member.name.cmp(other.name))?;
        }
        Ok((member, entry))
    })?;
    make_room(board, ranked.iter().map(|(member, _)| member))?;
    let entries = ranked.iter().map(|(member, entry)| Ok((member.load(board, true)?, *entry)));
    let entries = entries.collect::<Result<Vec<_>, Error>>()?;
    let Some(view) = board.views.first_mut() else { return Ok(()) };
    enter_all(&entries, view, &mut board.members)
}

/// Returns the members that are not in the default view, in the order of their names.
pub fn unranked(board: &Board) -> Vec<(&[u8], MemberId)> {
    let mut places = MemberPlaces::new(board, board.schema.role);
    let ranked = board.views.iter().take(1).flat_map(|view| view.written_index().iter_from(0));
    ranked.for_each(|(_, id)| places.add(id));
    others(board, &places)
}

/// Writes the members that are not in the default view, in the order of their names.
pub fn write_others(board: &Board, places: &mut MemberPlaces, emit: Emit) -> u64 {
    let mut others = others(board, places);
    others.retain(|(_, id)| places.keeps(board, *id));
    let mut part = PartWriter::new(vec![OTHERS], (), emit);
    for (_, id) in others {
        places.add(id);
        SavedMember::of(board, id).write(&mut part.bytes, |_| {});
        part.end_item(());
    }
    part.finish()
}

/// Returns the members without a place to which other parts refer, in the order of their names.
fn others<'a>(board: &'a Board, places: &MemberPlaces) -> Vec<(&'a [u8], MemberId)> {
    let Some(first) = board.views.first() else { return Vec::new() };
    let known = board.extras.iter().flat_map(|extras| extras.texts.keys().chain(extras.hidden.keys()));
    // If members have no places, there are no periods. Then the members that are ranked now were also ranked at the
    // last write.
    let is_ranked = |id| match places.are_given() {
        true => places.find(id).is_some(),
        false => first.find(id, &board.members).is_some(),
    };
    let unranked = known.filter(|id| !is_ranked(*id));
    let mut found: Vec<_> = unranked.map(|id| (board.members.name(id), id)).collect();
    let mut add = |id| {
        if places.find(id).is_none() {
            found.push((board.members.name(id), id));
        }
    };
    campaign::members(board).for_each(&mut add);
    segments::members(board).for_each(&mut add);
    let others = board.views.iter().skip(1).flat_map(|view| view.written_index().iter_from(0));
    others.for_each(|(_, id)| add(id));
    for periods in board.views.iter().filter_map(View::periods) {
        points::members(periods).for_each(&mut add);
        past::each_member(board, periods, &mut add);
    }
    found.sort_unstable();
    found.dedup();
    found
}

pub fn read_others(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let mut named = HashSet::default();
    let others = items(reader, |reader, _| {
        let (member, ()) = SavedMember::read(reader, |_| Ok(()))?;
        member.check_new(board, &mut named)?;
        Ok(member)
    })?;
    make_room(board, others.iter())?;
    others.iter().try_for_each(|member| member.load(board, false).map(|_| ()))
}

/// Writes the entries of another view, best first: the place of each member, and its entry.
pub fn write_view(board: &Board, number: usize, places: &MemberPlaces, emit: Emit) -> u64 {
    let mut part = PartWriter::new(opening(VIEW, number, &[]), SavedEntry::NONE, emit);
    let Some(view) = board.views.get(number) else { return 0 };
    for (key, id) in view.written_index().iter_from(0) {
        let Some(place) = places.find(id) else { continue };
        let entry = SavedEntry::of((board, view), (key, id));
        put_number(&mut part.bytes, place);
        entry.write(&mut part.bytes, &part.before, (board, view));
        part.end_item(entry);
    }
    part.finish()
}

pub fn read_view(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let number = places::view(board, reader)?;
    let Some(view) = board.views.get(number) else { return Ok(()) };
    let (members, last) = (&board.members, last((board, view)));
    let mut ids = Vec::new();
    let entries = items(reader, |reader, before: Option<&(MemberId, SavedEntry)>| {
        let id = places::member(board, reader.number()?)?;
        let entry = SavedEntry::read(reader, before.map(|(_, entry)| entry), (board, view))?;
        if view.find(id, members).is_some() {
            return Err(TWICE);
        }
        ids.push(id);
        if let Some((other, before)) = before.or(last.as_ref()) {
            let names = || members.name(id).cmp(members.name(*other));
            entry.check_behind(before, board.schema.ties, names)?;
        }
        Ok((id, entry))
    });
    // If a member comes twice, this error is reported and not an error of an entry.
    if repeats(ids.into_iter()) {
        return Err(TWICE);
    }
    let entries = entries?;
    let Some(view) = board.views.get_mut(number) else { return Ok(()) };
    enter_all(&entries, view, &mut board.members)
}

/// Checks the entries of all views against the points, after everything was loaded.
pub fn check(board: &Board) -> Result<(), Error> {
    let do_agree = board.views.iter().all(|view| view.agrees_with_points(board.schema.ties, &board.members));
    if do_agree { Ok(()) } else { Err(OUT_OF_ORDER) }
}
