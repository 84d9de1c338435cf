//! Who may score on a board with `DECLARED`: members join it and leave it.

use super::effect::Effect;
use super::score_rules::Holding;
use super::write::{JOIN, Write};
use super::{Board, Declaration};
use crate::Error;
use crate::board_rule::BoardRule;
use crate::index::MemberId;
use crate::requests::{self, Fingerprint, Seen};
use crate::time::{Stamp, TimeSource};

/// What a request to join did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined {
    /// Whether the member has joined by this request.
    pub is_new: bool,
    /// The effect, which also covers the member's text and segments.
    pub effect: Effect,
}

impl super::Written for Joined {
    fn effect(&self) -> Effect {
        self.effect
    }
}

impl Board {
    /// Lets a member join a board with `DECLARED`, at the board's now, with the text and the segments of the write. A member
    /// that has joined gets them too.
    ///
    /// # Errors
    /// [`Error::NeedsDeclared`], the errors of [`Board::declare`], [`Error::RequestReused`], and [`Error::HeldBack`] by the
    /// rules `full` and, after `CLOSES`, `closed`. After an error, the board is unchanged.
    pub fn join_member(&mut self, write: &Write, member: &[u8]) -> Result<Joined, Error> {
        self.needs_declared("LB.JOIN")?;
        let now = self.now_of(write.origin);
        self.advance(now);
        let stamp = Stamp { now, at: now };
        let request = self.request(write, &[], || Fingerprint::of(JOIN).and(member, 0));
        match self.seen_request(write, request.as_ref(), stamp)? {
            Seen::Never => {}
            Seen::Before => return Ok(Joined { is_new: false, effect: self.counted(Effect::Repeated) }),
            Seen::SameAttempt => {
                return Ok(Joined { is_new: false, effect: self.counted(Effect::SameAttempt) });
            }
        }
        let is_new = !self.has_joined(member);
        let holding = if write.is_decided() || !is_new { None } else { self.holds_entrant_back(stamp) };
        if let Some(holding) = holding {
            return Err(self.hold_back(holding));
        }
        let declaration =
            Declaration { meta: write.meta, segments: write.segments, ..Declaration::default() };
        let effect = self.declare(member, declaration, write.origin)?;
        if let Effect::Applied(stamp) = effect {
            // A change of text or segments alone does not touch the board. But a request that is noted must not be newer than the
            // board's last write, or a restart would forget it too early.
            if request.is_some() {
                self.finalize_views();
                self.touch(stamp);
                self.tidy();
            }
            let keep = self.keep();
            requests::finish(&mut self.requests, request, stamp.now, keep);
        }
        Ok(Joined { is_new, effect })
    }

    /// Lets a member leave a board with `DECLARED`. Its scores and attempts stay.
    ///
    /// # Errors
    /// [`Error::NeedsDeclared`], [`Error::WrongPart`], [`Error::LeavesInitial`].
    pub fn leave_member(&mut self, member: &[u8], origin: TimeSource) -> Result<Effect, Error> {
        self.needs_declared("LB.LEAVE")?;
        let now = self.now_of(origin);
        self.advance(now);
        let found = self.members.find(member);
        let joined = found.and_then(|id| Some((id, *self.campaign()?.candidates.get(id)?)));
        let Some((id, candidate)) = joined else { return Ok(Effect::Repeated) };
        if candidate.starts() {
            return Err(Error::LeavesInitial);
        }
        self.finalize_views();
        self.campaign_mut().candidates.remove(id);
        let stamp = Stamp { now, at: now };
        self.touch(stamp);
        self.tidy();
        // The member may be forgotten already: it may have had only data of periods that are not kept any more.
        if let Some(id) = self.members.find(member).filter(|id| !self.knows(*id)) {
            self.drop_member(id);
        }
        Ok(Effect::Applied(stamp))
    }

    /// Returns whether a member may score on a board with `DECLARED`.
    #[must_use]
    pub fn has_joined(&self, member: &[u8]) -> bool {
        self.is_declared(self.members.find(member))
    }

    /// Returns whether a member was declared.
    pub(super) fn is_declared(&self, id: Option<MemberId>) -> bool {
        id.zip(self.campaign()).is_some_and(|(id, campaign)| campaign.candidates.get(id).is_some())
    }

    const fn needs_declared(&self, command: &'static str) -> Result<(), Error> {
        if self.schema.declared { Ok(()) } else { Err(Error::NeedsDeclared(command)) }
    }

    /// Returns the rule that holds back a new entrant.
    fn holds_entrant_back(&self, stamp: Stamp) -> Option<Holding> {
        let closes = self.voting_window().closes;
        let has_closed = closes != 0 && closes <= stamp.now;
        if has_closed { Some((BoardRule::Closed, None)) } else { self.is_full_of_joined() }
    }

    /// Counts an effect, and returns it.
    const fn counted(&mut self, effect: Effect) -> Effect {
        self.figures.count(effect);
        effect
    }
}
