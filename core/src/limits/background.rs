//! Frees, measures and relocates the counts of limits.

use super::counts::Counts;
use super::usage::SMALL;
use super::{Limit, Limits, moment};
use crate::mover::{Mover, Relocation};
use crate::size_class::bytes_of;
use crate::time::Millis;

impl Limits {
    /// Frees some of the counts of ended periods, in much less than 50 microseconds. Returns whether there is more
    /// to free.
    pub(crate) fn work(&mut self, now: Millis) -> bool {
        if self.garbage.free_some() {
            return true;
        }
        for limit in &mut self.limits {
            limit.usage.retire(moment(now), &mut self.garbage);
        }
        !self.garbage.is_empty()
    }

    /// Returns whether there are counts that are so large that they are freed between commands.
    pub(crate) fn is_big(&self) -> bool {
        !self.garbage.is_empty() || self.counts().any(|counts| counts.len() > SMALL)
    }

    fn counts(&self) -> impl Iterator<Item = &Counts> {
        self.limits.iter().flat_map(|limit| limit.usage.iter()).chain(self.garbage.iter())
    }

    /// Returns the number of bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let list = bytes_of::<Limit>(self.limits.capacity());
        let each = self.limits.iter().map(|limit| limit.rule.memory().saturating_add(limit.usage.memory()));
        each.fold(list.saturating_add(self.garbage.memory()), usize::saturating_add)
    }

    /// Returns about how many allocations must be freed.
    pub(crate) fn effort(&self) -> usize {
        let words = self.limits.iter().map(|limit| 3_usize.saturating_add(limit.rule.bonuses().len()));
        let counts = self.counts().map(Counts::allocations);
        words.chain(counts).fold(0, usize::saturating_add)
    }

    pub(crate) fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        walk.steps(1, |_, mover| {
            self.limits = mover.relocate_vec(std::mem::take(&mut self.limits));
            self.limits.iter_mut().for_each(|limit| limit.usage.relocate(mover));
        });
        let usages = self.limits.iter_mut().flat_map(|limit| limit.usage.iter_mut());
        usages.chain(self.garbage.iter_mut()).for_each(|counts| counts.relocate(walk));
    }
}
