//! The members of a board for the order index of a segment.

use std::cell::OnceCell;
use std::cmp::Ordering;

use crate::index::{EntryPlace, Index, Key, LeafId, MemberId, MemberLookup, MemberStore, Neighbours};
use crate::members::{Column, Members, Sequences};
use crate::schema::Ties;
use crate::time::Millis;

/// The members of a board, with their leaves in the index of their segment.
///
/// The index of a segment has no moments, which would take a third of its memory. Equal scores have the same order in it as in the
/// whole view, so they are compared by their places there. Most writes need no comparison, because a new score is behind all equal
/// ones, or before them.
pub struct SegmentMembers<'a> {
    members: &'a mut Members,
    leaf: Column,
    /// The index of the whole view, which must be up to date, and the column of its leaves.
    whole: (&'a Index, Column),
    /// Where the member that is inserted stands in the whole view among equal scores.
    standing: OnceCell<Standing>,
}

/// Where a member stands in a whole view among those with equal scores.
#[derive(Debug, Clone, Copy)]
enum Standing {
    First,
    Last,
    Between(EntryPlace),
}

/// Returns the tie rule of the indexes of segments. They ask [`SegmentMembers`] for the order of equal scores.
pub const fn ties_of_segments(ties: Ties) -> Ties {
    if ties.are_by_name() { ties } else { Ties::Lex }
}

/// Returns the key of an entry in the index of its segment.
pub const fn undated(Key { rank_key, .. }: Key) -> Key {
    Key { rank_key, moment: 0 }
}

impl<'a> SegmentMembers<'a> {
    pub const fn new(members: &'a mut Members, leaf: Column, whole: (&'a Index, Column)) -> Self {
        Self { members, leaf, whole, standing: OnceCell::new() }
    }

    fn place(&self, id: MemberId) -> Option<EntryPlace> {
        let (index, leaf) = self.whole;
        index.find(id, &self.members.index_members(leaf, Sequences::Unknown))
    }

    fn find_standing(&self, id: MemberId) -> Standing {
        let Some(place) = self.place(id) else { return Standing::Last };
        let is_equal = |key: Option<Key>| key.is_some_and(|key| key.rank_key == place.key.rank_key);
        let Neighbours { before, after } = self.whole.0.neighbours(place);
        match (is_equal(before), is_equal(after)) {
            (_, false) => Standing::Last,
            (false, true) => Standing::First,
            (true, true) => Standing::Between(place),
        }
    }
}

impl MemberLookup for SegmentMembers<'_> {
    fn leaf(&self, id: MemberId) -> LeafId {
        self.members.leaf(id, self.leaf)
    }

    /// Compares the member that is inserted with another one.
    fn compare(&self, inserted: MemberId, other: MemberId) -> Ordering {
        if self.whole.0.ties().are_by_name() {
            return self.members.name(inserted).cmp(self.members.name(other));
        }
        match *self.standing.get_or_init(|| self.find_standing(inserted)) {
            Standing::First => Ordering::Less,
            Standing::Last => Ordering::Greater,
            Standing::Between(place) => {
                // Who is in a segment of the view is in the view.
                self.place(other).map_or(Ordering::Greater, |other| self.whole.0.compare(place, other))
            }
        }
    }

    fn standing(&self, inserted: MemberId) -> Option<Ordering> {
        if self.whole.0.ties().are_by_name() {
            return None;
        }
        match *self.standing.get_or_init(|| self.find_standing(inserted)) {
            Standing::First => Some(Ordering::Less),
            Standing::Last => Some(Ordering::Greater),
            Standing::Between(_) => None,
        }
    }

    fn sequence(&self, _: MemberId, _: Millis) -> Option<u64> {
        None
    }
}

impl MemberStore for SegmentMembers<'_> {
    fn prefetch(&self, id: MemberId) {
        self.members.prefetch(id);
    }

    fn set_leaf(&mut self, id: MemberId, leaf: LeafId) {
        if self.members.is_large() {
            self.members.set_leaf(id, self.leaf, leaf);
        }
    }

    fn has_leaves(&self) -> bool {
        self.members.is_large()
    }
}

/// The members of a board for a look at where a new score will go: behind all equal scores, or before them.
pub struct NewScore<'a> {
    pub members: &'a Members,
    pub leaf: Column,
    pub ties: Ties,
}

impl MemberLookup for NewScore<'_> {
    fn leaf(&self, id: MemberId) -> LeafId {
        self.members.leaf(id, self.leaf)
    }

    fn compare(&self, inserted: MemberId, other: MemberId) -> Ordering {
        let by_names = || self.members.name(inserted).cmp(self.members.name(other));
        self.standing(inserted).unwrap_or_else(by_names)
    }

    fn standing(&self, _: MemberId) -> Option<Ordering> {
        match self.ties {
            Ties::First => Some(Ordering::Greater),
            Ties::Last => Some(Ordering::Less),
            Ties::Lex | Ties::RevLex => None,
        }
    }

    fn sequence(&self, _: MemberId, _: Millis) -> Option<u64> {
        None
    }
}
