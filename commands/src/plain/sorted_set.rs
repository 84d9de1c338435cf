//! A sorted set: members with scores, in the order of `ZRANGE`.

use std::cmp::Ordering;

/// A sorted set.
#[derive(Debug, Default)]
pub struct SortedSet(Vec<(f64, Vec<u8>)>);

impl SortedSet {
    /// Returns the number of members.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Sets the score of a member.
    pub fn add(&mut self, score: f64, member: &[u8]) {
        self.0.retain(|(_, other)| other != member);
        let place = self.0.partition_point(|(other, name)| {
            other.total_cmp(&score).then_with(|| name.as_slice().cmp(member)) == Ordering::Less
        });
        self.0.insert(place, (score, member.to_vec()));
    }

    /// Removes a member. Returns whether it was there.
    pub fn remove(&mut self, member: &[u8]) -> bool {
        let before = self.0.len();
        self.0.retain(|(_, other)| other != member);
        self.0.len() < before
    }

    /// Returns the member at a place.
    pub fn at(&self, place: usize) -> Option<(f64, &[u8])> {
        self.0.get(place).map(|(score, member)| (*score, member.as_slice()))
    }
}
