//! The order of the segments of a dimension among each other.

use std::cmp::Ordering;

use super::changes::Change;
use crate::dimensions::Metric;
use crate::index::Key;
use crate::order::Order;
use crate::schema::{Schema, Ties};
use crate::view::Seen;

/// The distance of the numbers of segments from rank keys, which begin with 0.
const MIDDLE: i128 = 1 << 63;

/// What a segment is ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentRank<'a> {
    /// The number of [`number`].
    pub number: i128,
    /// Its last change.
    pub change: Change,
    pub name: &'a [u8],
}

impl<'a> SegmentRank<'a> {
    /// Returns the rank of a segment whose best member has this place in the whole view. Among equal members, the place is
    /// what counts.
    pub const fn of_best(number: i128, place: u64, name: &'a [u8], ties: Ties) -> Self {
        let order = if matches!(ties, Ties::Last) { u64::MAX.saturating_sub(place) } else { place };
        Self { number, change: Change { number: order, moment: 0 }, name }
    }

    /// Compares two segments by a tie rule.
    pub fn compare(&self, other: &Self, ties: Ties) -> Ordering {
        let moment = |rank: &Self| (rank.change.moment, rank.change.number);
        let changes = || moment(self).cmp(&moment(other));
        let names = || self.name.cmp(other.name);
        self.number.cmp(&other.number).then_with(|| match ties {
            Ties::First => changes().then_with(names),
            Ties::Last => changes().reverse().then_with(names),
            Ties::Lex => names(),
            Ties::RevLex => names().reverse(),
        })
    }
}

/// Returns whether segments with equal numbers are ranked by their last changes.
pub const fn ranks_by_changes(metric: Metric, ties: Ties) -> bool {
    matches!((metric, ties), (Metric::Sum | Metric::Count, Ties::First | Ties::Last))
}

/// Returns the number by which a segment with these members is ranked: the smaller number is better. `None` if it has no
/// visible members.
pub fn number(seen: &Seen, metric: Metric, schema: &Schema) -> Option<i128> {
    let count = seen.len();
    match metric {
        _ if count == 0 => None,
        Metric::Count => Some(i128::from(count).saturating_neg()),
        Metric::Best => Some(i128::from(seen.select(0)?.rank_key()).saturating_sub(MIDDLE)),
        Metric::Sum => {
            let sum = schema.sum_of_rank_keys(seen.sum_of_rank_keys(), count);
            Some(if schema.order == Order::Desc { sum.saturating_neg() } else { sum })
        }
    }
}

/// Returns the key of a number in an index. Numbers beyond 64 bits have the rank key of the last number within them, and differ
/// in the other part of the key.
pub fn key_of(number: i128) -> Key {
    let from_first = number.saturating_add(MIDDLE);
    match u64::try_from(from_first) {
        Ok(rank_key) => Key { rank_key, moment: 0 },
        Err(_) => Key { rank_key: if from_first < 0 { 0 } else { u64::MAX }, moment: number as u64 },
    }
}
