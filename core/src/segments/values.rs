//! The names of the segments of a dimension, and how often each of them is used.

use crate::Error;
use crate::index::MemberId;
use crate::members::{Column, Members};
use crate::mover::{Mover, Relocation};

/// A segment's number within its dimension.
pub type SegmentId = MemberId;

/// The segments of a dimension. A segment exists as long as anything refers to it.
#[derive(Debug, Clone)]
pub struct Values {
    pub names: Members,
    /// The column of the numbers of uses.
    uses: Column,
    /// How many segments have members.
    filled: u64,
}

/// How often a segment is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Uses {
    /// The number of its members.
    members: u32,
    /// The number of notes about the past that name it.
    notes: u32,
}

impl Uses {
    const fn of(number: u64) -> Self {
        Self { members: number as u32, notes: (number >> 32) as u32 }
    }

    const fn number(self) -> u64 {
        (self.notes as u64) << 32 | self.members as u64
    }
}

impl Default for Values {
    fn default() -> Self {
        let mut names = Members::large();
        let uses = names.add_column(8);
        Self { names, uses, filled: 0 }
    }
}

impl Values {
    pub fn find(&self, name: &[u8]) -> Option<SegmentId> {
        self.names.find(name)
    }

    pub fn name(&self, id: SegmentId) -> &[u8] {
        self.names.name(id)
    }

    /// Returns how many segments have members.
    pub const fn filled(&self) -> u64 {
        self.filled
    }

    /// Returns the segment with this name. A new segment has no uses yet.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn find_or_add(&mut self, name: &[u8]) -> Result<SegmentId, Error> {
        if let Some(id) = self.find(name) {
            return Ok(id);
        }
        let id = self.names.insert(name)?;
        self.names.set(id, self.uses, 0);
        Ok(id)
    }

    fn uses(&self, id: SegmentId) -> Uses {
        Uses::of(self.names.get(id, self.uses).unwrap_or_default())
    }

    /// Returns whether anything refers to a segment. The number of a segment that is not used may be given to another one.
    pub fn is_used(&self, id: SegmentId) -> bool {
        self.uses(id).number() > 0
    }

    /// Returns whether a number belongs to a segment. The segment with this number may have been dropped.
    pub fn has(&self, id: SegmentId) -> bool {
        self.find(self.name(id)) == Some(id)
    }

    /// Returns whether a segment has members.
    pub fn has_members(&self, id: SegmentId) -> bool {
        self.uses(id).members > 0
    }

    /// Returns whether only one member refers to a segment, and nothing else.
    pub fn is_last_use(&self, id: SegmentId) -> bool {
        self.uses(id) == Uses { members: 1, notes: 0 }
    }

    fn set(&mut self, id: SegmentId, uses: Uses) {
        if uses.number() == 0 {
            self.names.remove(id);
        } else {
            self.names.set(id, self.uses, uses.number());
        }
    }

    /// Notes that a segment has one more member.
    pub fn join(&mut self, id: SegmentId) {
        let uses = self.uses(id);
        self.filled = self.filled.saturating_add(u64::from(uses.members == 0));
        self.set(id, Uses { members: uses.members.saturating_add(1), ..uses });
    }

    /// Notes that a segment has one member fewer.
    pub fn leave(&mut self, id: SegmentId) {
        let uses = self.uses(id);
        self.filled = self.filled.saturating_sub(u64::from(uses.members == 1));
        self.set(id, Uses { members: uses.members.saturating_sub(1), ..uses });
    }

    /// Notes that something about the past refers to a segment.
    pub fn hold(&mut self, id: SegmentId) {
        let uses = self.uses(id);
        self.set(id, Uses { notes: uses.notes.saturating_add(1), ..uses });
    }

    /// Notes that something about the past does not refer to a segment any more.
    pub fn release(&mut self, id: SegmentId) {
        let uses = self.uses(id);
        self.set(id, Uses { notes: uses.notes.saturating_sub(1), ..uses });
    }

    /// Removes a segment that was added and is not used.
    pub fn forget_unused(&mut self) {
        let unused: Vec<_> = self.names.ids().filter(|id| self.uses(*id).number() == 0).collect();
        unused.into_iter().for_each(|id| self.names.remove(id));
    }

    /// Returns all segments, by their names.
    pub fn sorted(&self) -> Vec<SegmentId> {
        let mut ids: Vec<_> = self.names.ids().collect();
        ids.sort_unstable_by(|a, b| self.name(*a).cmp(self.name(*b)));
        ids
    }

    pub fn memory(&self) -> usize {
        self.names.memory()
    }

    pub fn effort(&self) -> usize {
        self.names.effort()
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.names.relocate(walk);
    }
}
