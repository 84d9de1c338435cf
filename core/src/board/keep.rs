//! `KEEP`: each view keeps its best members. Who falls out of a view has no score there any more.

use super::Board;
use super::change::Target;
use crate::index::MemberId;

/// If more fall out at once, the order is made anew of those that stay.
const FEW: usize = 1_000;

impl Board {
    /// Lets those fall out of the views, after a write of these members, that are too many. Whether any did.
    pub(super) fn keep_best(&mut self, targets: &mut [Target]) -> bool {
        if self.schema.keep == 0 {
            return false;
        }
        let mut out = Vec::new();
        for number in 0..self.views.len() {
            let some = self.too_many(number, targets);
            self.let_fall_out(number, &some);
            out.extend(some);
        }
        if out.is_empty() {
            return false;
        }
        self.hidden_moved();
        out.sort_unstable();
        out.dedup();
        for id in out.into_iter().filter(|id| !self.keeps(*id)).collect::<Vec<_>>() {
            self.drop_member(id);
            targets.iter_mut().filter(|target| target.id == Some(id)).for_each(|target| target.id = None);
        }
        true
    }

    /// Whether any view has more members than it keeps.
    pub(super) fn has_too_many(&self) -> bool {
        let keep = u64::from(self.schema.keep);
        keep > 0 && self.views.iter().any(|view| self.seen_now(view).len() > keep)
    }

    /// The members of a view that are too many: the worst that everybody sees, and those hidden ones who have
    /// just written and would be too many.
    fn too_many(&self, number: usize, targets: &[Target]) -> Vec<MemberId> {
        let Some(view) = self.views.get(number) else { return Vec::new() };
        let keep = u64::from(self.schema.keep);
        let seen = self.seen_now(view);
        let hidden = targets.iter().filter_map(|target| target.id).filter(|id| self.is_hidden(*id));
        let mut out: Vec<_> =
            hidden.filter(|id| seen.find(*id).is_some_and(|at| at.before >= keep)).collect();
        out.sort_unstable();
        out.dedup();
        if seen.len() > keep {
            out.extend(seen.walk(keep).map(|(_, id)| id));
        }
        out
    }

    fn let_fall_out(&mut self, number: usize, out: &[MemberId]) {
        if out.len() > FEW {
            let (views, mut board) = self.split();
            views.iter_mut().skip(number).take(1).for_each(|view| view.keep_others(out, &mut board));
        } else if let Some(view) = self.views.get_mut(number) {
            out.iter().for_each(|id| view.take_out(*id, &mut self.members));
        }
    }

    /// Whether a member that has left an order stays: a board that keeps its best members does not keep others
    /// for their texts or voters.
    pub(super) fn keeps(&self, id: MemberId) -> bool {
        if self.schema.keep == 0 {
            return self.knows(id);
        }
        let is_candidate = self.campaign().is_some_and(|campaign| campaign.candidates.get(id).is_some());
        is_candidate || self.is_hidden(id) || self.views.iter().any(|view| view.knows(id, &self.members))
    }
}
