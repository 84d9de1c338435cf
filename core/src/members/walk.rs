//! Walks over the members in an order that does not change while other members come and go: that of the hashes of their
//! names.

use std::hash::Hasher;

use super::{Members, Store};
use crate::index::MemberId;

/// The bits of a hash that are not part of a place.
const HIDDEN_BITS: u32 = 16;

impl Members {
    /// Calls `visit` for each member from a place on, until it returns `false`. Returns the place of the next member; `None` at
    /// the end. The first place is 0; a place has 48 bits. All members at one place are visited together. The members of a small
    /// board have no places: all of them are visited at once.
    pub fn walk(&self, from: u64, mut visit: impl FnMut(MemberId, &[u8]) -> bool) -> Option<u64> {
        let large = match &self.store {
            Store::Small(small) => {
                small.iter().for_each(|(id, name)| _ = visit(id, name));
                return None;
            }
            Store::Large(large) => large,
        };
        let (mut place, mut goes_on) = (from, true);
        loop {
            let (numbers, end) = large.table.segment(place << HIDDEN_BITS);
            let with_place = |id| (large.hash(self.name(id)) >> HIDDEN_BITS, id);
            let mut members: Vec<_> = numbers.map(with_place).filter(|(at, _)| *at >= place).collect();
            members.sort_unstable();
            let mut last = None;
            for (at, id) in members {
                if !goes_on && last != Some(at) {
                    return Some(at);
                }
                goes_on &= visit(id, self.name(id));
                last = Some(at);
            }
            place = end? >> HIDDEN_BITS;
            if !goes_on {
                return Some(place);
            }
        }
    }

    /// Returns a mark of the keys on which the places of members depend: a number of 15 bits.
    pub fn mark(&self) -> u16 {
        match &self.store {
            Store::Small(_) => 0,
            Store::Large(large) => large.hash.finish() as u16 >> 1,
        }
    }
}
