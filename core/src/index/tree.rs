//! The tree of leaves and inner nodes: entering, leaving and keeping in balance.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use std::mem;

use super::node::{BODY, Child, FANOUT, Inner, Leaf, Sum};
use super::query::Place;
use super::slab::{NONE, Slab};
use super::{Home, Key, LeafId, MemberId};
use crate::members::Mover;
use crate::prefetch::prefetch;
use crate::schema::Ties;

/// How full leaves may be after they shared, in bytes: the rest is room for the next entries.
const SHARED: usize = BODY * 15 / 16;
/// A leaf with fewer bytes in use looks for a neighbour to merge with...
const SPARSE: usize = BODY * 9 / 20;
/// ...if both together need no more than this.
const MERGED: usize = BODY * 8 / 10;

/// So many leaves are in the processor's cache anyway.
const NEAR: usize = 2_000;

type Entry = (Key, MemberId);

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
    scratch: Vec<Entry>,
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
        let bound = Key { grade: 0, moment: 0 };
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
        size_of::<Self>()
            + self.leaves.memory()
            + self.inners.memory()
            + self.scratch.capacity() * size_of::<Entry>()
    }

    pub fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        if from == 0 {
            // Few beside the leaves: all of them at once.
            let mut at = Some(0);
            while let Some(next) = at {
                at = self.inners.relocate(next, mover);
            }
        }
        self.leaves.relocate(from, mover)
    }

    pub fn insert(&mut self, key: Key, id: MemberId, ties: Ties, home: &mut impl Home) -> u64 {
        let mut path = Path::default();
        let (leaf, before) = self.descend(key, id, ties, home, &mut path);
        prefetch(&self.leaves[leaf]);
        let entries = self.leaves[leaf].entries();
        let at = entries.place(key, ties, |other| home.compare(id, other));
        let (here, there) = self.groups_of_insert(leaf, at, key.grade);
        self.adjust_along(&path, here);
        if there {
            self.adjust(self.leaves[leaf].after, 0, -1);
        }
        if self.leaves[leaf].entries_mut().insert(at, key, id) {
            home.set_leaf(id, leaf);
        } else {
            self.insert_rewriting(leaf, at, (key, id), home);
        }
        before + at as u64
    }

    /// Asks for the memory of the leaf that an entry is about to come to, if it may be far away.
    pub fn expect(&self, key: Key, id: MemberId, ties: Ties, home: &impl Home) {
        if self.leaves.len() < NEAR {
            return;
        }
        let (leaf, _) = self.descend(key, id, ties, home, &mut Path::default());
        prefetch(&self.leaves[leaf]);
    }

    /// The leaf that an entry belongs to, and how many entries are before that leaf.
    fn descend(
        &self,
        key: Key,
        id: MemberId,
        ties: Ties,
        home: &impl Home,
        path: &mut Path,
    ) -> (LeafId, u64) {
        let (mut node, mut before) = (self.root, 0);
        for level in (1..=self.height).rev() {
            let inner = &self.inners[node];
            let slot = inner.route(key, ties, |child| {
                let (first, other) = self.first_below(child, level - 1);
                key.grade.cmp(&first.grade).then_with(|| home.compare(id, other))
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

    fn first_below(&self, mut node: u32, levels: u32) -> Entry {
        for _ in 0..levels {
            node = self.inners[node].node(0);
        }
        self.leaves[node].entries().entry(0)
    }

    /// How the number of distinct scores changes by an entry that comes to a place of a leaf: for
    /// this leaf, and whether the first entry of the next leaf no longer opens a group.
    fn groups_of_insert(&self, leaf: LeafId, at: usize, grade: u64) -> (i64, bool) {
        let entries = self.leaves[leaf].entries();
        let before = if at > 0 { Some(entries.grade(at - 1)) } else { self.last_grade_before(leaf) };
        if before == Some(grade) {
            return (0, false);
        }
        if at < entries.len() {
            return (i64::from(entries.grade(at) != grade), false);
        }
        (1, self.first_grade_after(leaf) == Some(grade))
    }

    fn last_grade_before(&self, leaf: LeafId) -> Option<u64> {
        let before = self.leaves[leaf].before;
        (before != NONE).then(|| {
            let entries = self.leaves[before].entries();
            entries.grade(entries.len() - 1)
        })
    }

    fn first_grade_after(&self, leaf: LeafId) -> Option<u64> {
        let after = self.leaves[leaf].after;
        (after != NONE).then(|| self.leaves[after].entries().grade(0))
    }

    /// Adds to the sums of everything above a leaf.
    pub(super) fn adjust(&mut self, leaf: LeafId, count: i64, groups: i64) {
        let (child, parent) = (leaf, self.leaves[leaf].parent);
        self.adjust_above(child, parent, count, groups);
    }

    fn adjust_above(&mut self, mut child: u32, mut parent: u32, count: i64, groups: i64) {
        self.sum.count = self.sum.count.wrapping_add_signed(count);
        self.sum.groups = self.sum.groups.wrapping_add_signed(groups);
        while parent != NONE {
            let inner = &mut self.inners[parent];
            inner.adjust(inner.slot_of(child), count, groups);
            (child, parent) = (parent, inner.parent);
        }
    }

    /// Inserts where the leaf as it stands has no room: in a new frame, or by sharing.
    fn insert_rewriting(&mut self, leaf: LeafId, at: usize, entry: Entry, home: &mut impl Home) {
        let mut all = mem::take(&mut self.scratch);
        all.clear();
        self.leaves[leaf].entries().gather(&mut all);
        all.insert(at, entry);
        if self.leaves[leaf].entries_mut().rewrite(&all, BODY) {
            home.set_leaf(entry.1, leaf);
        } else {
            self.share(leaf, at, &mut all, home);
        }
        self.scratch = all;
    }

    /// Spreads the entries of an overfull leaf (with the new one at `at`) over itself, a neighbour
    /// and as many new leaves as it takes.
    fn share(&mut self, leaf: LeafId, at: usize, all: &mut Vec<Entry>, home: &mut impl Home) {
        let mut own = leaf;
        let mut old_home: Vec<(LeafId, usize)> = vec![(leaf, all.len())];
        let mut new_at = at;
        match self.neighbour(leaf) {
            Some(other) if other == self.leaves[leaf].before => {
                let mut joined = Vec::with_capacity(all.len() * 2);
                self.leaves[other].entries().gather(&mut joined);
                new_at += joined.len();
                old_home.insert(0, (other, joined.len()));
                joined.append(all);
                *all = joined;
                own = other;
            }
            Some(other) => {
                self.leaves[other].entries().gather(all);
                old_home.push((other, self.leaves[other].entries().len()));
            }
            None => {}
        }
        let parts = parts_that_fit(all, 2);
        let mut targets: Vec<LeafId> = old_home.iter().map(|(leaf, _)| *leaf).collect();
        let olds = targets.len();
        targets.extend((olds..parts.len()).map(|_| self.leaves.insert(Leaf::new())));

        let opens = self.last_grade_before(own) != Some(all[0].0.grade);
        self.fill(&targets, &parts, all, opens);
        self.notify(&targets, &parts, &old_home, all, new_at, home);
    }

    /// Writes the parts to their leaves and puts leaves and sums in order above them. The leaves
    /// that the tree has already come first.
    fn fill(&mut self, targets: &[LeafId], parts: &[usize], all: &[Entry], opens: bool) {
        let (mut start, mut grade_before) = (0, (!opens).then(|| all[0].0.grade));
        for (number, (target, len)) in targets.iter().zip(parts).enumerate() {
            let part = &all[start..start + len];
            start += len;
            self.leaves[*target].entries_mut().rewrite(part, BODY);
            let opens = grade_before != Some(part[0].0.grade);
            let groups = u32::from(opens) + self.leaves[*target].entries().changes_after(0);
            grade_before = part.last().map(|entry| entry.0.grade);
            let child = Child { bound: part[0].0, node: *target, count: part.len() as u32, groups };
            if self.leaves[*target].parent == NONE {
                self.add_leaf(targets[number - 1], child);
            } else {
                self.replace_child(child, number > 0);
            }
        }
    }

    /// Gives a leaf that the tree has its new sums, and its new bound unless it is the first of
    /// those that shared, whose bound stays true.
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

    /// Links a new leaf behind another one.
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

    /// Puts a node of a level into the parent of the node `before`, behind it, and adds its sums to
    /// everything above. A full parent is split first.
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

    /// Moves the second half of an inner node to a new one behind it.
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
        // The end of the tree fills up when a board is loaded in order: leave most behind there.
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
        // Take the sums of what moved off, since adding the new node puts them on again.
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

    /// Tells the members whose leaf is another now.
    fn notify(
        &self,
        targets: &[LeafId],
        parts: &[usize],
        old_home: &[(LeafId, usize)],
        all: &[Entry],
        new_at: usize,
        home: &mut impl Home,
    ) {
        let mut olds = old_home.iter().flat_map(|(leaf, len)| std::iter::repeat_n(*leaf, *len));
        let news = targets.iter().zip(parts).flat_map(|(leaf, len)| std::iter::repeat_n(*leaf, *len));
        for (at, (entry, leaf)) in all.iter().zip(news).enumerate() {
            if olds.next() != Some(leaf) || at == new_at {
                home.set_leaf(entry.1, leaf);
            }
        }
    }

    /// The emptier of the two leaves beside a leaf, under the same parent.
    fn neighbour(&self, leaf: LeafId) -> Option<LeafId> {
        let inner = &self.inners[self.leaves[leaf].parent];
        let slot = inner.slot_of(leaf);
        let left = (slot > 0).then(|| inner.node(slot - 1));
        let right = (slot + 1 < inner.len()).then(|| inner.node(slot + 1));
        left.into_iter().chain(right).min_by_key(|leaf| self.leaves[*leaf].frame.used())
    }

    /// Takes the entry at a place of a leaf out.
    pub fn remove(&mut self, leaf: LeafId, at: usize, home: &mut impl Home) {
        let entries = self.leaves[leaf].entries();
        let grade = entries.grade(at);
        let before = if at > 0 { Some(entries.grade(at - 1)) } else { self.last_grade_before(leaf) };
        let (mut here, mut there) = (0, false);
        if before != Some(grade) {
            here = -1;
            if at + 1 < entries.len() {
                here += i64::from(entries.grade(at + 1) == grade);
            } else {
                there = self.first_grade_after(leaf) == Some(grade);
            }
        }
        self.adjust(leaf, -1, here);
        if there {
            self.adjust(self.leaves[leaf].after, 0, 1);
        }
        self.leaves[leaf].entries_mut().remove(at);
        if self.leaves[leaf].frame.used() < SPARSE {
            self.merge(leaf, home);
        }
    }

    /// Joins a sparse leaf with a neighbour where both fit into one; drops an empty one.
    fn merge(&mut self, leaf: LeafId, home: &mut impl Home) {
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
        let (left, right) = if self.leaves[leaf].before == other { (other, leaf) } else { (leaf, other) };
        let mut all = mem::take(&mut self.scratch);
        all.clear();
        self.leaves[left].entries().gather(&mut all);
        let kept = all.len();
        self.leaves[right].entries().gather(&mut all);
        if self.leaves[left].entries_mut().rewrite(&all, MERGED) {
            for (_, id) in &all[kept..] {
                home.set_leaf(*id, left);
            }
            let inner = &self.inners[self.leaves[right].parent];
            let moved = inner.child(inner.slot_of(right));
            let (count, groups) = (i64::from(moved.count), i64::from(moved.groups));
            self.adjust(right, -count, -groups);
            self.adjust(left, count, groups);
            self.drop_leaf(right);
        }
        self.scratch = all;
    }

    /// Unlinks a leaf that counts nothing any more.
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

    /// Takes a child that counts nothing out of an inner node of a level, and the node away with it
    /// when that was its last.
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

    /// Moves the children of an inner node of a level to a neighbour that has room.
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
                // Below the first child of a node only the bound of the node itself is kept true.
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

    /// Gives an entry another key where it stays within its leaf, between the first and the last
    /// entry; how many entries are before it then.
    pub fn update_within(
        &mut self,
        place: Place,
        key: Key,
        id: MemberId,
        ties: Ties,
        home: &impl Home,
    ) -> Option<u64> {
        let leaf = &mut self.leaves[place.leaf];
        let entries = leaf.entries();
        let last = entries.len().checked_sub(1)?;
        if place.at == 0 || place.at >= last {
            return None;
        }
        if key.grade <= entries.grade(0) || key.grade >= entries.grade(last) {
            return None;
        }
        if !leaf.frame.holds(key) {
            return None;
        }
        let gone = entries.group_opened_at(place.at, place.key.grade, place.at + 1);
        leaf.entries_mut().remove(place.at);
        let entries = leaf.entries();
        let at = entries.place(key, ties, |other| home.compare(id, other));
        let come = entries.group_opened_at(at, key.grade, at);
        leaf.entries_mut().insert(at, key, id);
        if come != gone {
            self.adjust(place.leaf, 0, i64::from(come) - i64::from(gone));
        }
        Some(self.rank(place.leaf, at))
    }

    /// How many entries are before the one at a place of a leaf.
    pub fn rank(&self, leaf: LeafId, at: usize) -> u64 {
        let (mut child, mut parent) = (leaf, self.leaves[leaf].parent);
        let mut rank = at as u64;
        while parent != NONE {
            let inner = &self.inners[parent];
            rank += inner.count_before(inner.slot_of(child));
            (child, parent) = (parent, inner.parent);
        }
        rank
    }

    /// How many distinct scores there are up to the one at a place of a leaf, itself included.
    pub fn groups_up_to(&self, leaf: LeafId, at: usize) -> u64 {
        let (mut child, mut parent) = (leaf, self.leaves[leaf].parent);
        let inner = &self.inners[parent];
        let own = inner.child(inner.slot_of(leaf)).groups;
        let mut groups = u64::from(own - self.leaves[leaf].entries().changes_after(at));
        while parent != NONE {
            let inner = &self.inners[parent];
            groups += inner.groups_before(inner.slot_of(child));
            (child, parent) = (parent, inner.parent);
        }
        groups
    }

    /// The last leaf with a grade below this one, or the first; how many entries are before it.
    pub(super) fn route_grade(&self, grade: u64) -> (LeafId, u64) {
        let (mut node, mut before) = (self.root, 0);
        for _ in 0..self.height {
            let inner = &self.inners[node];
            let slot = inner.route_grade(grade);
            before += inner.count_before(slot);
            node = inner.node(slot);
        }
        (node, before)
    }
}

/// Splits entries into at least so many runs of nearly equal length that fit into leaves with some
/// room to spare; how long each is.
fn parts_that_fit(all: &[Entry], least: usize) -> Vec<usize> {
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
