//! The states of a view of periods: whether its last boundary is final, where it keeps what members got in
//! single periods, and how far the next period's order is prepared.

use std::collections::VecDeque;

use super::{Rules, Share, Span};
use crate::bucket::Bucket;
use crate::index::{Index, Key, MemberId, MemberLookup, MemberStore};
use crate::members::{Column, Members, Sequences};
use crate::schema::{Aggregate, Ties};
use crate::size_class::bytes_of;
use crate::sorted::Sorted;

/// The boundary before the current period.
#[derive(Debug, Clone)]
pub(crate) enum Boundary {
    /// Something was written since, or there was no boundary yet.
    Final,
    /// Nothing was written since: the clock can be put back to before it.
    Reversible(Box<Anchor>),
}

/// The last period in which something was written, while only time has passed since. Its order is that of
/// the newest ended period. Nothing is thrown away until the next write, so the clock can be put back
/// exactly, and reads in between change nothing.
#[derive(Debug, Clone)]
pub(crate) struct Anchor {
    pub(super) span: Span,
    /// The share that was carried into it.
    pub(super) share: Option<Share>,
    /// The numbers of members' last writes, where a starting entry has replaced them.
    pub(super) sequences: Sorted<MemberId, u64>,
}

impl Boundary {
    pub(super) fn anchor(&self) -> Option<&Anchor> {
        match self {
            Self::Final => None,
            Self::Reversible(anchor) => Some(anchor),
        }
    }

    pub(super) const fn is_reversible(&self) -> bool {
        matches!(self, Self::Reversible(_))
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.anchor().map_or(0, |anchor| bytes_of::<Anchor>(1).saturating_add(anchor.sequences.memory()))
    }
}

/// Where a view keeps what members got in single periods.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Contributions {
    /// In its order: only one period counts. There are buckets only for periods that are yet to come, on a
    /// clock that was put back.
    OrderOnly,
    /// Each period has a bucket, whose points hold the numbers of their writes.
    Buckets,
    /// Each period has a bucket. The numbers of members' last writes are in a column.
    NumberedBuckets(Column),
}

impl Contributions {
    /// Those of a new view. Entries of a view over several periods come to another index later, where
    /// equals must stand as they do in this one. Where a period's best comes back, its points hold the
    /// number.
    pub(super) fn new(rules: &Rules, aggregate: Aggregate, members: &mut Members) -> Self {
        match aggregate {
            _ if rules.count == 1 => Self::OrderOnly,
            Aggregate::Sum | Aggregate::Last => Self::NumberedBuckets(members.add_sequence_column()),
            Aggregate::Max | Aggregate::Min => Self::Buckets,
        }
    }

    /// Whether each period has a bucket.
    pub(super) const fn has_buckets(self) -> bool {
        !matches!(self, Self::OrderOnly)
    }

    /// The column of the numbers of writes.
    pub(super) const fn column(self) -> Option<Column> {
        match self {
            Self::NumberedBuckets(column) => Some(column),
            Self::OrderOnly | Self::Buckets => None,
        }
    }

    /// Where the numbers of writes are, given the buckets.
    pub(super) const fn sequences(self, buckets: &VecDeque<(i64, Bucket)>) -> Sequences<'_> {
        match self {
            Self::OrderOnly => Sequences::Unknown,
            Self::Buckets => Sequences::Points(buckets),
            Self::NumberedBuckets(column) => Sequences::Column(column),
        }
    }
}

/// The order of the next period, as far as it is prepared.
#[derive(Debug, Clone)]
pub(crate) struct Next {
    pub(crate) index: Index,
    pub(super) span: Span,
    /// The last entry of the current order that was looked at.
    pub(super) cursor: Option<(Key, MemberId)>,
    /// The starting entries before this number were looked at.
    pub(super) sequence: u64,
    pub(super) complete: bool,
}

impl Next {
    pub(super) fn empty(ties: Ties, span: Span) -> Self {
        Self { complete: false, ..Self::complete(Index::tree(ties), span) }
    }

    pub(super) const fn complete(index: Index, span: Span) -> Self {
        Self { index, span, cursor: None, sequence: 0, complete: true }
    }

    /// Gives a member an entry, another one, or none.
    pub(super) fn put(&mut self, id: MemberId, key: Option<Key>, index_members: &mut impl MemberStore) {
        match (self.index.find(id, index_members), key) {
            (None, None) => {}
            (None, Some(key)) => {
                self.index.insert(key, id, index_members);
            }
            (Some(place), None) => self.index.remove(place, id, index_members),
            // An entry with the same key may have another place among its equals now.
            (Some(place), Some(key)) => {
                self.index.update(place, key, id, index_members);
            }
        }
    }

    pub(super) fn remove(&mut self, id: MemberId, index_members: &mut impl MemberStore) {
        self.put(id, None, index_members);
    }

    /// How many entries of the current order are before those that were not looked at yet. If the last
    /// one that was has left its place, all entries with its key count as new.
    pub(super) fn looked_at(&self, current: &Index, index_members: &impl MemberLookup) -> u64 {
        let Some((key, id)) = self.cursor else { return 0 };
        match current.find(id, index_members).filter(|place| place.key == key) {
            Some(place) => current.rank(place).saturating_add(1),
            None => current.before_key(key),
        }
    }
}
