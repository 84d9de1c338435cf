//! The order index: the ranks of all members, which every write keeps up to date.
//!
//! # Why not a skip list
//! A sorted set of Redis needs a node, a dictionary entry and two pointers per level for each member: about 100
//! bytes. Every step of a search is a cache miss, and cache misses are nearly the whole cost of a search. So the
//! index is a B+ tree with wide nodes:
//!
//! ```text
//!  inner, 2 KB      [ bound count groups | bound count groups | ... 72 ]
//!                          |                      |
//!  leaf, 1 KB       [ frame | keys ... ids ] <-> [ frame | keys ... ids ] <-> ...
//! ```
//!
//! * A leaf contains 60 to 150 packed entries ([`entries`]). An entry is the member's id, and the distance of the
//!   key from the smallest key of the leaf.
//! * An inner node stores three values for each child: a lower bound, the number of entries, and the number of
//!   groups (distinct scores). Ranks are sums of these numbers. So rank, select, count by score and dense rank each
//!   take one path through the tree.
//! * The leaf of each member is stored ([`MemberStore`]). A search for a member's entry starts there, and its rank
//!   is summed on the way *up*, along parent pointers.
//!
//! # Order
//! Entries are ordered by [`Key`], which is the rank key (best score first) and then the moment. Entries with equal
//! keys are ordered by sequence, the number of their write. The sequence is not part of the key: a new entry is
//! inserted behind the entries with an equal key ([`Ties::First`]) or before them ([`Ties::Last`]). So entries with
//! equal scores in one millisecond keep the order of their writes. A search does not need to distinguish them,
//! since the leaf of each member is stored. Only views whose entries are later copied to another index must keep
//! the number ([`MemberLookup::sequence`]).
//!
//! # Small boards
//! Up to [`MOST_SMALL`] entries are in one packed block without a tree. The board decides when to change to a tree,
//! since its members then need room to store their leaves.
//!
//! # Balance
//! A full leaf first shares its entries with a neighbour. Only two full leaves become three, so on average leaves
//! are more than three quarters full. Every step changes a limited number of nodes.

mod append;
mod balance;
mod change;
mod check;
mod entries;
mod frame;
mod new_keys;
mod node;
mod query;
mod refill;
mod slab;
mod small;
mod tree;

use std::cmp::Ordering;

pub use new_keys::NewKeys;
pub use query::{IndexBackIter, IndexIter};
pub use refill::{MovedEntry, store_moved};
pub use slab::NONE as NO_LEAF;

use crate::mover::{Mover, Relocation};
use crate::schema::Ties;
use crate::time::Millis;
use crate::total::Total;
use small::SmallIndex;
use tree::Tree;

/// A member's number within its board.
pub type MemberId = u32;
/// A leaf's number within its index.
pub type LeafId = u32;

/// The maximum number of entries of an index without a tree: the members of a small board. Up to about 2,000 entries, one block is
/// faster and smaller than a tree. But the change to a tree is one step.
pub const MOST_SMALL: usize = 1024;
/// The maximum number of members of a segment whose order has no tree.
pub const SMALL: usize = 128;

/// The key that orders entries. The smaller key is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Key {
    /// A number for the score. The best score has the smallest number.
    pub rank_key: u64,
    /// When the member got this score in this view.
    pub moment: Millis,
}

/// The place of an entry. It is valid until the index changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryPlace {
    leaf: LeafId,
    at: usize,
    /// The entry's key.
    pub key: Key,
}

/// The keys of the entries beside an entry; `None` at the ends of the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbours {
    pub before: Option<Key>,
    pub after: Option<Key>,
}

/// The place of an entry after a change. The number of entries before it is only counted if it is needed.
#[derive(Debug, Clone, Copy)]
pub enum Landed {
    /// This number of entries is before it.
    Behind(u64),
    /// The entry is in this leaf, at this position.
    At(LeafId, usize),
}

impl From<EntryPlace> for Landed {
    fn from(place: EntryPlace) -> Self {
        Self::At(place.leaf, place.at)
    }
}

/// The data of members that an index reads.
pub trait MemberLookup {
    /// Returns the leaf of a member's entry. If the member has no entry, the result may be any number: [`NO_LEAF`],
    /// or a leaf that the member has left.
    fn leaf(&self, id: MemberId) -> LeafId;
    /// Compares two members whose keys the tie rule leaves equal: by their names, byte by byte.
    fn compare(&self, a: MemberId, b: MemberId) -> Ordering;
    /// Returns how a member that is inserted compares with all members that have an equal rank key, for rules by which
    /// [`compare`](Self::compare) orders them. `None` if this depends on the other member.
    fn standing(&self, _: MemberId) -> Option<Ordering> {
        None
    }
    /// Returns the number of the write that set a member's key; later writes have greater numbers. `moment` is the
    /// moment of the key. `None` if all entries are inserted in the order of their writes.
    fn sequence(&self, id: MemberId, moment: Millis) -> Option<u64>;
}

/// The data of members that an index changes.
pub trait MemberStore: MemberLookup {
    /// Prefetches the memory in which the leaf of a member's entry is stored.
    fn prefetch(&self, _: MemberId) {}
    /// Stores the leaf of a member's entry.
    fn set_leaf(&mut self, id: MemberId, leaf: LeafId);
    /// Returns whether leaves are stored. An index of a small board has no tree.
    fn has_leaves(&self) -> bool {
        true
    }
}

/// Compares a member that is being inserted with a member that has an entry, when the tie rule cannot order their
/// keys.
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
        Ties::RevLex => members.compare(other, id),
    }
}

/// Returns how a member that is being inserted compares with all members that have an equal key, if no comparison is needed.
pub(crate) fn known_tie(
    members: &impl MemberLookup,
    ties: Ties,
    (key, id): (Key, MemberId),
) -> Option<Ordering> {
    match ties {
        Ties::First | Ties::Last if members.sequence(id, key.moment).is_some() => None,
        // The new entry is newer than all entries with an equal key, so it goes behind them or before them.
        Ties::First => Some(Ordering::Greater),
        Ties::Last => Some(Ordering::Less),
        Ties::Lex | Ties::RevLex => members.standing(id),
    }
}

/// Compares two keys by a tie rule. Some rules ignore the moment.
pub(crate) fn compare_keys(ties: Ties, a: Key, b: Key) -> Ordering {
    a.rank_key.cmp(&b.rank_key).then_with(|| match ties {
        Ties::First => a.moment.cmp(&b.moment),
        Ties::Last => b.moment.cmp(&a.moment),
        Ties::Lex | Ties::RevLex => Ordering::Equal,
    })
}

/// The current order of one view.
#[derive(Debug, Clone)]
pub struct Index {
    ties: Ties,
    root: Root,
    /// The sum of the rank keys of all entries.
    rank_keys: Total,
}

#[derive(Debug, Clone)]
enum Root {
    Small(SmallIndex),
    Tree(Box<Tree>),
}

impl Index {
    /// Returns an empty index for a small board.
    pub fn small(ties: Ties) -> Self {
        Self { ties, root: Root::Small(SmallIndex::new()), rank_keys: Total::ZERO }
    }

    /// Returns an empty index for any number of members.
    pub fn tree(ties: Ties) -> Self {
        Self { ties, root: Root::Tree(Box::new(Tree::new())), rank_keys: Total::ZERO }
    }

    /// Returns the rule that orders entries with equal scores.
    pub const fn ties(&self) -> Ties {
        self.ties
    }

    pub fn len(&self) -> u64 {
        match &self.root {
            Root::Small(small) => small.len() as u64,
            Root::Tree(tree) => tree.len(),
        }
    }

    /// Returns the sum of the rank keys of all entries.
    pub const fn sum_of_rank_keys(&self) -> u128 {
        self.rank_keys.get()
    }

    /// Inserts a member that has no entry. Returns the number of entries before it. A small index must have fewer
    /// than [`MOST_SMALL`] entries.
    pub fn insert(&mut self, key: Key, id: MemberId, members: &mut impl MemberStore) -> u64 {
        self.rank_keys.add(key.rank_key);
        match &mut self.root {
            Root::Small(small) => {
                let tie = |other| tie(members, self.ties, (key, id), other);
                let at = small.entries().place(key, self.ties, tie);
                small.insert(at, key, id);
                at as u64
            }
            Root::Tree(tree) => tree.insert(key, id, self.ties, members),
        }
    }

    /// Removes the entry at a place.
    pub fn remove(&mut self, place: EntryPlace, id: MemberId, members: &mut impl MemberStore) {
        self.rank_keys.subtract(place.key.rank_key);
        match &mut self.root {
            Root::Small(small) => small.remove(place.at),
            Root::Tree(tree) => {
                tree.remove(place.leaf, place.at, members);
                members.set_leaf(id, NO_LEAF);
            }
        }
    }

    /// Returns whether the index is so big that it is not in the processor's cache.
    pub fn is_far(&self) -> bool {
        matches!(&self.root, Root::Tree(tree) if tree.is_far())
    }

    /// Prefetches the memory that [`Index::find`] reads for a member, unless all of it is in the cache.
    pub fn prefetch(&self, id: MemberId, members: &impl MemberLookup) {
        if self.is_far() {
            self.prefetch_part(id, members);
        }
    }

    /// Prefetches the same memory of an index that may be small, but is one of many.
    pub fn prefetch_part(&self, id: MemberId, members: &impl MemberLookup) {
        match &self.root {
            Root::Small(small) => small.prefetch(),
            Root::Tree(tree) => tree.prefetch(members.leaf(id)),
        }
    }

    /// Prefetches the memory of an index without a tree.
    pub fn prefetch_small(&self) {
        if let Root::Small(small) = &self.root {
            small.prefetch();
        }
    }

    /// Prefetches the memory of the leaf to which a member's entry will move with a new key, unless all leaves are in
    /// the cache.
    pub fn prefetch_target(
        &self,
        place: Option<EntryPlace>,
        key: Key,
        id: MemberId,
        members: &impl MemberLookup,
    ) {
        if self.is_far() {
            self.prefetch_target_in_part(place, key, id, members);
        }
    }

    /// Prefetches the same memory of an index that may be small, but is one of many.
    pub fn prefetch_target_in_part(
        &self,
        place: Option<EntryPlace>,
        key: Key,
        id: MemberId,
        members: &impl MemberLookup,
    ) {
        if let Root::Tree(tree) = &self.root
            && place.is_none_or(|place| place.key != key && !tree.stays(place, key))
        {
            tree.prefetch_target(key, id, self.ties, members);
        }
    }

    /// Returns whether the index has the form for any number of members.
    pub const fn is_tree(&self) -> bool {
        matches!(self.root, Root::Tree(_))
    }

    /// Frees a little of the index, and appends the members of the freed entries, in no particular order. Returns
    /// false when nothing is left. After the first call, the index must not be used in any other way.
    pub fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        match &mut self.root {
            Root::Small(small) => {
                into.extend(small.entries().ids());
                *self = Self::small(self.ties);
                false
            }
            Root::Tree(tree) => tree.drain_some(into),
        }
    }

    /// Changes the key of the entry at a place.
    pub fn update(
        &mut self,
        place: EntryPlace,
        key: Key,
        id: MemberId,
        members: &mut impl MemberStore,
    ) -> Landed {
        let moved = match &mut self.root {
            Root::Tree(tree) => tree.update_within(place, key, id, self.ties, members),
            // In a small index, an entry whose new key equals its old key is removed and inserted again. So its
            // place follows its new write.
            Root::Small(_) if key == place.key => None,
            Root::Small(small) => {
                let at =
                    small.entries().place(key, self.ties, |other| tie(members, self.ties, (key, id), other));
                small.update(place.at, at, key, id).map(|at| Landed::At(NO_LEAF, at))
            }
        };
        if let Some(landed) = moved {
            self.rank_keys.subtract(place.key.rank_key);
            self.rank_keys.add(key.rank_key);
            return landed;
        }
        self.remove(place, id, members);
        Landed::Behind(self.insert(key, id, members))
    }

    /// Returns how many entries are before an entry that was just inserted or moved.
    pub fn before(&self, landed: Landed) -> u64 {
        match (landed, &self.root) {
            (Landed::Behind(before), _) => before,
            (Landed::At(_, at), Root::Small(_)) => at as u64,
            (Landed::At(leaf, at), Root::Tree(tree)) => tree.rank(leaf, at),
        }
    }

    pub fn memory(&self) -> usize {
        match &self.root {
            Root::Small(small) => small.memory(),
            Root::Tree(tree) => tree.memory(),
        }
    }

    pub fn effort(&self) -> usize {
        match &self.root {
            Root::Small(_) => 1,
            Root::Tree(tree) => tree.nodes(),
        }
    }

    /// Relocates an index without a tree in one step, for callers that relocate many indexes. A tree is not
    /// relocated.
    pub fn relocate_small(&mut self, mover: &mut impl Mover) {
        if let Root::Small(small) = &mut self.root {
            small.relocate_body(mover);
        }
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        match &mut self.root {
            Root::Small(small) => small.relocate(walk),
            Root::Tree(tree) => tree.relocate(walk),
        }
    }
}

#[cfg(test)]
mod tests;
