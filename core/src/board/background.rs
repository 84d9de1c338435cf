//! Time passing: bringing the views to the current period, and doing in small steps what can be done
//! between commands. No command depends on these steps having been done.

use super::{Board, Upkeep};
use crate::campaign::Campaign;
use crate::time::Millis;
use crate::view::{Kind, View, Work};

/// Members that one step looks at.
const STEP: usize = 32;
/// Orders of a view, worked out for readers, that stay for the next one: a period and the one before.
const MOST_WORKED: usize = 2;

impl Board {
    /// Brings every view to the period of a moment of the board's clock. In a board that nobody has
    /// used for long this builds orders anew; otherwise it takes over what was prepared.
    pub fn advance(&mut self, now: Millis) {
        if self.worked.get() > 0 && self.worked.get() as usize > MOST_WORKED.saturating_mul(self.views.len())
        {
            self.views.iter_mut().for_each(View::drop_cached);
            self.worked.set(0);
        }
        if !self.is_due(now) {
            return;
        }
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let (views, mut rest) = self.split();
        for mut view in views.iter_mut().filter_map(View::in_periods).filter(|view| view.is_due(now)) {
            view.roll_over(now, &mut rest);
        }
        self.bound();
        self.tidy();
    }

    /// Notes that an order was worked out for a reader.
    pub(super) fn note_worked(&self) {
        self.worked.set(self.worked.get().saturating_add(1));
    }

    /// Whether some view has another period at a moment.
    #[inline]
    pub(super) fn is_due(&self, now: Millis) -> bool {
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let current = self.upkeep.as_ref().map(|upkeep| upkeep.current);
        current.is_some_and(|(from, until)| now < from || until <= now)
    }

    /// Lets the views begin that have not seen a write; which ones.
    pub(super) fn start(&mut self, now: Millis) -> u32 {
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let mut started = 0;
        for (number, view) in self.views.iter_mut().enumerate() {
            if view.start(&self.schema, now) {
                started |= 1 << number;
            }
        }
        if started != 0 {
            let (views, mut rest) = self.split();
            for mut view in some(views, started).filter_map(View::in_periods) {
                view.enter_starting(&mut rest);
            }
            self.bound();
        }
        started
    }

    /// Takes back that they have begun, since the write was refused.
    pub(super) fn unstart(&mut self, started: u32) {
        if started != 0 {
            some(&mut self.views, started).for_each(|view| view.unstart(&self.schema));
            self.bound();
        }
    }

    /// Notes for which time the views have the right periods.
    pub(crate) fn bound(&mut self) {
        let periods = || self.views.iter().filter_map(|view| Some(view.periods()?.span?.period));
        let from = periods().map(|period| period.start).max().unwrap_or(i64::MIN);
        let until = periods().map(|period| period.end).min().unwrap_or(i64::MAX);
        if self.upkeep.is_some() || until != i64::MAX {
            self.upkeep.get_or_insert_default().current = (from, until);
        }
    }

    /// Whether the board has work between commands, now or later.
    #[must_use]
    pub fn is_served(&self) -> bool {
        let waits = |upkeep: &Upkeep| !upkeep.garbage.is_empty() || !upkeep.gone.is_empty();
        let has_work = || {
            self.views.iter().any(|view| view.is_big())
                || self.upkeep.as_deref().is_some_and(waits)
                || self.campaign().is_some_and(Campaign::is_big)
        };
        self.loading.is_none() && has_work()
    }

    /// Does a bounded piece of what can be done ahead: well under a tenth of a millisecond. When there
    /// will be more to do.
    pub fn work(&mut self, now: Millis) -> Work {
        if self.free_some() || self.free_votes(now) {
            return Work::Now;
        }
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let (views, mut rest) = self.split();
        let mut later = i64::MAX;
        for mut view in views.iter_mut().filter_map(View::in_periods) {
            match view.work(now, &mut rest) {
                Work::Now => {
                    self.bound();
                    return Work::Now;
                }
                Work::Later(moment) => later = later.min(moment),
            }
        }
        Work::Later(later)
    }

    /// Makes the last boundaries final, before something is written behind them. Members that nothing
    /// refers to any more go with [`Board::tidy`], when the write is done.
    pub(crate) fn settle_views(&mut self) {
        // A board without periods has no upkeep.
        if self.upkeep.is_some() && self.views.iter().any(View::is_reversible) {
            let (views, mut rest) = self.split();
            views.iter_mut().filter_map(View::in_periods).for_each(|mut view| view.finalize(&mut rest));
        }
    }

    /// On a small board, frees at once what is of no use any more.
    pub(crate) fn tidy(&mut self) {
        if self.members.is_large() {
            return;
        }
        let Some(upkeep) = self.upkeep.as_mut().filter(|upkeep| !upkeep.garbage.is_empty()) else { return };
        let mut gone = Vec::new();
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

    /// Frees a little of what is of no use any more; false when nothing is left.
    fn free_some(&mut self) -> bool {
        if self.forget_some() {
            return true;
        }
        let Some(Upkeep { garbage, gone, .. }) = self.upkeep.as_deref_mut() else { return false };
        let Some(last) = garbage.last_mut() else { return false };
        if !last.drain_some(gone) {
            garbage.pop();
        }
        true
    }

    /// Frees a little of what votes of ended periods left; false when nothing is left.
    fn free_votes(&mut self, now: Millis) -> bool {
        let campaign = self.extras.as_mut().and_then(|extras| extras.campaign.as_mut());
        campaign.is_some_and(|campaign| campaign.work(now))
    }

    /// Whether members can be left without anything: not where everybody is in the view `all`.
    fn forgets(&self) -> bool {
        let everybody = self.members.len() as u64;
        !self.views.iter().any(|view| view.spec.kind == Kind::All && view.index.len() == everybody)
    }

    /// Forgets those of a few members that nothing refers to any more; false when none is left.
    fn forget_some(&mut self) -> bool {
        let forgets = self.forgets();
        let Some(upkeep) = self.upkeep.as_deref_mut() else { return false };
        // Each would be looked for everywhere in an order that is yet to be packed.
        if self.views.iter().any(View::is_slow_to_search) && !upkeep.gone.is_empty() {
            return false;
        }
        if upkeep.gone.is_empty() || !forgets {
            upkeep.gone = Vec::new();
            return false;
        }
        let left = upkeep.gone.len().saturating_sub(STEP);
        for id in upkeep.gone.split_off(left) {
            // It may have been forgotten by now, and its place taken by somebody else.
            if self.members.find(self.members.name(id)) == Some(id) && !self.knows(id) {
                self.drop_member(id);
            }
        }
        true
    }
}

/// The views whose bits are set.
fn some(views: &mut [View], bits: u32) -> impl Iterator<Item = &mut View> {
    let chosen = move |(number, _): &(usize, &mut View)| bits & 1 << number != 0;
    views.iter_mut().enumerate().filter(chosen).map(|(_, view)| view)
}
