//! The steps of every write that changes scores, in [`Board::write`]:
//!
//! ```text
//! stamp → identify → judge → advance → plan → carry out → finish
//! ```
//!
//! A write is judged by the state that the views will have at its moment. If a write is repeated, refused or held
//! back, it changes nothing: on an event clock, no view goes to another period. A server's clock advances by
//! itself, so there the views follow the clock even then.
//!
//! The [`Intent`] of a write contains the steps in which kinds of writes differ.

use super::Board;
use super::change::{Plans, Target};
use super::effect::{Effect, Outcome, Position};
use super::segments::GivenSegments;
use crate::Error;
use crate::index::MemberId;
use crate::requests::{self, Fingerprint, Request, Seen};
use crate::time::{Clock, Millis, Stamp, TimeSource};

/// The positions of members that the reply to a write includes. The more there are, the more a write costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Positions {
    /// No position.
    None,
    /// The position after the write.
    After,
    /// The position before the write, and the position after it.
    BeforeAndAfter,
}

/// The data that all kinds of writes have in common.
#[derive(Debug, Clone, Copy)]
pub struct Write<'a> {
    /// When the event happened; `None` means now.
    pub at: Option<Millis>,
    /// The request's id.
    pub request: Option<&'a [u8]>,
    /// The number of the attempt to send the request, at most [`MAX_ATTEMPT`](crate::MAX_ATTEMPT); 0 for
    /// none.
    pub attempt: u32,
    /// The source of the time, which also shows whether another server decided the write.
    pub origin: TimeSource,
    /// The positions that the reply includes.
    pub positions: Positions,
    /// The name of the view whose positions are in the reply and whose score is set; `None` is the default view.
    pub view: Option<&'a [u8]>,
    /// The new text of the member, if the write sets the text; an empty text deletes it.
    pub meta: Option<&'a [u8]>,
    /// The new segments of the members: the name of the dimension, and of the segment. An empty name of a segment means no
    /// segment.
    pub segments: &'a [(&'a [u8], &'a [u8])],
    /// Whether the write passes all rules of scores. Such a write is no attempt of its members.
    pub force: bool,
}

impl Write<'_> {
    /// Creates a write that names nothing but the source of the time: it happens now, in the default view.
    #[must_use]
    pub const fn new(origin: TimeSource) -> Self {
        Self {
            at: None,
            request: None,
            attempt: 0,
            origin,
            positions: Positions::After,
            view: None,
            meta: None,
            segments: &[],
            force: false,
        }
    }

    /// Returns the number of the view whose positions after the write are in the reply.
    fn view_after(&self, view: usize) -> Option<usize> {
        (self.positions != Positions::None).then_some(view)
    }

    /// Returns the number of the view whose positions before the write are in the reply.
    fn view_before(&self, view: usize) -> Option<usize> {
        (self.positions == Positions::BeforeAndAfter).then_some(view)
    }

    /// Returns whether another server decided the write. If so, rules are not checked.
    pub(super) const fn is_decided(&self) -> bool {
        self.origin.is_decided()
    }
}

/// The codes of the kinds of writes. Each code is the start of a [`Fingerprint`]. The codes are saved: never change
/// them.
pub(super) const ADD: u8 = 1;
pub(super) const ADD_MANY: u8 = 2;
pub(super) const SET: u8 = 3;
pub(super) const ROLL_ADD: u8 = 4;
pub(super) const VOTE: u8 = 5;
pub(super) const VOTE_MANY: u8 = 6;
pub(super) const SET_MANY: u8 = 7;
pub(super) const JOIN: u8 = 8;

/// A write that is being carried out.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub(super) write: &'a Write<'a>,
    pub(super) view: usize,
    pub(super) stamp: Stamp,
}

/// A kind of write, with everything in which it differs from other kinds.
pub(super) trait Intent {
    /// Returns the fingerprint of the write. It is stored under the write's request id.
    fn fingerprint(&self, targets: &[Target]) -> Fingerprint;

    /// Prefetches distant memory, before the members are looked up.
    fn approach(&mut self, _: &Board, _: &Write, _: Stamp) {}

    /// Returns whether the rules of scores hold for this kind of write.
    fn is_of_scores(&self) -> bool {
        true
    }

    /// Returns whether the rules of this kind of write allow the write. They are judged before any view goes to
    /// another period.
    fn passes(&mut self, _: &Board, _: Case, _: &mut [Target]) -> Result<bool, Error> {
        Ok(true)
    }

    /// Computes the change of a member from the score that the member has at the write's moment. Returns false if
    /// this score holds the write back.
    fn resolve(&self, _: &Board, _: Case, _: &mut Target) -> Result<bool, Error> {
        Ok(true)
    }

    /// Returns whether the write adds its members to the board even if it counts in no view.
    fn always_enters(&self) -> bool {
        false
    }

    /// Returns the number of distinct members in the write, so that room can be made for all of them at once. It is
    /// 0 if this is not needed.
    fn expected(&self) -> usize {
        0
    }

    /// Carries out the effects of the write besides the change of scores.
    fn carry_out(&self, _: &mut Board, _: &[Target], _: Stamp) {}
}

/// Adds each member and its amount to a fingerprint.
pub(super) fn named(fingerprint: Fingerprint, targets: &[Target]) -> Fingerprint {
    targets.iter().fold(fingerprint, |print, target| print.and(target.member, target.amount))
}

impl Board {
    /// Does all steps of a write of these members. The positions in the outcome are the positions of the last
    /// member.
    ///
    /// # Errors
    /// [`Error::WrongPart`]; errors of the clock, the request id and the judgements; [`Error::HeldBack`]. After an error, the board is
    /// unchanged.
    pub(super) fn write(
        &mut self,
        write: &Write,
        view: usize,
        intent: &mut impl Intent,
        targets: &mut [Target],
    ) -> Result<Outcome, Error> {
        if !write.is_decided() {
            self.check_own(targets.iter().map(|target| target.member))?;
        }
        self.check_segments(write.segments)?;
        let stamp = self.schema.clock.stamp(self.last, write.at, write.origin)?;
        let request = self.request(write, targets, || intent.fingerprint(targets));
        intent.approach(self, write, stamp);
        let is_attempt = intent.is_of_scores() && !write.force;
        let attempts = if is_attempt { self.attempts_of(targets, stamp.now) } else { None };
        self.find(targets);
        let seen = self.seen_request(write, request.as_ref(), stamp)?;
        let is_repeated = seen != Seen::Never;
        let case = Case { write, view, stamp };
        let is_judged = is_attempt && !is_repeated && !write.is_decided();
        if let (true, Some(closed)) = (is_judged, self.is_closed(stamp)) {
            return Err(self.hold_back(closed));
        }
        if !is_repeated && !intent.passes(self, case, targets)? {
            return Ok(Outcome { effect: Effect::HeldBack, now: None, before: None });
        }
        // A server's clock advances by itself. An event clock advances only with writes that are applied.
        if self.schema.clock == Clock::Server {
            self.turn(stamp.now, targets);
        }
        let mut passes = !is_repeated;
        for target in targets.iter_mut() {
            passes = passes && intent.resolve(self, case, target)?;
        }
        if passes
            && is_judged
            && let Some(holding) = self.refusing(case, targets, attempts.as_ref())
        {
            return Err(self.hold_back(holding));
        }
        if passes {
            let outcome = self.apply(case, request, intent, targets)?;
            self.count_attempts(attempts.as_ref(), stamp.now);
            self.figures.count(outcome.effect);
            return Ok(outcome);
        }
        let now = self.position_of_last(write.view_after(view), targets);
        let effect = match seen {
            Seen::Never => Effect::HeldBack,
            Seen::Before => Effect::Repeated,
            Seen::SameAttempt => Effect::SameAttempt,
        };
        self.figures.count(effect);
        Ok(Outcome { effect, now, before: self.position_of_last(write.view_before(view), targets) })
    }

    /// Applies a write that was not held back, if all views can count it.
    fn apply(
        &mut self,
        Case { write, view, stamp }: Case,
        request: Option<Request>,
        intent: &impl Intent,
        targets: &mut [Target],
    ) -> Result<Outcome, Error> {
        let mut plans = Plans::new();
        let given = GivenSegments::new(write, targets);
        let begins = self.begins(stamp.now);
        self.judge(targets, stamp, begins, &mut plans)?;
        let counts = self.counts(stamp);
        let names_segment = write.segments.iter().any(|(_, segment)| !segment.is_empty());
        let has_text = write.meta.is_some_and(|text| !text.is_empty());
        let enters = counts || intent.always_enters() || has_text || names_segment;
        // A large board can be full. A small board can forget members when its views go to another period.
        let is_large = self.members.is_large();
        if enters {
            self.make_room(intent.expected())?;
        }
        if enters && is_large {
            self.enter(targets)?;
        }
        // From here on, no step fails. `enter` is only called for a small board, which is never full. `carry_out`
        // repeats computations that `judge` has accepted.
        if begins {
            self.turn(stamp.now, targets);
            self.start(stamp.now);
        }
        if enters && !is_large {
            self.enter(targets)?;
            // A plan has the place of an entry in the form for few members.
            if self.members.is_large() {
                plans.clear();
            }
        }
        let before = self.position_of_last(write.view_before(view), targets);
        self.finalize_views();
        self.note_stamp(stamp);
        let mut now = None;
        if counts {
            now = self.carry_out(write.view_after(view), targets, stamp, &mut plans, &given)?;
        } else {
            self.put_all_into_given_segments(&given, targets);
        }
        intent.carry_out(self, targets, stamp);
        self.set_given_text(write, targets);
        self.finish(stamp, request, targets);
        // Members that lost all entries at the boundary are already forgotten here, so no member is forgotten
        // twice.
        self.delete_given_text(write, targets);
        self.forget_unknown(write.segments, targets);
        let moved = self.settle(targets);
        self.settle_segments();
        if moved || !counts {
            now = self.position_of_last(write.view_after(view), targets);
        }
        Ok(Outcome { effect: Effect::Applied(stamp), now, before })
    }

    /// Brings the views to a moment. A small board may forget members at this point, so they are looked up again.
    fn turn(&mut self, now: Millis, targets: &mut [Target]) {
        let is_due = self.is_due(now);
        self.advance(now);
        if is_due {
            self.find(targets);
        }
    }

    /// Returns the request of a write, if it has an id and the board remembers ids. Distant memory is prefetched:
    /// the memory of the member before the id is hashed, and the memory of the id before the member is looked up.
    pub(super) fn request(
        &self,
        write: &Write,
        targets: &[Target],
        fingerprint: impl FnOnce() -> Fingerprint,
    ) -> Option<Request> {
        let id = write.request.filter(|_| self.schema.dedup > 0)?;
        if let [target] = targets {
            self.members.approach(target.member);
        }
        let request = Request::new(id, fingerprint()).of_attempt(write.attempt);
        if let Some(requests) = &self.requests {
            requests.prefetch(&request);
        }
        Some(request)
    }

    /// Returns whether a request was applied before.
    pub(super) fn seen_request(
        &self,
        write: &Write,
        request: Option<&Request>,
        stamp: Stamp,
    ) -> Result<Seen, Error> {
        let now = stamp.now.max(self.last);
        requests::seen(self.requests.as_deref(), request, (now, self.keep()), write.origin)
    }

    /// Returns the position of the last of these members in a view, if there is a view.
    fn position_of_last(&self, view: Option<usize>, targets: &[Target]) -> Option<Position> {
        self.position_in(view?, targets.last()?.id?)
    }

    fn position_in(&self, view: usize, id: MemberId) -> Option<Position> {
        let view = self.views.get(view)?;
        let place = view.find(id, &self.members)?;
        let rank = match self.hidden_members() {
            None => view.index.rank(place).saturating_add(1),
            Some(_) => self.rank_among_seen(view, id)?,
        };
        Some(Position { score: self.schema.score(place.key.rank_key), rank })
    }

    /// Returns the positions of these members after a write. There are none if the write wants none.
    pub(super) fn positions(&self, write: &Write, view: usize, targets: &[Target]) -> Vec<Option<Position>> {
        let Some(view) = write.view_after(view) else { return Vec::new() };
        targets.iter().map(|target| self.position_in(view, target.id?)).collect()
    }

    /// Finishes a write: moves the clock, remembers the request, and forgets old requests.
    fn finish(&mut self, stamp: Stamp, request: Option<Request>, targets: &mut [Target]) {
        self.touch(stamp);
        self.tidy_after(targets);
        let keep = self.keep();
        requests::finish(&mut self.requests, request, stamp.now, keep);
    }
}
