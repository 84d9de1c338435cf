//! Checks the invariants of the index entry by entry. It is for tests and fuzzers, since it walks through the whole
//! index.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "a failed check is meant to panic"
)]

use std::cmp::Ordering;

use super::node::Sum;
use super::slab::NONE;
use super::tree::Tree;
use super::{Index, Key, MemberId, MemberLookup, Root, compare_keys, tie};
use crate::schema::Ties;

impl Index {
    /// Walks through the whole index. Panics if an invariant is broken. Only tests call it.
    pub fn check(&self, members: &impl MemberLookup) {
        let all: Vec<_> = self.iter_from(0).collect();
        assert_eq!(all.len() as u64, self.len());
        let sum: u128 = all.iter().map(|(key, _)| u128::from(key.rank_key)).sum();
        assert_eq!(sum, self.sum_of_rank_keys());
        assert!(self.iter_back_from(self.len()).eq(all.iter().rev().copied()));
        for pair in all.windows(2) {
            assert!(self.in_order(pair[0], pair[1], members), "{pair:?} out of order");
        }
        match &self.root {
            Root::Small(small) => assert_eq!(small.len(), all.len()),
            Root::Tree(tree) => tree.check(self.ties, members),
        }
    }

    fn in_order(&self, a: (Key, MemberId), b: (Key, MemberId), members: &impl MemberLookup) -> bool {
        let order = compare_keys(self.ties, b.0, a.0).then_with(|| match self.ties {
            ties if ties.are_by_name() => tie(members, ties, b, a.1),
            ties if members.sequence(b.1, b.0.moment).is_some() => tie(members, ties, b, a.1),
            _ => Ordering::Greater,
        });
        order == Ordering::Greater || (order == Ordering::Equal && !self.ties.are_by_name())
    }
}

impl Tree {
    fn check(&self, ties: Ties, members: &impl MemberLookup) {
        let mut leaves = Vec::new();
        let sum = self.check_node(self.root, NONE, self.height, ties, &mut leaves);
        assert_eq!(sum, self.sum, "sums at the root");
        assert_eq!((leaves.first(), leaves.last()), (Some(&self.first), Some(&self.last)));
        assert_eq!(leaves.len(), self.leaves.len(), "leaves out of reach");
        let mut before = NONE;
        let mut rank_key = None;
        for leaf in &leaves {
            let node = &self.leaves[*leaf];
            assert_eq!(node.before, before, "link back");
            if before != NONE {
                assert_eq!(self.leaves[before].after, *leaf, "link forward");
            }
            before = *leaf;
            let entries = node.entries();
            assert!(entries.len() > 0 || leaves.len() == 1, "an empty leaf");
            let mut groups = 0;
            for at in 0..entries.len() {
                assert_eq!(members.leaf(entries.id(at)), *leaf, "a member with another leaf");
                groups += u32::from(rank_key != Some(entries.rank_key(at)));
                rank_key = Some(entries.rank_key(at));
            }
            let parent = &self.inners[node.parent];
            let child = parent.child(parent.slot_of(*leaf));
            assert_eq!((child.count as usize, child.groups), (entries.len(), groups), "sums of a leaf");
        }
        assert_eq!(before, self.last);
        assert_eq!(self.leaves[before].after, NONE);
    }

    fn check_node(&self, node: u32, parent: u32, level: u32, ties: Ties, leaves: &mut Vec<u32>) -> Sum {
        if level == 0 {
            assert_eq!(self.leaves[node].parent, parent, "parent of a leaf");
            leaves.push(node);
            let inner = &self.inners[parent];
            let child = inner.child(inner.slot_of(node));
            return Sum { count: u64::from(child.count), groups: u64::from(child.groups) };
        }
        let inner = &self.inners[node];
        assert_eq!(inner.parent, parent, "parent of an inner node");
        assert!(inner.len() > 0, "an empty inner node");
        let mut total = Sum::default();
        for slot in 0..inner.len() {
            let child = inner.child(slot);
            let from = leaves.len();
            let sum = self.check_node(child.node, node, level - 1, ties, leaves);
            assert_eq!((u64::from(child.count), u64::from(child.groups)), (sum.count, sum.groups));
            total.count += sum.count;
            total.groups += sum.groups;
            if slot > 0 {
                self.check_bound(child.bound, &leaves[from..], ties);
                self.check_left_of(child.bound, leaves[from - 1], ties);
            }
        }
        total
    }

    fn check_bound(&self, bound: Key, below: &[u32], ties: Ties) {
        let first = self.leaves[below[0]].entries().key(0);
        assert!(not_after(bound, first, ties), "bound {bound:?} above first entry {first:?}");
    }

    fn check_left_of(&self, bound: Key, leaf: u32, ties: Ties) {
        let entries = self.leaves[leaf].entries();
        let last = entries.key(entries.len() - 1);
        assert!(not_after(last, bound, ties), "entry {last:?} beyond the bound {bound:?} of the next");
    }
}

fn not_after(a: Key, b: Key, ties: Ties) -> bool {
    let moments = match ties {
        Ties::First => a.moment <= b.moment,
        Ties::Last => a.moment >= b.moment,
        Ties::Lex | Ties::RevLex => true,
    };
    a.rank_key < b.rank_key || (a.rank_key == b.rank_key && moments)
}
