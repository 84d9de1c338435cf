//! The effect of a write on its members. It is planned for all views first, since any view may refuse it, and then
//! carried out.

use arrayvec::ArrayVec;

use super::Board;
use super::effect::Position;
use super::segments::GivenSegments;
use crate::Error;
use crate::index::MemberId;
use crate::members::{BATCH, Batch, SMALL_MEMBERS};
use crate::schema::Tally;
use crate::score::Score;
use crate::time::Stamp;
use crate::view::{Change, MAX_VIEWS, Plan, View};

/// A board with fewer members gets the form for many members only when it must.
const FEW_MEMBERS: usize = 96;
/// The number of entries in lists of members with which a small board gets the form for many members. Each entry takes 20 to 75
/// nanoseconds then.
const MOST_RENUMBERED: usize = 40_000;
/// The orders of a dimension's segments in a view take as long as this number of lists, if each member is in another segment.
const LISTS_OF_SEGMENTS: usize = 5;

/// The plans of a write for a member, one for each view.
pub(super) type Plans = ArrayVec<Plan, { 2 * MAX_VIEWS }>;

/// The change of a member in each tally of a board.
#[derive(Debug, Clone, Copy)]
pub(super) struct TallyChanges {
    pub(super) shown: Change,
    pub(super) real: Change,
}

impl TallyChanges {
    /// Returns the same change in both tallies.
    pub(super) const fn both(change: Change) -> Self {
        Self { shown: change, real: change }
    }

    /// Returns the number of units that are added in each tally.
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

/// A member that is changed by a write, and its change.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) member: &'a [u8],
    /// The points, score or votes that the client sent, in smallest units or votes.
    pub(super) amount: i64,
    pub(super) changes: TallyChanges,
    /// If the amount is a new score: the score that it replaces. The difference between both scores is added. 0 for
    /// points.
    pub(super) replaces: Score,
    /// The member's number, after it was looked up; `None` for a new member.
    pub(super) id: Option<MemberId>,
}

impl<'a> Target<'a> {
    pub(super) const fn new(member: &'a [u8], amount: i64, changes: TallyChanges) -> Self {
        Self { member, amount, changes, replaces: Score::ZERO, id: None }
    }
}

impl Board {
    /// Looks up the members of the targets.
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

    /// Makes room for `members` members on an empty board.
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

    /// Returns whether a small board has so many lists of members that it should get the form for many members at once. That takes
    /// longer with each list, since the members get other numbers.
    pub(super) fn has_many_lists(&self) -> bool {
        self.has_many_lists_with(self.dimensions().len())
    }

    /// Does the same for a board that will have this number of dimensions.
    pub(super) fn has_many_lists_with(&self, dimensions: usize) -> bool {
        if self.members.is_large() || self.members.len() < FEW_MEMBERS {
            return false;
        }
        let of_views: usize = self.views.iter().map(View::numbered_lists).sum();
        let of_segments = dimensions.saturating_mul(self.views.len()).saturating_mul(LISTS_OF_SEGMENTS);
        of_views.saturating_add(of_segments).saturating_mul(self.members.len()) > MOST_RENUMBERED
    }

    /// Adds the new members to the board. If one of them cannot be added, none is added.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub(super) fn enter(&mut self, targets: &mut [Target]) -> Result<(), Error> {
        if self.members.is_large() {
            return self.enter_many(targets);
        }
        if self.has_many_lists() {
            self.enlarge()?;
            self.find(targets);
            return self.enter_many(targets);
        }
        for at in 0..targets.len() {
            let Some(target) = targets.get_mut(at).filter(|target| target.id.is_none()) else { continue };
            // Another target of the list may have the same name.
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
        // When the board changes to the form for many members, the numbers of its members change, and the board may
        // forget members without entries.
        self.find(targets);
        self.enter_many(targets)
    }

    /// Adds new members to a board that has the form for many members.
    fn enter_many(&mut self, targets: &mut [Target]) -> Result<(), Error> {
        if targets.iter().all(|target| target.id.is_some()) {
            return Ok(());
        }
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

    /// Forgets the members of targets that nothing in the board refers to.
    fn forget(&mut self, targets: &[Target]) {
        for target in targets {
            if let Some(id) = self.members.find(target.member).filter(|id| !self.knows(*id)) {
                self.drop_member(id);
            }
        }
    }

    /// Adds a new member to the board, without an entry in any view. Returns its number.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub(crate) fn enter_member(&mut self, member: &[u8]) -> Result<MemberId, Error> {
        if self.members.outgrown_by(1, member.len()) {
            self.enlarge()?;
        }
        self.members.insert(member)
    }

    /// Does the same as [`Self::enter_member`], for a command without a moment. The form for many members has no
    /// boundary that can be taken back. A replica may not have passed the boundaries after the last write, so this
    /// board does not keep them either.
    pub(super) fn enter_member_between_writes(&mut self, member: &[u8]) -> Result<MemberId, Error> {
        if self.members.outgrown_by(1, member.len()) {
            self.advance(self.last);
        }
        self.enter_member(member)
    }

    /// Plans the effect of a write on a member in each view, and appends the plans to `plans`.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    fn plan(&self, target: &Target, stamp: Stamp, plans: &mut Plans) -> Result<(), Error> {
        let context = self.context();
        for view in &self.views {
            plans.push(view.plan(&context, target.id, target.changes.of(view.tally), stamp)?);
        }
        Ok(())
    }

    /// Plans a change like [`Self::plan`], for a member whose memory was not prefetched.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub(super) fn plan_one(&self, target: &Target, stamp: Stamp, plans: &mut Plans) -> Result<(), Error> {
        self.prefetch_entries(target);
        self.plan(target, stamp, plans)?;
        self.prefetch_targets(target, plans);
        Ok(())
    }

    /// Prefetches the memory of a member's entries in all views.
    fn prefetch_entries(&self, target: &Target) {
        if let Some(id) = target.id {
            self.views.iter().for_each(|view| view.prefetch(id, &self.members));
            self.prefetch_in_segments(id);
        }
    }

    /// Prefetches the memory that a member's entries move to.
    fn prefetch_targets(&self, target: &Target, plans: &Plans) {
        let context = self.context();
        if let Some(id) = target.id {
            self.views.iter().zip(plans).for_each(|(view, plan)| view.prefetch_target(&context, id, plan));
            self.prefetch_targets_in_segments(id, plans);
        }
    }

    /// Changes all members. A single member is changed by the plans that were already made for it. Returns the
    /// position of the last member in a view after the change. If the write was judged before, this function does
    /// not fail.
    pub(super) fn carry_out(
        &mut self,
        view: Option<usize>,
        targets: &[Target],
        stamp: Stamp,
        plans: &mut Plans,
        given: &GivenSegments,
    ) -> Result<Option<Position>, Error> {
        let [target] = targets else { return self.carry_out_many(view, targets, stamp, given) };
        let Some(id) = target.id else { return Ok(None) };
        self.put_into_given_segments(given, 0, id);
        if plans.is_empty() {
            self.plan(target, stamp, plans)?;
        }
        Ok(self.carry_out_one(view, id, plans))
    }

    fn carry_out_many(
        &mut self,
        view: Option<usize>,
        targets: &[Target],
        stamp: Stamp,
        given: &GivenSegments,
    ) -> Result<Option<Position>, Error> {
        let (mut position, mut left, mut all) = (None, targets.len(), Vec::new());
        for batch in targets.chunks(BATCH) {
            all.clear();
            self.plan_batch(batch, stamp, &mut all)?;
            let mut planned = all.chunks_exact_mut(self.views.len().max(1));
            for (number, target) in batch.iter().enumerate() {
                left = left.saturating_sub(1);
                let Some(id) = target.id else { continue };
                // In segments, each member moves and gets its points before the next one does.
                self.put_into_given_segments(given, targets.len().saturating_sub(left).saturating_sub(1), id);
                let wanted = view.filter(|_| left == 0);
                position = if is_repeated(batch, number) {
                    let mut plans = Plans::new();
                    self.plan(target, stamp, &mut plans)?;
                    self.carry_out_one(wanted, id, &plans)
                } else {
                    let plans = planned.next().unwrap_or_default();
                    let views = self.views.iter().zip(plans.iter_mut());
                    views.for_each(|(view, plan)| view.refresh(&self.members, id, plan));
                    self.carry_out_one(wanted, id, plans)
                };
            }
        }
        Ok(position)
    }

    /// Plans the changes of several members, each for all views, except for members that occur earlier in the
    /// batch. Distant memory is prefetched together: first the memory of the members' entries, then the memory that
    /// the entries move to.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    fn plan_batch(&self, batch: &[Target], stamp: Stamp, all: &mut Vec<Plan>) -> Result<(), Error> {
        let context = self.context();
        batch.iter().for_each(|target| self.prefetch_entries(target));
        for (number, target) in batch.iter().enumerate() {
            let Some(id) = target.id.filter(|_| !is_repeated(batch, number)) else { continue };
            for view in &self.views {
                let plan = view.plan(&context, target.id, target.changes.of(view.tally), stamp)?;
                view.prefetch_target(&context, id, &plan);
                all.push(plan);
            }
            let first = all.len().saturating_sub(self.views.len());
            self.prefetch_targets_in_segments(id, all.get(first..).unwrap_or_default());
        }
        Ok(())
    }

    /// Changes a member. Returns the member's position in the `wanted` view after the change.
    fn carry_out_one(&mut self, wanted: Option<usize>, id: MemberId, plans: &[Plan]) -> Option<Position> {
        self.sequences = self.sequences.saturating_add(1);
        let sequence = self.sequences;
        let mut position = None;
        let Self { views, members, schema, .. } = self;
        for (number, (each, plan)) in views.iter_mut().zip(plans).enumerate() {
            let landed = each.apply(schema, members, id, plan, sequence);
            if wanted == Some(number)
                && let Some((entry, landed)) = plan.entry.zip(landed)
            {
                let rank = each.index.before(landed).saturating_add(1);
                position = Some(Position { score: entry.score, rank });
            }
        }
        if self.has_segments() {
            self.follow_in_segments(id, plans);
        }
        // The order that is being prepared for the next period is updated too, even if only the event has changed.
        if self.views.iter().any(View::is_preparing) {
            let (views, mut rest) = self.split();
            views.iter_mut().filter_map(View::in_periods).for_each(|mut view| view.follow(id, &mut rest));
            self.follow_next_in_segments(id);
        }
        position
    }
}

/// Returns whether an earlier target of the batch has the same member.
fn is_repeated(batch: &[Target], number: usize) -> bool {
    let id = batch.get(number).and_then(|target| target.id);
    batch.iter().take(number).any(|other| other.id == id)
}
