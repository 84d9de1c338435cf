//! Where a view keeps what members got in single periods.

use std::collections::VecDeque;

use super::rules::Rules;
use crate::bucket::Bucket;
use crate::members::{Column, Members, Sequences};
use crate::schema::Aggregate;

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
