//! What time alone makes of the order of a rolling view: points expire, and nobody writes. Members whose
//! points expire get other scores or leave; all others stand as they did.

use std::cmp::Ordering;

use super::ended_points::EndedPoints;
use super::rules::Span;
use super::ties::Keyed;
use crate::index::{Index, MemberId};

/// The entries of an index in a later span, in order. Only those whose points expire are sorted.
pub(super) fn entries_after(
    base: &Index,
    points: EndedPoints,
    later: &Span,
    compare: impl Fn(&Keyed, &Keyed) -> Ordering,
) -> Vec<Keyed> {
    let expiring = IdSet::of(&points.expiring(later));
    let (mut same, mut expired) = (Vec::new(), Vec::new());
    for (key, id) in base.iter_from(0) {
        if expiring.contains(id) {
            expired.push((id, key));
        } else {
            same.push((key, id));
        }
    }
    expired.sort_unstable_by_key(|(id, _)| *id);
    let left = points.left(&expired, later);
    let mut changed: Vec<Keyed> =
        expired.iter().zip(left).filter_map(|((id, _), key)| Some((key?, *id))).collect();
    changed.sort_unstable_by(&compare);
    merge(same, changed, compare)
}

/// Merges two lists that are in order.
fn merge(a: Vec<Keyed>, b: Vec<Keyed>, compare: impl Fn(&Keyed, &Keyed) -> Ordering) -> Vec<Keyed> {
    let mut all = Vec::with_capacity(a.len().saturating_add(b.len()));
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    while let (Some(first), Some(second)) = (a.peek(), b.peek()) {
        let next = if compare(first, second).is_le() { a.next() } else { b.next() };
        all.extend(next);
    }
    all.extend(a.chain(b));
    all
}

/// A set of members: a bit for each id.
struct IdSet(Vec<u64>);

impl IdSet {
    fn of(ids: &[MemberId]) -> Self {
        let words = ids.iter().max().map_or(0, |most| (*most as usize / 64).saturating_add(1));
        let mut set = vec![0; words];
        for id in ids {
            if let Some(word) = set.get_mut(*id as usize / 64) {
                *word |= 1 << (id % 64);
            }
        }
        Self(set)
    }

    fn contains(&self, id: MemberId) -> bool {
        self.0.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }
}
