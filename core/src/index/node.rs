//! The nodes of the tree: leaves of one kilobyte, inner nodes of two. How nodes are kept in balance is elsewhere.
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

/// Bytes of a leaf with its header: a size that the server's allocator has.
const LEAF: usize = 1024;
/// Bytes of a leaf's entries.
pub const BODY: usize = LEAF - size_of::<Frame>() - 16;
/// Most children of an inner node: two kilobytes, at 28 bytes per child.
pub const FANOUT: usize = 72;

/// A run of entries that knows its neighbours and its parent.
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

/// What an inner node knows about one child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// This bound is before or equal to every entry of this child and of later children. It refers to no member, so
    /// it stays valid when members are removed. If a new key equals the bound, the first entry of the child decides.
    pub bound: Key,
    /// A leaf above the leaves, an inner node otherwise.
    pub node: u32,
    /// Entries below.
    pub count: u32,
    /// The number of entries below whose score is not the score of the entry before them in the whole order.
    pub groups: u32,
}

/// A node above leaves or other inner nodes. Each field has an array of its own, so a search or a sum
/// reads few cache lines.
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

/// Entries and groups, as sums of many children.
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
        // Eight at a time, without a branch inside the loop, so that the compiler uses vector instructions.
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

    /// Adds to the sums of one child; both may be negative.
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

    /// Moves all children from a slot on to other slots.
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

    /// Entries below the first `slot` children.
    pub fn count_before(&self, slot: usize) -> u64 {
        self.counts[..slot].iter().map(|count| u64::from(*count)).sum()
    }

    pub fn groups_before(&self, slot: usize) -> u64 {
        self.groups[..slot].iter().map(|groups| u64::from(*groups)).sum()
    }

    pub fn sum(&self) -> Sum {
        Sum { count: self.count_before(self.len()), groups: self.groups_before(self.len()) }
    }

    /// The child that has the entry with a rank, and the rank within the child. Ranks beyond the end are in the last
    /// child.
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

    /// The last child whose bound has a rank key below this one, or the first child.
    pub fn route_rank_key(&self, rank_key: u64) -> usize {
        self.rank_keys[1..self.len()].partition_point(|bound| *bound < rank_key)
    }

    /// The child that a new entry belongs to. `behind` says whether the entry goes behind the first entry below a
    /// child. It is called only if the bounds cannot decide.
    pub fn route(&self, key: Key, ties: Ties, behind: impl Fn(u32) -> bool) -> usize {
        let rank_keys = &self.rank_keys[1..self.len()];
        let mut slot = rank_keys.partition_point(|bound| *bound < key.rank_key);
        while slot < rank_keys.len() && rank_keys[slot] == key.rank_key {
            let moments = match ties {
                Ties::First => self.moments[slot + 1].cmp(&key.moment),
                Ties::Last => key.moment.cmp(&self.moments[slot + 1]),
                Ties::Lex | Ties::RevLex => Ordering::Equal,
            };
            let enters = match moments {
                Ordering::Less => true,
                Ordering::Equal => behind(self.nodes[slot + 1]),
                Ordering::Greater => false,
            };
            if !enters {
                break;
            }
            slot += 1;
        }
        slot
    }
}

const _: () = assert!(FANOUT.is_multiple_of(8));
const _: () = assert!(size_of::<Leaf>() == LEAF && size_of::<Inner>() <= 2 * LEAF);
