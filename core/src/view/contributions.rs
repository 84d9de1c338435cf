//! Where a view keeps what members got in single periods.

use std::collections::VecDeque;

use crate::bucket::Bucket;
use crate::members::{Column, Sequences};

/// Where a view keeps what members got in single periods.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Contributions {
    /// Only in the order: one period counts. Buckets hold points of periods that are yet to come, on a
    /// clock that was put back.
    OrderOnly,
    /// Each period has a bucket, whose points hold the numbers of their writes.
    Buckets,
    /// Each period has a bucket. The numbers of members' last writes are in a column.
    NumberedBuckets(Column),
}

impl Contributions {
    pub(crate) const fn has_buckets(self) -> bool {
        !matches!(self, Self::OrderOnly)
    }

    /// The column of the numbers of writes.
    pub(crate) const fn column(self) -> Option<Column> {
        match self {
            Self::NumberedBuckets(column) => Some(column),
            Self::OrderOnly | Self::Buckets => None,
        }
    }

    /// Where the numbers of writes are, given the buckets.
    pub(crate) const fn sequences(self, buckets: &VecDeque<(i64, Bucket)>) -> Sequences<'_> {
        match self {
            Self::OrderOnly => Sequences::Unknown,
            Self::Buckets => Sequences::Points(buckets),
            Self::NumberedBuckets(column) => Sequences::Column(column),
        }
    }
}
