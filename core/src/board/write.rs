//! Changing scores: one member, in all views or in none.

use super::Board;
use super::change::{Changes, Plans};
use crate::Error;
use crate::error::Quoted;
use crate::requests::{Fingerprint, Request, Requests};
use crate::schema::Aggregate;
use crate::score::{Decimal, Score};
use crate::time::{Clock, Millis, Stamp, TimeSource};
use crate::view::{Change, Kind};

/// What all writes have in common.
#[derive(Debug, Clone, Copy)]
pub struct Write<'a> {
    /// When the event happened; now where nothing is said.
    pub at: Option<Millis>,
    /// The request's id.
    pub request: Option<&'a [u8]>,
    /// Who says what time it is, and whether the write was decided before.
    pub origin: TimeSource,
    /// Whether the position before the write is wanted.
    pub with_change: bool,
    /// The name of the view that the positions, and a score that is set, are those of; the default
    /// view where nothing is said.
    pub view: Option<&'a [u8]>,
}

/// What came of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It was applied at this time: replicate it, and tell who listens.
    Applied(Stamp),
    /// Its request was applied before: nothing has changed.
    Repeated,
    /// Its condition did not hold: nothing has changed.
    HeldBack,
}

/// A member's score, and its rank from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The exact score.
    pub score: Score,
    /// The ordinal rank.
    pub rank: u64,
}

/// The reply to a write of one member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// What came of it.
    pub effect: Effect,
    /// Where the member stands now.
    pub now: Option<Position>,
    /// Where it stood before, if that was asked for and it stood anywhere.
    pub before: Option<Position>,
}

/// When a score may be set, as in `ZADD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Condition {
    /// Only if the member has no score (`Some(false)`), only if it has one (`Some(true)`).
    pub present: Option<bool>,
    /// Only if the new score is less (`Less`) or greater than the one it has.
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

/// The kinds of writes that a request id can stand for. Saved in fingerprints: never renumber.
const ADD: u8 = 1;
pub(super) const ADD_MANY: u8 = 2;
const SET: u8 = 3;
const ROLL_ADD: u8 = 4;
pub(super) const VOTE: u8 = 5;
pub(super) const VOTE_MANY: u8 = 6;

impl Board {
    /// Adds points to a member, as the board aggregates.
    ///
    /// # Errors
    /// Bad points, an overflow, a reused request id, a bad `AT`, a view that is not there: nothing has
    /// changed then.
    pub fn add(&mut self, write: &Write, points: Decimal, member: &[u8]) -> Result<Outcome, Error> {
        let view = self.view(write.view)?;
        let outcome = self.add_as(ADD, write, view, points, member);
        self.settle(outcome, |outcome| outcome.effect)
    }

    /// The number of the rolling view of this window, or of the first that there is.
    fn rolling(&self, window: Option<Kind>) -> Result<usize, Error> {
        match window {
            Some(kind) => {
                let missing = || Error::NoSuchView(Quoted::new(kind.to_string().as_bytes()));
                self.view_of(kind).ok_or_else(missing)
            }
            None => self.specs().position(|spec| spec.kind.is_rolling()).ok_or(Error::NoRollingView),
        }
    }

    /// Adds points, and answers with the position in a rolling view.
    ///
    /// # Errors
    /// As [`Board::add`]; [`Error::NoRollingView`].
    pub fn roll_add(
        &mut self,
        write: &Write,
        window: Option<Kind>,
        points: Decimal,
        member: &[u8],
    ) -> Result<Outcome, Error> {
        let view = self.rolling(window)?;
        let outcome = self.add_as(ROLL_ADD, write, view, points, member);
        self.settle(outcome, |outcome| outcome.effect)
    }

    fn add_as(
        &mut self,
        code: u8,
        write: &Write,
        view: usize,
        points: Decimal,
        member: &[u8],
    ) -> Result<Outcome, Error> {
        let points = points.to_score(self.schema.decimals, "points")?;
        let print = || Fingerprint::of(code).and(member, points.units());
        let stamp = self.begin(write)?;
        let Some(request) = self.identify(write, stamp, print)? else {
            return Ok(self.unchanged(Effect::Repeated, write, view, member));
        };
        let change = self.change_by(points);
        self.judge(member, change, stamp)?;
        self.advance(stamp.now);
        self.change(write, stamp, request, view, member, change)
    }

    /// Gives a member this score in the view of the write, if the condition holds.
    ///
    /// # Errors
    /// As [`Board::add`].
    pub fn set(
        &mut self,
        write: &Write,
        score: Decimal,
        member: &[u8],
        condition: Condition,
    ) -> Result<Outcome, Error> {
        let outcome = self.set_as(write, score, member, condition);
        self.settle(outcome, |outcome| outcome.effect)
    }

    /// Ends a write. One that was not applied has not moved a clock of events, so the views go back
    /// to where that stands.
    pub(super) fn settle<T>(
        &mut self,
        outcome: Result<T, Error>,
        effect: impl Fn(&T) -> Effect,
    ) -> Result<T, Error> {
        let applied = outcome.as_ref().is_ok_and(|outcome| matches!(effect(outcome), Effect::Applied(_)));
        if !applied && self.schema.clock == Clock::Event {
            self.advance(self.last);
        }
        outcome
    }

    fn set_as(
        &mut self,
        write: &Write,
        score: Decimal,
        member: &[u8],
        condition: Condition,
    ) -> Result<Outcome, Error> {
        let view = self.view(write.view)?;
        let score = score.to_score(self.schema.decimals, "score")?;
        let print = || Fingerprint::of(SET).and(member, score.units()).and(b"", condition.code());
        let stamp = self.begin(write)?;
        let Some(request) = self.identify(write, stamp, print)? else {
            return Ok(self.unchanged(Effect::Repeated, write, view, member));
        };
        let old = self.score_at(view, member, stamp.now);
        let decided = matches!(write.origin, TimeSource::Decided { .. });
        if !decided && !condition.allows(old, score) {
            return Ok(self.unchanged(Effect::HeldBack, write, view, member));
        }
        let change = match (self.schema.aggregate, old) {
            (Aggregate::Sum, old) => {
                // The difference would go elsewhere, and again with each repetition.
                if self.views.get(view).is_some_and(|view| view.is_over(&self.schema, stamp)) {
                    return Err(Error::AtBeforePeriod);
                }
                let old = old.map_or(0, |old| i128::from(old.units()));
                Change::Add(i128::from(score.units()).saturating_sub(old))
            }
            _ => Change::Put(score),
        };
        let changes = Changes::both(change);
        self.judge(member, changes, stamp)?;
        self.advance(stamp.now);
        self.change(write, stamp, request, view, member, changes)
    }

    /// Reads the clock. The views go with a server's clock, which moves by itself; that of events moves
    /// with what is applied.
    pub(super) fn begin(&mut self, write: &Write) -> Result<Stamp, Error> {
        let stamp = self.stamp(write)?;
        if self.schema.clock == Clock::Server {
            self.advance(stamp.now);
        }
        Ok(stamp)
    }

    /// A member's score in a view at the moment of a write.
    fn score_at(&self, view: usize, member: &[u8], now: Millis) -> Option<Score> {
        let id = self.members.find(member)?;
        let entry = self.views.get(view)?.entry_at(&self.facts(), id, now)?;
        Some(entry.score)
    }

    /// Whether every view can count a write of a later moment, before any of them turns.
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub(super) fn judge(&self, member: &[u8], changes: Changes, stamp: Stamp) -> Result<(), Error> {
        if !self.is_due(stamp.now) {
            return Ok(());
        }
        let (facts, id) = (self.facts(), self.members.find(member));
        self.views.iter().try_for_each(|view| view.judge(&facts, id, changes.of(view.tally), stamp))
    }

    /// The time of a write.
    pub(super) fn stamp(&self, write: &Write) -> Result<Stamp, Error> {
        self.schema.clock.stamp(self.last, write.at, write.origin)
    }

    /// Looks the request of a write up, if it has one; nothing where it was applied before.
    pub(super) fn identify(
        &self,
        write: &Write,
        stamp: Stamp,
        fingerprint: impl FnOnce() -> Fingerprint,
    ) -> Result<Option<Option<Request>>, Error> {
        let Some(id) = write.request.filter(|_| self.schema.dedup > 0) else { return Ok(Some(None)) };
        let request = Request::new(id, fingerprint());
        if let (Some(requests), TimeSource::Client { .. }) = (&self.requests, write.origin)
            && requests.seen(&request, stamp.now.max(self.last), self.keep())?
        {
            return Ok(None);
        }
        Ok(Some(Some(request)))
    }

    pub(super) fn unchanged(&self, effect: Effect, write: &Write, view: usize, member: &[u8]) -> Outcome {
        let now = self.position_in(view, member);
        Outcome { effect, now, before: now.filter(|_| write.with_change) }
    }

    /// Where a member stands in a view.
    pub(super) fn position_in(&self, view: usize, member: &[u8]) -> Option<Position> {
        let id = self.members.find(member)?;
        let view = self.views.get(view)?;
        let place = view.find(id, &self.members)?;
        let rank = view.index.rank(place).saturating_add(1);
        Some(Position { score: self.schema.score(place.key.rank_key), rank })
    }

    /// Applies a change to one member in all views, or to none.
    pub(super) fn change(
        &mut self,
        write: &Write,
        stamp: Stamp,
        request: Option<Request>,
        view: usize,
        member: &[u8],
        changes: Changes,
    ) -> Result<Outcome, Error> {
        let started = self.start(stamp.now);
        let found = self.members.find(member);
        let mut plans = Plans::new();
        self.plan(found, changes, stamp, &mut plans).inspect_err(|_| self.unstart(started))?;
        let before = if write.with_change { self.position_in(view, member) } else { None };
        self.settle_views();
        let now = if self.counts(stamp) {
            let id = match found {
                Some(id) => id,
                None => self.enter_member(member)?,
            };
            self.carry_out(id, view, &plans)
        } else {
            self.position_in(view, member)
        };
        self.finish(stamp, request);
        Ok(Outcome { effect: Effect::Applied(stamp), now, before })
    }

    /// Ends a write: the clock has moved, the request is remembered, old ones are forgotten.
    pub(super) fn finish(&mut self, stamp: Stamp, request: Option<Request>) {
        self.touch(stamp);
        self.tidy();
        let keep = self.keep();
        if let Some(requests) = &mut self.requests {
            requests.forget(stamp.now, keep);
        }
        if let Some(request) = request {
            let begin = || Box::new(Requests::new(stamp.now.try_into().unwrap_or(i64::MAX)));
            self.requests.get_or_insert_with(begin).remember(request, stamp.now, keep);
        }
    }
}
