//! Brings the views to the current period, and does the work between commands, in small steps. Every command gives
//! the same reply whether or not this work was done.

use super::change::Target;
use super::{Board, Upkeep};
use crate::index::MemberId;
use crate::time::Millis;
use crate::view::{Kind, View};

/// The number of members that one step may forget.
const STEP: usize = 32;
/// The number of lookups in ended orders that one step may make for these members. If a single member needs more
/// lookups, the step makes more.
const ASKED: usize = 8_192;
/// The number of derived orders that a view keeps for the next reader, and as many for each dimension of segments: the
/// order of one period and of the period before it.
const MOST_WORKED: usize = 2;

impl Board {
    /// Makes the period that contains a moment of the board's clock current in every view. If the order of the
    /// period was prepared, it is used; otherwise it is built now.
    pub fn advance(&mut self, now: Millis) {
        self.drop_worked();
        self.note_present(now);
        if !self.is_due(now) {
            return;
        }
        let left = self.periods_to_leave();
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let (views, mut rest) = self.split();
        for mut view in views.iter_mut().filter_map(View::in_periods).filter(|view| view.is_due(now)) {
            view.roll_over(now, &mut rest);
        }
        self.bound();
        self.roll_segments_over(&left);
        self.tidy();
    }

    /// Drops the orders that were derived for readers, if there are many.
    pub(super) fn drop_worked(&mut self) {
        let most = MOST_WORKED.saturating_mul(self.views.len());
        let most = most.saturating_mul(self.dimensions().len().saturating_add(1));
        if self.worked.get() as usize > most {
            self.views.iter_mut().for_each(View::drop_cached);
            self.drop_kept_segments();
            self.worked.set(0);
        }
    }

    /// Counts an order that was derived for a reader.
    pub(super) fn note_worked(&self) {
        self.worked.set(self.worked.get().saturating_add(1));
    }

    /// Returns whether a view has another current period at this moment.
    #[inline]
    pub(super) fn is_due(&self, now: Millis) -> bool {
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let current = self.upkeep.as_ref().map(|upkeep| upkeep.current);
        current.is_some_and(|(from, until)| now < from || until <= now)
    }

    /// Begins the first period of each view that has had no write.
    pub(super) fn start(&mut self, now: Millis) {
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let (views, mut rest) = self.split();
        let mut started = Vec::new();
        for (number, view) in views.iter_mut().enumerate() {
            if view.start(rest.schema, now)
                && let Some(mut view) = view.in_periods()
            {
                view.enter_starting(&mut rest);
                started.push(number);
            }
        }
        started.into_iter().for_each(|number| self.rebuild_segments(number));
        self.bound();
    }

    /// Stores the range of moments in which the current periods of all views are correct.
    pub(crate) fn bound(&mut self) {
        self.hidden_moved();
        let periods = || self.views.iter().filter_map(|view| Some(view.periods()?.span?.period));
        let from = periods().map(|period| period.start).max().unwrap_or(i64::MIN);
        let until = periods().map(|period| period.end).min().unwrap_or(i64::MAX);
        if self.upkeep.is_some() || until != i64::MAX {
            self.upkeep.get_or_insert_default().current = (from, until);
        }
    }

    /// Makes the last boundaries of periods final. It is called before a write that cannot be rewound past these
    /// boundaries. Members without references stay until the write is done, see [`Board::tidy`].
    pub(crate) fn finalize_views(&mut self) {
        // A board without periods has no upkeep.
        if self.upkeep.is_some() && self.views.iter().any(View::is_reversible) {
            self.settle_prizes();
            let waiting = self.waiting_garbage();
            let (views, mut rest) = self.split();
            views.iter_mut().filter_map(View::in_periods).for_each(|mut view| view.finalize(&mut rest));
            self.note_dropped(waiting);
            self.prune_segments();
        }
    }

    /// Forgets the members that `KEEP` no longer keeps, because their last ended period was dropped. Frees the garbage of a small
    /// board at once.
    pub(crate) fn tidy(&mut self) {
        self.tidy_after(&mut []);
    }

    /// Does the same after a write of these members. A member that is forgotten has no number any more.
    pub(super) fn tidy_after(&mut self, targets: &mut [Target]) {
        self.free_small();
        self.forget_dropped(targets);
    }

    /// Frees the garbage of a small board at once.
    pub(super) fn free_small(&mut self) {
        if self.members.is_large() {
            return;
        }
        while self.free_segments() {}
        let has_work = |upkeep: &&mut Box<Upkeep>| !upkeep.garbage.is_empty() || !upkeep.gone.is_empty();
        let Some(upkeep) = self.upkeep.as_mut().filter(has_work) else { return };
        let mut gone = std::mem::take(&mut upkeep.gone);
        for mut garbage in std::mem::take(&mut upkeep.garbage) {
            while garbage.drain_some(&mut gone) {}
        }
        gone.sort_unstable();
        gone.dedup();
        for id in gone {
            if self.forgets() && !self.knows(id) {
                self.drop_member(id);
            }
        }
    }

    /// Returns whether a number belongs to a member. The member with this number may have been forgotten, and the
    /// number may have been given to another member.
    fn is_member(&self, id: MemberId) -> bool {
        self.members.find(self.members.name(id)) == Some(id)
    }

    /// Frees a little garbage. Returns false when there is none.
    pub(super) fn free_some(&mut self) -> bool {
        if self.forget_some() || self.free_segments() {
            return true;
        }
        let Some(Upkeep { garbage, gone, .. }) = self.upkeep.as_deref_mut() else { return false };
        let Some(last) = garbage.last_mut() else { return false };
        if !last.drain_some(gone) {
            garbage.pop();
        }
        true
    }

    /// Frees a little of the data of votes in ended periods. Returns false when there is no such data.
    pub(super) fn free_votes(&mut self, now: Millis) -> bool {
        let campaign = self.extras.as_mut().and_then(|extras| extras.campaign.as_mut());
        campaign.is_some_and(|campaign| campaign.work(now))
    }

    /// Returns whether the board may have a member without an entry. If all members are in the view `all`, each
    /// member has an entry.
    pub(super) fn forgets(&self) -> bool {
        let everybody = self.members.len() as u64;
        !self.views.iter().any(|view| view.spec.kind == Kind::All && view.index.len() == everybody)
    }

    /// Forgets a few members that have no references. Returns false when there are none.
    fn forget_some(&mut self) -> bool {
        let forgets = self.forgets();
        let orders: usize = self.views.iter().map(View::ended_orders).sum();
        let step = ASKED.checked_div(orders).unwrap_or(STEP).clamp(1, STEP);
        let Some(upkeep) = self.upkeep.as_deref_mut() else { return false };
        // Until an order is packed, a search for a member reads the complete order.
        if self.views.iter().any(View::is_slow_to_search) && !upkeep.gone.is_empty() {
            return false;
        }
        if upkeep.gone.is_empty() || !forgets {
            upkeep.gone = Vec::new();
            return false;
        }
        let left = upkeep.gone.len().saturating_sub(step);
        for id in upkeep.gone.split_off(left) {
            if self.is_member(id) && !self.knows(id) {
                self.drop_member(id);
            }
        }
        true
    }
}
