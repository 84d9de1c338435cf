//! `KEEP`: members leave the current period of a view because other members are better.

use super::{BoardContextMut, Garbage, HiddenMembers, View};
use crate::index::MemberId;
use crate::members::Members;

impl View {
    /// Removes a member from the current period, and from the prepared order of the next period.
    pub(crate) fn take_out(&mut self, id: MemberId, members: &mut Members) {
        if let Some(place) = self.find(id, members) {
            self.index.remove(place, id, &mut members.index_members_mut(self.leaf, None));
        }
        self.set_event(id, None);
        if let Some(periods) = self.periods_mut()
            && let Some(next) = &mut periods.next
        {
            next.put(id, None, &mut members.index_members_mut(periods.spare, None));
        }
    }

    /// Keeps the first `keep` members that are not hidden, and all hidden members. Builds the order again with
    /// these members.
    pub(crate) fn keep_first(&mut self, keep: u64, hidden: &HiddenMembers, board: &mut BoardContextMut) {
        let mut left = keep;
        let stays = self.index.iter_from(0).filter(|(_, id)| {
            let is_kept = left > 0 && hidden.get(*id).is_none();
            left = left.saturating_sub(u64::from(is_kept));
            is_kept || hidden.get(*id).is_some()
        });
        let stays: Vec<_> = stays.collect();
        let mut index = Self::empty(board.schema, self.index.is_tree());
        let sequences = self.sequence();
        index.append_all(&stays, &mut board.members.index_members_mut(self.leaf, sequences));
        board.garbage.push(Garbage::Index(std::mem::replace(&mut self.index, index)));
        let events = self.events.iter().flat_map(|events| events.keys());
        let gone: Vec<_> = events.filter(|id| self.find(*id, board.members).is_none()).collect();
        gone.into_iter().for_each(|id| self.set_event(id, None));
        if let Some(periods) = self.periods_mut() {
            periods.forget_next(board.garbage);
        }
    }
}
