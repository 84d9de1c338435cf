//! The order index: which member has which rank, kept current by every write.
//!
//! # Why not a skip list
//! A sorted set spends a node, a dictionary entry and two pointers a level on each member, about 100
//! bytes, and every hop of a search is a cache miss. Here a miss is what everything costs, so the
//! index is a B+ tree with wide nodes:
//!
//! ```text
//!  inner, 2 KB      [ bound count groups | bound count groups | ... 72 ]
//!                          |                      |
//!  leaf, 1 KB       [ frame | keys ... ids ] <-> [ frame | keys ... ids ] <-> ...
//! ```
//!
//! * A leaf packs 60 to 150 entries ([`entries`]): the key as distance from the leaf's smallest, and
//!   the member's id.
//! * An inner node holds a lower bound, the number of entries and the number of distinct scores for
//!   each child. Ranks are sums over it, so rank, select, count by score and dense rank all take
//!   one path through the tree.
//! * A member knows its leaf ([`MemberStore`]), so finding its entry starts at the leaf, and its rank is
//!   summed on the way *up* by parent pointers.
//!
//! # Order
//! LeafEntries are ordered by [`Key`]: rank_key (best score first), then moment, then sequence. Sequence is
//! not part of the key: a new entry goes behind its equals ([`Ties::First`]) or before them
//! ([`Ties::Last`]), and no search by key ever has to tell equals apart, since members know their
//! leaf. So any number of equal scores in one millisecond keep the order in which they came. Only
//! views whose entries are put into another index later need the number ([`MemberLookup::sequence`]).
//!
//! # Small boards
//! Up to [`SMALL`] entries live in one packed block without a tree. The board decides when to
//! change over, since members then need room for their leaf.
//!
//! # Balance
//! A full leaf first shares with a neighbour, and only two full leaves become three; so leaves are
//! over three quarters full in the long run. Every step touches a bounded number of nodes: no
//! operation takes longer because the board is big.

mod append;
mod balance;
mod check;
mod entries;
mod node;
mod query;
mod slab;
mod tree;

use std::cmp::Ordering;

pub use query::{IndexIter, Place};
pub use slab::NONE as NO_LEAF;

use crate::mover::{Mover, Relocation};
use crate::schema::Ties;
use crate::size_class::round_up;
use crate::time::Millis;
use entries::{Frame, LeafEntries, LeafEntriesMut};
use tree::Tree;

/// A member's number within its board.
pub type MemberId = u32;
/// A leaf's number within its index.
pub type LeafId = u32;

/// Most entries of an index without a tree.
pub const SMALL: usize = 128;

/// Where an entry stands: smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The score, mapped so that the best has the smallest.
    pub rank_key: u64,
    /// When the member got this score in this view.
    pub moment: Millis,
}

/// What the index asks about the members whose order it keeps.
pub trait MemberLookup {
    /// Where a member's entry was put: the leaf it is in, if it has an entry. Without one it may be
    /// anything, [`NO_LEAF`] or a leaf that the member has left.
    fn leaf(&self, id: MemberId) -> LeafId;
    /// How two members' names compare, byte by byte.
    fn compare(&self, a: MemberId, b: MemberId) -> Ordering;
    /// The number of the write that gave a member its key, whose moment is this one, greater for later
    /// writes; nothing where entries come in the order of their writes anyway.
    fn sequence(&self, id: MemberId, moment: Millis) -> Option<u64>;
}

/// And what it tells them.
pub trait MemberStore: MemberLookup {
    /// Remembers the leaf of a member's entry.
    fn set_leaf(&mut self, id: MemberId, leaf: LeafId);
}

/// How a member that is coming in compares with one that is there, where their keys are equal as
/// far as the tie rule looks at them.
pub(crate) fn tie(
    members: &impl MemberLookup,
    ties: Ties,
    (key, id): (Key, MemberId),
    other: MemberId,
) -> Ordering {
    let newer = || match (members.sequence(id, key.moment), members.sequence(other, key.moment)) {
        (Some(own), Some(other)) => own.cmp(&other),
        _ => Ordering::Greater,
    };
    match ties {
        Ties::First => newer(),
        Ties::Last => newer().reverse(),
        Ties::Lex => members.compare(id, other),
    }
}

/// How two keys compare by a tie rule, as far as it looks at them.
pub(crate) fn compare_keys(ties: Ties, a: Key, b: Key) -> Ordering {
    a.rank_key.cmp(&b.rank_key).then_with(|| match ties {
        Ties::First => a.moment.cmp(&b.moment),
        Ties::Last => b.moment.cmp(&a.moment),
        Ties::Lex => Ordering::Equal,
    })
}

/// The order of one view.
#[derive(Debug, Clone)]
pub struct Index {
    ties: Ties,
    root: Root,
}

#[derive(Debug, Clone)]
enum Root {
    /// One packed block; its members need no leaf.
    Small {
        frame: Frame,
        body: Vec<u8>,
    },
    Tree(Box<Tree>),
}

impl Index {
    /// An empty index for a small board.
    #[must_use]
    pub const fn small(ties: Ties) -> Self {
        Self { ties, root: Root::Small { frame: Frame::EMPTY, body: Vec::new() } }
    }

    /// An empty index for any number of members.
    #[must_use]
    pub fn tree(ties: Ties) -> Self {
        Self { ties, root: Root::Tree(Box::new(Tree::new())) }
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.root {
            Root::Small { frame, .. } => frame.len() as u64,
            Root::Tree(tree) => tree.len(),
        }
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Enters a member that has no entry; how many entries are before it. A small index must hold
    /// fewer than [`SMALL`].
    pub fn insert(&mut self, key: Key, id: MemberId, members: &mut impl MemberStore) -> u64 {
        match &mut self.root {
            Root::Small { frame, body } => {
                let entries = LeafEntries { frame, body };
                let at = entries.place(key, self.ties, |other| tie(members, self.ties, (key, id), other));
                insert_small(frame, body, at, key, id);
                at as u64
            }
            Root::Tree(tree) => tree.insert(key, id, self.ties, members),
        }
    }

    /// Takes the entry at a place out.
    pub fn remove(&mut self, place: Place, id: MemberId, members: &mut impl MemberStore) {
        match &mut self.root {
            Root::Small { frame, body } => LeafEntriesMut { frame, body }.remove(place.at),
            Root::Tree(tree) => {
                tree.remove(place.leaf, place.at, members);
                members.set_leaf(id, NO_LEAF);
            }
        }
    }

    /// Asks for the memory that [`Index::find`] will need for a member, if it may be far away.
    pub fn prefetch(&self, id: MemberId, members: &impl MemberLookup) {
        if let Root::Tree(tree) = &self.root {
            tree.prefetch(members.leaf(id));
        }
    }

    /// Asks for the memory of the leaf that a member's entry is about to come to with a new key.
    pub fn prefetch_target(&self, place: Option<Place>, key: Key, id: MemberId, members: &impl MemberLookup) {
        if let Root::Tree(tree) = &self.root
            && place.is_none_or(|place| place.key != key && !tree.stays(place, key))
        {
            tree.prefetch_target(key, id, self.ties, members);
        }
    }

    /// Whether it is of the form for any number of members.
    #[must_use]
    pub const fn is_tree(&self) -> bool {
        matches!(self.root, Root::Tree(_))
    }

    /// Takes a leaf's members off, in no order, to free a big index in small steps; false when
    /// nothing is left. Nothing else may be done with the index from then on.
    pub fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        match &mut self.root {
            Root::Small { frame, body } => {
                let entries = LeafEntries { frame, body };
                into.extend((0..entries.len()).map(|at| entries.id(at)));
                *self = Self::small(self.ties);
                false
            }
            Root::Tree(tree) => tree.drain_some(into),
        }
    }

    /// Gives the entry at a place another key; how many entries are before it then.
    pub fn update(&mut self, place: Place, key: Key, id: MemberId, members: &mut impl MemberStore) -> u64 {
        if let Root::Tree(tree) = &mut self.root
            && let Some(rank) = tree.update_within(place, key, id, self.ties, members)
        {
            return rank;
        }
        self.remove(place, id, members);
        self.insert(key, id, members)
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn memory(&self) -> usize {
        match &self.root {
            Root::Small { body, .. } => round_up(body.capacity()),
            Root::Tree(tree) => tree.memory(),
        }
    }

    /// How many allocations freeing takes, about.
    #[must_use]
    pub fn effort(&self) -> usize {
        match &self.root {
            Root::Small { .. } => 1,
            Root::Tree(tree) => tree.nodes(),
        }
    }

    /// Lets the allocator move nodes to better places, from a step on; where to go on, or nothing
    /// when all is done.
    pub fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        Relocation::run(from, mover, |walk| match &mut self.root {
            Root::Small { body, .. } => {
                walk.steps(1, |_, mover| *body = mover.relocate_vec(std::mem::take(body)));
            }
            Root::Tree(tree) => tree.relocate(walk),
        })
    }
}

/// Inserts into a lone block, which grows and shrinks its body with its entries.
fn insert_small(frame: &mut Frame, body: &mut Vec<u8>, at: usize, key: Key, id: MemberId) {
    if (LeafEntriesMut { frame, body }).insert(at, key, id) {
        return;
    }
    let mut all = Vec::with_capacity(frame.len().saturating_add(1));
    LeafEntries { frame, body }.gather(&mut all);
    all.insert(at, (key, id));
    let size = round_up(entries::body_for(&all));
    if size != body.len() {
        *body = vec![0; size];
    }
    LeafEntriesMut { frame, body }.rewrite(&all, size);
}

#[cfg(test)]
mod tests;
