//! Members that the board knows, how it forgets them, and the texts of members.

use std::collections::BTreeSet;

use super::Board;
use super::change::Target;
use super::write::Write;
use crate::Error;
use crate::index::MemberId;
use crate::parts::Role;

impl Board {
    /// If the board is a part, checks that all members belong to this part.
    ///
    /// # Errors
    /// [`Error::WrongPart`] for the first member that belongs to another part.
    pub fn check_own<'a>(&self, members: impl IntoIterator<Item = &'a [u8]>) -> Result<(), Error> {
        match self.schema.role {
            Role::Whole | Role::Root(_) => Ok(()),
            role @ Role::Part { .. } => members.into_iter().try_for_each(|member| role.check(member)),
        }
    }

    /// Returns whether anything in the board refers to a member.
    pub(super) fn knows(&self, id: MemberId) -> bool {
        self.meta_of(id).is_some()
            || self.is_hidden(id)
            || self.is_in_segment(id)
            || self.campaign().is_some_and(|campaign| campaign.knows(id))
            || self.views.iter().any(|view| view.knows(id, &self.members))
    }

    /// Forgets a member and all its data.
    pub(super) fn drop_member(&mut self, id: MemberId) {
        self.drop_members(&[id], None);
    }

    /// Forgets members and all their data. `ids` must be ascending. If `lost` is given, each ended period of a part
    /// loses the moments of `lost` members.
    fn drop_members(&mut self, ids: &[MemberId], lost: Option<usize>) {
        self.forget_hidden(ids);
        for view in &mut self.views {
            view.remove_all(ids, lost, &mut self.members);
        }
        self.drop_from_segments(ids);
        for id in ids {
            if let Some(extras) = &mut self.extras {
                extras.remove_text(*id);
                if let Some(campaign) = &mut extras.campaign {
                    campaign.remove(*id);
                }
            }
            self.members.remove(*id);
        }
    }

    /// Returns a member's text.
    #[must_use]
    pub fn meta(&self, member: &[u8]) -> Option<&[u8]> {
        let id = self.members.find(member)?;
        self.meta_of(id)
    }

    /// Returns a member's text, by its number in a [`Row`](super::Row).
    #[must_use]
    pub fn meta_of(&self, id: MemberId) -> Option<&[u8]> {
        self.extras.as_ref()?.texts.get(id).map(|text| &**text)
    }

    /// Forgets a member and all its data. Returns whether a reader could see any data of it.
    pub fn remove(&mut self, member: &[u8]) -> bool {
        !self.remove_all(&[member]).is_empty()
    }

    /// Forgets members and all their data. Returns each name once whose data a reader could see. All other members
    /// are not touched: the board may still need them for its state at its last write. The ended periods are walked
    /// through once for all members.
    pub fn remove_all<'n, N: AsRef<[u8]>>(&mut self, names: &'n [N]) -> Vec<&'n N> {
        if names.iter().any(|name| self.members.find(name.as_ref()).is_some()) {
            self.settle_pending_prizes();
        }
        let mut shown = self.shown_of(&self.ids_of(names));
        let mut unnamed = shown.clone();
        let winners: BTreeSet<_> = match self.prizes_mut() {
            Some(prizes) => names.iter().map(AsRef::as_ref).filter(|name| prizes.remove(name)).collect(),
            None => BTreeSet::new(),
        };
        let mut left = winners;
        let is_first = |name: &&N| {
            let won = left.remove(name.as_ref());
            self.members.find(name.as_ref()).is_some_and(|id| unnamed.remove(&id)) || won
        };
        let removed: Vec<_> = names.iter().filter(is_first).collect();
        let lost = self.schema.role.part().filter(|_| !shown.is_empty()).map(|_| shown.len());
        if lost.is_some() || !shown.is_empty() && (self.has_segments() || self.schema.keep > 0) {
            // When members are removed from a period, the order of this period cannot be derived from an older
            // order any more. The moments of its segments cannot be changed any more, either. A board with `KEEP` forgets
            // members of dropped periods at each change.
            self.finalize_views();
            // A member may have been only in a period that is not kept any more.
            self.tidy();
            let left = self.ids_of(names);
            shown.retain(|id| left.binary_search(id).is_ok());
        }
        if !shown.is_empty() || lost.is_some() {
            // In segments, the members go in the order of the list.
            let listed: Vec<_> = removed.iter().filter_map(|name| self.members.find(name.as_ref())).collect();
            self.drop_from_segments(&listed);
            let ids: Vec<_> = shown.into_iter().collect();
            self.drop_members(&ids, lost);
            self.settle_segments();
        }
        removed
    }

    /// Returns the numbers of the members with these names, ascending.
    pub(super) fn ids_of(&self, names: &[impl AsRef<[u8]>]) -> Vec<MemberId> {
        let mut ids: Vec<_> = names.iter().filter_map(|name| self.members.find(name.as_ref())).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Returns the given members with data that a reader can see. `ids` must be ascending.
    fn shown_of(&self, ids: &[MemberId]) -> BTreeSet<MemberId> {
        let is_kept = |id: MemberId| {
            self.meta_of(id).is_some()
                || self.is_hidden(id)
                || self.is_in_segment(id)
                || self.campaign().is_some_and(|campaign| campaign.knows(id))
        };
        let mut shown: BTreeSet<_> = ids.iter().copied().filter(|id| is_kept(*id)).collect();
        let context = self.context();
        for view in &self.views {
            view.note_shown(ids, &mut shown, &context, &|| self.note_worked());
        }
        shown
    }

    /// Sets a member's text; an empty text deletes it. The member needs no score. [`Board::advance`] must be called before on a
    /// board with `KEEP`. Returns whether anything changed.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn set_meta(&mut self, member: &[u8], text: &[u8]) -> Result<bool, Error> {
        let found = self.members.find(member);
        if found.and_then(|id| self.meta_of(id)).unwrap_or_default() == text {
            return Ok(false);
        }
        let id = match found {
            Some(id) => id,
            None if self.schema.keep == 0 => self.enter_member_between_writes(member)?,
            None => self.enter_member(member)?,
        };
        let id = if self.settle_before_change() { self.members.find(member) } else { Some(id) };
        if id.is_some() || !text.is_empty() {
            let id = id.map_or_else(|| self.enter_member(member), Ok)?;
            self.set_text_or_forget(id, text);
        }
        Ok(true)
    }

    /// On a board with `KEEP`, forgets the members of dropped periods before a change of a member. Returns whether it may have
    /// forgotten any. The member of the change may be among them.
    pub(super) fn settle_before_change(&mut self) -> bool {
        if self.schema.keep == 0 {
            return false;
        }
        self.finalize_views();
        self.tidy();
        true
    }

    /// Returns a member's number. A member that the board does not have is added.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub(super) fn find_or_enter(&mut self, member: &[u8]) -> Result<MemberId, Error> {
        self.members.find(member).map_or_else(|| self.enter_member(member), Ok)
    }

    /// Sets the text of a write's member, if the write has a text.
    pub(super) fn set_given_text(&mut self, write: &Write, targets: &[Target]) {
        let text = write.meta.filter(|text| !text.is_empty());
        if let (Some(text), Some(id)) = (text, targets.last().and_then(|target| target.id)) {
            self.set_text(id, text);
        }
    }

    /// Deletes the text of a write's member, if the text of the write is empty.
    pub(super) fn delete_given_text(&mut self, write: &Write, targets: &mut [Target]) {
        if let (Some([]), Some(target)) = (write.meta, targets.last_mut()) {
            target.id = target.id.filter(|id| !self.set_text_or_forget(*id, b""));
        }
    }

    /// Sets or deletes the text of a known member. Returns whether the member was forgotten. It is forgotten if the
    /// board has no other data of it.
    pub(super) fn set_text_or_forget(&mut self, id: MemberId, text: &[u8]) -> bool {
        let is_gone = self.set_text(id, text) && text.is_empty() && !self.knows(id);
        if is_gone {
            self.drop_member(id);
        }
        is_gone
    }

    /// Sets the text of a known member; an empty text deletes it. Returns whether anything changed.
    pub(super) fn set_text(&mut self, id: MemberId, text: &[u8]) -> bool {
        if self.meta_of(id) == Some(text) {
            return false;
        }
        if text.is_empty() {
            return self.extras.as_mut().is_some_and(|extras| extras.remove_text(id));
        }
        self.extras.get_or_insert_default().set_text(id, text);
        true
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

    use super::*;
    use crate::board::{Condition, Declaration};
    use crate::limits::Ballot;
    use crate::parts::Parts;
    use crate::schema::Schema;
    use crate::score::{Decimal, Score};
    use crate::time::TimeSource;
    use crate::view::{Kind, Spec};
    use proptest::prelude::*;

    const NOW: u64 = 1_773_835_200_000;
    const CLIENT: TimeSource = TimeSource::Client { wall: NOW, max_future: 0 };
    const DECIDED: TimeSource = TimeSource::Decided { now: Some(NOW) };

    fn part(number: u16, parts: Parts) -> Board {
        let schema = Schema { role: Role::Part { number, parts }, ..Schema::default() };
        Board::new(schema, &[Spec::new(Kind::All), Spec::new(Kind::parse(b"day:3").unwrap())]).unwrap()
    }

    fn saved(board: &Board) -> Vec<Vec<u8>> {
        let mut chunks = Vec::new();
        board.save(|chunk| chunks.push(chunk.to_vec()));
        chunks
    }

    /// Returns the outcomes of every kind of write to one member. In a write to several members, `member` is the
    /// last one.
    fn outcomes(board: &Board, own: &[u8], member: &[u8], origin: TimeSource) -> Vec<Result<(), Error>> {
        let write = Write { at: Some(NOW), ..Write::new(origin) };
        let one = Decimal::whole(1);
        let ballot = Ballot { voter: None, tags: &[] };
        let on = |write: &dyn Fn(&mut Board) -> Result<(), Error>| {
            let mut copy = board.clone();
            let outcome = write(&mut copy);
            assert!(outcome.is_ok() || saved(&copy) == saved(board));
            outcome
        };
        let units = Score::from_units(1).unwrap();
        vec![
            on(&|board| board.add(&write, one, member).map(|_| ())),
            on(&|board| board.roll_add(&write, None, one, member).map(|_| ())),
            on(&|board| board.add_many(&write, &[(one, own), (one, member)]).map(|_| ())),
            on(&|board| board.set(&write, one, member, Condition::default()).map(|_| ())),
            on(&|board| board.set_many(&write, &[(one, own), (one, member)]).map(|_| ())),
            on(&|board| board.vote(&write, &ballot, (member, 1)).map(|_| ())),
            on(&|board| board.vote_many(&write, &ballot, &[(own, 1), (member, 1)]).map(|_| ())),
            on(&|board| board.declare(member, Declaration::default(), origin).map(|_| ())),
        ]
        .into_iter()
        .chain(
            matches!(origin, TimeSource::Client { .. })
                .then(|| on(&|board| board.import(&write, &[(units, own), (units, member)]).map(|_| ()))),
        )
        .collect()
    }

    proptest! {
        #[test]
        fn clients_write_to_own_members_alone(
            name in proptest::collection::vec(any::<u8>(), 1..20),
            bits in 1..=10_u32,
            number in any::<u16>(),
        ) {
            let parts = Parts::new(1 << bits, "PARTS").unwrap();
            let number = number % parts.count();
            let own = (0..).map(|more: u32| format!("own {more}"));
            let own = own.into_iter().find(|own| parts.of(own.as_bytes()) == number && own.as_bytes() != name);
            let (own, board, right) = (own.unwrap(), part(number, parts), parts.of(&name));
            prop_assert!(right < parts.count());
            let due = if right == number { Ok(()) } else { Err(Error::WrongPart(right)) };
            for outcome in outcomes(&board, own.as_bytes(), &name, CLIENT) {
                prop_assert_eq!(outcome, due);
            }
            for outcome in outcomes(&board, own.as_bytes(), &name, DECIDED) {
                prop_assert_eq!(outcome, Ok(()));
            }
            prop_assert_eq!(board.check_own([own.as_bytes(), &name]), due);
        }
    }

    #[test]
    fn boards_that_are_no_parts_own_everybody() {
        let parts = Parts::new(2, "PARTS").unwrap();
        for role in [Role::Whole, Role::Root(parts)] {
            let board = Board::new(Schema { role, ..Schema::default() }, &[Spec::new(Kind::All)]).unwrap();
            assert_eq!(board.check_own([&b"ann"[..], b"bob", b"max"]), Ok(()));
        }
    }
}
