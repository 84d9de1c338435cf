//! Inserts, changes and removes single entries. Leaves that become too full or too empty are handled in
//! [`super::balance`].
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use super::balance::SPARSE;
use super::tree::{IndexEntry, Path, Tree};
use super::{EntryPlace, Key, Landed, LeafId, MemberId, MemberLookup, MemberStore, compare_keys, tie};
use crate::prefetch::prefetch;
use crate::schema::Ties;

impl Tree {
    /// Inserts an entry. Returns how many entries are before it.
    pub fn insert(&mut self, key: Key, id: MemberId, ties: Ties, members: &mut impl MemberStore) -> u64 {
        let count = self.sum.count;
        if self.ascends && self.is_behind_all((key, id), ties, members) {
            self.append(key, id, members);
            return count;
        }
        let mut path = Path::default();
        let (leaf, before) = self.descend(key, id, ties, members, &mut path);
        prefetch(&self.leaves[leaf]);
        let entries = self.leaves[leaf].entries();
        let at = entries.place(key, ties, |other| tie(members, ties, (key, id), other));
        let (here, there) = self.groups_added(leaf, at, key.rank_key);
        self.adjust_along(&path, here);
        if there {
            self.adjust(self.leaves[leaf].after, 0, -1);
        }
        if self.leaves[leaf].entries_mut().insert(at, key, id) {
            members.set_leaf(id, leaf);
        } else {
            self.insert_rewriting(leaf, at, (key, id), members);
        }
        let before = before + at as u64;
        self.ascends = before == count;
        before
    }

    fn is_behind_all(&self, (key, id): IndexEntry, ties: Ties, members: &impl MemberLookup) -> bool {
        let entries = self.leaves[self.last].entries();
        let last = entries.len().checked_sub(1).map(|at| entries.entry(at));
        last.is_none_or(|(last, other)| {
            compare_keys(ties, key, last).then_with(|| tie(members, ties, (key, id), other)).is_gt()
        })
    }

    /// Returns whether an entry still is between the first and the last entry of its leaf after it gets another
    /// key.
    pub fn stays(&self, place: EntryPlace, key: Key) -> bool {
        let leaf = &self.leaves[place.leaf];
        let entries = leaf.entries();
        let last = entries.len() - 1;
        place.at > 0
            && place.at < last
            && key.rank_key > entries.rank_key(0)
            && key.rank_key < entries.rank_key(last)
            && leaf.frame.holds(key)
    }

    /// Returns how many more groups a leaf has when an entry is added between `at - 1` and `at`. The second value
    /// is true if the next leaf then has one group less, because its first entry no longer opens a group.
    fn groups_added(&self, leaf: LeafId, at: usize, rank_key: u64) -> (i64, bool) {
        let entries = self.leaves[leaf].entries();
        let before = if at > 0 { Some(entries.rank_key(at - 1)) } else { self.last_rank_key_before(leaf) };
        if before == Some(rank_key) {
            return (0, false);
        }
        if at < entries.len() {
            return (i64::from(entries.rank_key(at) != rank_key), false);
        }
        (1, self.first_rank_key_after(leaf) == Some(rank_key))
    }

    /// Removes the entry at a place of a leaf.
    pub fn remove(&mut self, leaf: LeafId, at: usize, members: &mut impl MemberStore) {
        let rank_key = self.leaves[leaf].entries().rank_key(at);
        self.leaves[leaf].entries_mut().remove(at);
        let (here, there) = self.groups_added(leaf, at, rank_key);
        self.adjust(leaf, -1, -here);
        if there {
            self.adjust(self.leaves[leaf].after, 0, 1);
        }
        if self.leaves[leaf].frame.used() < SPARSE {
            self.merge(leaf, members);
        }
    }

    /// Changes the key of an entry, if the entry [`stays`](Self::stays) in its leaf.
    pub fn update_within(
        &mut self,
        place: EntryPlace,
        key: Key,
        id: MemberId,
        ties: Ties,
        members: &impl MemberLookup,
    ) -> Option<Landed> {
        if !self.stays(place, key) {
            return None;
        }
        let leaf = &mut self.leaves[place.leaf];
        let entries = leaf.entries();
        let closed = entries.group_opened_at(place.at, place.key.rank_key, place.at + 1);
        leaf.entries_mut().remove(place.at);
        let entries = leaf.entries();
        let at = entries.place(key, ties, |other| tie(members, ties, (key, id), other));
        let opened = entries.group_opened_at(at, key.rank_key, at);
        leaf.entries_mut().insert(at, key, id);
        if opened != closed {
            self.adjust(place.leaf, 0, i64::from(opened) - i64::from(closed));
        }
        Some(Landed::At(place.leaf, at))
    }
}
