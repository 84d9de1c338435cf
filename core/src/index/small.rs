//! The order of a few members: one packed block, which grows and shrinks with its entries.

use super::entries::{LeafEntries, LeafEntriesMut, body_for};
use super::frame::Frame;
use super::{EntryPlace, Key, MemberId, NO_LEAF};
use crate::mover::{Mover, Relocation};
use crate::prefetch::prefetch_bytes;
use crate::size_class::round_up;

/// The block. Its members have no leaf.
#[derive(Debug, Clone)]
pub struct SmallIndex {
    frame: Frame,
    body: Box<[u8]>,
}

impl SmallIndex {
    pub fn new() -> Self {
        Self { frame: Frame::EMPTY, body: Box::default() }
    }

    pub fn entries(&self) -> LeafEntries<'_> {
        LeafEntries { frame: &self.frame, body: &self.body }
    }

    fn entries_mut(&mut self) -> LeafEntriesMut<'_> {
        LeafEntriesMut { frame: &mut self.frame, body: &mut self.body }
    }

    pub const fn len(&self) -> usize {
        self.frame.len()
    }

    pub fn insert(&mut self, at: usize, key: Key, id: MemberId) {
        if self.entries_mut().insert(at, key, id) {
            return;
        }
        let mut all = Vec::with_capacity(self.len().saturating_add(1));
        self.entries().gather(&mut all);
        all.insert(at, (key, id));
        self.rewrite(&all);
    }

    /// Adds entries that are in order behind all others.
    pub fn append_all(&mut self, entries: &[(Key, MemberId)]) {
        if entries.is_empty() {
            return;
        }
        let mut all = Vec::with_capacity(self.len().saturating_add(entries.len()));
        self.entries().gather(&mut all);
        all.extend_from_slice(entries);
        self.rewrite(&all);
    }

    fn rewrite(&mut self, entries: &[(Key, MemberId)]) {
        let size = round_up(body_for(entries));
        if size != self.body.len() {
            self.body = vec![0; size].into();
        }
        self.entries_mut().rewrite(entries, size);
    }

    /// Prefetches the memory of all entries.
    pub fn prefetch(&self) {
        prefetch_bytes(&self.body);
    }

    /// Changes the key of the entry at `from`. `at` is the entry's new place, counted while the entry still is at
    /// `from`. Returns how many entries are then before the entry. If the key does not fit into the frame, returns
    /// `None` and changes nothing.
    pub fn update(&mut self, from: usize, at: usize, key: Key, id: MemberId) -> Option<usize> {
        let to = if at > from { at.saturating_sub(1) } else { at };
        self.entries_mut().move_entry(from, to, key, id).then_some(to)
    }

    pub fn remove(&mut self, at: usize) {
        self.entries_mut().remove(at);
    }

    pub fn place(&self, at: usize) -> EntryPlace {
        EntryPlace { leaf: NO_LEAF, at, key: self.entries().key(at) }
    }

    /// Returns the place of a member's entry.
    pub fn find(&self, id: MemberId) -> Option<EntryPlace> {
        let at = if self.len() > 0 { self.entries().find(id) } else { None };
        at.map(|at| self.place(at))
    }

    pub fn memory(&self) -> usize {
        round_up(self.body.len())
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(1, |_, mover| self.relocate_body(mover));
    }

    pub fn relocate_body(&mut self, mover: &mut impl Mover) {
        self.body = mover.relocate_slice(std::mem::take(&mut self.body));
    }
}
