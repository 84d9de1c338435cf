//! Events for clients that watch a board, besides its changes: a period has ended, or the members at the top have
//! changed.

use std::hash::{Hash, Hasher};

use super::Board;
use crate::index::MemberId;
use crate::secret::Secret;
use crate::time::Millis;

impl Board {
    /// Returns the moment at which the first of the current periods ends.
    pub(super) fn first_end(&self) -> i64 {
        if self.is_root() {
            return i64::MAX;
        }
        self.upkeep.as_ref().map_or(i64::MAX, |upkeep| upkeep.current.1)
    }

    /// Returns the first moment after `moment` at which a period of a view ends. Views without a write have no
    /// periods yet.
    pub(super) fn end_after(&self, moment: Millis) -> i64 {
        if self.is_root() {
            return i64::MAX;
        }
        let moment = i64::try_from(moment).unwrap_or(i64::MAX);
        let ends = self.named_views().filter_map(|view| {
            let current = view.periods()?.span?.period;
            let (unit, _) = view.spec.reach()?;
            let period =
                if current.holds(moment) { current } else { self.schema.calendar.period(unit, moment) };
            Some(period.end).filter(|end| *end > moment)
        });
        ends.min().unwrap_or(i64::MAX)
    }

    /// Returns whether the members at the top have changed since the last call. The schema's `notify_top` is the
    /// number of watched places.
    pub(super) fn has_new_top(&mut self) -> bool {
        if self.schema.notify_top == 0 || self.loading.is_some() {
            return false;
        }
        let before = self.top;
        self.note_top();
        self.top != before
    }

    /// Stores a hash of the members at the top.
    pub(crate) fn note_top(&mut self) {
        self.top = if self.schema.notify_top == 0 { 0 } else { self.hash_of_top() };
    }

    /// Returns a hash of the names at the top, in their order; 0 if the default view has no visible member.
    fn hash_of_top(&self) -> u64 {
        let mut hasher = Secret::of_process().hasher();
        let mut is_empty = true;
        for id in self.first(self.schema.notify_top as usize) {
            self.name(id).hash(&mut hasher);
            is_empty = false;
        }
        if is_empty { 0 } else { hasher.finish() }
    }

    /// Returns the first `count` visible members of the default view.
    fn first(&self, count: usize) -> impl Iterator<Item = MemberId> {
        let entries = self.views.first().into_iter().flat_map(|view| self.seen_now(view).walk(0));
        entries.map(|(_, id)| id).take(count)
    }
}
