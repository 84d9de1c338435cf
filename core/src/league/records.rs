//! The data that a league stores for each member, in one cache line with the member's name: the season in which it
//! was last active, its group there, the leaf of its entry, and its meta.

use crate::Error;
use crate::index::MemberId;
use crate::members::{Column, IndexMembers, Members};
use crate::mover::{Mover, Relocation};

/// The number of a season within a running server.
pub type SeasonNumber = u32;
/// The index of a group in the list of its season's groups.
pub type GroupId = u32;

/// This number means that the member was active in no season.
const NEVER: SeasonNumber = SeasonNumber::MAX;
/// This number means that the season in which the member was last active is dropped. The member's outcome is kept.
const SETTLED: SeasonNumber = SeasonNumber::MAX - 1;
/// This number means that no tier was set for the member: its next tier is computed from its last outcome.
const NO_TIER: u8 = u8::MAX;

/// The season in which a member was last active.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Active {
    Never,
    /// In a season that was dropped.
    Settled,
    In(SeasonNumber),
}

/// The members of a league.
#[derive(Debug, Clone)]
pub struct Records {
    members: Members,
    /// The leaf of the member's entry, for groups that are trees.
    leaf: Column,
    season: Column,
    group: Column,
    /// The tier that was set for the member's next join.
    tier: Column,
    meta: Column,
    /// The number of members that are known, see [`Records::is_known`].
    known: u64,
}

impl Records {
    pub fn new() -> Self {
        let mut members = Members::large();
        let leaf = members.add_leaf_column();
        let [season, group] = [4, 4].map(|size| members.add_column(size));
        let tier = members.add_column(1);
        let meta = members.add_text_column();
        Self { members, leaf, season, group, tier, meta, known: 0 }
    }

    /// Returns how many members are known: see [`Records::is_known`].
    pub const fn known(&self) -> u64 {
        self.known
    }

    /// Changes the data of a member, and updates the number of known members.
    fn change<A>(&mut self, id: MemberId, change: impl FnOnce(&mut Self) -> A) -> A {
        let before = self.is_known(id);
        let answer = change(self);
        self.known = self.known.wrapping_add(u64::from(self.is_known(id))).wrapping_sub(u64::from(before));
        answer
    }

    pub fn find(&self, name: &[u8]) -> Option<MemberId> {
        self.members.find(name)
    }

    /// Adds a new member.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn insert(&mut self, name: &[u8]) -> Result<MemberId, Error> {
        self.members.insert(name)
    }

    pub fn name(&self, id: MemberId) -> &[u8] {
        self.members.name(id)
    }

    /// Returns all members, in no particular order.
    pub fn ids(&self) -> impl Iterator<Item = MemberId> {
        self.members.ids()
    }

    /// Forgets a member with its meta.
    pub fn remove(&mut self, id: MemberId) {
        self.known = self.known.saturating_sub(u64::from(self.is_known(id)));
        self.members.remove_text(id, self.meta);
        self.members.remove(id);
    }

    /// Returns the members in the form that the index of a group reads.
    pub fn indexed(&self) -> IndexMembers<'_, &Members> {
        self.members.index_members(self.leaf, None)
    }

    /// Returns the members in the form that the index of a group reads and changes.
    pub fn indexed_mut(&mut self) -> IndexMembers<'_, &mut Members> {
        self.members.index_members_mut(self.leaf, None)
    }

    pub fn active(&self, id: MemberId) -> Active {
        match self.members.get(id, self.season).map(|number| number as SeasonNumber) {
            None | Some(NEVER) => Active::Never,
            Some(SETTLED) => Active::Settled,
            Some(number) => Active::In(number),
        }
    }

    pub fn set_active(&mut self, id: MemberId, active: Active) {
        let number = match active {
            Active::Never => NEVER,
            Active::Settled => SETTLED,
            Active::In(number) => number,
        };
        self.change(id, |records| records.members.set(id, records.season, u64::from(number)));
    }

    /// Returns the member's group in the season in which it was last active.
    pub fn group(&self, id: MemberId) -> GroupId {
        self.members.get(id, self.group).map_or(GroupId::MAX, |group| group as GroupId)
    }

    pub fn set_group(&mut self, id: MemberId, group: GroupId) {
        self.members.set(id, self.group, u64::from(group));
    }

    /// Returns the tier that was set for the member's next join.
    pub fn tier(&self, id: MemberId) -> Option<u8> {
        self.members.get(id, self.tier).map(|tier| tier as u8).filter(|tier| *tier != NO_TIER)
    }

    pub fn set_tier(&mut self, id: MemberId, tier: Option<u8>) {
        let tier = u64::from(tier.unwrap_or(NO_TIER));
        self.change(id, |records| records.members.set(id, records.tier, tier));
    }

    pub fn meta(&self, id: MemberId) -> Option<&[u8]> {
        self.members.text(id, self.meta)
    }

    /// Returns whether any data of a member is stored in addition to its places in ended seasons.
    pub fn is_known(&self, id: MemberId) -> bool {
        self.active(id) != Active::Never || self.tier(id).is_some() || self.meta(id).is_some()
    }

    /// Sets a member's meta; an empty text deletes it.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn set_meta(&mut self, id: MemberId, meta: &[u8]) -> Result<(), Error> {
        if meta.is_empty() {
            self.remove_meta(id);
            return Ok(());
        }
        self.change(id, |records| records.members.set_text(id, records.meta, meta))
    }

    pub fn remove_meta(&mut self, id: MemberId) {
        self.change(id, |records| records.members.remove_text(id, records.meta));
    }

    /// Prefetches the memory of these members' names, and of their metas.
    pub fn prefetch(&self, ids: impl Iterator<Item = MemberId> + Clone) {
        ids.clone().for_each(|id| self.members.prefetch(id));
        ids.for_each(|id| self.members.prefetch_text(id, self.meta));
    }

    pub fn memory(&self) -> usize {
        self.members.memory()
    }

    pub fn effort(&self) -> usize {
        self.members.effort()
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.members.relocate(walk);
    }
}
