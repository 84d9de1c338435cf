//! Items that parts refer to by a place in a list: members, which are named once, and views.

use crate::Error;
use crate::board::Board;
use crate::index::MemberId;
use crate::parts::Role;
use crate::secret::HashMap;
use crate::snapshot::wire::Reader;
use crate::view::Kind;

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

/// Gives the next place to a member that was added to the board.
pub fn add(board: &mut Board, id: MemberId) {
    let needed = refers_to_members(board);
    if let Some(loading) = board.loading.as_mut().filter(|_| needed) {
        loading.members.push(id);
    }
}

/// Returns the member at a place.
pub fn member(board: &Board, place: u64) -> Result<MemberId, Error> {
    let loading = board.loading.as_ref();
    let id = usize::try_from(place).ok().and_then(|place| loading?.members.get(place));
    id.copied().ok_or(Error::Corrupt("a member that was not named"))
}

/// Reads the place of a view.
pub fn view(board: &Board, reader: &mut Reader) -> Result<usize, Error> {
    let place = usize::try_from(reader.number()?).ok();
    place.filter(|place| *place < board.views.len()).ok_or(Error::Corrupt("a view"))
}
