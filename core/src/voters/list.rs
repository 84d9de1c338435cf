//! The tokens of some voters: most of them are sorted, and after these come the latest tokens in the order of their
//! votes.
//!
//! Inserting a token in order would move half of the other tokens: 4 KB in the longest list, in each of the six
//! sketches of a candidate that a vote changes. So a new token is appended, even if the list already contains it.
//! When the list is full, all tokens are sorted and repeated tokens are removed. So most votes write one cache line
//! of a list.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a list has its head, and all positions are within its length"
)]

use super::footprint::Footprint;
use crate::mover::Mover;
use crate::prefetch::prefetch;
use crate::size_class::round_up;

/// The number of bytes of a token.
pub const TOKEN: usize = size_of::<u32>();

/// A list whose first number is the count of sorted tokens, and whose other numbers are the tokens.
#[derive(Debug)]
pub struct TokenList(Vec<u32>);

impl Clone for TokenList {
    /// Clones the list with the same capacity, since its memory is counted by its capacity.
    fn clone(&self) -> Self {
        let mut list = Vec::with_capacity(self.0.capacity());
        list.extend_from_slice(&self.0);
        Self(list)
    }
}

impl TokenList {
    /// Returns a list of these tokens, which must be sorted and all different.
    pub fn of(tokens: &[u32]) -> Self {
        let mut list = Vec::with_capacity(room(tokens.len() + 1));
        list.push(tokens.len() as u32);
        list.extend_from_slice(tokens);
        Self(list)
    }

    /// Returns the tokens, and how many of them are sorted.
    fn parts(&self) -> (&[u32], usize) {
        (&self.0[1..], self.0[0] as usize)
    }

    /// Appends a token. Returns whether the list is full and must be [sorted](Self::sort).
    #[inline]
    pub fn push(&mut self, token: u32) -> bool {
        if self.0.len() == self.0.capacity() {
            self.reserve(1);
        }
        self.0.push(token);
        self.0.len() == self.0.capacity()
    }

    /// Makes room for `more` more tokens.
    fn reserve(&mut self, more: usize) {
        let need = self.0.len() + more;
        if need > self.0.capacity() {
            self.0.reserve_exact(room(need) - self.0.len());
        }
    }

    /// Sorts all tokens, removes repeated tokens, and makes room for an eighth more tokens. Returns how many tokens
    /// there are.
    pub fn sort(&mut self) -> usize {
        let ordered = self.parts().1;
        order(&mut self.0[1..], ordered);
        let mut kept = 1;
        for at in 1..self.0.len() {
            if kept == 1 || self.0[at] != self.0[kept - 1] {
                self.0[kept] = self.0[at];
                kept += 1;
            }
        }
        self.0.truncate(kept);
        self.0[0] = (kept - 1) as u32;
        self.reserve(kept / 8 + 1);
        kept - 1
    }

    /// Returns all tokens in order, each of them once.
    pub fn sorted(&self) -> Vec<u32> {
        let (tokens, ordered) = self.parts();
        let mut tokens = tokens.to_vec();
        order(&mut tokens, ordered);
        tokens.dedup();
        tokens
    }

    /// Prefetches the memory that [`push`](Self::push) changes.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(&self.0[self.0.len() - 1]);
    }

    /// Returns the memory of the list. Capacities are size classes of the allocator.
    #[inline]
    pub const fn footprint(&self) -> Footprint {
        Footprint { bytes: self.0.capacity() * TOKEN, allocations: 1 }
    }

    /// Lets the allocator move the list to a better place.
    pub fn relocate(self, mover: &mut impl Mover) -> Self {
        Self(mover.relocate_vec(self.0))
    }

    /// Panics if an invariant is broken. Only tests call it.
    #[cfg(test)]
    pub fn check(&self) {
        let (tokens, ordered) = self.parts();
        assert!(tokens[..ordered].is_sorted_by(|token, next| token < next));
        let bytes = self.0.capacity() * TOKEN;
        assert_eq!(bytes, round_up(bytes));
        assert!(self.0.capacity() <= room(self.0.len().max(8) * 5 / 4 + 1), "{self:?}");
    }
}

/// Sorts tokens. The first `ordered` tokens are already sorted.
fn order(tokens: &mut [u32], ordered: usize) {
    tokens[ordered..].sort_unstable();
    // A stable sort is fast on two sorted parts, one after the other.
    tokens.sort();
}

/// Returns how many numbers fit into the allocation that is made for `numbers` numbers.
const fn room(numbers: usize) -> usize {
    round_up(numbers * TOKEN) / TOKEN
}
