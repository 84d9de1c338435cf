//! Judges whether all views can count a write, before any view goes to another period.

use super::Board;
use super::change::{Plans, TallyChanges, Target};
use crate::Error;
use crate::levels::{Levels, Tuple};
use crate::schema::Aggregate;
use crate::score::Score;
use crate::secret::HashMap;
use crate::time::{Millis, Stamp};
use crate::view::{Change, View};

impl Board {
    /// Judges a write by the state that the views will have at the moment of the write. If the views are at that
    /// moment already, the change of a single member is planned here, in `plans`.
    ///
    /// # Errors
    /// [`Error::Overflow`], [`Error::LevelOverflow`].
    pub(super) fn judge(
        &self,
        targets: &[Target],
        stamp: Stamp,
        begins: bool,
        plans: &mut Plans,
    ) -> Result<(), Error> {
        if let Some(levels) = &self.schema.levels {
            self.judge_levels(levels, targets, stamp)?;
        }
        match targets {
            [target] if !begins => self.plan_one(target, stamp, plans),
            [target] => self.judge_change(target, target.changes, stamp),
            many => self.judge_sums(many, stamp),
        }
    }

    /// Checks that no level of a sum leaves its range after any step. A check of the codes alone would not find
    /// this.
    fn judge_levels(&self, levels: &Levels, targets: &[Target], stamp: Stamp) -> Result<(), Error> {
        if self.schema.aggregate != Aggregate::Sum {
            return Ok(());
        }
        let context = self.context();
        let mut sums: HashMap<&[u8], Tuple> = HashMap::default();
        for target in targets {
            let amount = Score::from_units(target.amount).ok_or(Error::Overflow)?;
            let more = levels.values(amount).minus(&levels.values(target.replaces));
            let sum = match sums.get(target.member) {
                Some(sum) => sum.plus(&more),
                None => more,
            };
            let mut views = self.views.iter();
            views.try_for_each(|view| view.judge_levels(&context, levels, target.id, &sum, stamp))?;
            sums.insert(target.member, sum);
        }
        Ok(())
    }

    fn judge_change(&self, target: &Target, changes: TallyChanges, stamp: Stamp) -> Result<(), Error> {
        let context = self.context();
        self.views.iter().try_for_each(|view| view.judge(&context, target.id, changes.of(view.tally), stamp))
    }

    /// Judges the points that distinct members get.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub(super) fn judge_distinct(&self, pairs: &[(Score, &[u8])], stamp: Stamp) -> Result<(), Error> {
        let most = pairs.iter().map(|(points, _)| points.units().unsigned_abs()).max();
        if self.schema.aggregate != Aggregate::Sum || self.all_fit(most.unwrap_or(0).into(), stamp) {
            return Ok(());
        }
        for (points, member) in pairs {
            let target = Target { id: self.members.find(member), ..self.target(*points, member) };
            self.judge_change(&target, target.changes, stamp)?;
        }
        Ok(())
    }

    /// Checks that no sum leaves the range after any of the steps.
    fn judge_sums(&self, targets: &[Target], stamp: Stamp) -> Result<(), Error> {
        if self.schema.aggregate != Aggregate::Sum || self.sums_fit(targets, stamp) {
            return Ok(());
        }
        let mut sums: HashMap<&[u8], [i128; 2]> = HashMap::default();
        for target in targets {
            let [shown, real] = sums.entry(target.member).or_default();
            let [more_shown, more_real] = target.changes.units();
            (*shown, *real) = (shown.saturating_add(more_shown), real.saturating_add(more_real));
            let sum = TallyChanges { shown: Change::Add(*shown), real: Change::Add(*real) };
            self.judge_change(target, sum, stamp)?;
        }
        Ok(())
    }

    /// Returns whether no sum can leave the range. Bounds over all members are used.
    fn sums_fit(&self, targets: &[Target], stamp: Stamp) -> bool {
        let sum = targets.iter().fold(0_u128, |sum, target| {
            let [shown, real] = target.changes.units().map(i128::unsigned_abs);
            sum.saturating_add(shown.max(real))
        });
        self.all_fit(sum, stamp)
    }

    /// Returns whether no sum can leave the range if each member gets at most `units` units.
    fn all_fit(&self, units: u128, stamp: Stamp) -> bool {
        if self.begins(stamp.now) && self.context().has_starting() {
            return false;
        }
        let peaks = self.views.iter().map(|view| view.peak(&self.schema, stamp.now));
        let most = peaks.max().unwrap_or(0).saturating_add(units);
        most <= u128::from(Score::MAX.units().unsigned_abs())
    }

    /// Returns whether a view begins its first period or goes to another period with a write at this moment.
    pub(super) fn begins(&self, now: Millis) -> bool {
        self.is_due(now) || self.views.iter().any(View::is_unbegun)
    }

    /// Returns whether any view counts a write at this time.
    pub(super) fn counts(&self, stamp: Stamp) -> bool {
        self.views.iter().any(|view| view.counts(&self.schema, stamp))
    }
}
