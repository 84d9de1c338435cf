//! Members that fall out of the current period of a view, because others are better.

use std::collections::HashSet;

use super::{BoardParts, Garbage, View};
use crate::index::MemberId;
use crate::members::Members;

impl View {
    /// Takes a member out of the current period, and of the next one as far as that is prepared.
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

    /// Takes many members out: the order is made anew of the others.
    pub(crate) fn keep_others(&mut self, out: &[MemberId], board: &mut BoardParts) {
        let out: HashSet<MemberId> = out.iter().copied().collect();
        let stays = self.index.iter_from(0).filter(|(_, id)| !out.contains(id));
        let stays: Vec<_> = stays.collect();
        let mut index = Self::empty(board.schema, self.index.is_tree());
        let sequences = self.sequence();
        for (key, id) in stays {
            // They are in order, so none is refused.
            let _ = index.append(key, id, &mut board.members.index_members_mut(self.leaf, sequences));
        }
        board.garbage.push(Garbage::Index(std::mem::replace(&mut self.index, index)));
        out.iter().for_each(|id| self.set_event(*id, None));
        if let Some(periods) = self.periods_mut() {
            periods.forget_next(board.garbage);
        }
    }
}
