//! The tree of leaves and inner nodes: entering, moving and leaving. How it is kept in balance is in
//! [`super::balance`].
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use std::cmp::Ordering;

use super::node::{Child, Inner, Leaf, Sum};
use super::query::Place;
use super::slab::{NONE, Slab};
use super::{Key, LeafId, MemberId, MemberLookup, MemberStore, compare_keys, tie};
use crate::mover::{Mover, Relocation};
use crate::prefetch::prefetch;
use crate::schema::Ties;
use crate::size_class::bytes_of;

/// So many leaves are in the processor's cache anyway.
const NEAR: usize = 2_000;

pub(super) type IndexEntry = (Key, MemberId);

/// The way from the root to a leaf: inner nodes and the slots taken. Ten levels hold more entries
/// than there are numbers for.
#[derive(Debug, Default)]
struct Path {
    steps: [(u32, usize); 10],
    len: usize,
}

impl Path {
    fn push(&mut self, node: u32, slot: usize) {
        self.steps[self.len] = (node, slot);
        self.len += 1;
    }
}

/// A B+ tree with sums. There is always a root and at least one leaf.
#[derive(Debug, Clone)]
pub struct Tree {
    pub(super) leaves: Slab<Leaf>,
    pub(super) inners: Slab<Inner>,
    pub(super) root: u32,
    /// Levels of inner nodes, at least 1.
    pub(super) height: u32,
    pub(super) first: LeafId,
    pub(super) last: LeafId,
    pub(super) sum: Sum,
    pub(super) scratch: Vec<IndexEntry>,
}

impl Tree {
    pub fn new() -> Self {
        let mut tree = Self {
            leaves: Slab::new(),
            inners: Slab::new(),
            root: NONE,
            height: 1,
            first: NONE,
            last: NONE,
            sum: Sum::default(),
            scratch: Vec::new(),
        };
        let leaf = tree.leaves.insert(Leaf::new());
        tree.root = tree.inners.insert(Inner::new());
        let bound = Key { rank_key: 0, moment: 0 };
        tree.inners[tree.root].insert(0, Child { bound, node: leaf, count: 0, groups: 0 });
        tree.leaves[leaf].parent = tree.root;
        (tree.first, tree.last) = (leaf, leaf);
        tree
    }

    pub const fn len(&self) -> u64 {
        self.sum.count
    }

    pub fn nodes(&self) -> usize {
        self.leaves.len() + self.inners.len()
    }

    pub fn memory(&self) -> usize {
        bytes_of::<Self>(1)
            + self.leaves.memory()
            + self.inners.memory()
            + bytes_of::<IndexEntry>(self.scratch.capacity())
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.inners.relocate(walk);
        self.leaves.relocate(walk);
    }

    /// Takes a leaf off the slab, its members to a list; false when none was left.
    pub fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        match self.leaves.pop() {
            Some(leaf) => {
                let entries = leaf.entries();
                into.extend((0..entries.len()).map(|at| entries.id(at)));
                true
            }
            None => self.inners.pop().is_some(),
        }
    }

    pub fn insert(&mut self, key: Key, id: MemberId, ties: Ties, members: &mut impl MemberStore) -> u64 {
        let mut path = Path::default();
        let (leaf, before) = self.descend(key, id, ties, members, &mut path);
        prefetch(&self.leaves[leaf]);
        let entries = self.leaves[leaf].entries();
        let at = entries.place(key, ties, |other| tie(members, ties, (key, id), other));
        let (here, there) = self.groups_of_insert(leaf, at, key.rank_key);
        self.adjust_along(&path, here);
        if there {
            self.adjust(self.leaves[leaf].after, 0, -1);
        }
        if self.leaves[leaf].entries_mut().insert(at, key, id) {
            members.set_leaf(id, leaf);
        } else {
            self.insert_rewriting(leaf, at, (key, id), members);
        }
        before + at as u64
    }

    /// Asks for the memory of a leaf, if it may be far away.
    pub fn prefetch(&self, leaf: LeafId) {
        if self.leaves.len() >= NEAR
            && let Some(leaf) = self.leaves.get(leaf)
        {
            prefetch(leaf);
        }
    }

    /// Whether an entry that gets another key stays within its leaf, between the first and the last.
    pub fn stays(&self, place: Place, key: Key) -> bool {
        let leaf = &self.leaves[place.leaf];
        let entries = leaf.entries();
        let last = entries.len() - 1;
        place.at > 0
            && place.at < last
            && key.rank_key > entries.rank_key(0)
            && key.rank_key < entries.rank_key(last)
            && leaf.frame.holds(key)
    }

    /// Asks for the memory of the leaf that an entry is about to come to, if it may be far away.
    pub fn prefetch_target(&self, key: Key, id: MemberId, ties: Ties, members: &impl MemberLookup) {
        if self.leaves.len() < NEAR {
            return;
        }
        let (leaf, _) = self.descend(key, id, ties, members, &mut Path::default());
        prefetch(&self.leaves[leaf]);
    }

    /// The leaf that an entry belongs to, and how many entries are before that leaf.
    fn descend(
        &self,
        key: Key,
        id: MemberId,
        ties: Ties,
        members: &impl MemberLookup,
        path: &mut Path,
    ) -> (LeafId, u64) {
        let (mut node, mut before) = (self.root, 0);
        for level in (1..=self.height).rev() {
            let inner = &self.inners[node];
            let slot = inner.route(key, ties, |child| {
                if ties != Ties::Lex && members.sequence(id, key.moment).is_none() {
                    // Newer than all equals: behind them, or before them.
                    return ties == Ties::First;
                }
                let (first, other) = self.first_below(child, level - 1);
                let order = compare_keys(ties, key, first).then_with(|| tie(members, ties, (key, id), other));
                order == Ordering::Greater
            });
            before += inner.count_before(slot);
            path.push(node, slot);
            node = inner.node(slot);
        }
        (node, before)
    }

    /// Counts one more entry on a path, and perhaps a group.
    fn adjust_along(&mut self, path: &Path, groups: i64) {
        self.sum.count += 1;
        self.sum.groups = self.sum.groups.wrapping_add_signed(groups);
        for (node, slot) in &path.steps[..path.len] {
            self.inners[*node].adjust(*slot, 1, groups);
        }
    }

    fn first_below(&self, mut node: u32, levels: u32) -> IndexEntry {
        for _ in 0..levels {
            node = self.inners[node].node(0);
        }
        self.leaves[node].entries().entry(0)
    }

    /// How the number of distinct scores changes by an entry that comes to a place of a leaf: for
    /// this leaf, and whether the first entry of the next leaf no longer opens a group.
    fn groups_of_insert(&self, leaf: LeafId, at: usize, rank_key: u64) -> (i64, bool) {
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

    pub(super) fn last_rank_key_before(&self, leaf: LeafId) -> Option<u64> {
        let before = self.leaves[leaf].before;
        (before != NONE).then(|| {
            let entries = self.leaves[before].entries();
            entries.rank_key(entries.len() - 1)
        })
    }

    fn first_rank_key_after(&self, leaf: LeafId) -> Option<u64> {
        let after = self.leaves[leaf].after;
        (after != NONE).then(|| self.leaves[after].entries().rank_key(0))
    }

    /// Adds to the sums of everything above a leaf.
    pub(super) fn adjust(&mut self, leaf: LeafId, count: i64, groups: i64) {
        let (child, parent) = (leaf, self.leaves[leaf].parent);
        self.adjust_above(child, parent, count, groups);
    }

    pub(super) fn adjust_above(&mut self, mut child: u32, mut parent: u32, count: i64, groups: i64) {
        self.sum.count = self.sum.count.wrapping_add_signed(count);
        self.sum.groups = self.sum.groups.wrapping_add_signed(groups);
        while parent != NONE {
            let inner = &mut self.inners[parent];
            inner.adjust(inner.slot_of(child), count, groups);
            (child, parent) = (parent, inner.parent);
        }
    }

    /// Takes the entry at a place of a leaf out.
    pub fn remove(&mut self, leaf: LeafId, at: usize, members: &mut impl MemberStore) {
        let entries = self.leaves[leaf].entries();
        let rank_key = entries.rank_key(at);
        let before = if at > 0 { Some(entries.rank_key(at - 1)) } else { self.last_rank_key_before(leaf) };
        let (mut here, mut there) = (0, false);
        if before != Some(rank_key) {
            here = -1;
            if at + 1 < entries.len() {
                here += i64::from(entries.rank_key(at + 1) == rank_key);
            } else {
                there = self.first_rank_key_after(leaf) == Some(rank_key);
            }
        }
        self.adjust(leaf, -1, here);
        if there {
            self.adjust(self.leaves[leaf].after, 0, 1);
        }
        self.leaves[leaf].entries_mut().remove(at);
        if self.leaves[leaf].frame.used() < super::balance::SPARSE {
            self.merge(leaf, members);
        }
    }

    /// Gives an entry another key where it stays within its leaf, between the first and the last
    /// entry; how many entries are before it then.
    pub fn update_within(
        &mut self,
        place: Place,
        key: Key,
        id: MemberId,
        ties: Ties,
        members: &impl MemberLookup,
    ) -> Option<u64> {
        if !self.stays(place, key) {
            return None;
        }
        let leaf = &mut self.leaves[place.leaf];
        let entries = leaf.entries();
        let gone = entries.group_opened_at(place.at, place.key.rank_key, place.at + 1);
        leaf.entries_mut().remove(place.at);
        let entries = leaf.entries();
        let at = entries.place(key, ties, |other| tie(members, ties, (key, id), other));
        let come = entries.group_opened_at(at, key.rank_key, at);
        leaf.entries_mut().insert(at, key, id);
        if come != gone {
            self.adjust(place.leaf, 0, i64::from(come) - i64::from(gone));
        }
        Some(self.rank(place.leaf, at))
    }
}
