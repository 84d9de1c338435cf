//! The rules of scores: when the board is open, who may score, what may be written, how many members there are, and how often
//! each of them may write. They are judged in the step that writes. A write that they hold back changes nothing.

use super::Board;
use super::change::Target;
use super::write::Case;
use crate::Error;
use crate::board_rule::BoardRule;
use crate::limits::{Ballot, Cost};
use crate::secret::HashSet;
use crate::time::{Millis, Stamp};
use crate::view::View;

/// The rule that holds a write back, and the time in milliseconds until the write can pass; `None` if waiting does not help.
pub(super) type Holding = (BoardRule, Option<Millis>);

impl Board {
    /// Counts that a rule holds a write back, and returns the error.
    pub(super) fn hold_back(&mut self, (rule, wait): Holding) -> Error {
        self.count_held_back(rule);
        Error::HeldBack(rule, wait)
    }

    /// Returns [`BoardRule::Closed`] if the board is closed at the moment of a write.
    pub(super) fn is_closed(&self, stamp: Stamp) -> Option<Holding> {
        let wait = self.campaign()?.closed(&self.schema.calendar, stamp)?;
        Some((BoardRule::Closed, wait))
    }

    /// Returns the number of attempts that a write of scores is for each member; `None` on a board that does not count
    /// attempts. Prefetches what is counted.
    pub(super) fn attempts_of(&self, targets: &[Target], now: Millis) -> Option<Cost> {
        let attempts = &self.campaign().filter(|campaign| campaign.has(BoardRule::Attempts))?.attempts;
        let cost = match targets {
            [target] => attempts.cost(&Ballot::NOBODY, &[(target.member, 1)]),
            many => {
                let pairs: Vec<_> = many.iter().map(|target| (target.member, 1)).collect();
                attempts.cost(&Ballot::NOBODY, &pairs)
            }
        };
        let cost = cost.ok()?;
        attempts.prefetch(now, &cost);
        Some(cost)
    }

    /// Returns the first rule that holds back a write of scores whose condition holds, besides [`BoardRule::Closed`].
    pub(super) fn refusing(
        &self,
        case: Case,
        targets: &[Target],
        attempts: Option<&Cost>,
    ) -> Option<Holding> {
        let has_joined = |target: &Target| self.is_declared(target.id);
        if self.schema.declared && !targets.iter().all(has_joined) {
            return Some((BoardRule::Joined, None));
        }
        let campaign = self.campaign()?;
        let is_inside = |target: &Target| {
            campaign.bounds.is_none_or(|(min, max)| (min.units()..=max.units()).contains(&target.amount))
        };
        if !targets.iter().all(is_inside) {
            return Some((BoardRule::Bounds, None));
        }
        if let Some(full) = self.is_full_for(targets, case.stamp) {
            return Some(full);
        }
        let held_back = campaign.attempts.judge(case.stamp.now, &Ballot::NOBODY, attempts?)?;
        Some((BoardRule::Attempts, held_back.wait))
    }

    /// Returns [`BoardRule::Full`] if a write of scores would bring more members into the default view than the board may have.
    fn is_full_for(&self, targets: &[Target], stamp: Stamp) -> Option<Holding> {
        let most =
            self.campaign().map(|campaign| u64::from(campaign.max_members)).filter(|most| *most > 0)?;
        let view =
            self.views.first().filter(|view| !self.schema.declared && view.counts(&self.schema, stamp))?;
        let context = self.context();
        let is_in =
            |target: &Target| target.id.is_some_and(|id| view.entry_at(&context, id, stamp.now).is_some());
        let (mut new, mut left_out) = (HashSet::<&[u8]>::default(), HashSet::<&[u8]>::default());
        for target in targets.iter().filter(|target| !is_in(target)) {
            let enters = view.lets_in(&context, target.id, target.changes.of(view.tally), stamp);
            // What several items of a list give a member together is not looked at: it enters.
            if enters || !left_out.insert(target.member) {
                new.insert(target.member);
            }
        }
        if new.is_empty() {
            return None;
        }
        let Some(room) = most.checked_sub(new.len() as u64) else {
            // The list never fits, whatever the period.
            return Some((BoardRule::Full, None));
        };
        let is_full = view.count_at(&context, stamp.now, room.saturating_add(1)) > room;
        is_full.then(|| (BoardRule::Full, self.until_next(view, stamp.now)))
    }

    /// Returns [`BoardRule::Full`] if no more members can join.
    pub(super) fn is_full_of_joined(&self) -> Option<Holding> {
        let campaign = self.campaign().filter(|campaign| campaign.has(BoardRule::Full))?;
        let is_full = campaign.candidates.len() as u64 >= u64::from(campaign.max_members);
        is_full.then_some((BoardRule::Full, None))
    }

    /// Returns how many members the rule [`BoardRule::Full`] counts at a moment.
    pub(super) fn counted_members(&self, now: Millis) -> u64 {
        if self.schema.declared {
            return self.campaign().map_or(0, |campaign| campaign.candidates.len() as u64);
        }
        self.views.first().map_or(0, |view| view.count_at(&self.context(), now, u64::MAX))
    }

    /// Returns the time until the period of a view that contains a moment ends, in milliseconds; `None` for the endless period.
    pub(super) fn until_next(&self, view: &View, now: Millis) -> Option<Millis> {
        let period = view.period_at(&self.schema.calendar, now)?;
        period.end.checked_sub_unsigned(now).map(i64::unsigned_abs)
    }

    /// Counts the attempts of a write that was applied.
    pub(super) fn count_attempts(&mut self, attempts: Option<&Cost>, now: Millis) {
        let campaign = self.extras.as_mut().and_then(|extras| extras.campaign.as_mut());
        if let Some((campaign, cost)) = campaign.zip(attempts) {
            campaign.attempts.count(&self.schema.calendar, now, cost);
        }
    }
}
