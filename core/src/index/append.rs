//! Builds an index from entries that are already in order. This is used when a board is loaded, or when an index
//! changes to a tree.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots and places come from the nodes themselves; index::check proves the invariants"
)]

use std::cmp::Ordering;

use super::node::{BODY, Child};
use super::tree::Tree;
use super::{Index, Key, MemberId, MemberStore, Root, SMALL, compare_keys, tie};
use crate::Error;

/// How many bytes of a leaf are filled. The other bytes are room for later entries.
const FILLED: usize = BODY * 7 / 8;

impl Index {
    /// Adds a member behind all other members.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the tie rule puts the member at another place, or if a small index is full.
    pub fn append(&mut self, key: Key, id: MemberId, members: &mut impl MemberStore) -> Result<(), Error> {
        if let Some((last, other)) = self.last() {
            let order =
                compare_keys(self.ties, key, last).then_with(|| tie(members, self.ties, (key, id), other));
            // If writes have no numbers, their entries are assumed to come in the order of their writes.
            let by_name = self.ties.are_by_name();
            let unknown = !by_name && members.sequence(id, key.moment).is_none() && last == key;
            let repeated = order == Ordering::Equal && by_name;
            if repeated || (order == Ordering::Less && !unknown) {
                return Err(Error::Corrupt("entries out of order"));
            }
        }
        match &mut self.root {
            Root::Small(small) if small.len() >= SMALL => return Err(Error::Corrupt("too many entries")),
            Root::Small(small) => small.insert(small.len(), key, id),
            Root::Tree(tree) => tree.append(key, id, members),
        }
        self.rank_keys.add(key.rank_key);
        Ok(())
    }

    /// Changes an index to the form for any number of members.
    pub fn enlarge(&mut self, members: &mut impl MemberStore) {
        let mut tree = Tree::new();
        self.iter_from(0).for_each(|(key, id)| tree.append(key, id, members));
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

    fn append_rewriting(&mut self, key: Key, id: MemberId) -> bool {
        let last = self.last;
        let mut all = Vec::with_capacity(self.leaves[last].frame.len() + 1);
        self.leaves[last].entries().gather(&mut all);
        all.push((key, id));
        self.leaves[last].entries_mut().rewrite(&all, FILLED)
    }

    fn new_last(&mut self, key: Key, id: MemberId, opens: bool) -> u32 {
        let (before, leaf) = (self.last, self.leaves.insert(super::node::Leaf::new()));
        self.leaves[leaf].entries_mut().rewrite(&[(key, id)], BODY);
        self.add_leaf(before, Child { bound: key, node: leaf, count: 1, groups: u32::from(opens) });
        leaf
    }
}
