//! Types that a view of periods consists of: its rules ([`PeriodRules`]), its spans, its last boundary ([`Boundary`]),
//! the place where it stores the points of single periods ([`Contributions`]), and the prepared part of the order of
//! the next period ([`NextOrder`]).

use std::collections::VecDeque;
use std::mem;

use super::decay::Decay;
use super::{Share, Spec};
use crate::bucket::Bucket;
use crate::calendar::{Calendar, Period, Unit};
use crate::index::{Index, Key, MemberId, MemberLookup, MemberStore};
use crate::members::{Column, Sequences};
use crate::sorted::Sorted;
use crate::time::Millis;

/// Returns a moment as a moment of the calendar, which is signed since periods may begin before 1970.
pub(super) fn signed(moment: Millis) -> i64 {
    i64::try_from(moment).unwrap_or(i64::MAX)
}

/// Returns a moment within a period as a moment of an entry.
pub(super) fn unsigned(moment: i64) -> Millis {
    u64::try_from(moment).unwrap_or(0)
}

/// A current period, and the moment from which points count in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) period: Period,
    /// The start of the oldest period that counts.
    pub(crate) from: i64,
}

impl Span {
    pub(crate) const fn contains(&self, moment: i64) -> bool {
        self.period.start <= moment && moment < self.period.end
    }

    /// Returns whether points of the period with this start count.
    pub(super) const fn counts(&self, start: i64) -> bool {
        self.from <= start && start <= self.period.start
    }
}

/// The [`Spec`] of a view of periods.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PeriodRules {
    pub(crate) unit: Unit,
    /// How many periods count, including the period from which a share is carried over.
    pub(super) count: u16,
    pub(super) carry: Option<Share>,
    pub(super) decay: Option<Decay>,
    /// How many ended periods stay readable.
    pub(super) retain: u32,
}

impl PeriodRules {
    /// Returns the rules of a view; `None` for the view `all`.
    pub(super) fn of(spec: &Spec) -> Option<Self> {
        let (unit, count) = spec.reach()?;
        let decay = spec.decay.map(Decay::new);
        Some(Self { unit, count, carry: spec.carry, decay, retain: spec.retain })
    }

    /// Returns whether the view adds up several periods, and no share is carried over between periods.
    pub(super) const fn is_rolling(&self) -> bool {
        self.count > 1 && self.carry.is_none()
    }

    /// Returns whether points of a period count in the next period.
    pub(super) const fn passes_on(&self) -> bool {
        self.count > 1 || self.decay.is_some()
    }

    /// Returns the span whose period contains a moment.
    pub(crate) fn span(&self, calendar: &Calendar, moment: i64) -> Span {
        let period = self.period(calendar, moment);
        let back = u32::from(self.count.saturating_sub(1));
        let from = if back == 0 { period.start } else { self.back(calendar, period.start, back) };
        Span { period, from }
    }

    /// Returns the start of the period that is `count` periods before the period with this start.
    pub(super) fn back(&self, calendar: &Calendar, start: i64, count: u32) -> i64 {
        calendar.back(self.unit, start, count).start
    }

    /// Returns the number of boundaries between two periods, which are given by their starts; at most `most`.
    pub(super) fn boundaries(&self, calendar: &Calendar, start: i64, later: i64, most: u32) -> u32 {
        calendar.count(self.unit, start, later, most)
    }

    /// Returns the period that contains a moment.
    pub(crate) fn period(&self, calendar: &Calendar, moment: i64) -> Period {
        calendar.period(self.unit, moment)
    }
}

/// The boundary before the current period.
#[derive(Debug, Clone)]
pub(crate) enum Boundary {
    /// There was a write after the boundary, or there was no boundary yet.
    Final,
    /// There was no write after the boundary, so the clock can be put back to a moment before the boundary.
    Reversible(Box<Anchor>),
}

/// The last period with a write, while there is no write after it. Its order is the order of the newest ended
/// period. No data is deleted until the next write. So the clock can be put back exactly, and reads until then
/// change nothing.
#[derive(Debug, Clone)]
pub(crate) struct Anchor {
    pub(super) span: Span,
    /// The share that was carried into this period.
    pub(super) share: Option<Share>,
    /// The numbers of members' last writes, for members whose number a starting entry has replaced.
    pub(super) sequences: Sorted<MemberId, u64>,
}

impl Boundary {
    pub(super) fn anchor(&self) -> Option<&Anchor> {
        match self {
            Self::Final => None,
            Self::Reversible(anchor) => Some(anchor),
        }
    }

    /// Makes the boundary final. Returns the last period with a write, if the boundary was reversible.
    pub(super) fn settle(&mut self) -> Option<Anchor> {
        match mem::replace(self, Self::Final) {
            Self::Final => None,
            Self::Reversible(anchor) => Some(*anchor),
        }
    }

    pub(super) const fn is_reversible(&self) -> bool {
        matches!(self, Self::Reversible(_))
    }
}

/// The place where a view stores the points of members in single periods.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Contributions {
    /// In its order, since only one period counts. Only future periods have buckets, after a clock was put back.
    OrderOnly,
    /// The order of each period contains its points, and a share of the order is kept in the next period. The
    /// numbers of members' last writes are in a column.
    NumberedOrder(Column),
    /// Each period has a bucket, whose points contain the numbers of their writes.
    Buckets,
    /// Each period has a bucket. The numbers of members' last writes are in a column.
    NumberedBuckets(Column),
}

impl Contributions {
    /// Returns the column of the numbers of writes, if there is one.
    pub(super) const fn column(self) -> Option<Column> {
        match self {
            Self::NumberedOrder(column) | Self::NumberedBuckets(column) => Some(column),
            Self::OrderOnly | Self::Buckets => None,
        }
    }

    /// Returns the place of the numbers of writes, given the buckets.
    pub(super) const fn sequences(self, buckets: &VecDeque<(i64, Bucket)>) -> Sequences<'_> {
        match self {
            Self::OrderOnly => Sequences::Unknown,
            Self::Buckets => Sequences::Points(buckets),
            Self::NumberedOrder(column) | Self::NumberedBuckets(column) => Sequences::Column(column),
        }
    }
}

/// The prepared part of the order of the next period.
#[derive(Debug, Clone)]
pub(crate) struct NextOrder {
    /// A number that no other order has that the view has prepared before.
    pub(super) number: u32,
    pub(crate) index: Index,
    pub(super) span: Span,
    /// The last entry of the current order that was prepared.
    pub(super) cursor: Option<(Key, MemberId)>,
    /// All starting entries with a number less than this were prepared.
    pub(super) sequence: u64,
    pub(super) complete: bool,
}

impl NextOrder {
    pub(super) const fn complete(number: u32, index: Index, span: Span) -> Self {
        Self { number, index, span, cursor: None, sequence: 0, complete: true }
    }

    /// Sets or removes a member's entry.
    pub(super) fn put(&mut self, id: MemberId, key: Option<Key>, index_members: &mut impl MemberStore) {
        match (self.index.find(id, index_members), key) {
            (None, None) => {}
            (None, Some(key)) => {
                self.index.insert(key, id, index_members);
            }
            (Some(place), None) => self.index.remove(place, id, index_members),
            // If the key is the same, the entry may have another place now among the entries with equal keys.
            (Some(place), Some(key)) => {
                self.index.update(place, key, id, index_members);
            }
        }
    }
}

/// Returns the number of entries of an order that were walked through already. They are the first entries of the order, and
/// `cursor` is the last of them. If it has left its place, all entries with its key count as not walked through.
pub(crate) fn walked(
    cursor: Option<(Key, MemberId)>,
    order: &Index,
    index_members: &impl MemberLookup,
) -> u64 {
    let Some((key, id)) = cursor else { return 0 };
    match order.find(id, index_members).filter(|place| place.key == key) {
        Some(place) => order.rank(place).saturating_add(1),
        None => order.before_key(key),
    }
}
