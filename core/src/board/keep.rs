//! `KEEP`: each view keeps its best members. A member that falls out of a view loses its score there.

use std::collections::BTreeSet;

use super::Board;
use super::change::Target;
use crate::index::MemberId;

/// If more members than this fall out of a large order at once, the order is built again from the members that stay.
const FEW: u64 = 1_000;

impl Board {
    /// After a write of these members, removes surplus members from the views. Returns whether any were removed.
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
        // A late write may count in no present period.
        let absent = targets.iter().filter_map(|target| target.id);
        out.extend(absent.filter(|id| self.has_text_or_segment(*id) && !self.is_ranked(*id)));
        self.forget_fallen(out, targets);
        fell_out
    }

    /// Returns whether any view has more members than it keeps.
    pub(super) fn has_too_many(&self) -> bool {
        self.schema.keep > 0 && (0..self.views.len()).any(|number| self.too_many(number) > 0)
    }

    /// Returns how many visible members a view has above its maximum.
    fn too_many(&self, number: usize) -> u64 {
        let keep = u64::from(self.schema.keep);
        self.views.get(number).map_or(0, |view| self.seen_now(view).len().saturating_sub(keep))
    }

    fn has_many_too_many(&self, number: usize) -> bool {
        self.too_many(number) > FEW && self.views.get(number).is_some_and(|view| view.index.is_tree())
    }

    /// Removes hidden members that have just written and whose place is behind the places that the view keeps.
    /// Returns them.
    fn let_hidden_out(&mut self, number: usize, targets: &[Target]) -> Vec<MemberId> {
        let Some(view) = self.views.get(number) else { return Vec::new() };
        let (keep, seen) = (u64::from(self.schema.keep), self.seen_now(view));
        let hidden = targets.iter().filter_map(|target| target.id).filter(|id| self.is_hidden(*id));
        let out: Vec<_> = hidden.filter(|id| seen.find(*id).is_some_and(|at| at.before >= keep)).collect();
        self.let_out(number, &out);
        out
    }

    /// Removes the worst visible members, which are above the maximum. Returns them.
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
            // The worst member falls out first.
            out.iter().rev().for_each(|id| self.take_out_of_segments(number, *id));
        }
    }

    /// Builds an order again, with its best visible members and all hidden members. Returns the members that fell
    /// out and have a text or a segment. The other members that fell out are forgotten between commands.
    fn keep_first(&mut self, number: usize) -> Vec<MemberId> {
        let texts = self.extras.iter().flat_map(|extras| extras.texts.keys()).chain(self.in_segments());
        let is_ranked = |id: &MemberId| {
            self.views.get(number).is_some_and(|view| view.find(*id, &self.members).is_some())
        };
        let with_text: Vec<_> = texts.filter(is_ranked).collect();
        let hidden = self.hidden_members().cloned().unwrap_or_default();
        let keep = u64::from(self.schema.keep);
        let (views, mut board) = self.split();
        views.iter_mut().skip(number).take(1).for_each(|view| view.keep_first(keep, &hidden, &mut board));
        self.hidden_moved();
        self.rebuild_segments(number);
        with_text
    }

    /// Returns how much garbage waits to be freed.
    pub(super) fn waiting_garbage(&self) -> usize {
        self.upkeep.as_ref().map_or(0, |upkeep| upkeep.garbage.len())
    }

    /// On a board with `KEEP`, notes which members with a text or a segment are in the garbage that came after the first
    /// `waiting` pieces: their periods were dropped. This garbage is freed at once.
    pub(super) fn note_dropped(&mut self, waiting: usize) {
        let has_texts = self.extras.as_ref().is_some_and(|extras| !extras.texts.is_empty());
        if self.schema.keep == 0 || !has_texts && !self.has_segments() {
            return;
        }
        let Some(upkeep) = self.upkeep.as_deref_mut().filter(|upkeep| upkeep.garbage.len() > waiting) else {
            return;
        };
        let mut ids = Vec::new();
        for mut garbage in upkeep.garbage.split_off(waiting) {
            while garbage.drain_some(&mut ids) {}
        }
        let (mut dropped, mut gone): (Vec<_>, Vec<_>) =
            ids.into_iter().partition(|id| self.has_text_or_segment(*id));
        if let Some(upkeep) = &mut self.upkeep {
            upkeep.dropped.append(&mut dropped);
            upkeep.gone.append(&mut gone);
        }
    }

    /// Forgets the members that were noted, if no view and no ended period has them.
    pub(super) fn forget_dropped(&mut self, targets: &mut [Target]) {
        let Some(upkeep) = self.upkeep.as_mut().filter(|upkeep| !upkeep.dropped.is_empty()) else { return };
        let dropped = std::mem::take(&mut upkeep.dropped);
        if self.schema.keep > 0 {
            self.forget_fallen(dropped, targets);
        }
    }

    fn has_text_or_segment(&self, id: MemberId) -> bool {
        self.meta_of(id).is_some() || self.is_in_segment(id)
    }

    /// Returns whether a member is in a present period.
    fn is_ranked(&self, id: MemberId) -> bool {
        self.views.iter().any(|view| view.find(id, &self.members).is_some())
    }

    /// Forgets members that have no entry any more, but a text, a segment or voters.
    fn forget_fallen(&mut self, mut out: Vec<MemberId>, targets: &mut [Target]) {
        out.sort_unstable();
        out.dedup();
        let kept = self.kept_of(&out);
        for id in out.into_iter().filter(|id| !kept.contains(id)) {
            self.drop_member(id);
            targets.iter_mut().filter(|target| target.id == Some(id)).for_each(|target| target.id = None);
        }
    }

    /// Returns which of these members the board keeps. A text, a segment or voters alone do not keep a member. An order that is only
    /// used to derive other orders does not keep a member either. The last period with a write keeps its members, even if it cannot
    /// be read any more: the clock may be put back. `ids` must be ascending.
    fn kept_of(&self, ids: &[MemberId]) -> BTreeSet<MemberId> {
        let is_candidate =
            |id: MemberId| self.campaign().is_some_and(|campaign| campaign.candidates.get(id).is_some());
        let stays = |id: &MemberId| is_candidate(*id) || self.is_hidden(*id);
        let mut kept: BTreeSet<_> = ids.iter().copied().filter(stays).collect();
        let context = self.context();
        for view in &self.views {
            view.note_kept_in_any_case(ids, &mut kept, &self.members);
            view.note_shown(ids, &mut kept, &context, &|| self.note_worked());
        }
        kept
    }
}
