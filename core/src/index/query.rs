//! Reads the order: places, ranks, counts and sequences of entries.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use std::cmp::Ordering;

use super::node::{Inner, Leaf};
use super::slab::NONE;
use super::tree::Tree;
use super::{
    EntryPlace, Index, Key, LeafId, MemberId, MemberLookup, MemberStore, Neighbours, Root, compare_keys,
};
use crate::prefetch::prefetch;
use crate::schema::Ties;

impl Index {
    /// Returns the place of a member's entry.
    pub fn find(&self, id: MemberId, members: &impl MemberLookup) -> Option<EntryPlace> {
        match &self.root {
            Root::Small(small) => small.find(id),
            Root::Tree(tree) => tree.find_in(members.leaf(id), id),
        }
    }

    /// Returns whether a member's entry is still at a place.
    pub fn holds(&self, place: EntryPlace, id: MemberId) -> bool {
        let entries = match &self.root {
            Root::Small(small) => Some(small.entries()),
            Root::Tree(tree) => tree.leaves.get(place.leaf).map(Leaf::entries),
        };
        entries.is_some_and(|entries| place.at < entries.len() && entries.id(place.at) == id)
    }

    /// Finds an entry if the member's leaf is not known. The search reads all leaves, at about 2 ns per entry.
    pub fn scan(&self, id: MemberId) -> Option<EntryPlace> {
        match &self.root {
            Root::Small(small) => small.find(id),
            Root::Tree(tree) => tree.leaf_ids().find_map(|leaf| tree.find_in(leaf, id)),
        }
    }

    /// Returns the place of a member's entry in a leaf, if the entry is in this leaf.
    pub fn find_in(&self, leaf: LeafId, id: MemberId) -> Option<EntryPlace> {
        match &self.root {
            Root::Small(small) => small.find(id),
            Root::Tree(tree) => tree.find_in(leaf, id),
        }
    }

    /// Returns all members and their leaves, in the order of the entries. It is empty for an index without a tree.
    pub fn leaves(&self) -> impl Iterator<Item = (MemberId, LeafId)> {
        let tree = match &self.root {
            Root::Tree(tree) => Some(tree),
            Root::Small(_) => None,
        };
        tree.into_iter().flat_map(|tree| {
            tree.leaf_ids().flat_map(|leaf| tree.leaves[leaf].entries().ids().map(move |id| (id, leaf)))
        })
    }

    /// Stores the leaves of all members. This is needed for an index that was set aside, since its members may have
    /// other leaves stored.
    pub fn store_leaves(&self, members: &mut impl MemberStore) {
        self.leaves().for_each(|(id, leaf)| members.set_leaf(id, leaf));
    }

    /// Returns how many entries are before the entry at a place. This is its ordinal rank minus one.
    pub fn rank(&self, place: EntryPlace) -> u64 {
        self.before(place.into())
    }

    /// Compares two places of entries.
    pub fn compare(&self, one: EntryPlace, other: EntryPlace) -> Ordering {
        if one.leaf == other.leaf {
            return one.at.cmp(&other.at);
        }
        let keys = compare_keys(self.ties, one.key, other.key);
        keys.then_with(|| self.rank(one).cmp(&self.rank(other)))
    }

    /// Returns the keys of the entries beside the entry at a place.
    pub fn neighbours(&self, EntryPlace { leaf, at, .. }: EntryPlace) -> Neighbours {
        let (entries, first, last) = match &self.root {
            Root::Small(small) => (small.entries(), None, None),
            Root::Tree(tree) => {
                let Leaf { before, after, .. } = tree.leaves[leaf];
                (tree.leaves[leaf].entries(), tree.leaves.get(before), tree.leaves.get(after))
            }
        };
        let key = |at: usize| (at < entries.len()).then(|| entries.key(at));
        let last_of = |leaf: &Leaf| leaf.entries().key(leaf.frame.len() - 1);
        Neighbours {
            before: at.checked_sub(1).and_then(key).or_else(|| first.map(last_of)),
            after: key(at + 1).or_else(|| last.map(|leaf| leaf.entries().key(0))),
        }
    }

    /// Returns how many entries have a better rank key.
    pub fn before_rank_key(&self, rank_key: u64) -> u64 {
        match &self.root {
            Root::Small(small) => small.entries().before_rank_key(rank_key) as u64,
            Root::Tree(tree) => {
                let (leaf, before) = tree.route(|inner| inner.route_rank_key(rank_key));
                before + tree.leaves[leaf].entries().before_rank_key(rank_key) as u64
            }
        }
    }

    /// Returns how many entries are before a key by the tie rule, not counting entries with an equal key. Names are
    /// not compared: if the tie rule orders by name, entries with equal scores count as equal.
    pub fn before_key(&self, key: Key) -> u64 {
        match &self.root {
            Root::Small(small) => small.entries().before_key(key, self.ties) as u64,
            Root::Tree(tree) => {
                // A new entry that belongs before all entries with an equal key would take the same path.
                let (leaf, before) = tree.route(|inner| inner.route(key, self.ties, |_| false));
                before + tree.leaves[leaf].entries().before_key(key, self.ties) as u64
            }
        }
    }

    /// Returns how many entries are before a key by the tie rule. If `is_behind` is true, entries with an equal key
    /// are counted too.
    pub fn before_point(&self, key: Key, is_behind: bool) -> u64 {
        let next = match self.ties {
            _ if !is_behind => Some(key.moment),
            Ties::First => key.moment.checked_add(1),
            Ties::Last => key.moment.checked_sub(1),
            Ties::Lex | Ties::RevLex => None,
        };
        match next {
            Some(moment) => self.before_key(Key { moment, ..key }),
            None => self.before_rank_key(key.rank_key.saturating_add(1)),
        }
    }

    /// Returns how many distinct scores there are up to a place, including the score there: its dense rank.
    pub fn dense_rank(&self, place: EntryPlace) -> u64 {
        match &self.root {
            Root::Small(small) => 1 + u64::from(small.entries().changes_in(0..place.at + 1)),
            Root::Tree(tree) => tree.groups_up_to(place.leaf, place.at),
        }
    }

    /// Returns the place of the entry that has `rank` entries before it.
    pub fn select(&self, rank: u64) -> Option<EntryPlace> {
        if rank >= self.len() {
            return None;
        }
        Some(match &self.root {
            Root::Small(small) => small.place(rank as usize),
            Root::Tree(tree) => tree.select(rank),
        })
    }

    /// Returns the entries from a rank on, best first.
    pub fn iter_from(&self, rank: u64) -> IndexIter<'_> {
        let (leaf, at) = self.select(rank).map_or((NONE, usize::MAX), |place| (place.leaf, place.at));
        IndexIter { index: self, leaf, at }
    }

    /// Returns the entries before a rank, worst first.
    pub fn iter_back_from(&self, rank: u64) -> IndexBackIter<'_> {
        let last = rank.min(self.len()).checked_sub(1).and_then(|last| self.select(last));
        let (leaf, at) = last.map_or((NONE, 0), |place| (place.leaf, place.at + 1));
        IndexBackIter { index: self, leaf, at }
    }

    /// Returns the best and the worst rank key.
    pub fn extremes(&self) -> Option<(u64, u64)> {
        let first = self.select(0)?;
        let last = self.select(self.len() - 1)?;
        Some((first.key.rank_key, last.key.rank_key))
    }
}

impl Tree {
    /// Returns all leaves, in order.
    pub(super) fn leaf_ids(&self) -> impl Iterator<Item = LeafId> {
        std::iter::successors(Some(self.first), |leaf| {
            Some(self.leaves[*leaf].after).filter(|after| *after != NONE)
        })
    }

    fn find_in(&self, leaf: LeafId, id: MemberId) -> Option<EntryPlace> {
        // The number of the leaf may belong to another index, so check that the leaf contains the entry.
        let found = self.leaves.get(leaf)?;
        prefetch(found);
        let entries = found.entries();
        entries.find(id).map(|at| EntryPlace { leaf, at, key: entries.key(at) })
    }

    /// Returns how many entries are before the entry at a place of a leaf.
    pub(super) fn rank(&self, leaf: LeafId, at: usize) -> u64 {
        at as u64 + self.sum_before(leaf, Inner::count_before)
    }

    /// Returns how many distinct scores there are up to a place of a leaf, including the score there.
    fn groups_up_to(&self, leaf: LeafId, at: usize) -> u64 {
        let inner = &self.inners[self.leaves[leaf].parent];
        let (own, entries) = (inner.child(inner.slot_of(leaf)).groups, self.leaves[leaf].entries());
        u64::from(own - entries.changes_in(at..entries.len())) + self.sum_before(leaf, Inner::groups_before)
    }

    /// Adds up `before` over all inner nodes on the path to a leaf. `before` gets a node and the slot of the path.
    fn sum_before(&self, leaf: LeafId, before: impl Fn(&Inner, usize) -> u64) -> u64 {
        let (mut child, mut parent) = (leaf, self.leaves[leaf].parent);
        let mut sum = 0;
        while parent != NONE {
            let inner = &self.inners[parent];
            sum += before(inner, inner.slot_of(child));
            (child, parent) = (parent, inner.parent);
        }
        sum
    }

    /// Returns the leaf at the end of the path on which `choose` selects a slot in each inner node, and how many
    /// entries are before that leaf.
    fn route(&self, choose: impl Fn(&Inner) -> usize) -> (LeafId, u64) {
        let (mut node, mut before) = (self.root, 0);
        for _ in 0..self.height {
            let inner = &self.inners[node];
            let slot = choose(inner);
            before += inner.count_before(slot);
            node = inner.node(slot);
        }
        (node, before)
    }

    fn select(&self, rank: u64) -> EntryPlace {
        let (mut leaf, mut rank) = (self.root, rank);
        for _ in 0..self.height {
            let inner = &self.inners[leaf];
            let (slot, within) = inner.select(rank);
            (leaf, rank) = (inner.node(slot), within);
        }
        let at = rank as usize;
        EntryPlace { leaf, at, key: self.leaves[leaf].entries().key(at) }
    }
}

/// The iterator that [`Index::iter_from`] returns.
#[derive(Debug, Clone)]
pub struct IndexIter<'a> {
    index: &'a Index,
    leaf: LeafId,
    at: usize,
}

impl IndexIter<'_> {
    /// Appends up to `most` of the next entries. This is faster than `next` for each entry.
    pub fn read(&mut self, mut most: usize, into: &mut impl Extend<(Key, MemberId)>) {
        loop {
            let (entries, after) = match &self.index.root {
                Root::Small(small) => (small.entries(), NONE),
                Root::Tree(tree) => match tree.leaves.get(self.leaf) {
                    Some(leaf) => (leaf.entries(), leaf.after),
                    None => return,
                },
            };
            let count = most.min(entries.len().saturating_sub(self.at));
            entries.read(self.at, count, into);
            self.at += count;
            most -= count;
            if most == 0 || after == NONE {
                return;
            }
            (self.leaf, self.at) = (after, 0);
        }
    }
}

impl Iterator for IndexIter<'_> {
    type Item = (Key, MemberId);

    fn next(&mut self) -> Option<Self::Item> {
        let entries = match &self.index.root {
            Root::Small(small) => small.entries(),
            Root::Tree(tree) => {
                if self.leaf == NONE {
                    return None;
                }
                let leaf = &tree.leaves[self.leaf];
                if self.at >= leaf.frame.len() {
                    self.leaf = leaf.after;
                    self.at = 0;
                    return self.next();
                }
                leaf.entries()
            }
        };
        if self.at >= entries.len() {
            return None;
        }
        let entry = entries.entry(self.at);
        self.at += 1;
        Some(entry)
    }
}

/// The iterator that [`Index::iter_back_from`] returns.
#[derive(Debug, Clone)]
pub struct IndexBackIter<'a> {
    index: &'a Index,
    leaf: LeafId,
    /// How many entries of the leaf are left.
    at: usize,
}

impl Iterator for IndexBackIter<'_> {
    type Item = (Key, MemberId);

    fn next(&mut self) -> Option<Self::Item> {
        if let (Root::Tree(tree), 0) = (&self.index.root, self.at)
            && let Some(leaf) = tree.leaves.get(self.leaf).map(|leaf| leaf.before)
        {
            self.leaf = leaf;
            self.at = tree.leaves.get(leaf).map_or(0, |leaf| leaf.frame.len());
        }
        self.at = self.at.checked_sub(1)?;
        Some(match &self.index.root {
            Root::Small(small) => small.entries().entry(self.at),
            Root::Tree(tree) => tree.leaves[self.leaf].entries().entry(self.at),
        })
    }
}
