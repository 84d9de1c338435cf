//! `KEEP`: each view keeps its best members. Who falls out of a view has no score there any more.

use std::collections::BTreeSet;

use super::Board;
use super::change::Target;
use crate::index::MemberId;

/// If more fall out of an order of many at once, it is made anew of those that stay.
const FEW: u64 = 1_000;

impl Board {
    /// Lets those fall out of the views, after a write of these members, that are too many. Whether any did.
    pub(super) fn keep_best(&mut self, targets: &mut [Target]) -> bool {
        if self.schema.keep == 0 {
            return false;
        }
        let (mut out, mut are_many) = (Vec::new(), false);
        for number in 0..self.views.len() {
            out.extend(self.let_hidden_out(number, targets));
            let is_new_order = self.has_many_too_many(number);
            are_many |= is_new_order;
            out.extend(if is_new_order { self.keep_first(number) } else { self.let_worst_out(number) });
        }
        let fell_out = are_many || !out.is_empty();
        self.forget_fallen(out, targets);
        fell_out
    }

    /// Whether any view has more members than it keeps.
    pub(super) fn has_too_many(&self) -> bool {
        self.schema.keep > 0 && (0..self.views.len()).any(|number| self.too_many(number) > 0)
    }

    /// How many members of a view are too many, of those that everybody sees.
    fn too_many(&self, number: usize) -> u64 {
        let keep = u64::from(self.schema.keep);
        self.views.get(number).map_or(0, |view| self.seen_now(view).len().saturating_sub(keep))
    }

    fn has_many_too_many(&self, number: usize) -> bool {
        self.too_many(number) > FEW && self.views.get(number).is_some_and(|view| view.index.is_tree())
    }

    /// Lets hidden members out that have just written, and would be too many.
    fn let_hidden_out(&mut self, number: usize, targets: &[Target]) -> Vec<MemberId> {
        let Some(view) = self.views.get(number) else { return Vec::new() };
        let (keep, seen) = (u64::from(self.schema.keep), self.seen_now(view));
        let hidden = targets.iter().filter_map(|target| target.id).filter(|id| self.is_hidden(*id));
        let out: Vec<_> = hidden.filter(|id| seen.find(*id).is_some_and(|at| at.before >= keep)).collect();
        self.let_out(number, &out);
        out
    }

    /// Lets the worst of those out that everybody sees.
    fn let_worst_out(&mut self, number: usize) -> Vec<MemberId> {
        let Some(view) = self.views.get(number).filter(|_| self.too_many(number) > 0) else {
            return Vec::new();
        };
        let out: Vec<_> = self.seen_now(view).walk(self.schema.keep.into()).map(|(_, id)| id).collect();
        self.let_out(number, &out);
        out
    }

    fn let_out(&mut self, number: usize, out: &[MemberId]) {
        if let Some(view) = self.views.get_mut(number).filter(|_| !out.is_empty()) {
            out.iter().for_each(|id| view.take_out(*id, &mut self.members));
            self.hidden_moved();
        }
    }

    /// Makes an order anew of the best of those that everybody sees, and of all hidden members. Returns those that
    /// had a text before: the others that fall out are forgotten between commands.
    fn keep_first(&mut self, number: usize) -> Vec<MemberId> {
        let texts = self.extras.iter().flat_map(|extras| extras.texts.keys());
        let is_ranked = |id: &MemberId| {
            self.views.get(number).is_some_and(|view| view.find(*id, &self.members).is_some())
        };
        let with_text: Vec<_> = texts.filter(is_ranked).collect();
        let hidden = self.hidden_members().cloned().unwrap_or_default();
        let keep = u64::from(self.schema.keep);
        let (views, mut board) = self.split();
        views.iter_mut().skip(number).take(1).for_each(|view| view.keep_first(keep, &hidden, &mut board));
        self.hidden_moved();
        with_text
    }

    /// Forgets those of whom nothing is left but a text or voters.
    fn forget_fallen(&mut self, mut out: Vec<MemberId>, targets: &mut [Target]) {
        out.sort_unstable();
        out.dedup();
        let shown = self.kept_of(&out);
        for id in out.into_iter().filter(|id| !shown.contains(id)) {
            self.drop_member(id);
            targets.iter_mut().filter(|target| target.id == Some(id)).for_each(|target| target.id = None);
        }
    }

    /// Which of the members that fall out stay: nobody stays for a text or voters alone, or in an order that only others
    /// are worked out from. They come by ascending id.
    fn kept_of(&self, ids: &[MemberId]) -> BTreeSet<MemberId> {
        let is_candidate =
            |id: MemberId| self.campaign().is_some_and(|campaign| campaign.candidates.get(id).is_some());
        let stays = |id: &MemberId| is_candidate(*id) || self.is_hidden(*id);
        let mut kept: BTreeSet<_> = ids.iter().copied().filter(stays).collect();
        let facts = self.facts();
        self.views.iter().for_each(|view| view.note_shown(ids, &mut kept, &facts, &|| self.note_worked()));
        kept
    }
}
