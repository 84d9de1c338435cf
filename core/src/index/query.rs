//! Reading the order: places, ranks, counts and runs of entries.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use super::entries::LeafEntries;
use super::slab::NONE;
use super::tree::Tree;
use super::{Index, Key, LeafId, MemberId, MemberLookup, MemberStore, Place, Root};
use crate::prefetch::prefetch;
use crate::schema::Ties;

impl Index {
    /// The place of a member's entry.
    #[must_use]
    pub fn find(&self, id: MemberId, members: &impl MemberLookup) -> Option<Place> {
        match &self.root {
            Root::Small { .. } => self.scan(id),
            Root::Tree(tree) => {
                let leaf = members.leaf(id);
                // The number may be left over from another index, so the leaf must really have the entry.
                let found = tree.leaves.get(leaf)?;
                prefetch(found);
                let entries = found.entries();
                entries.find(id).map(|at| Place { leaf, at, key: entries.key(at) })
            }
        }
    }

    /// The same where the member's leaf is not known: it looks through all leaves, about 2 ns per entry.
    #[must_use]
    pub fn scan(&self, id: MemberId) -> Option<Place> {
        let tree = match &self.root {
            Root::Tree(tree) => tree,
            Root::Small { frame, body } => {
                let entries = LeafEntries { frame, body };
                let at = if entries.len() > 0 { entries.find(id) } else { None };
                return at.map(|at| Place { leaf: NONE, at, key: entries.key(at) });
            }
        };
        let mut leaf = tree.first;
        while leaf != NONE {
            let entries = tree.leaves[leaf].entries();
            if let Some(at) = entries.find(id) {
                return Some(Place { leaf, at, key: entries.key(at) });
            }
            leaf = tree.leaves[leaf].after;
        }
        None
    }

    /// The place of a member's entry in a leaf, if it is there.
    #[must_use]
    pub fn find_in(&self, leaf: LeafId, id: MemberId) -> Option<Place> {
        let Root::Tree(tree) = &self.root else { return self.scan(id) };
        let entries = tree.leaves.get(leaf)?.entries();
        entries.find(id).map(|at| Place { leaf, at, key: entries.key(at) })
    }

    /// All members and their leaves, in the order of the entries; none where there is no tree.
    pub fn leaves(&self) -> impl Iterator<Item = (MemberId, LeafId)> {
        let tree = match &self.root {
            Root::Tree(tree) => Some(tree),
            Root::Small { .. } => None,
        };
        let next = |tree: &Tree, leaf: LeafId| Some(tree.leaves[leaf].after).filter(|leaf| *leaf != NONE);
        tree.into_iter().flat_map(move |tree| {
            let leaves = std::iter::successors(Some(tree.first), move |leaf| next(tree, *leaf));
            leaves.flat_map(|leaf| {
                let entries = tree.leaves[leaf].entries();
                (0..entries.len()).map(move |at| (entries.id(at), leaf))
            })
        })
    }

    /// Tells all members their leaves. For an index that was set aside, as they may have forgotten them.
    pub fn store_leaves(&self, members: &mut impl MemberStore) {
        self.leaves().for_each(|(id, leaf)| members.set_leaf(id, leaf));
    }

    /// How many entries are before the one at a place: its ordinal rank minus one.
    #[must_use]
    pub fn rank(&self, place: Place) -> u64 {
        match &self.root {
            Root::Small { .. } => place.at as u64,
            Root::Tree(tree) => tree.rank(place.leaf, place.at),
        }
    }

    /// How many entries have a better rank key.
    #[must_use]
    pub fn before_rank_key(&self, rank_key: u64) -> u64 {
        match &self.root {
            Root::Small { frame, body } => LeafEntries { frame, body }.before_rank_key(rank_key) as u64,
            Root::Tree(tree) => {
                let (leaf, before) = tree.route_rank_key(rank_key);
                before + tree.leaves[leaf].entries().before_rank_key(rank_key) as u64
            }
        }
    }

    /// How many entries are before a key by the tie rule, without its equals. Names are not compared:
    /// with [`Ties::Lex`], equal scores are equals.
    #[must_use]
    pub fn before_key(&self, key: Key) -> u64 {
        match &self.root {
            Root::Small { frame, body } => LeafEntries { frame, body }.before_key(key, self.ties) as u64,
            Root::Tree(tree) => {
                let (leaf, before) = tree.route_key(key, self.ties);
                before + tree.leaves[leaf].entries().before_key(key, self.ties) as u64
            }
        }
    }

    /// How many distinct scores there are up to and including that of a place: its dense rank.
    #[must_use]
    pub fn dense_rank(&self, place: Place) -> u64 {
        match &self.root {
            Root::Small { frame, body } => {
                let entries = LeafEntries { frame, body };
                let all = 1 + entries.changes_after(0);
                u64::from(all - entries.changes_after(place.at))
            }
            Root::Tree(tree) => tree.groups_up_to(place.leaf, place.at),
        }
    }

    /// The place of the entry that has so many entries before it.
    #[must_use]
    pub fn select(&self, rank: u64) -> Option<Place> {
        if rank >= self.len() {
            return None;
        }
        match &self.root {
            Root::Small { frame, body } => {
                let at = rank as usize;
                Some(Place { leaf: NONE, at, key: LeafEntries { frame, body }.key(at) })
            }
            Root::Tree(tree) => {
                let (leaf, at) = tree.select(rank);
                Some(Place { leaf, at, key: tree.leaves[leaf].entries().key(at) })
            }
        }
    }

    /// The entries from a rank on, the best one first.
    #[must_use]
    pub fn iter_from(&self, rank: u64) -> IndexIter<'_> {
        let (leaf, at) = match (&self.root, self.select(rank)) {
            (_, None) => (NONE, usize::MAX),
            (Root::Small { .. }, Some(place)) => (NONE, place.at),
            (Root::Tree(_), Some(place)) => (place.leaf, place.at),
        };
        IndexIter { index: self, leaf, at }
    }

    /// The best and the worst rank key.
    #[must_use]
    pub fn extremes(&self) -> Option<(u64, u64)> {
        let first = self.select(0)?;
        let last = self.select(self.len() - 1)?;
        Some((first.key.rank_key, last.key.rank_key))
    }
}

impl Tree {
    /// How many entries are before the one at a place of a leaf.
    pub(super) fn rank(&self, leaf: LeafId, at: usize) -> u64 {
        let (mut child, mut parent) = (leaf, self.leaves[leaf].parent);
        let mut rank = at as u64;
        while parent != NONE {
            let inner = &self.inners[parent];
            rank += inner.count_before(inner.slot_of(child));
            (child, parent) = (parent, inner.parent);
        }
        rank
    }

    /// How many distinct scores there are up to and including that at a place of a leaf.
    fn groups_up_to(&self, leaf: LeafId, at: usize) -> u64 {
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

    /// The last leaf whose bound has a rank key below this one, or the first leaf; and how many entries are
    /// before it.
    fn route_rank_key(&self, rank_key: u64) -> (LeafId, u64) {
        let (mut node, mut before) = (self.root, 0);
        for _ in 0..self.height {
            let inner = &self.inners[node];
            let slot = inner.route_rank_key(rank_key);
            before += inner.count_before(slot);
            node = inner.node(slot);
        }
        (node, before)
    }

    /// The last leaf that can have an entry before this key, or the first leaf; and how many entries are
    /// before it.
    fn route_key(&self, key: Key, ties: Ties) -> (LeafId, u64) {
        let (mut node, mut before) = (self.root, 0);
        for _ in 0..self.height {
            let inner = &self.inners[node];
            // Like a new entry that goes before all its equals.
            let slot = inner.route(key, ties, |_| false);
            before += inner.count_before(slot);
            node = inner.node(slot);
        }
        (node, before)
    }

    fn select(&self, rank: u64) -> (LeafId, usize) {
        let (mut node, mut rank) = (self.root, rank);
        for _ in 0..self.height {
            let inner = &self.inners[node];
            let (slot, within) = inner.select(rank);
            (node, rank) = (inner.node(slot), within);
        }
        (node, rank as usize)
    }
}

/// The entries that [`Index::iter_from`] gives.
#[derive(Debug, Clone)]
pub struct IndexIter<'a> {
    index: &'a Index,
    leaf: LeafId,
    at: usize,
}

impl Iterator for IndexIter<'_> {
    type Item = (Key, MemberId);

    fn next(&mut self) -> Option<Self::Item> {
        let entries = match &self.index.root {
            Root::Small { frame, body } => LeafEntries { frame, body },
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
