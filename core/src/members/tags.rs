//! Finds the names of a small board that is not very small: a short hash of each name beside its place, in one list. A search
//! compares 16 hashes at a time, where a walk over the names must read the length of each name to find the next one.
#![allow(clippy::arithmetic_side_effects, reason = "hashes and shifts of words")]

use crate::mover::Mover;
use crate::size_class::{bytes_of, room_for};

/// The number of tags that are compared without a branch.
const RUN: usize = 16;
/// The bits of a tag that are the place of the name.
const PLACE_BITS: u32 = 16;

#[derive(Debug, Clone, Default)]
pub struct Tags {
    /// The hash of a name and its place, in no particular order.
    list: Vec<u32>,
}

impl Tags {
    /// Adds a name at a place.
    pub fn insert(&mut self, name: &[u8], at: u16) {
        if self.list.len() == self.list.capacity() {
            self.list.reserve_exact(room_for::<u32>(self.list.len() + 1) - self.list.len());
        }
        self.list.push(tag_of(name, at));
    }

    /// Removes the name at a place.
    pub fn remove(&mut self, name: &[u8], at: u16) {
        let tag = tag_of(name, at);
        let (runs, _) = self.list.as_chunks::<RUN>();
        // Without a branch inside the fold, the compiler uses vector instructions.
        let run = runs.iter().position(|run| run.iter().fold(false, |found, other| found | (*other == tag)));
        let from = run.unwrap_or(runs.len()) * RUN;
        let rest = self.list.get(from..).unwrap_or_default();
        if let Some(found) = rest.iter().position(|other| *other == tag) {
            self.list.swap_remove(from + found);
        }
    }

    /// Returns the first place of a name with the same hash for which `is_name` holds.
    pub fn find(&self, name: &[u8], is_name: impl Fn(u16) -> bool) -> Option<u16> {
        let hash = hash(name);
        let of_run = |run: &[u32]| {
            let same = run.iter().filter(|tag| has_hash(**tag, hash));
            same.map(|tag| place(*tag)).find(|at| is_name(*at))
        };
        let (runs, rest) = self.list.as_chunks::<RUN>();
        // There is no branch inside the fold, so that the compiler uses vector instructions.
        let may_have = |run: &&[u32; RUN]| run.iter().fold(false, |found, tag| found | has_hash(*tag, hash));
        runs.iter().filter(may_have).find_map(|run| of_run(run)).or_else(|| of_run(rest))
    }

    pub fn relocate(&mut self, mover: &mut impl Mover) {
        self.list = mover.relocate_vec(std::mem::take(&mut self.list));
    }

    pub fn memory(&self) -> usize {
        bytes_of::<u32>(self.list.capacity())
    }
}

fn tag_of(name: &[u8], at: u16) -> u32 {
    u32::from(hash(name)) << PLACE_BITS | u32::from(at)
}

const fn has_hash(tag: u32, hash: u16) -> bool {
    tag >> PLACE_BITS == hash as u32
}

const fn place(tag: u32) -> u16 {
    (tag & 0xffff) as u16
}

/// Returns a hash of a name's length and of its first and last 8 bytes. Names that differ elsewhere have the same hash: the
/// search compares them.
fn hash(name: &[u8]) -> u16 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let end = name.len().min(8);
    let (first, last) = (word(&name[..end]), word(&name[name.len() - end..]));
    let mixed = (first ^ name.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ last;
    (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 48) as u16
}
