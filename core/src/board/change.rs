//! What a write does for its members: planned for all views, since any view may refuse it, then carried
//! out.

use arrayvec::ArrayVec;

use super::Board;
use super::effect::Position;
use crate::Error;
use crate::index::MemberId;
use crate::members::{BATCH, Batch, SMALL_MEMBERS};
use crate::schema::Tally;
use crate::score::Score;
use crate::time::Stamp;
use crate::view::{Change, MAX_VIEWS, Plan, View};

/// What a write makes of a member in each view.
pub(super) type Plans = ArrayVec<Plan, { 2 * MAX_VIEWS }>;

/// What a write does for a member in each tally of a board.
#[derive(Debug, Clone, Copy)]
pub(super) struct TallyChanges {
    pub(super) shown: Change,
    pub(super) real: Change,
}

impl TallyChanges {
    /// The same in both.
    pub(super) const fn both(change: Change) -> Self {
        Self { shown: change, real: change }
    }

    /// How many units are added in each.
    pub(super) const fn units(self) -> [i128; 2] {
        const fn units(change: Change) -> i128 {
            match change {
                Change::Add(units) => units,
                Change::Offer(_) | Change::Put(_) => 0,
            }
        }
        [units(self.shown), units(self.real)]
    }

    pub(super) const fn of(self, tally: Tally) -> Change {
        match tally {
            Tally::Shown => self.shown,
            Tally::Real => self.real,
        }
    }
}

/// A member that a write is about, and what the write does for it.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) member: &'a [u8],
    /// The points, score or votes as the client names them, in smallest units or votes.
    pub(super) amount: i64,
    pub(super) changes: TallyChanges,
    /// The score that the amount is to be instead of, where the difference is added; 0 for points.
    pub(super) replaces: Score,
    /// The member's number, once it was looked up; nothing for a new member.
    pub(super) id: Option<MemberId>,
}

impl<'a> Target<'a> {
    pub(super) const fn new(member: &'a [u8], amount: i64, changes: TallyChanges) -> Self {
        Self { member, amount, changes, replaces: Score::ZERO, id: None }
    }
}

impl Board {
    /// Looks up the members.
    pub(super) fn find(&self, targets: &mut [Target]) {
        if let [target] = targets {
            target.id = self.members.find(target.member);
            return;
        }
        if self.members.len() == 0 {
            targets.iter_mut().for_each(|target| target.id = None);
            return;
        }
        for batch in targets.chunks_mut(BATCH) {
            let names: Batch<_> = batch.iter().map(|target| target.member).collect();
            let ids = self.members.find_some(&names);
            batch.iter_mut().zip(ids).for_each(|(target, id)| target.id = id);
        }
    }

    /// Makes room for so many members on a board that has none.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub(super) fn make_room(&mut self, members: usize) -> Result<(), Error> {
        if members > SMALL_MEMBERS && self.members.len() == 0 {
            self.enlarge()?;
            self.members.reserve(members);
        }
        Ok(())
    }

    /// Enters those members that are new; none of them if that fails.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub(super) fn enter(&mut self, targets: &mut [Target]) -> Result<(), Error> {
        if self.members.is_large() {
            return self.enter_many(targets);
        }
        for at in 0..targets.len() {
            let Some(target) = targets.get_mut(at).filter(|target| target.id.is_none()) else { continue };
            // Another one of the list may have the same name.
            let found = if at > 0 { self.members.find(target.member) } else { None };
            match found.map_or_else(|| self.enter_member(target.member), Ok) {
                Ok(id) => target.id = Some(id),
                Err(error) => {
                    self.forget(targets);
                    return Err(error);
                }
            }
        }
        if !self.members.is_large() {
            return Ok(());
        }
        // A board that has grown gives its members other numbers, and can forget those without entries.
        self.find(targets);
        self.enter_many(targets)
    }

    /// The same for a board that has the form for many members.
    fn enter_many(&mut self, targets: &mut [Target]) -> Result<(), Error> {
        let entered = targets.chunks_mut(BATCH).try_for_each(|batch| self.enter_batch(batch));
        if entered.is_err() {
            self.forget(targets);
        }
        entered
    }

    fn enter_batch(&mut self, batch: &mut [Target]) -> Result<(), Error> {
        let names: Batch<_> =
            batch.iter().filter(|target| target.id.is_none()).map(|target| target.member).collect();
        let ids = self.members.find_or_insert_some(&names)?;
        let new = batch.iter_mut().filter(|target| target.id.is_none());
        new.zip(ids).for_each(|(target, id)| target.id = Some(id));
        Ok(())
    }

    /// Forgets those members that nothing refers to.
    fn forget(&mut self, targets: &[Target]) {
        for target in targets {
            if let Some(id) = self.members.find(target.member).filter(|id| !self.knows(*id)) {
                self.drop_member(id);
            }
        }
    }

    /// Enters a new member, without an entry in any view.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub(crate) fn enter_member(&mut self, member: &[u8]) -> Result<MemberId, Error> {
        if self.members.outgrown_by(1, member.len()) {
            self.enlarge()?;
        }
        self.members.insert(member)
    }

    /// Plans what a write makes of a member in each view.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub(super) fn plan(&self, target: &Target, stamp: Stamp, plans: &mut Plans) -> Result<(), Error> {
        let facts = self.facts();
        // Memory that is far away is asked for in all views before any of it is needed.
        if let Some(id) = target.id {
            self.views.iter().for_each(|view| view.prefetch(id, &self.members));
        }
        for view in &self.views {
            plans.push(view.plan(&facts, target.id, target.changes.of(view.tally), stamp)?);
        }
        if let Some(id) = target.id {
            self.views.iter().zip(plans).for_each(|(view, plan)| view.prefetch_target(&facts, id, plan));
        }
        Ok(())
    }

    /// Changes all members, the first one by these plans if it has some; where the last one stands in a
    /// view then. What was judged does not fail here.
    pub(super) fn carry_out(
        &mut self,
        view: usize,
        targets: &[Target],
        stamp: Stamp,
        plans: &mut Plans,
    ) -> Result<Option<Position>, Error> {
        let mut position = None;
        for target in targets {
            let Some(id) = target.id else { continue };
            if plans.is_empty() {
                self.plan(target, stamp, plans)?;
            }
            position = self.carry_out_one(view, id, plans);
            plans.clear();
        }
        Ok(position)
    }

    fn carry_out_one(&mut self, view: usize, id: MemberId, plans: &Plans) -> Option<Position> {
        self.sequences = self.sequences.saturating_add(1);
        let sequence = self.sequences;
        let mut position = None;
        let Self { views, members, schema, .. } = self;
        for (number, (each, plan)) in views.iter_mut().zip(plans).enumerate() {
            let rank = each.apply(schema, members, id, plan, sequence);
            if number == view {
                let score = plan.entry.map(|entry| entry.score);
                position =
                    score.zip(rank).map(|(score, before)| Position { score, rank: before.saturating_add(1) });
            }
        }
        // The order that is prepared for the next period follows, even if only the event has changed.
        if self.views.iter().any(View::is_preparing) {
            let (views, mut rest) = self.split();
            views.iter_mut().filter_map(View::in_periods).for_each(|mut view| view.follow(id, &mut rest));
        }
        position
    }
}
