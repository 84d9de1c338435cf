//! The tree of leaves and inner nodes: its shape, its sums, and the path down to a leaf.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use std::cmp::Ordering;

use super::node::{Child, Inner, Leaf, Sum};
use super::slab::{NONE, Slab};
use super::{Key, LeafId, MemberId, MemberLookup, compare_keys, known_tie, tie};
use crate::mover::{Mover, Relocation};
use crate::prefetch::prefetch;
use crate::schema::Ties;
use crate::size_class::bytes_of;

/// With fewer leaves than this, all leaves are in the processor's cache, so prefetching them has no benefit.
const NEAR: usize = 2_000;

pub(super) type IndexEntry = (Key, MemberId);

/// The path from the root to a leaf: inner nodes, and the slots of the path in these nodes. Ten levels are enough
/// for the maximum number of members.
#[derive(Debug, Default)]
pub(super) struct Path {
    steps: [(u32, usize); 10],
    len: usize,
}

impl Path {
    fn push(&mut self, node: u32, slot: usize) {
        self.steps[self.len] = (node, slot);
        self.len += 1;
    }
}

/// A B+ tree with sums. It always has a root and at least one leaf.
#[derive(Debug, Clone)]
pub struct Tree {
    pub(super) leaves: Slab<Leaf>,
    pub(super) inners: Slab<Inner>,
    pub(super) root: u32,
    /// The number of levels of inner nodes, at least 1.
    pub(super) height: u32,
    pub(super) first: LeafId,
    pub(super) last: LeafId,
    pub(super) sum: Sum,
    /// Whether the last new entry was inserted behind all other entries. During an import, all entries are.
    pub(super) ascends: bool,
}

impl Tree {
    pub fn new() -> Self {
        let mut tree = Self::without_leaves(Slab::new());
        let leaf = tree.leaves.insert(Leaf::new());
        let bound = Key { rank_key: 0, moment: 0 };
        tree.link_last(Child { bound, node: leaf, count: 0, groups: 0 });
        tree
    }

    /// Returns a tree without leaves that reserves the numbers of the leaves of another tree. It must get a leaf before it
    /// is used.
    pub(super) fn for_leaves_of(other: &Self) -> Self {
        Self::without_leaves(Slab::reserving(&other.leaves))
    }

    fn without_leaves(leaves: Slab<Leaf>) -> Self {
        let mut inners = Slab::new();
        let root = inners.insert(Inner::new());
        let (first, last) = (NONE, NONE);
        Self { leaves, inners, root, height: 1, first, last, sum: Sum::default(), ascends: false }
    }

    pub const fn len(&self) -> u64 {
        self.sum.count
    }

    pub fn nodes(&self) -> usize {
        self.leaves.len() + self.inners.len()
    }

    pub fn memory(&self) -> usize {
        bytes_of::<Self>(1) + self.leaves.memory() + self.inners.memory()
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.inners.relocate(walk);
        self.leaves.relocate(walk);
    }

    /// Frees one node. If it is a leaf, appends its members to `into`. Returns false when no node is left.
    pub fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        match self.leaves.pop() {
            Some(leaf) => {
                into.extend(leaf.entries().ids());
                true
            }
            None => self.inners.pop().is_some(),
        }
    }

    /// Returns whether there are so many leaves that they are not all in the cache.
    pub fn is_far(&self) -> bool {
        self.leaves.len() >= NEAR
    }

    /// Prefetches the memory of a leaf.
    pub fn prefetch(&self, leaf: LeafId) {
        self.leaves.get(leaf).into_iter().for_each(prefetch);
    }

    /// Prefetches the memory of the leaf to which an entry will move.
    pub fn prefetch_target(&self, key: Key, id: MemberId, ties: Ties, members: &impl MemberLookup) {
        if self.ascends {
            return;
        }
        let (leaf, _) = self.descend(key, id, ties, members, &mut Path::default());
        prefetch(&self.leaves[leaf]);
    }

    /// Returns the leaf to which an entry belongs, and how many entries are before that leaf.
    pub(super) fn descend(
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
                if let Some(order) = known_tie(members, ties, (key, id)) {
                    return order.is_gt();
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

    /// Adds one entry, and the change in groups, to the sums along a path.
    pub(super) fn adjust_along(&mut self, path: &Path, groups: i64) {
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

    pub(super) fn last_rank_key_before(&self, leaf: LeafId) -> Option<u64> {
        let before = self.leaves[leaf].before;
        (before != NONE).then(|| {
            let entries = self.leaves[before].entries();
            entries.rank_key(entries.len() - 1)
        })
    }

    pub(super) fn first_rank_key_after(&self, leaf: LeafId) -> Option<u64> {
        let after = self.leaves[leaf].after;
        (after != NONE).then(|| self.leaves[after].entries().rank_key(0))
    }

    /// Adds `count` and `groups` to the sums of all nodes above a leaf. Both may be negative.
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
}
