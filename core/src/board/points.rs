//! Writes of points and scores: they add points to one member or several, or set a score if a condition holds.

use std::cell::Cell;

use super::Board;
use super::change::{TallyChanges, Target};
use super::effect::{Outcome, Outcomes};
use super::write::{ADD, ADD_MANY, Case, Intent, ROLL_ADD, SET, SET_MANY, Write, named};
use crate::Error;
use crate::amount::Amount;
use crate::error::Quoted;
use crate::index::MemberId;
use crate::requests::Fingerprint;
use crate::schema::Aggregate;
use crate::score::Score;
use crate::secret::HashMap;
use crate::time::Millis;
use crate::view::{Change, Kind};

/// The condition under which a score may be set, as in `ZADD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Condition {
    /// `Some(false)`: only if the member has no score. `Some(true)`: only if the member has a score.
    pub present: Option<bool>,
    /// The score may be set only if the new score is less (`Less`) or greater (`Greater`) than the present one.
    pub compared: Option<std::cmp::Ordering>,
}

impl Condition {
    fn allows(self, old: Option<Score>, new: Score) -> bool {
        let present = self.present.is_none_or(|wanted| wanted == old.is_some());
        let compared = match (self.compared, old) {
            (Some(wanted), Some(old)) => new.cmp(&old) == wanted,
            _ => true,
        };
        present && compared
    }

    const fn code(self) -> i64 {
        let present = match self.present {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        match self.compared {
            None => present,
            Some(compared) => present | (8 | (compared as i64 & 3)) << 2,
        }
    }
}

/// Adds points, by the board's aggregate. The value is the code of the command.
struct Add(u8);

/// Adds points to distinct members, without a request id.
pub(super) struct Import {
    /// The number of members of the complete import, over all of its steps.
    pub(super) members: usize,
}

impl Intent for Import {
    fn fingerprint(&self, _: &[Target]) -> Fingerprint {
        Fingerprint::of(ADD_MANY)
    }

    /// An import is not judged, and is no attempt.
    fn is_of_scores(&self) -> bool {
        false
    }

    fn expected(&self) -> usize {
        self.members
    }
}

impl Intent for Add {
    fn fingerprint(&self, targets: &[Target]) -> Fingerprint {
        named(Fingerprint::of(self.0), targets)
    }
}

/// Sets scores in a view, if the condition holds.
struct Set {
    code: u8,
    condition: Condition,
    /// For each target: the score that an earlier target sets for the same member.
    earlier: Vec<Option<Score>>,
    /// How many targets were resolved. They are resolved in order.
    resolved: Cell<usize>,
}

impl Set {
    /// Returns the score that an earlier target sets for the member of the next target to be resolved.
    fn next_earlier(&self) -> Option<Score> {
        let number = self.resolved.replace(self.resolved.get().saturating_add(1));
        self.earlier.get(number).copied().flatten()
    }
}

impl Intent for Set {
    fn fingerprint(&self, targets: &[Target]) -> Fingerprint {
        let named = named(Fingerprint::of(self.code), targets);
        if self.code == SET { named.and(b"", self.condition.code()) } else { named }
    }

    fn resolve(&self, board: &Board, case: Case, target: &mut Target) -> Result<bool, Error> {
        let Case { write, view, stamp } = case;
        let Change::Put(score) = target.changes.shown else { return Ok(true) };
        let old = self.next_earlier().or_else(|| board.score_at(view, target.id, stamp.now));
        if !write.is_decided() && !self.condition.allows(old, score) {
            return Ok(false);
        }
        if board.schema.aggregate == Aggregate::Sum {
            // The difference would be counted in another period, and each repetition of the request would add it
            // again.
            if board.views.get(view).is_some_and(|view| view.is_over(&board.schema, stamp)) {
                return Err(Error::AtBeforePeriod);
            }
            target.replaces = old.unwrap_or(Score::ZERO);
            let more = i128::from(score.units()).saturating_sub(target.replaces.units().into());
            target.changes = TallyChanges::both(Change::Add(more));
        }
        Ok(true)
    }
}

impl Board {
    /// Adds points to a member, by the board's aggregate.
    ///
    /// # Errors
    /// Bad points, an overflow, a reused request id, a bad `AT`, a missing view, a full board. After an error, the
    /// board is unchanged.
    pub fn add<'a>(
        &mut self,
        write: &Write,
        points: impl Into<Amount<'a>>,
        member: &[u8],
    ) -> Result<Outcome, Error> {
        let view = self.view(write.view)?;
        self.write(write, view, &mut Add(ADD), &mut [self.getting(points, member)?])
    }

    /// Adds points. The position in the reply is from the rolling view of this window, or from the first rolling
    /// view.
    ///
    /// # Errors
    /// The errors of [`Board::add`]; [`Error::NoRollingView`].
    pub fn roll_add<'a>(
        &mut self,
        write: &Write,
        window: Option<Kind>,
        points: impl Into<Amount<'a>>,
        member: &[u8],
    ) -> Result<Outcome, Error> {
        let view = self.rolling_view(window)?;
        self.write(write, view, &mut Add(ROLL_ADD), &mut [self.getting(points, member)?])
    }

    /// Returns the number of the rolling view of this window, or of the first rolling view.
    ///
    /// # Errors
    /// [`Error::NoSuchView`], [`Error::NoRollingView`].
    pub fn rolling_view(&self, window: Option<Kind>) -> Result<usize, Error> {
        match window {
            Some(kind) => {
                let missing = || Error::NoSuchView("WINDOW", Quoted::new(kind.to_string().as_bytes()));
                self.view_of(kind).ok_or_else(missing)
            }
            None => self.specs().position(|spec| spec.kind.is_rolling()).ok_or(Error::NoRollingView),
        }
    }

    /// Adds points to several members as one request: all or none. The positions in the reply are from after the
    /// whole request.
    ///
    /// # Errors
    /// The errors of [`Board::add`]. After an error, no member has changed.
    pub fn add_many<'a, A: Into<Amount<'a>> + Copy>(
        &mut self,
        write: &Write,
        pairs: &[(A, &[u8])],
    ) -> Result<Outcomes, Error> {
        let view = self.view(write.view)?;
        let targets = pairs.iter().map(|(points, member)| self.getting(*points, member));
        let mut targets = targets.collect::<Result<Vec<_>, _>>()?;
        let outcome = self.write(write, view, &mut Add(ADD_MANY), &mut targets)?;
        Ok((outcome.effect, self.positions(write, view, &targets)))
    }

    /// Sets a member's score in the view of the write, if the condition holds.
    ///
    /// # Errors
    /// The errors of [`Board::add`]; [`Error::AtBeforePeriod`].
    pub fn set<'a>(
        &mut self,
        write: &Write,
        score: impl Into<Amount<'a>>,
        member: &[u8],
        condition: Condition,
    ) -> Result<Outcome, Error> {
        let view = self.view(write.view)?;
        let score = score.into().to_score(&self.schema, "score")?;
        let target = Target::new(member, score.units(), TallyChanges::both(Change::Put(score)));
        let mut set = Set { code: SET, condition, earlier: Vec::new(), resolved: Cell::new(0) };
        self.write(write, view, &mut set, &mut [target])
    }

    /// Sets the scores of several members as one request: all or none. The effect is the same as the effect of
    /// [`Board::set`] for one member after another. The positions in the reply are from after the whole request.
    ///
    /// # Errors
    /// The errors of [`Board::set`]. After an error, no member has changed.
    pub fn set_many<'a, A: Into<Amount<'a>> + Copy>(
        &mut self,
        write: &Write,
        pairs: &[(A, &[u8])],
    ) -> Result<Outcomes, Error> {
        let view = self.view(write.view)?;
        let mut targets = Vec::with_capacity(pairs.len());
        let (mut earlier, mut scores) = (Vec::with_capacity(pairs.len()), HashMap::default());
        for (score, member) in pairs {
            let score = (*score).into().to_score(&self.schema, "score")?;
            earlier.push(scores.insert(*member, score));
            targets.push(Target::new(member, score.units(), TallyChanges::both(Change::Put(score))));
        }
        let condition = Condition::default();
        let mut set = Set { code: SET_MANY, condition, earlier, resolved: Cell::new(0) };
        let outcome = self.write(write, view, &mut set, &mut targets)?;
        Ok((outcome.effect, self.positions(write, view, &targets)))
    }

    /// Returns the target of a write that adds points to a member.
    fn getting<'a, 'b>(&self, points: impl Into<Amount<'b>>, member: &'a [u8]) -> Result<Target<'a>, Error> {
        Ok(self.target(points.into().to_score(&self.schema, "points")?, member))
    }

    pub(super) fn target<'a>(&self, points: Score, member: &'a [u8]) -> Target<'a> {
        let change = match self.schema.aggregate {
            Aggregate::Sum => Change::Add(i128::from(points.units())),
            _ => Change::Offer(points),
        };
        Target::new(member, points.units(), TallyChanges::both(change))
    }

    /// Returns a member's score in a view at the moment of a write.
    pub(super) fn score_at(&self, view: usize, id: Option<MemberId>, now: Millis) -> Option<Score> {
        let entry = self.views.get(view)?.entry_at(&self.context(), id?, now)?;
        Some(entry.score)
    }
}
