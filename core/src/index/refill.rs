//! Builds an index from another index whose members get new keys. The new keys keep the order of the scores.
//!
//! The leaves keep their numbers, and most of them keep their members. So a leaf is only stored for members that come to
//! another leaf: members whose scores have become equal to scores of another leaf can change places with its members.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "places are counted in the list itself; index::check proves the invariants"
)]

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;

use super::frame::Frame;
use super::new_keys::{NewKeys, Rekeyed};
use super::node::{BODY, Leaf};
use super::slab::NONE;
use super::small::SmallIndex;
use super::tree::{IndexEntry, Tree};
use super::{Index, LeafId, MemberId, MemberStore, Root};
use crate::total::Total;

/// The number of leaves whose keys are changed together.
const TOGETHER: usize = 32;
/// The least percentage of the bytes of all leaves that should be used. A new index uses 87, and random writes leave 75 and more.
const LEAST_USED: usize = 60;
/// The number of members whose leaves are stored together.
const AHEAD: usize = 64;

/// A member, and the leaf to which its entry has moved.
pub type MovedEntry = (MemberId, LeafId);

impl Index {
    /// Returns an index of the same members with new keys, and the members that are in other leaves than in this index.
    pub fn refilled<C, O>(&self, new: NewKeys<C, O>) -> (Self, Vec<MovedEntry>)
    where
        C: FnMut(&mut [IndexEntry]),
        O: Fn(&IndexEntry, &IndexEntry) -> Ordering,
    {
        match &self.root {
            Root::Small(_) => {
                let (mut small, mut rank_keys) = (SmallIndex::new(), Total::ZERO);
                let entries = new.entries_of(self);
                entries.iter().for_each(|(key, _)| rank_keys.add(key.rank_key));
                small.append_all(&entries);
                (Self { root: Root::Small(small), rank_keys, ..*self }, Vec::new())
            }
            Root::Tree(old) => {
                let mut refill = Refill::new(old, new);
                refill.run(old);
                let Refill { tree, rank_keys, moved, .. } = refill;
                let tree = if tree.last == NONE { Tree::new() } else { tree };
                (Self { root: Root::Tree(Box::new(tree)), rank_keys, ..*self }, moved)
            }
        }
    }

    /// Returns whether the entries would take much less memory if the index were built again.
    pub fn is_loose(&self) -> bool {
        let Root::Tree(tree) = &self.root else { return false };
        let used: usize = tree.leaf_ids().map(|leaf| tree.leaves[leaf].frame.used()).sum();
        used * 100 < tree.leaves.len() * BODY * LEAST_USED || tree.leaves.is_sparse()
    }
}

/// Stores the leaves of members whose entries have moved.
pub fn store_moved(moved: &[MovedEntry], members: &mut impl MemberStore) {
    for some in moved.chunks(AHEAD) {
        some.iter().for_each(|(id, _)| members.prefetch(*id));
        some.iter().for_each(|(id, leaf)| members.set_leaf(*id, *leaf));
    }
}

/// A tree that is being built. Places are counted from the first entry of the tree.
struct Refill<C, O> {
    tree: Tree,
    rank_keys: Total,
    /// Entries with new keys that are in no leaf yet.
    rekeyed: Rekeyed<C, O>,
    /// The leaves of these entries in the other tree, in order, and how many of the entries each has.
    leaves: VecDeque<(LeafId, usize)>,
    /// The place of the first entry of the first of these leaves.
    written: usize,
    /// The places of entries with equal rank keys whose order has changed.
    mixed: VecDeque<Range<usize>>,
    moved: Vec<MovedEntry>,
}

impl<C: FnMut(&mut [IndexEntry]), O: Fn(&IndexEntry, &IndexEntry) -> Ordering> Refill<C, O> {
    fn new(old: &Tree, new: NewKeys<C, O>) -> Self {
        Self {
            tree: Tree::for_leaves_of(old),
            rank_keys: Total::ZERO,
            rekeyed: Rekeyed::new(new),
            leaves: VecDeque::new(),
            written: 0,
            mixed: VecDeque::new(),
            moved: Vec::new(),
        }
    }

    fn run(&mut self, old: &Tree) {
        let mut leaves = old.leaf_ids().peekable();
        while leaves.peek().is_some() {
            self.take(old, leaves.by_ref().take(TOGETHER));
            let is_end = leaves.peek().is_none();
            // The last entries may have equals in the next leaf.
            let end = if is_end { self.rekeyed.end() } else { self.rekeyed.start_of_last_equals() };
            self.rekeyed.sort(end, |mixed| self.mixed.push_back(mixed));
            while let Some((leaf, count)) =
                self.leaves.front().copied().filter(|(_, count)| self.written + count <= end)
            {
                self.leaves.pop_front();
                self.write_leaf(leaf, count);
            }
            self.rekeyed.take_out(self.written);
        }
    }

    /// Takes the entries of some leaves of the other tree.
    fn take(&mut self, old: &Tree, leaves: impl Iterator<Item = LeafId>) {
        let known = self.leaves.len();
        let leaving = self.rekeyed.add(|all| {
            for leaf in leaves {
                let entries = old.leaves[leaf].entries();
                entries.gather(all);
                self.leaves.push_back((leaf, entries.len()));
            }
        });
        let mut from = 0;
        for (_, count) in self.leaves.range_mut(known..) {
            let to = from + *count;
            *count -= leaving.end.min(to).saturating_sub(leaving.start.max(from));
            from = to;
        }
    }

    /// Writes the next leaf, with this number of entries.
    fn write_leaf(&mut self, leaf: LeafId, count: usize) {
        if count == 0 {
            return self.tree.leaves.release(leaf);
        }
        let places = self.written..self.written + count;
        self.written = places.end;
        self.note_moved(leaf, places.clone());
        let mut entries = self.rekeyed.get(places);
        entries.iter().for_each(|(key, _)| self.rank_keys.add(key.rank_key));
        self.tree.leaves.put(leaf, Leaf::new());
        let mut number = leaf;
        loop {
            let (some, rest) = entries.split_at(Frame::fitting(entries, BODY));
            self.tree.fill_last_leaf(number, some);
            if number != leaf {
                self.moved.extend(some.iter().map(|(_, id)| (*id, number)));
            }
            if rest.is_empty() {
                return;
            }
            // Entries that come from other leaves can take more bytes than those that were here.
            (entries, number) = (rest, self.tree.leaves.insert(Leaf::new()));
        }
    }

    /// Notes the entries of a leaf that have changed places with entries of other leaves.
    fn note_moved(&mut self, leaf: LeafId, places: Range<usize>) {
        while self.mixed.front().is_some_and(|mixed| mixed.end <= places.start) {
            self.mixed.pop_front();
        }
        for mixed in self.mixed.iter().take_while(|mixed| mixed.start < places.end) {
            if mixed.start < places.start || places.end < mixed.end {
                let some = mixed.start.max(places.start)..mixed.end.min(places.end);
                self.moved.extend(self.rekeyed.get(some).iter().map(|(_, id)| (*id, leaf)));
            }
        }
    }
}
