//! Keeps the tree in balance: handles leaves and inner nodes that are too full or too empty. Each step keeps one
//! invariant: the sums that a node stores for a child are the sums of the entries below that child.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use std::mem;

use arrayvec::ArrayVec;

use super::entries::ID;
use super::node::{BODY, Child, FANOUT, Inner, Leaf};
use super::slab::NONE;
use super::tree::{IndexEntry, Tree};
use super::{LeafId, MemberStore};

/// How many bytes of a leaf may be in use after it has shared its entries. The other bytes are room for the next
/// entries.
const SHARED: usize = BODY * 15 / 16;
/// A leaf that uses fewer bytes than this is merged with a neighbour if possible...
pub(super) const SPARSE: usize = BODY * 9 / 20;
/// ...namely if both leaves together need at most this number of bytes.
const MERGED: usize = BODY * 8 / 10;

/// The entries of two leaves and a new one, on the stack: a list on the heap for each tree would take more memory than the
/// leaves of a board of a thousand members. Functions with such a list are never inlined: a frame of this size costs a touch of
/// each of its pages, and most writes need none.
type Gathered = ArrayVec<IndexEntry, { 2 * (BODY / ID) + 1 }>;

impl Tree {
    /// Inserts an entry into a leaf that has no room in its present form: the leaf gets a new frame, or shares its
    /// entries with a neighbour.
    #[inline(never)]
    pub(super) fn insert_rewriting(
        &mut self,
        leaf: LeafId,
        at: usize,
        entry: IndexEntry,
        members: &mut impl MemberStore,
    ) {
        let mut all = Gathered::new();
        self.leaves[leaf].entries().gather(&mut all);
        all.insert(at, entry);
        if self.leaves[leaf].entries_mut().rewrite(&all, BODY) {
            members.set_leaf(entry.1, leaf);
        } else {
            self.share(leaf, at, &mut all, members);
        }
    }

    /// Divides the entries of an overfull leaf among itself, a neighbour, and new leaves if needed. The new entry
    /// is at the index `at` of `all`.
    #[inline(never)]
    fn share(&mut self, leaf: LeafId, at: usize, all: &mut Gathered, members: &mut impl MemberStore) {
        let mut own = leaf;
        let mut old_leaves: Vec<(LeafId, usize)> = vec![(leaf, all.len())];
        let mut new_at = at;
        let mut joined = Gathered::new();
        let mut all = all;
        match self.neighbour(leaf) {
            Some(other) if other == self.leaves[leaf].before => {
                self.leaves[other].entries().gather(&mut joined);
                new_at += joined.len();
                old_leaves.insert(0, (other, joined.len()));
                joined.extend(all.drain(..));
                all = &mut joined;
                own = other;
            }
            Some(other) => {
                self.leaves[other].entries().gather(all);
                old_leaves.push((other, self.leaves[other].entries().len()));
            }
            None => {}
        }
        let parts = parts_that_fit(all, 2);
        let mut targets: Vec<LeafId> = old_leaves.iter().map(|(leaf, _)| *leaf).collect();
        let olds = targets.len();
        targets.extend((olds..parts.len()).map(|_| self.leaves.insert(Leaf::new())));

        let opens = self.last_rank_key_before(own) != Some(all[0].0.rank_key);
        self.fill(&targets, &parts, all, opens);
        self.notify(&targets, &parts, &old_leaves, all, new_at, members);
    }

    /// Writes the parts to their leaves, and corrects links and sums. In `targets`, leaves that are already in the
    /// tree come first.
    fn fill(&mut self, targets: &[LeafId], parts: &[usize], all: &[IndexEntry], opens: bool) {
        let (mut start, mut rank_key_before) = (0, (!opens).then(|| all[0].0.rank_key));
        for (number, (target, len)) in targets.iter().zip(parts).enumerate() {
            let part = &all[start..start + len];
            start += len;
            self.leaves[*target].entries_mut().rewrite(part, BODY);
            let opens = rank_key_before != Some(part[0].0.rank_key);
            let groups = u32::from(opens) + self.leaves[*target].entries().changes_in(0..*len);
            rank_key_before = part.last().map(|entry| entry.0.rank_key);
            let child = Child { bound: part[0].0, node: *target, count: part.len() as u32, groups };
            if self.leaves[*target].parent == NONE {
                self.add_leaf(targets[number - 1], child);
            } else {
                self.replace_child(child, number > 0);
            }
        }
    }

    /// Stores the new sums of a leaf of the tree. The first of the leaves that shared keeps its bound, which is
    /// still true; the other leaves get a new bound.
    fn replace_child(&mut self, child: Child, with_bound: bool) {
        let parent = self.leaves[child.node].parent;
        let inner = &mut self.inners[parent];
        let slot = inner.slot_of(child.node);
        let old = inner.child(slot);
        let bound = if with_bound { child.bound } else { old.bound };
        inner.set(slot, Child { bound, ..child });
        let above = inner.parent;
        let (count, groups) =
            (i64::from(child.count) - i64::from(old.count), i64::from(child.groups) - i64::from(old.groups));
        self.adjust_above(parent, above, count, groups);
    }

    /// Links a new leaf behind all other leaves.
    pub(super) fn link_last(&mut self, child: Child) {
        if self.last != NONE {
            return self.add_leaf(self.last, child);
        }
        (self.first, self.last) = (child.node, child.node);
        self.leaves[child.node].parent = self.root;
        self.inners[self.root].insert(0, child);
        self.sum = self.inners[self.root].sum();
    }

    /// Links a new leaf behind another leaf.
    pub(super) fn add_leaf(&mut self, before: LeafId, child: Child) {
        let after = mem::replace(&mut self.leaves[before].after, child.node);
        let leaf = &mut self.leaves[child.node];
        (leaf.before, leaf.after) = (before, after);
        if after == NONE {
            self.last = child.node;
        } else {
            self.leaves[after].before = child.node;
        }
        self.add_child(before, child, 0);
    }

    fn parent_of(&self, node: u32, level: u32) -> u32 {
        if level == 0 { self.leaves[node].parent } else { self.inners[node].parent }
    }

    fn set_parent(&mut self, node: u32, level: u32, parent: u32) {
        if level == 0 {
            self.leaves[node].parent = parent;
        } else {
            self.inners[node].parent = parent;
        }
    }

    /// Inserts a node of a level into its parent, behind the node `before`, and adds its sums to all nodes above.
    /// If the parent is full, it is split first.
    fn add_child(&mut self, before: u32, child: Child, level: u32) {
        let mut parent = self.parent_of(before, level);
        if self.inners[parent].is_full() {
            self.split(parent, level + 1);
            parent = self.parent_of(before, level);
        }
        let inner = &mut self.inners[parent];
        let slot = inner.slot_of(before) + 1;
        inner.insert(slot, child);
        let above = inner.parent;
        self.set_parent(child.node, level, parent);
        self.adjust_above(parent, above, i64::from(child.count), i64::from(child.groups));
    }

    /// Moves the second half of an inner node to a new node behind it.
    fn split(&mut self, node: u32, level: u32) {
        if node == self.root {
            let root = self.inners.insert(Inner::new());
            let sum = self.inners[node].sum();
            let child = Child {
                node,
                count: sum.count as u32,
                groups: sum.groups as u32,
                ..self.inners[node].child(0)
            };
            self.inners[root].insert(0, child);
            self.inners[node].parent = root;
            self.root = root;
            self.height += 1;
        }
        // When a board is loaded in order, the tree grows at its end. There, only a few children are moved, so that
        // nodes stay nearly full.
        let keep = if self.is_last(node) { FANOUT - 8 } else { FANOUT / 2 };
        let mut right = Inner::new();
        let left = &mut self.inners[node];
        for slot in keep..left.len() {
            right.insert(slot - keep, left.child(slot));
        }
        left.truncate(keep);
        let (above, sum, bound) = (left.parent, right.sum(), right.child(0).bound);
        let moved = right.nodes().to_vec();
        let right = self.inners.insert(right);
        for child in moved {
            self.set_parent(child, level - 1, right);
        }
        // Subtract the sums of the moved children, since adding the new node adds them again.
        self.adjust_above(node, above, -(sum.count as i64), -(sum.groups as i64));
        let child = Child { bound, node: right, count: sum.count as u32, groups: sum.groups as u32 };
        self.add_child(node, child, level);
    }

    fn is_last(&self, node: u32) -> bool {
        let (mut at, mut level) = (self.root, self.height);
        while level > 0 && at != node {
            let inner = &self.inners[at];
            at = inner.node(inner.len() - 1);
            level -= 1;
        }
        at == node && level > 0
    }

    /// Stores the new leaf of each member that has moved to another leaf, and of the new member.
    fn notify(
        &self,
        targets: &[LeafId],
        parts: &[usize],
        old_leaves: &[(LeafId, usize)],
        all: &[IndexEntry],
        new_at: usize,
        members: &mut impl MemberStore,
    ) {
        let mut olds = old_leaves.iter().flat_map(|(leaf, len)| std::iter::repeat_n(*leaf, *len));
        let news = targets.iter().zip(parts).flat_map(|(leaf, len)| std::iter::repeat_n(*leaf, *len));
        for (at, (entry, leaf)) in all.iter().zip(news).enumerate() {
            if olds.next() != Some(leaf) || at == new_at {
                members.set_leaf(entry.1, leaf);
            }
        }
    }

    /// Returns the leaf with fewer bytes in use, of the two leaves beside a leaf under the same parent.
    fn neighbour(&self, leaf: LeafId) -> Option<LeafId> {
        let inner = &self.inners[self.leaves[leaf].parent];
        let slot = inner.slot_of(leaf);
        let left = (slot > 0).then(|| inner.node(slot - 1));
        let right = (slot + 1 < inner.len()).then(|| inner.node(slot + 1));
        left.into_iter().chain(right).min_by_key(|leaf| self.leaves[*leaf].frame.used())
    }

    /// Joins a sparse leaf with a neighbour if both fit into one leaf. Drops an empty leaf.
    pub(super) fn merge(&mut self, leaf: LeafId, members: &mut impl MemberStore) {
        if self.leaves[leaf].frame.len() == 0 {
            if self.first != self.last {
                self.drop_leaf(leaf);
            }
            return;
        }
        let Some(other) = self.neighbour(leaf) else {
            return;
        };
        if self.leaves[leaf].frame.used() + self.leaves[other].frame.used() > MERGED {
            return;
        }
        let is_right = self.leaves[leaf].before == other;
        let (left, right) = if is_right { (other, leaf) } else { (leaf, other) };
        self.join(left, right, members);
    }

    /// Moves all entries of a leaf to the leaf before it, if they fit there.
    #[inline(never)]
    fn join(&mut self, left: LeafId, right: LeafId, members: &mut impl MemberStore) {
        let mut all = Gathered::new();
        self.leaves[left].entries().gather(&mut all);
        let kept = all.len();
        self.leaves[right].entries().gather(&mut all);
        if self.leaves[left].entries_mut().rewrite(&all, MERGED) {
            for (_, id) in &all[kept..] {
                members.set_leaf(*id, left);
            }
            let inner = &self.inners[self.leaves[right].parent];
            let moved = inner.child(inner.slot_of(right));
            let (count, groups) = (i64::from(moved.count), i64::from(moved.groups));
            self.adjust(right, -count, -groups);
            self.adjust(left, count, groups);
            self.drop_leaf(right);
        }
    }

    /// Removes a leaf that has no entries and whose sums are 0.
    fn drop_leaf(&mut self, leaf: LeafId) {
        let Leaf { parent, before, after, .. } = self.leaves[leaf];
        match before {
            NONE => self.first = after,
            _ => self.leaves[before].after = after,
        }
        match after {
            NONE => self.last = before,
            _ => self.leaves[after].before = before,
        }
        self.leaves.remove(leaf);
        self.drop_child(parent, leaf, 1);
    }

    /// Removes a child whose sums are 0 from the inner node `node` of a level. A node that then has no children is
    /// removed too.
    fn drop_child(&mut self, node: u32, child: u32, level: u32) {
        let inner = &mut self.inners[node];
        inner.remove(inner.slot_of(child));
        let (len, parent) = (inner.len(), inner.parent);
        if len == 0 {
            self.inners.remove(node);
            self.drop_child(parent, node, level + 1);
        } else if len < FANOUT / 4 && parent != NONE {
            self.merge_inner(node, level);
        }
        while self.height > 1 && self.inners[self.root].len() == 1 {
            let child = self.inners[self.root].node(0);
            self.inners.remove(self.root);
            self.inners[child].parent = NONE;
            self.root = child;
            self.height -= 1;
        }
    }

    /// Joins an inner node of a level with a neighbour if the joined node has few children.
    fn merge_inner(&mut self, node: u32, level: u32) {
        let parent = self.inners[node].parent;
        let inner = &self.inners[parent];
        let slot = inner.slot_of(node);
        let left_slot = slot.saturating_sub(1);
        if left_slot + 1 >= inner.len() {
            return;
        }
        let (left, right) = (inner.child(left_slot), inner.child(left_slot + 1));
        if self.inners[left.node].len() + self.inners[right.node].len() > FANOUT * 3 / 4 {
            return;
        }
        let moved: Vec<Child> =
            (0..self.inners[right.node].len()).map(|slot| self.inners[right.node].child(slot)).collect();
        for (number, mut child) in moved.into_iter().enumerate() {
            if number == 0 {
                // The bound of a first child may be outdated, so the bound of its node is used.
                child.bound = right.bound;
            }
            let target = &mut self.inners[left.node];
            target.insert(target.len(), child);
            self.set_parent(child.node, level - 1, left.node);
        }
        let inner = &mut self.inners[parent];
        inner.set_sums(left_slot, left.count + right.count, left.groups + right.groups);
        inner.set_sums(left_slot + 1, 0, 0);
        self.inners.remove(right.node);
        self.drop_child(parent, right.node, level + 1);
    }
}

/// Divides entries into at least `least` sequences of nearly equal length. Each sequence fits into a leaf and
/// leaves some room there. Returns the length of each sequence.
fn parts_that_fit(all: &[IndexEntry], least: usize) -> Vec<usize> {
    let mut parts = least;
    loop {
        let lens: Vec<usize> =
            (0..parts).map(|part| all.len() * (part + 1) / parts - all.len() * part / parts).collect();
        let mut start = 0;
        let fits = lens.iter().all(|len| {
            let part = &all[start..start + len];
            start += len;
            super::entries::body_for(part) <= SHARED
        });
        if fits {
            return lens;
        }
        parts += 1;
    }
}
