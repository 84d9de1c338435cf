//! Reading the order: places, ranks, counts and runs of entries.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use super::node::{Inner, Leaf};
use super::slab::NONE;
use super::tree::Tree;
use super::{EntryPlace, Index, Key, LeafId, MemberId, MemberLookup, MemberStore, Root};
use crate::prefetch::prefetch;
use crate::schema::Ties;

impl Index {
    /// The place of a member's entry.
    pub fn find(&self, id: MemberId, members: &impl MemberLookup) -> Option<EntryPlace> {
        match &self.root {
            Root::Small(small) => small.find(id),
            Root::Tree(tree) => tree.find_in(members.leaf(id), id),
        }
    }

    /// Whether a member's entry is still at a place.
    pub fn holds(&self, place: EntryPlace, id: MemberId) -> bool {
        let entries = match &self.root {
            Root::Small(small) => Some(small.entries()),
            Root::Tree(tree) => tree.leaves.get(place.leaf).map(Leaf::entries),
        };
        entries.is_some_and(|entries| place.at < entries.len() && entries.id(place.at) == id)
    }

    /// Finds an entry if the member's leaf is not known. It searches all leaves, at about 2 ns per entry.
    pub fn scan(&self, id: MemberId) -> Option<EntryPlace> {
        match &self.root {
            Root::Small(small) => small.find(id),
            Root::Tree(tree) => tree.leaf_ids().find_map(|leaf| tree.find_in(leaf, id)),
        }
    }

    /// The place of a member's entry in a leaf, if it is there.
    pub fn find_in(&self, leaf: LeafId, id: MemberId) -> Option<EntryPlace> {
        match &self.root {
            Root::Small(small) => small.find(id),
            Root::Tree(tree) => tree.find_in(leaf, id),
        }
    }

    /// All members and their leaves, in the order of the entries; empty for an index without a tree.
    pub fn leaves(&self) -> impl Iterator<Item = (MemberId, LeafId)> {
        let tree = match &self.root {
            Root::Tree(tree) => Some(tree),
            Root::Small(_) => None,
        };
        tree.into_iter().flat_map(|tree| {
            tree.leaf_ids().flat_map(|leaf| tree.leaves[leaf].entries().ids().map(move |id| (id, leaf)))
        })
    }

    /// Sets the leaves of all members. For an index that was set aside, since members may have forgotten its leaves.
    pub fn store_leaves(&self, members: &mut impl MemberStore) {
        self.leaves().for_each(|(id, leaf)| members.set_leaf(id, leaf));
    }

    /// How many entries are before the entry at a place. This is its ordinal rank minus one.
    pub fn rank(&self, place: EntryPlace) -> u64 {
        self.before(place.into())
    }

    /// How many entries have a better rank key.
    pub fn before_rank_key(&self, rank_key: u64) -> u64 {
        match &self.root {
            Root::Small(small) => small.entries().before_rank_key(rank_key) as u64,
            Root::Tree(tree) => {
                let (leaf, before) = tree.route(|inner| inner.route_rank_key(rank_key));
                before + tree.leaves[leaf].entries().before_rank_key(rank_key) as u64
            }
        }
    }

    /// How many entries are before a key by the tie rule, not counting its equals. Names are not compared: if names
    /// decide, equal scores count as equals.
    pub fn before_key(&self, key: Key) -> u64 {
        match &self.root {
            Root::Small(small) => small.entries().before_key(key, self.ties) as u64,
            Root::Tree(tree) => {
                // A new entry that goes before all its equals would take the same way.
                let (leaf, before) = tree.route(|inner| inner.route(key, self.ties, |_| false));
                before + tree.leaves[leaf].entries().before_key(key, self.ties) as u64
            }
        }
    }

    /// How many entries are before a key by the tie rule. With `is_behind`, the count includes the entries that are
    /// equal to the key.
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

    /// How many distinct scores there are up to a place, including the score there: its dense rank.
    pub fn dense_rank(&self, place: EntryPlace) -> u64 {
        match &self.root {
            Root::Small(small) => {
                let entries = small.entries();
                let all = 1 + entries.changes_after(0);
                u64::from(all - entries.changes_after(place.at))
            }
            Root::Tree(tree) => tree.groups_up_to(place.leaf, place.at),
        }
    }

    /// The place of the entry that has `rank` entries before it.
    pub fn select(&self, rank: u64) -> Option<EntryPlace> {
        if rank >= self.len() {
            return None;
        }
        Some(match &self.root {
            Root::Small(small) => small.place(rank as usize),
            Root::Tree(tree) => tree.select(rank),
        })
    }

    /// The entries from a rank on, the best one first.
    pub fn iter_from(&self, rank: u64) -> IndexIter<'_> {
        let (leaf, at) = self.select(rank).map_or((NONE, usize::MAX), |place| (place.leaf, place.at));
        IndexIter { index: self, leaf, at }
    }

    /// The entries before a rank, the worst one first.
    pub fn iter_back_from(&self, rank: u64) -> IndexBackIter<'_> {
        let last = rank.min(self.len()).checked_sub(1).and_then(|last| self.select(last));
        let (leaf, at) = last.map_or((NONE, 0), |place| (place.leaf, place.at + 1));
        IndexBackIter { index: self, leaf, at }
    }

    /// The best and the worst rank key.
    pub fn extremes(&self) -> Option<(u64, u64)> {
        let first = self.select(0)?;
        let last = self.select(self.len() - 1)?;
        Some((first.key.rank_key, last.key.rank_key))
    }
}

impl Tree {
    /// All leaves, in order.
    fn leaf_ids(&self) -> impl Iterator<Item = LeafId> {
        std::iter::successors(Some(self.first), |leaf| {
            Some(self.leaves[*leaf].after).filter(|after| *after != NONE)
        })
    }

    fn find_in(&self, leaf: LeafId, id: MemberId) -> Option<EntryPlace> {
        // The leaf's number may belong to another index, so check that the leaf really has the entry.
        let found = self.leaves.get(leaf)?;
        prefetch(found);
        let entries = found.entries();
        entries.find(id).map(|at| EntryPlace { leaf, at, key: entries.key(at) })
    }

    /// How many entries are before the one at a place of a leaf.
    pub(super) fn rank(&self, leaf: LeafId, at: usize) -> u64 {
        at as u64 + self.sum_before(leaf, Inner::count_before)
    }

    /// How many distinct scores there are up to a place of a leaf, including the score there.
    fn groups_up_to(&self, leaf: LeafId, at: usize) -> u64 {
        let inner = &self.inners[self.leaves[leaf].parent];
        let own = inner.child(inner.slot_of(leaf)).groups;
        u64::from(own - self.leaves[leaf].entries().changes_after(at))
            + self.sum_before(leaf, Inner::groups_before)
    }

    /// Adds up what is before the path to a leaf, in all nodes above the leaf.
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

    /// The leaf at the end of the path on which `choose` picks a slot in each inner node, and how many entries are
    /// before that leaf.
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

/// The iterator of [`Index::iter_from`].
#[derive(Debug, Clone)]
pub struct IndexIter<'a> {
    index: &'a Index,
    leaf: LeafId,
    at: usize,
}

impl IndexIter<'_> {
    /// Appends the next entries, at most `most`: faster than one by one.
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

/// The iterator of [`Index::iter_back_from`].
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
