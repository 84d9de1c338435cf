//! One member's change in all views: planned first, since any view may refuse it, then carried out.

use arrayvec::ArrayVec;

use super::{Board, Position};
use crate::Error;
use crate::index::MemberId;
use crate::schema::{Aggregate, Tally};
use crate::score::Score;
use crate::time::Stamp;
use crate::view::{Change, MAX_VIEWS, Plan, View};

/// What a write makes of a member in each view.
pub(super) type Plans = ArrayVec<Plan, { 2 * MAX_VIEWS }>;

/// What a write does for a member in each of the counts that a board has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Changes {
    pub(super) shown: Change,
    pub(super) real: Change,
}

impl Changes {
    /// The same in both.
    pub(super) const fn both(change: Change) -> Self {
        Self { shown: change, real: change }
    }

    /// What is added, where anything is.
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

impl Board {
    /// What points do to a score.
    pub(super) fn change_by(&self, points: Score) -> Changes {
        Changes::both(match self.schema.aggregate {
            Aggregate::Sum => Change::Add(i128::from(points.units())),
            _ => Change::Offer(points),
        })
    }

    /// Whether a write counts in any view.
    pub(super) fn counts(&self, stamp: Stamp) -> bool {
        let at = i64::try_from(stamp.at).unwrap_or(i64::MAX);
        let counts = |from: Option<i64>| from.is_some_and(|from| from <= at);
        self.views
            .iter()
            .any(|view| view.periods().is_none_or(|periods| counts(periods.span.map(|span| span.from))))
    }

    /// Plans what a change makes of a member in each view.
    pub(super) fn plan(
        &self,
        id: Option<MemberId>,
        changes: Changes,
        stamp: Stamp,
        plans: &mut Plans,
    ) -> Result<(), Error> {
        let facts = self.facts();
        // What is far away in memory is asked for in all views before any of it is needed.
        if let Some(id) = id {
            self.views.iter().for_each(|view| view.prefetch(id, &self.members));
        }
        plans.clear();
        for view in &self.views {
            plans.push(view.plan(&facts, id, changes.of(view.tally), stamp)?);
        }
        if let Some(id) = id {
            self.views.iter().zip(plans).for_each(|(view, plan)| view.prefetch_target(&facts, id, plan));
        }
        Ok(())
    }

    /// Carries the plans out; where the member stands in a view then.
    pub(super) fn carry_out(&mut self, id: MemberId, view: usize, plans: &Plans) -> Option<Position> {
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
        // What will be left of an entry depends on its event.
        if self.views.iter().any(View::is_preparing) {
            let (views, mut rest) = self.split();
            views.iter_mut().filter_map(View::in_periods).for_each(|mut view| view.follow(id, &mut rest));
        }
        position
    }

    /// A new member without an entry.
    pub(crate) fn enter_member(&mut self, member: &[u8]) -> Result<MemberId, Error> {
        if self.members.outgrown_by(1, member.len()) {
            self.enlarge()?;
        }
        self.members.insert(member)
    }
}
