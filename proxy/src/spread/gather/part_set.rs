//! A set of parts of one board.

use leaderboard_core::parts::MAX_PARTS;

/// The number of words of 64 bits.
const WORDS: usize = (MAX_PARTS >> 6) as usize;

/// Numbers of parts. The set has one bit for each possible part, so a copy is cheap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartSet([u64; WORDS]);

impl PartSet {
    pub fn insert(&mut self, part: u16) {
        if let Some(word) = self.0.get_mut(usize::from(part >> 6)) {
            *word |= bit(part);
        }
    }

    pub fn contains(&self, part: u16) -> bool {
        self.0.get(usize::from(part >> 6)).is_some_and(|word| word & bit(part) != 0)
    }

    /// Adds all parts of another set.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }

    pub fn len(&self) -> u16 {
        // There are at most 1,024 bits.
        self.0.iter().map(|word| word.count_ones()).sum::<u32>().try_into().unwrap_or(MAX_PARTS)
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

impl FromIterator<u16> for PartSet {
    fn from_iter<I: IntoIterator<Item = u16>>(parts: I) -> Self {
        let mut set = Self::default();
        parts.into_iter().for_each(|part| set.insert(part));
        set
    }
}

const fn bit(part: u16) -> u64 {
    1 << (part & 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_in_the_set_after_they_were_added() {
        let mut set: PartSet = [0, 63, 64, 1_023].into_iter().collect();
        assert!([0, 63, 64, 1_023].iter().all(|part| set.contains(*part)));
        assert!([1, 62, 65, 1_022, 1_024, u16::MAX].iter().all(|part| !set.contains(*part)));
        set.add(&[5, 63].into_iter().collect());
        assert_eq!((set.len(), set.contains(5), set.is_empty()), (5, true, false));
        assert!(PartSet::default().is_empty());
    }
}
