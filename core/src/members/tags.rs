//! Finds the names of a small board that is not very small: a short hash of each name with its place, in one list by hash. Hashes are
//! spread evenly, so a search begins where the hash should be. A walk over the names must read each of them to find the next one.
#![allow(clippy::arithmetic_side_effects, reason = "hashes and shifts of words")]

use crate::mover::Mover;
use crate::secret::Secret;
use crate::size_class::{bytes_of, put};
use crate::sorted_lists::partition_point_near;

/// The bits of a tag that are the place of the name.
const PLACE_BITS: u32 = 16;
/// The number of tags that are compared without a branch.
const RUN: usize = 16;
/// The number of tags that are compared before a search begins. Among 1,024 tags, most are at most 32 places away from where they
/// should be.
const NEAR: usize = 64;

#[derive(Debug, Clone, Default)]
pub struct Tags {
    /// The hash of a name, and its place in the lower bits, ascending.
    list: Vec<u32>,
}

impl Tags {
    /// Adds a name at a place.
    pub fn insert(&mut self, name: &[u8], at: u16) {
        let tag = tag_of(name, at);
        let place = self.before(tag);
        put(&mut self.list, place, tag);
    }

    /// Removes the name at a place.
    pub fn remove(&mut self, name: &[u8], at: u16) {
        let tag = tag_of(name, at);
        let place = self.before(tag);
        if self.list.get(place) == Some(&tag) {
            self.list.remove(place);
        }
    }

    /// Returns a place of a name with the same hash for which `is_name` holds.
    pub fn find(&self, name: &[u8], is_name: impl Fn(u16) -> bool) -> Option<u16> {
        let least = tag_of(name, 0);
        let same = |tags: &[u32]| {
            let same = tags.iter().filter(|tag| have_one_hash(**tag, least));
            same.map(|tag| (*tag & 0xffff) as u16).find(|at| is_name(*at))
        };
        // Most tags are near the place where they should be. These are compared without a branch, which is faster than a search.
        let near = self.likely(least).saturating_sub(NEAR / 2).min(self.list.len().saturating_sub(NEAR));
        let near = self.list.get(near..).unwrap_or_default();
        let (runs, rest) = near.get(..NEAR).unwrap_or(near).as_chunks::<RUN>();
        let may_have =
            |run: &&[u32; RUN]| run.iter().fold(false, |found, tag| found | have_one_hash(*tag, least));
        let found = runs.iter().filter(may_have).find_map(|run| same(run)).or_else(|| same(rest));
        found.or_else(|| {
            let all = self.list.get(self.before(least)..).unwrap_or_default();
            same(all.split(|tag| !have_one_hash(*tag, least)).next().unwrap_or_default())
        })
    }

    /// Returns the number of tags that are probably below this one, since hashes are spread evenly.
    const fn likely(&self, tag: u32) -> usize {
        ((tag as u64 * self.list.len() as u64) >> u32::BITS) as usize
    }

    /// Returns the number of tags below this one.
    fn before(&self, tag: u32) -> usize {
        partition_point_near(&self.list, self.likely(tag), |other| *other < tag)
    }

    pub fn relocate(&mut self, mover: &mut impl Mover) {
        self.list = mover.relocate_vec(std::mem::take(&mut self.list));
    }

    pub fn memory(&self) -> usize {
        bytes_of::<u32>(self.list.capacity())
    }
}

const fn have_one_hash(a: u32, b: u32) -> bool {
    a >> PLACE_BITS == b >> PLACE_BITS
}

fn tag_of(name: &[u8], at: u16) -> u32 {
    u32::from(hash(name)) << PLACE_BITS | u32::from(at)
}

/// Returns a hash of a name: each eight bytes are mixed into it, and the last eight, which may overlap with those before them. The
/// keys are secret, so clients cannot choose many names of one hash. A search compares the names of equal hashes.
fn hash(name: &[u8]) -> u16 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let (words, _) = name.as_chunks::<8>();
    let secret = Secret::of_process();
    let mix =
        |mixed: u64, word: u64| secret.place([mixed ^ 0x9e37_79b9_7f4a_7c15, word ^ 0xd6e8_feb8_6659_fd93]);
    let mixed = words.iter().map(|bytes| u64::from_le_bytes(*bytes)).fold(name.len() as u64, mix);
    let last = word(&name[name.len().saturating_sub(8)..]);
    (mix(mixed, last) >> 48) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_any_place_have_different_hashes() {
        for form in [
            |number| format!("{number}"),
            |number| format!("m:{number:012}"),
            |number| format!("{number:06} of a long name, with a common end"),
            |number| format!("a common beginning {number:06} and a common end"),
            |number: u32| format!("a common beginning and {number:06}"),
        ] {
            let mut hashes: Vec<_> = (0..1_024).map(|number| hash(form(number).as_bytes())).collect();
            hashes.sort_unstable();
            hashes.dedup();
            // Of 1,024 random numbers of 16 bits, about eight are equal to another one.
            assert!(hashes.len() > 980, "{}: {} hashes", form(7), hashes.len());
        }
    }
}
