//! Items that parts refer to by a place in a list: members, which are named once, and views.

use std::cell::Cell;

use crate::Error;
use crate::board::Board;
use crate::index::MemberId;
use crate::parts::Role;
use crate::secret::HashMap;
use crate::snapshot::wire::Reader;
use crate::view::Kind;

const NOBODY: Error = Error::Corrupt("a member of which nothing is known");

/// Returns whether any part refers to members.
fn refers_to_members(board: &Board) -> bool {
    let [view] = &*board.views else { return true };
    if board.has_segments() {
        return true;
    }
    view.spec.kind != Kind::All || board.campaign().is_some()
}

/// The members of a board that are being saved, and their places, if any part refers to members.
pub struct MemberPlaces {
    places: Option<HashMap<MemberId, u64>>,
    /// The role for which members are saved; `None` if it is the role of the board, which has no other members.
    share: Option<Role>,
    spreads: bool,
}

impl MemberPlaces {
    /// Returns the places for the members of a board that belong to this role.
    pub fn new(board: &Board, role: Role) -> Self {
        let share = Some(role).filter(|role| *role != board.schema.role);
        let spreads = share.is_some() && board.schema.role == Role::Whole;
        Self { places: refers_to_members(board).then(HashMap::default), share, spreads }
    }

    /// Returns whether the members of a plain board are saved as those of a part.
    pub const fn spreads(&self) -> bool {
        self.spreads
    }

    /// Returns whether a member is saved.
    pub fn keeps(&self, board: &Board, id: MemberId) -> bool {
        self.share.is_none_or(|role| role.check(board.members.name(id)).is_ok())
    }

    /// Gives a member the next place.
    pub fn add(&mut self, id: MemberId) {
        if let Some(places) = &mut self.places {
            places.insert(id, places.len() as u64);
        }
    }

    /// Returns whether members get places.
    pub const fn are_given(&self) -> bool {
        self.places.is_some()
    }

    pub fn find(&self, id: MemberId) -> Option<u64> {
        self.places.as_ref()?.get(&id).copied()
    }
}

/// Gives the next place to a member that was added to the board. `is_known` is whether the board has an entry, a text or
/// another thing of it already. If not, a later part must refer to the member, if there can be such a part.
pub fn add(board: &mut Board, id: MemberId, is_known: bool) -> Result<(), Error> {
    let needed = refers_to_members(board);
    match board.loading.as_mut().filter(|_| needed) {
        Some(loading) => {
            loading.members.push(id);
            loading.known.push(Cell::new(is_known));
        }
        None if !is_known => return Err(NOBODY),
        None => {}
    }
    Ok(())
}

/// Returns the member at a place, of which the board has something.
pub fn member(board: &Board, place: u64) -> Result<MemberId, Error> {
    let id = named(board, place)?;
    let known = board.loading.as_ref().and_then(|loading| loading.known.get(usize::try_from(place).ok()?));
    known.into_iter().for_each(|known| known.set(true));
    Ok(id)
}

/// Returns the member at a place, if what refers to it is kept only for a member that the board knows in another way.
pub fn named(board: &Board, place: u64) -> Result<MemberId, Error> {
    let loading = board.loading.as_ref();
    let id = usize::try_from(place).ok().and_then(|place| loading?.members.get(place));
    id.copied().ok_or(Error::Corrupt("a member that was not named"))
}

/// Checks that the board has something of each member that was loaded.
pub fn check(board: &Board) -> Result<(), Error> {
    let mut known = board.loading.iter().flat_map(|loading| &loading.known);
    if known.all(Cell::get) { Ok(()) } else { Err(NOBODY) }
}

/// Reads the place of a view.
pub fn view(board: &Board, reader: &mut Reader) -> Result<usize, Error> {
    let place = usize::try_from(reader.number()?).ok();
    place.filter(|place| *place < board.views.len()).ok_or(Error::Corrupt("a view"))
}
