//! Checks the invariants of a board, entry by entry, for tests and fuzzers.
#![allow(clippy::panic, reason = "a failed check is meant to panic")]

use super::Board;
use crate::campaign::Campaign;
use crate::index::compare_keys;
use crate::view::View;

impl Board {
    /// Checks the whole board, and panics if something is wrong. Only tests call it.
    #[doc(hidden)]
    pub fn check(&self) {
        for view in &self.views {
            self.check_view(view);
        }
        // The orders of segments follow from all that is loaded, so they are built last.
        for dimension in self.dimensions().iter().filter(|_| self.loading.is_none()) {
            dimension.check(&self.views, (&self.schema, &self.members, self.hidden_members()));
        }
        if let Some(campaign) = self.campaign() {
            campaign.candidates.check();
            campaign.voters.check();
        }
        let is_tidy =
            self.upkeep.as_ref().is_none_or(|upkeep| upkeep.garbage.is_empty() && upkeep.gone.is_empty());
        if is_tidy && self.views.len() == 1 && self.views.iter().all(|view| view.periods().is_none()) {
            let texts = self.extras.as_ref().map_or(0, |extras| extras.texts.len() as u64);
            let known = |campaign: &Campaign| campaign.candidates.len().saturating_add(campaign.voters.len());
            let others = self.campaign().map_or(0, known).saturating_add(self.count_hidden()) as u64;
            let placed = self.members.ids().filter(|id| self.is_in_segment(*id)).count() as u64;
            let others = others.saturating_add(texts).saturating_add(placed);
            assert!(
                self.members.len() as u64 <= self.len().saturating_add(others),
                "a member of which nothing is known"
            );
        }
    }

    fn check_view(&self, view: &View) {
        view.index.check(&view.index_members(&self.members));
        for (_, id) in view.index.iter_from(0) {
            assert_eq!(self.members.find(self.members.name(id)), Some(id));
        }
        let Some(periods) = view.periods() else { return };
        if let Some(next) = &periods.next {
            next.index.check(&self.members.index_members(periods.spare, view.sequence()));
        }
        for (_, bucket) in &periods.buckets {
            bucket.check();
            for (id, _) in bucket.iter() {
                assert_eq!(self.members.find(self.members.name(id)), Some(id), "points of nobody");
            }
        }
        for past in &periods.past {
            let ranking = past.order.ranking(&self.schema, &self.members);
            assert_eq!(ranking.walk(0).count() as u64, ranking.len());
            // If a member was only in an order that cannot be read any more, removing the member removes its moment
            // too.
            if past.last >= periods.oldest() {
                assert_eq!(past.order.moments().count() as u64, past.order.dated().min(ranking.len()));
            }
            let keys = ranking.walk_dated(0).map(|(key, _)| key);
            assert!(
                keys.is_sorted_by(|a, b| compare_keys(self.schema.ties, *a, *b).is_le()),
                "moments against the order"
            );
            for (_, id) in ranking.walk(0) {
                assert_eq!(self.members.find(self.members.name(id)), Some(id), "a past of nobody");
                assert!(ranking.find(id).is_some(), "a member that cannot be found in the past");
            }
        }
    }
}
