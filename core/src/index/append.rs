//! Builds an index from entries that are already in order. This is used when a board is loaded, or when an index
//! changes to a tree.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use std::cmp::Ordering;

use super::entries::ID;
use super::frame::Frame;
use super::node::{BODY, Child, Leaf};
use super::tree::Tree;
use super::{Index, Key, LeafId, MOST_SMALL, MemberId, MemberStore, Root, compare_keys, tie};
use crate::Error;

/// How many bytes of a leaf are filled. The other bytes are room for later entries.
const FILLED: usize = BODY * 7 / 8;

/// No leaf has more entries: each takes at least the bytes of its id.
const MOST_IN_LEAF: usize = BODY / ID;

/// The number of entries whose members are prefetched, about as many as a leaf has.
const AHEAD: usize = 100;

impl Index {
    /// Adds members behind all other members, after a check of their order.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the tie rule puts a member at another place, or if a small index has no room for all of them. Then
    /// nothing is added.
    pub fn append_checked(
        &mut self,
        entries: &[(Key, MemberId)],
        members: &mut impl MemberStore,
    ) -> Result<(), Error> {
        let mut before = self.last();
        for entry in entries {
            if before.replace(*entry).is_some_and(|before| !self.may_follow(before, *entry, members)) {
                return Err(Error::Corrupt("entries out of order"));
            }
        }
        match &self.root {
            Root::Small(small) if small.len() + entries.len() > MOST_SMALL => {
                return Err(Error::Corrupt("too many entries"));
            }
            _ => self.append_all(entries, members),
        }
        Ok(())
    }

    fn may_follow(
        &self,
        (last, other): (Key, MemberId),
        (key, id): (Key, MemberId),
        members: &impl MemberStore,
    ) -> bool {
        match compare_keys(self.ties, key, last).then_with(|| tie(members, self.ties, (key, id), other)) {
            Ordering::Greater => true,
            Ordering::Equal => !self.ties.are_by_name(),
            // If writes have no numbers, their entries are assumed to come in the order of their writes.
            Ordering::Less => {
                last == key && !self.ties.are_by_name() && members.sequence(id, key.moment).is_none()
            }
        }
    }

    /// Adds members behind all other members. Their entries must be in order. A small index must have room for them.
    pub fn append_all(&mut self, entries: &[(Key, MemberId)], members: &mut impl MemberStore) {
        match &mut self.root {
            Root::Small(small) => small.append_all(entries),
            Root::Tree(tree) => tree.append_all(entries, members),
        }
        entries.iter().for_each(|(key, _)| self.rank_keys.add(key.rank_key));
    }

    /// Changes an index to the form for any number of members.
    pub fn enlarge(&mut self, members: &mut impl MemberStore) {
        let entries: Vec<_> = self.iter_from(0).collect();
        let mut tree = Tree::new();
        tree.append_all(&entries, members);
        self.root = Root::Tree(Box::new(tree));
    }

    fn last(&self) -> Option<(Key, MemberId)> {
        let entries = match &self.root {
            Root::Small(small) => small.entries(),
            Root::Tree(tree) => tree.leaves[tree.last].entries(),
        };
        entries.len().checked_sub(1).map(|at| entries.entry(at))
    }
}

impl Tree {
    pub(super) fn append(&mut self, key: Key, id: MemberId, members: &mut impl MemberStore) {
        let last = self.last;
        let entries = self.leaves[last].entries();
        let len = entries.len();
        let opens = len == 0 || entries.rank_key(len - 1) != key.rank_key;
        let fits = self.leaves[last].frame.used() < FILLED;
        let mut entered = fits && self.leaves[last].entries_mut().insert(len, key, id);
        entered = entered || (fits && self.append_rewriting(key, id));
        if entered {
            members.set_leaf(id, last);
            self.adjust(last, 1, i64::from(opens));
        } else {
            let leaf = self.new_last(key, id, opens);
            members.set_leaf(id, leaf);
        }
    }

    /// Adds entries that are in order, a leaf at a time.
    fn append_all(&mut self, entries: &[(Key, MemberId)], members: &mut impl MemberStore) {
        let mut entries = self.fill_last(entries, members);
        while !entries.is_empty() {
            let (some, rest) = entries.split_at(Frame::fitting(entries, FILLED));
            // Members are in no order in memory. What the next leaf needs is loaded while this one is written.
            rest.iter().take(AHEAD).for_each(|(_, id)| members.prefetch(*id));
            self.append_leaf(some, members);
            entries = rest;
        }
    }

    /// Adds entries that are in order to the last leaf, until it is full. Returns the other entries.
    fn fill_last<'a>(
        &mut self,
        entries: &'a [(Key, MemberId)],
        members: &mut impl MemberStore,
    ) -> &'a [(Key, MemberId)] {
        let (last, mut all) = (self.last, Vec::new());
        self.leaves[last].entries().gather(&mut all);
        let count = all.len();
        all.extend(entries.iter().take(MOST_IN_LEAF));
        all.truncate(Frame::fitting(&all, FILLED).max(count));
        let (some, others) = entries.split_at(all.len() - count);
        if !some.is_empty() {
            let groups = self.groups_behind(some);
            self.leaves[last].entries_mut().rewrite(&all, BODY);
            some.iter().for_each(|(_, id)| members.set_leaf(*id, last));
            self.adjust(last, some.len() as i64, i64::from(groups));
        }
        others
    }

    /// Adds a leaf of entries that are in order and fit into one leaf.
    fn append_leaf(&mut self, entries: &[(Key, MemberId)], members: &mut impl MemberStore) {
        let leaf = self.leaves.insert(Leaf::new());
        self.fill_last_leaf(leaf, entries);
        entries.iter().for_each(|(_, id)| members.set_leaf(*id, leaf));
    }

    /// Writes entries that are in order and fit into one leaf to a new leaf, and links it behind all other leaves.
    pub(super) fn fill_last_leaf(&mut self, leaf: LeafId, entries: &[(Key, MemberId)]) {
        let (count, groups) = (entries.len() as u32, self.groups_behind(entries));
        self.leaves[leaf].entries_mut().rewrite(entries, BODY);
        self.link_last(Child { bound: entries[0].0, node: leaf, count, groups });
    }

    /// Returns how many groups these entries open behind the last entry of the tree.
    fn groups_behind(&self, entries: &[(Key, MemberId)]) -> u32 {
        let all = self.leaves.get(self.last).map(Leaf::entries);
        let mut last = all.and_then(|all| Some(all.rank_key(all.len().checked_sub(1)?)));
        let opens = entries.iter().filter(|(key, _)| last.replace(key.rank_key) != Some(key.rank_key));
        opens.count() as u32
    }

    fn append_rewriting(&mut self, key: Key, id: MemberId) -> bool {
        let last = self.last;
        let mut all = Vec::with_capacity(self.leaves[last].frame.len() + 1);
        self.leaves[last].entries().gather(&mut all);
        all.push((key, id));
        self.leaves[last].entries_mut().rewrite(&all, FILLED)
    }

    fn new_last(&mut self, key: Key, id: MemberId, opens: bool) -> u32 {
        let leaf = self.leaves.insert(Leaf::new());
        self.leaves[leaf].entries_mut().rewrite(&[(key, id)], BODY);
        self.link_last(Child { bound: key, node: leaf, count: 1, groups: u32::from(opens) });
        leaf
    }
}
