//! A sorted set: members with scores.

use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A sorted set.
#[derive(Debug, Default)]
pub struct SortedSet {
    scores: BTreeMap<Vec<u8>, f64>,
    /// The members in the order of `ZRANGE`, if they were read since the last change.
    rows: OnceCell<Vec<(f64, Vec<u8>)>>,
}

impl SortedSet {
    /// Sets the score of a member.
    pub fn add(&mut self, score: f64, member: &[u8]) {
        self.rows.take();
        self.scores.insert(member.to_vec(), score);
    }

    /// Removes a member. Returns whether it was there.
    pub fn remove(&mut self, member: &[u8]) -> bool {
        self.rows.take();
        self.scores.remove(member).is_some()
    }

    /// Returns the members with their scores, in the order of `ZRANGE`.
    pub fn rows(&self) -> &[(f64, Vec<u8>)] {
        self.rows.get_or_init(|| {
            let mut rows: Vec<_> =
                self.scores.iter().map(|(member, score)| (*score, member.clone())).collect();
            // Members with equal scores stay in the order of their names.
            rows.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            rows
        })
    }
}
