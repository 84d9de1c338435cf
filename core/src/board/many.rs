//! Adding points to many members as one request.

use std::collections::{HashMap, HashSet};

use super::write::{ADD_MANY, Plans};
use super::{Board, Effect, Position, Write};
use crate::Error;
use crate::index::MemberId;
use crate::requests::Fingerprint;
use crate::schema::Aggregate;
use crate::score::{Decimal, Score};
use crate::time::Stamp;
use crate::view::{Change, Facts};

impl Board {
    /// Adds points to many members as one request: all or nothing. The positions are those at the
    /// end of it.
    ///
    /// # Errors
    /// As [`Board::add`]; nothing has changed for any member then.
    pub fn add_many(
        &mut self,
        write: &Write,
        pairs: &[(Decimal, &[u8])],
    ) -> Result<(Effect, Vec<Option<Position>>), Error> {
        let outcome = self.add_many_as(write, pairs);
        self.settle(outcome, |(effect, _)| *effect)
    }

    fn add_many_as(
        &mut self,
        write: &Write,
        pairs: &[(Decimal, &[u8])],
    ) -> Result<(Effect, Vec<Option<Position>>), Error> {
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
        let effect = match self.begin(write, print)? {
            None => Effect::Repeated,
            Some((stamp, request)) => {
                let started = self.start(stamp.now);
                self.check_sums(&pairs, stamp).inspect_err(|_| self.unstart(started))?;
                if self.counts(stamp) {
                    let (ids, mut plans) = (self.enter_all(&pairs)?, Plans::new());
                    for ((points, _), id) in pairs.iter().zip(ids) {
                        let change = self.change_by(*points);
                        self.plan(Some(id), change, stamp, &mut plans)?;
                        self.carry_out(id, view, &plans);
                    }
                }
                self.finish(stamp, request);
                Effect::Applied(stamp)
            }
        };
        let positions = pairs.iter().map(|(_, member)| self.position_in(view, member)).collect();
        Ok((effect, positions))
    }

    /// Makes sure that no sum on the way can leave the range.
    fn check_sums(&mut self, pairs: &[(Score, &[u8])], stamp: Stamp) -> Result<(), Error> {
        if self.schema.aggregate != Aggregate::Sum {
            return Ok(());
        }
        let peak = self.views.iter().map(|view| view.peak(&self.schema)).max().unwrap_or(0);
        let most =
            pairs.iter().try_fold(peak, |sum, (points, _)| sum.checked_add(points.units().unsigned_abs()));
        if most.is_some_and(|most| most <= Score::MAX.units().unsigned_abs()) {
            return Ok(());
        }
        let facts = Facts { schema: &self.schema, members: &self.members, events: None };
        let mut sums: HashMap<&[u8], i128> = HashMap::new();
        for (points, member) in pairs {
            let sum = sums.entry(member).or_insert(0);
            *sum = sum.saturating_add(i128::from(points.units()));
            let id = self.members.find(member);
            for view in &self.views {
                view.plan(&facts, id, Change::Add(*sum), stamp)?;
            }
        }
        Ok(())
    }

    /// The numbers of all members of a list, new ones entered; none of them if that fails.
    fn enter_all(&mut self, pairs: &[(Score, &[u8])]) -> Result<Vec<MemberId>, Error> {
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
