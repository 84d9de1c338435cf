//! Members, and the current entries of views.

use super::merge::merge;
use super::{Joining, Side};
use crate::Error;
use crate::board::snapshot::entries::{SavedEntry, SavedMember, enter_all, make_room, unranked};
use crate::board::{Board, MAX_HIDDEN};
use crate::index::{MemberId, compare_keys};
use crate::schema::Ties;

/// A member of one of the boards, with its entry if the member is ranked.
struct Found {
    side: usize,
    id: MemberId,
    entry: Option<SavedEntry>,
}

impl Side<'_> {
    /// Returns the entries of a view, best first.
    fn entries(&self, view: usize) -> impl Iterator<Item = (MemberId, SavedEntry)> {
        let board = &*self.board;
        let view = board.views.get(view);
        view.into_iter().flat_map(move |view| {
            let of = move |(key, id)| (id, self.renumbered(SavedEntry::of((board, view), (key, id))));
            view.written_index().iter_from(0).map(of)
        })
    }

    const fn renumbered(&self, entry: SavedEntry) -> SavedEntry {
        SavedEntry { sequence: self.number(entry.sequence), ..entry }
    }
}

/// Returns the entries of a view of both boards, in order.
fn merged(sides: &[Side; 2], view: usize, ties: Ties) -> impl Iterator<Item = Found> {
    let [low, high] = sides;
    let is_behind = move |one: &(MemberId, SavedEntry), other: &(MemberId, SavedEntry)| {
        compare_keys(ties, one.1.key, other.1.key).is_gt()
    };
    let entries = merge(low.entries(view), high.entries(view), is_behind);
    entries.map(|(side, (id, entry))| Found { side, id, entry: Some(entry) })
}

impl Joining<'_> {
    /// Adds all members: first the members of the default view with their entries, and then the other members.
    pub(super) fn add_members(&mut self) -> Result<(), Error> {
        let Self { sides, board, unranked: others, .. } = self;
        let hidden = sides.iter().map(|side| side.board.count_hidden()).fold(0, usize::saturating_add);
        if hidden > MAX_HIDDEN {
            return Err(Error::TooManyHidden(MAX_HIDDEN));
        }
        let mut found: Vec<_> = merged(sides, 0, board.schema.ties).collect();
        let [low, high] =
            [0, 1].map(|side| sides.get(side).map(|side| unranked(&side.board)).unwrap_or_default());
        let unranked = merge(low.into_iter(), high.into_iter(), |one, other| one.0 > other.0);
        found.extend(unranked.map(|(side, (_, id))| Found { side, id, entry: None }));
        let named = found.iter().filter_map(|found| member(sides, found)).collect::<Vec<_>>();
        make_room(board, named.iter())?;
        let (mut ids, mut entries) = (Vec::with_capacity(found.len()), Vec::with_capacity(found.len()));
        for (found, member) in found.iter().zip(named) {
            board.schema.role.check(member.name)?;
            if board.members.find(member.name).is_some() {
                return Err(Error::Corrupt("a member twice"));
            }
            let id = member.enter(board)?;
            match found.entry {
                Some(entry) => entries.push((id, entry)),
                None => others.push(id),
            }
            ids.push((found.side, found.id, id));
        }
        if let Some(view) = board.views.first_mut() {
            enter_all(&entries, view, &mut board.members)?;
        }
        for (side, old, new) in ids {
            sides.get_mut(side).and_then(|side| side.ids.insert(old, new));
        }
        Ok(())
    }

    /// Adds the current entries of a view other than the default view.
    pub(super) fn add_entries(&mut self, view: usize) -> Result<(), Error> {
        if view == 0 {
            return Ok(());
        }
        let Self { sides, board, .. } = self;
        let mut entries = Vec::new();
        for Found { side, id, entry } in merged(sides, view, board.schema.ties) {
            let id = sides.get(side).ok_or(Error::Corrupt("a view")).and_then(|side| side.id(id))?;
            entries.extend(entry.map(|entry| (id, entry)));
        }
        let Some(view) = board.views.get_mut(view) else { return Ok(()) };
        enter_all(&entries, view, &mut board.members)
    }
}

fn member<'a>(sides: &'a [Side; 2], found: &Found) -> Option<SavedMember<'a>> {
    let board: &Board = &sides.get(found.side)?.board;
    Some(SavedMember::of(board, found.id))
}
