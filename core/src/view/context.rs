//! The data of a board that its views need.

use std::cmp::Ordering;

use super::{HiddenMembers, PastOrder};
use crate::bucket::Bucket;
use crate::index::{Index, Key, MemberId, compare_keys};
use crate::members::{Members, Numbers};
use crate::schema::{Schema, Ties};
use crate::score::Score;
use crate::time::Millis;

/// An entry of an index: the key and the member.
pub(super) type Keyed = (Key, MemberId);

/// The data of a board that a view reads.
#[derive(Clone, Copy)]
pub(crate) struct BoardContext<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) members: &'a Members,
    pub(crate) starting: Option<&'a dyn StartingEntries>,
    /// The hidden members, if there are any.
    pub(crate) hidden: Option<&'a HiddenMembers>,
}

impl BoardContext<'_> {
    /// Returns whether any member has a starting entry.
    pub(crate) fn has_starting(&self) -> bool {
        self.starting.is_some_and(|starting| starting.first_from(0).is_some())
    }

    /// Returns a function that compares entries. Most entries differ by their keys, so no member is read. Entries
    /// with equal keys differ by the number of the write that set the key. If this number is not known, names are
    /// compared, so that all servers get the same order.
    pub(super) fn order_by(
        self,
        sequence: impl Fn(MemberId, Millis) -> Option<u64>,
    ) -> impl Fn(&Keyed, &Keyed) -> Ordering {
        let ties = self.schema.ties;
        move |one, other| compare_keys(ties, one.0, other.0).then_with(|| self.tie(&sequence, *one, *other))
    }

    /// Compares entries with equal keys. Few entries have equal keys, so this is not part of the loops of a sort.
    #[inline(never)]
    fn tie(
        self,
        sequence: &impl Fn(MemberId, Millis) -> Option<u64>,
        (a, id): Keyed,
        (b, other): Keyed,
    ) -> Ordering {
        let ties = self.schema.ties;
        let sequences = match ties {
            Ties::First => sequence(id, a.moment).cmp(&sequence(other, b.moment)),
            Ties::Last => sequence(other, b.moment).cmp(&sequence(id, a.moment)),
            Ties::Lex | Ties::RevLex => Ordering::Equal,
        };
        sequences.then_with(|| match (ties, self.members.name(id).cmp(self.members.name(other))) {
            (Ties::RevLex, names) => names.reverse(),
            (_, names) => names,
        })
    }
}

/// The data of a board that a view needs, and may change, when time passes.
pub(crate) struct BoardContextMut<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) members: &'a mut Members,
    pub(crate) starting: Option<&'a dyn StartingEntries>,
    pub(crate) garbage: &'a mut Vec<Garbage>,
}

impl BoardContextMut<'_> {
    pub(crate) fn context(&self) -> BoardContext<'_> {
        BoardContext { schema: self.schema, members: self.members, starting: self.starting, hidden: None }
    }
}

/// The entry that a member has at the start of each period.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartingEntry {
    pub(crate) id: MemberId,
    pub(crate) score: Score,
    /// When the member got this entry.
    pub(crate) moment: Millis,
    /// The number of the write that gave the member this entry.
    pub(crate) sequence: u64,
}

/// The starting entries of a board. Each entry has a different number.
pub(crate) trait StartingEntries {
    /// Returns the starting entry of a member.
    fn of(&self, id: MemberId) -> Option<StartingEntry>;

    /// Returns the first starting entry whose number is `sequence` or greater.
    fn first_from(&self, sequence: u64) -> Option<StartingEntry>;

    /// Returns how many starting entries there are.
    fn count(&self) -> usize;
}

impl<'a> dyn StartingEntries + 'a {
    /// Returns all starting entries from the number `sequence` on, in the order of their numbers.
    pub(super) fn from(&self, sequence: u64) -> impl Iterator<Item = StartingEntry> {
        std::iter::successors(self.first_from(sequence), |entry| {
            self.first_from(entry.sequence.saturating_add(1))
        })
    }
}

/// Data that is not used any more but takes long to free. The board may have to forget the members in it.
#[derive(Debug, Clone)]
pub(crate) enum Garbage {
    Index(Index),
    Bucket(Bucket),
    Order(PastOrder),
    /// Numbers of writes, by member.
    Numbers(Numbers),
}

impl Garbage {
    /// Frees a part of the data, and appends its members to `into`. Returns false when there is nothing more to
    /// free.
    pub(crate) fn drain_some(&mut self, into: &mut Vec<MemberId>) -> bool {
        match self {
            Self::Index(index) => index.drain_some(into),
            Self::Bucket(bucket) => bucket.drain_some(into),
            Self::Order(order) => order.drain_some(into),
            Self::Numbers(numbers) => numbers.drain_some(),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Index(index) => index.memory(),
            Self::Bucket(bucket) => bucket.memory(),
            Self::Order(order) => order.memory(),
            Self::Numbers(numbers) => numbers.memory(),
        }
    }

    /// Returns about how many allocations must be freed with this data.
    pub(crate) fn effort(&self) -> usize {
        match self {
            Self::Index(index) => index.effort(),
            Self::Bucket(bucket) => bucket.effort(),
            Self::Order(order) => order.effort(),
            Self::Numbers(numbers) => numbers.allocations(),
        }
    }
}
