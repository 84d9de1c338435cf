//! Adding points to many members as one request.

use std::collections::{HashMap, HashSet};

use super::change::{Changes, Plans};
use super::write::ADD_MANY;
use super::{Board, Effect, Position, Write};
use crate::Error;
use crate::index::MemberId;
use crate::requests::{Fingerprint, Request};
use crate::schema::Aggregate;
use crate::score::{Decimal, Score};
use crate::time::{Millis, Stamp};
use crate::view::{Change, View};

/// What came of a request about several members, and where they stand then.
pub type Outcomes = (Effect, Vec<Option<Position>>);

impl Board {
    /// Adds points to many members as one request: all or nothing. The positions are those at the
    /// end of it.
    ///
    /// # Errors
    /// As [`Board::add`]; nothing has changed for any member then.
    pub fn add_many(&mut self, write: &Write, pairs: &[(Decimal, &[u8])]) -> Result<Outcomes, Error> {
        let outcome = self.add_many_as(write, pairs);
        self.settle(outcome, |(effect, _)| *effect)
    }

    fn add_many_as(&mut self, write: &Write, pairs: &[(Decimal, &[u8])]) -> Result<Outcomes, Error> {
        let view = self.view(write.view)?;
        let decimals = self.schema.decimals;
        let pairs = pairs
            .iter()
            .map(|(points, member)| Ok((points.to_score(decimals, "points")?, *member)))
            .collect::<Result<Vec<_>, Error>>()?;
        let print = || {
            let begin = Fingerprint::of(ADD_MANY);
            pairs.iter().fold(begin, |print, (points, member)| print.and(member, points.units()))
        };
        let stamp = self.begin(write)?;
        let effect = match self.identify(write, stamp, print)? {
            None => Effect::Repeated,
            Some(request) => {
                let all: Vec<_> =
                    pairs.iter().map(|(points, member)| (self.change_by(*points), *member)).collect();
                self.check_sums(&all, stamp)?;
                self.advance(stamp.now);
                self.change_all(stamp, request, &all)?;
                Effect::Applied(stamp)
            }
        };
        Ok((effect, self.positions(view, pairs.iter().map(|(_, member)| *member))))
    }

    /// Where members stand in a view.
    pub(super) fn positions<'a>(
        &self,
        view: usize,
        members: impl Iterator<Item = &'a [u8]>,
    ) -> Vec<Option<Position>> {
        members.map(|member| self.position_in(view, member)).collect()
    }

    /// Applies changes to many members in all views, or none of them.
    pub(super) fn change_all(
        &mut self,
        stamp: Stamp,
        request: Option<Request>,
        all: &[(Changes, &[u8])],
    ) -> Result<(), Error> {
        let started = self.start(stamp.now);
        self.settle_views();
        let ids = self.enter_all(all, stamp).inspect_err(|_| self.unstart(started))?;
        let mut plans = Plans::new();
        for ((changes, _), id) in all.iter().zip(ids) {
            self.plan(Some(id), *changes, stamp, &mut plans)?;
            self.carry_out(id, 0, &plans);
        }
        self.finish(stamp, request);
        Ok(())
    }

    /// Makes sure that no sum on the way can leave the range, before any view turns.
    pub(super) fn check_sums(&self, all: &[(Changes, &[u8])], stamp: Stamp) -> Result<(), Error> {
        if self.schema.aggregate != Aggregate::Sum {
            return Ok(());
        }
        if self.sums_fit(all, stamp) {
            return Ok(());
        }
        let facts = self.facts();
        let mut sums: HashMap<&[u8], [i128; 2]> = HashMap::new();
        for (changes, member) in all {
            let [shown, real] = sums.entry(member).or_default();
            let [more_shown, more_real] = changes.units();
            (*shown, *real) = (shown.saturating_add(more_shown), real.saturating_add(more_real));
            let sum = Changes { shown: Change::Add(*shown), real: Change::Add(*real) };
            let id = self.members.find(member);
            for view in &self.views {
                view.judge(&facts, id, sum.of(view.tally), stamp)?;
            }
        }
        Ok(())
    }

    /// Whether no sum can leave the range, by what is known of all members together.
    fn sums_fit(&self, all: &[(Changes, &[u8])], stamp: Stamp) -> bool {
        if self.begins(stamp.now) && self.facts().has_starting() {
            return false;
        }
        let peaks = self.views.iter().map(|view| view.peak(&self.schema, stamp.now));
        let most = all.iter().fold(peaks.max().unwrap_or(0), |sum, (changes, _)| {
            let [shown, real] = changes.units().map(i128::unsigned_abs);
            sum.saturating_add(shown.max(real))
        });
        most <= u128::from(Score::MAX.units().unsigned_abs())
    }

    /// Whether a view begins or comes to another period with a write of this moment.
    fn begins(&self, now: Millis) -> bool {
        let waits = |view: &View| view.periods().is_some_and(|periods| periods.span.is_none());
        self.is_due(now) || self.views.iter().any(waits)
    }

    /// The numbers of all members of a list, new ones entered; none of them if that fails, or if the
    /// write counts nowhere.
    fn enter_all(&mut self, pairs: &[(Changes, &[u8])], stamp: Stamp) -> Result<Vec<MemberId>, Error> {
        if !self.counts(stamp) {
            return Ok(Vec::new());
        }
        let most = pairs.iter().map(|pair| pair.1.len()).fold(0, usize::saturating_add);
        if self.members.outgrown_by(pairs.len(), most) {
            let new: HashSet<&[u8]> =
                pairs.iter().map(|pair| pair.1).filter(|name| self.members.find(name).is_none()).collect();
            let bytes = new.iter().map(|name| name.len()).fold(0, usize::saturating_add);
            if self.members.outgrown_by(new.len(), bytes) {
                self.enlarge()?;
            }
        }
        let (mut ids, mut new) = (Vec::with_capacity(pairs.len()), Vec::new());
        for (_, member) in pairs {
            let id = match self.members.find(member) {
                Some(id) => Ok(id),
                None => self.members.insert(member).inspect(|id| new.push(*id)),
            };
            match id {
                Ok(id) => ids.push(id),
                Err(error) => {
                    new.into_iter().for_each(|id| self.members.remove(id));
                    return Err(error);
                }
            }
        }
        Ok(ids)
    }
}
