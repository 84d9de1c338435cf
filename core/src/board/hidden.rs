//! Hidden members: they keep playing and can read their own places, but other readers do not see them. Only reads
//! treat hidden members in a special way ([`crate::view::Seen`]).

use std::collections::BTreeSet;

use super::Board;
use super::change::Target;
use crate::Error;
use crate::index::MemberId;
use crate::schema::Ranks;
use crate::view::{HiddenMembers, View};

/// The maximum number of hidden members of a board. After a hidden member has written, the next read searches for
/// each hidden member once.
pub const MAX_HIDDEN: usize = 1_000;

impl Board {
    /// Returns the hidden members, if there are any.
    pub(crate) fn hidden_members(&self) -> Option<&HiddenMembers> {
        self.extras.as_ref().map(|extras| &extras.hidden).filter(|hidden| !hidden.is_empty())
    }

    pub(crate) fn is_hidden(&self, id: MemberId) -> bool {
        self.hidden_members().is_some_and(|hidden| hidden.get(id).is_some())
    }

    /// Hides a member, in all periods that can be read. The member needs no score. Returns whether it was visible
    /// before.
    ///
    /// # Errors
    /// [`Error::TooManyHidden`], [`Error::Full`].
    pub fn hide(&mut self, member: &[u8]) -> Result<bool, Error> {
        self.hide_all(&[member]).map(|hidden| hidden > 0)
    }

    /// Hides all of these members, or none if there is an error. Returns how many of them were visible before.
    ///
    /// # Errors
    /// The errors of [`Board::hide`].
    pub fn hide_all(&mut self, members: &[&[u8]]) -> Result<usize, Error> {
        let is_new = |member: &&&[u8]| self.members.find(member).is_none_or(|id| !self.is_hidden(id));
        let mut new: Vec<&[u8]> = members.iter().filter(is_new).copied().collect();
        new.sort_unstable();
        new.dedup();
        if self.count_hidden().saturating_add(new.len()) > MAX_HIDDEN {
            return Err(Error::TooManyHidden(MAX_HIDDEN));
        }
        if !self.members.has_room_for(new.len(), new.iter().map(|member| member.len()).sum()) {
            return Err(Error::Full);
        }
        if !new.is_empty() {
            self.settle_before_hiding();
        }
        for member in &new {
            let found = self.members.find(member);
            let id = found.map_or_else(|| self.enter_member_between_writes(member), Ok)?;
            self.extras.get_or_insert_default().hidden.insert(id, ());
        }
        if !new.is_empty() {
            self.views.iter_mut().for_each(View::forget_hidden_ever);
            let listed = self.listed(members, &self.ids_of(&new));
            self.hidden_changed_in_segments(&listed);
            self.settle_segments();
        }
        Ok(new.len())
    }

    /// Shows a member again, with all its scores. If a view then has too many members, some fall out of the current
    /// period. So [`Board::advance`] must be called before. Returns whether the member was hidden.
    pub fn unhide(&mut self, member: &[u8]) -> bool {
        self.unhide_all(&[member]) > 0
    }

    /// Shows several members again. Returns how many of them were hidden.
    pub fn unhide_all(&mut self, members: &[&[u8]]) -> usize {
        let mut ids: Vec<_> = members.iter().filter_map(|member| self.members.find(member)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|id| self.is_hidden(*id));
        if ids.is_empty() {
            return 0;
        }
        self.settle_before_hiding();
        ids.retain(|id| self.is_hidden(*id));
        self.forget_hidden(&self.listed(members, &ids));
        for id in &ids {
            if !self.knows(*id) {
                self.drop_member(*id);
            }
        }
        if self.has_too_many() {
            self.finalize_views();
            self.tidy();
            self.keep_best(&mut []);
        }
        self.settle_segments();
        ids.len()
    }

    /// Fixes the winners of periods that leave `RETAIN`. Makes the last boundaries final, if the board has segments: their
    /// moments cannot be changed in two periods. A board with `KEEP` forgets members of dropped periods at each change.
    fn settle_before_hiding(&mut self) {
        self.settle_pending_prizes();
        if self.has_segments() || self.schema.keep > 0 {
            self.finalize_views();
            self.tidy();
        }
    }

    /// Returns those of the members with these numbers, which are ascending, in the order of a list of names. Segments change in
    /// this order.
    fn listed(&self, names: &[&[u8]], ids: &[MemberId]) -> Vec<MemberId> {
        let mut left: BTreeSet<_> = ids.iter().copied().collect();
        names.iter().filter_map(|name| self.members.find(name)).filter(|id| left.remove(id)).collect()
    }

    /// Returns the names of the hidden members, in order.
    #[must_use]
    pub fn hidden(&self) -> Vec<&[u8]> {
        let ids = self.hidden_members().into_iter().flat_map(HiddenMembers::keys);
        let mut names: Vec<_> = ids.map(|id| self.members.name(id)).collect();
        names.sort_unstable();
        names
    }

    /// Returns how many members are hidden.
    #[must_use]
    pub fn count_hidden(&self) -> usize {
        self.hidden_members().map_or(0, HiddenMembers::len)
    }

    /// Returns how many visible members the default view has.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.views.first().map_or(0, |view| self.seen_now(view).len())
    }

    /// Makes these members not hidden any more, when they are forgotten.
    pub(super) fn forget_hidden(&mut self, ids: &[MemberId]) {
        let Some(extras) = self.extras.as_mut().filter(|extras| !extras.hidden.is_empty()) else { return };
        let before = extras.hidden.len();
        ids.iter().for_each(|id| _ = extras.hidden.remove(*id));
        if extras.hidden.len() < before {
            self.views.iter_mut().for_each(View::forget_hidden_ever);
            self.hidden_changed_in_segments(ids);
        }
    }

    /// Returns a member's rank in the current period, among the visible members and itself.
    pub(super) fn rank_among_seen(&self, view: &View, id: MemberId) -> Option<u64> {
        let seen = self.seen_now(view);
        Some(seen.rank(&seen.find(id)?, Ranks::Ordinal))
    }

    /// Does the work that follows a write of these members: members fall out (`KEEP`), and the places of hidden
    /// entries are forgotten. Returns whether the members' places may differ from their places in the order.
    pub(super) fn settle(&mut self, targets: &mut [Target]) -> bool {
        let is_hidden = |target: &Target| target.id.is_some_and(|id| self.is_hidden(id));
        if self.hidden_members().is_some() && targets.iter().any(is_hidden) {
            self.hidden_moved();
        }
        let fell_out = self.keep_best(targets);
        fell_out || self.hidden_members().is_some()
    }

    /// Forgets the places of hidden entries, since they may have changed. The next read searches for them.
    pub(super) fn hidden_moved(&mut self) {
        if self.hidden_members().is_some() {
            self.views.iter_mut().for_each(View::forget_hidden);
        }
    }
}
