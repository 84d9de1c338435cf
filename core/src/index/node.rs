//! The nodes of the tree: leaves of one kilobyte, inner nodes of two kilobytes. [`super::balance`] keeps the nodes
//! in balance.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "slots are below len, and len is at most FANOUT"
)]

use std::cmp::Ordering;

use super::Key;
use super::entries::{LeafEntries, LeafEntriesMut};
use super::frame::Frame;
use super::slab::NONE;
use crate::schema::Ties;

/// The number of bytes of a leaf with its header. It is a size of the server's allocator.
const LEAF: usize = 1024;
/// The number of bytes for a leaf's entries.
pub const BODY: usize = LEAF - size_of::<Frame>() - 16;
/// The maximum number of children of an inner node: two kilobytes, at 28 bytes per child.
pub const FANOUT: usize = 72;

/// A sorted sequence of entries, with links to its neighbours and its parent.
#[derive(Debug, Clone)]
pub struct Leaf {
    pub frame: Frame,
    pub parent: u32,
    pub before: u32,
    pub after: u32,
    pub body: [u8; BODY],
}

impl Leaf {
    pub fn new() -> Self {
        Self { frame: Frame::default(), parent: NONE, before: NONE, after: NONE, body: [0; BODY] }
    }

    pub const fn entries(&self) -> LeafEntries<'_> {
        LeafEntries { frame: &self.frame, body: &self.body }
    }

    pub const fn entries_mut(&mut self) -> LeafEntriesMut<'_> {
        LeafEntriesMut { frame: &mut self.frame, body: &mut self.body }
    }
}

/// The data that an inner node stores for one child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// A lower bound: it is before or equal to every entry of this child and of later children. It is not the key
    /// of a member, so it stays valid when members are removed. If a new key equals the bound, the new key is
    /// compared with the first entry of the child.
    pub bound: Key,
    /// The number of the child: a leaf if the inner node is directly above the leaves, otherwise an inner node.
    pub node: u32,
    /// The number of entries below the child.
    pub count: u32,
    /// The number of entries below the child whose score differs from the score of the entry before them in the
    /// whole order.
    pub groups: u32,
}

/// A node above leaves or other inner nodes. Each field has a separate array, so a search or a sum reads few cache
/// lines.
#[derive(Debug, Clone)]
pub struct Inner {
    pub parent: u32,
    len: u32,
    rank_keys: [u64; FANOUT],
    moments: [u64; FANOUT],
    nodes: [u32; FANOUT],
    counts: [u32; FANOUT],
    groups: [u32; FANOUT],
}

/// The number of entries and of groups below several children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    pub count: u64,
    pub groups: u64,
}

impl Inner {
    pub const fn new() -> Self {
        Self {
            parent: NONE,
            len: 0,
            rank_keys: [0; FANOUT],
            moments: [0; FANOUT],
            nodes: [0; FANOUT],
            counts: [0; FANOUT],
            groups: [0; FANOUT],
        }
    }

    pub const fn len(&self) -> usize {
        self.len as usize
    }

    pub const fn is_full(&self) -> bool {
        self.len() == FANOUT
    }

    pub fn child(&self, slot: usize) -> Child {
        Child {
            bound: Key { rank_key: self.rank_keys[slot], moment: self.moments[slot] },
            node: self.nodes[slot],
            count: self.counts[slot],
            groups: self.groups[slot],
        }
    }

    pub fn node(&self, slot: usize) -> u32 {
        self.nodes[slot]
    }

    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.len()]
    }

    pub fn slot_of(&self, node: u32) -> usize {
        // Compares eight children at a time, without a branch inside the loop, so that the compiler uses vector
        // instructions.
        let mut blocks = self.nodes.chunks_exact(8).enumerate();
        let found =
            blocks.find(|(_, block)| block.iter().fold(false, |found, child| found | (*child == node)));
        match found.and_then(|(at, block)| Some(8 * at + block.iter().position(|child| *child == node)?)) {
            Some(slot) if slot < self.len() => slot,
            _ => unreachable!("node {node} is not a child of its parent"),
        }
    }

    pub fn set(&mut self, slot: usize, child: Child) {
        self.rank_keys[slot] = child.bound.rank_key;
        self.moments[slot] = child.bound.moment;
        self.nodes[slot] = child.node;
        self.counts[slot] = child.count;
        self.groups[slot] = child.groups;
    }

    pub fn set_sums(&mut self, slot: usize, count: u32, groups: u32) {
        self.counts[slot] = count;
        self.groups[slot] = groups;
    }

    /// Adds to the sums of one child. Both numbers may be negative.
    pub fn adjust(&mut self, slot: usize, count: i64, groups: i64) {
        self.counts[slot] = (i64::from(self.counts[slot]) + count) as u32;
        self.groups[slot] = (i64::from(self.groups[slot]) + groups) as u32;
    }

    pub fn insert(&mut self, slot: usize, child: Child) {
        self.shift(slot, slot + 1);
        self.len += 1;
        self.set(slot, child);
    }

    pub fn remove(&mut self, slot: usize) {
        self.shift(slot + 1, slot);
        self.len -= 1;
    }

    /// Moves all children from the slot `from` on to the slots from `to` on.
    fn shift(&mut self, from: usize, to: usize) {
        let moved = from..self.len();
        self.rank_keys.copy_within(moved.clone(), to);
        self.moments.copy_within(moved.clone(), to);
        self.nodes.copy_within(moved.clone(), to);
        self.counts.copy_within(moved.clone(), to);
        self.groups.copy_within(moved, to);
    }

    pub fn truncate(&mut self, len: usize) {
        self.len = len as u32;
    }

    /// Returns how many entries are below the first `slot` children.
    pub fn count_before(&self, slot: usize) -> u64 {
        self.counts[..slot].iter().map(|count| u64::from(*count)).sum()
    }

    pub fn groups_before(&self, slot: usize) -> u64 {
        self.groups[..slot].iter().map(|groups| u64::from(*groups)).sum()
    }

    pub fn sum(&self) -> Sum {
        Sum { count: self.count_before(self.len()), groups: self.groups_before(self.len()) }
    }

    /// Returns the child that contains the entry with a rank, and the rank within the child. A rank beyond the end
    /// is in the last child.
    pub fn select(&self, mut rank: u64) -> (usize, u64) {
        let last = self.len() - 1;
        for (slot, count) in self.counts[..last].iter().enumerate() {
            let count = u64::from(*count);
            if rank < count {
                return (slot, rank);
            }
            rank -= count;
        }
        (last, rank)
    }

    /// Returns the last child whose bound has a rank key below this one, or the first child.
    pub fn route_rank_key(&self, rank_key: u64) -> usize {
        self.rank_keys[1..self.len()].partition_point(|bound| *bound < rank_key)
    }

    /// Returns the child to which a new entry belongs. `behind` returns whether the new entry is behind the first
    /// entry below a child. It is called only if the bounds cannot decide.
    pub fn route(&self, key: Key, ties: Ties, behind: impl Fn(u32) -> bool) -> usize {
        let rank_keys = &self.rank_keys[1..self.len()];
        let first = rank_keys.partition_point(|bound| *bound < key.rank_key);
        if rank_keys.get(first) != Some(&key.rank_key) {
            return first;
        }
        let equals = rank_keys[first..].partition_point(|bound| *bound == key.rank_key);
        let enters = |child: usize| {
            let moments = match ties {
                Ties::First => self.moments[child].cmp(&key.moment),
                Ties::Last => key.moment.cmp(&self.moments[child]),
                Ties::Lex | Ties::RevLex => Ordering::Equal,
            };
            moments.is_lt() || moments.is_eq() && behind(self.nodes[child])
        };
        let (mut low, mut high) = (first, first + equals);
        while low < high {
            let middle = low.midpoint(high);
            (low, high) = if enters(middle + 1) { (middle + 1, high) } else { (low, middle) };
        }
        low
    }
}

const _: () = assert!(FANOUT.is_multiple_of(8));
const _: () = assert!(size_of::<Leaf>() == LEAF && size_of::<Inner>() <= 2 * LEAF);
