//! New keys for entries that are in order. The new keys keep the order of the scores, but different scores may become equal. Only
//! entries whose scores became equal can be out of order, and only these are sorted.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "places are counted in the list itself"
)]

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;

use super::Index;
use super::tree::IndexEntry;

/// New keys for the entries of an index.
pub struct NewKeys<C, O> {
    /// Changes the keys of some entries, which are neighbours and in order.
    pub change: C,
    /// Compares entries with equal new rank keys. It must agree with the order of entries that had equal keys before.
    pub order: O,
    /// Entries with this new rank key leave the index.
    pub leaving: u64,
}

/// Entries with new keys. Their places are counted from the first entry that was added.
pub(super) struct Rekeyed<C, O> {
    new: NewKeys<C, O>,
    entries: Vec<IndexEntry>,
    /// The place of the first of these entries. Those before it were taken out.
    first: usize,
    /// The rank keys of the entries that were added last, before the change.
    old: Vec<u64>,
    /// The places of entries whose rank keys may have become equal to those of the entries before them. The first entry of
    /// each list that was added counts as such.
    joints: VecDeque<usize>,
}

impl<C: FnMut(&mut [IndexEntry]), O: Fn(&IndexEntry, &IndexEntry) -> Ordering> NewKeys<C, O> {
    /// Returns the entries of an index with their new keys, in order.
    pub fn entries_of(self, index: &Index) -> Vec<IndexEntry> {
        let mut rekeyed = Rekeyed::new(self);
        rekeyed.add(|entries| entries.extend(index.iter_from(0)));
        rekeyed.sort(rekeyed.end(), |_| {});
        rekeyed.entries
    }
}

impl<C: FnMut(&mut [IndexEntry]), O: Fn(&IndexEntry, &IndexEntry) -> Ordering> Rekeyed<C, O> {
    pub fn new(new: NewKeys<C, O>) -> Self {
        Self { new, entries: Vec::new(), first: 0, old: Vec::new(), joints: VecDeque::new() }
    }

    /// Returns the entries at these places.
    pub fn get(&self, places: Range<usize>) -> &[IndexEntry] {
        &self.entries[places.start - self.first..places.end - self.first]
    }

    /// Returns the place behind the last entry.
    pub const fn end(&self) -> usize {
        self.first + self.entries.len()
    }

    /// Returns the place of the first of the last entries, all of which have equal rank keys.
    pub fn start_of_last_equals(&self) -> usize {
        let last = self.entries.last().map(|(key, _)| key.rank_key);
        self.first + self.entries.partition_point(|(key, _)| Some(key.rank_key) < last)
    }

    /// Takes out the entries before a place.
    pub fn take_out(&mut self, end: usize) {
        self.entries.drain(..end - self.first);
        self.first = end;
    }

    /// Adds entries with their old keys behind the others. Returns which of them, counted from the first one that was added,
    /// do not stay.
    pub fn add(&mut self, add: impl FnOnce(&mut Vec<IndexEntry>)) -> Range<usize> {
        let fresh = self.entries.len();
        add(&mut self.entries);
        self.old.clear();
        self.old.extend(self.entries[fresh..].iter().map(|(key, _)| key.rank_key));
        (self.new.change)(&mut self.entries[fresh..]);
        let leaving = {
            let (entries, rank_key) = (&self.entries[fresh..], self.new.leaving);
            let first = entries.partition_point(|(key, _)| key.rank_key < rank_key);
            first..entries.partition_point(|(key, _)| key.rank_key <= rank_key)
        };
        self.entries.drain(fresh + leaving.start..fresh + leaving.end);
        self.old.drain(leaving.clone());
        self.note_joints(fresh);
        leaving
    }

    /// Notes the joints among the entries from `fresh` on.
    fn note_joints(&mut self, fresh: usize) {
        let mut last = None;
        for (at, old) in (fresh..).zip(&self.old) {
            let differs = last.replace(*old) != Some(*old);
            if differs && at > 0 && self.entries[at - 1].0.rank_key == self.entries[at].0.rank_key {
                self.joints.push_back(self.first + at);
            }
        }
    }

    /// Sorts the entries before a place. None of them has the rank key of an entry behind it. Calls `note` with the places
    /// of entries with equal rank keys whose order has changed.
    pub fn sort(&mut self, end: usize, mut note: impl FnMut(Range<usize>)) {
        while let Some(joint) = self.joints.front().copied().filter(|joint| *joint < end) {
            self.joints.pop_front();
            let at = joint - self.first;
            if (self.new.order)(&self.entries[at - 1], &self.entries[at]).is_le() {
                continue;
            }
            let rank_key = self.entries[at].0.rank_key;
            let from = self.entries.partition_point(|(key, _)| key.rank_key < rank_key);
            let to = self.entries.partition_point(|(key, _)| key.rank_key <= rank_key);
            self.entries[from..to].sort_by(&self.new.order);
            note(self.first + from..self.first + to);
            while self.joints.front().is_some_and(|joint| *joint < self.first + to) {
                self.joints.pop_front();
            }
        }
        debug_assert!(self.get(self.first..end).is_sorted_by(|one, other| {
            one.0.rank_key < other.0.rank_key || (self.new.order)(one, other).is_le()
        }));
    }
}
