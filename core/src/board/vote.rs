//! Votes are judged as a whole. Then they are counted in every view, or held back without any change. The rules are
//! judged before any view goes to another period, so a vote that is held back costs little.

use arrayvec::ArrayVec;

use super::Board;
use super::change::{TallyChanges, Target};
use super::effect::{Effect, Outcome, Outcomes, Written};
use super::voter_periods::batch_of;
use super::write::{Case, Intent, VOTE, VOTE_MANY, Write, named};
use crate::Error;
use crate::board_rule::BoardRule;
use crate::limits::{Ballot, Cost, hash_of_voter};
use crate::requests::Fingerprint;
use crate::schema::{Aggregate, Tally};
use crate::time::{Millis, Stamp};
use crate::view::{Change, MAX_VIEWS};

/// Votes for a member: the member's name, and the number of votes, from 1.
pub type Vote<'a> = (&'a [u8], u64);

/// The result of a request to vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<T> {
    /// The vote was counted, by this request or by an earlier one with the same id.
    Accepted(T),
    /// A rule does not hold. Nothing has changed.
    HeldBack {
        /// The rule's name.
        rule: Vec<u8>,
        /// The time until the rule begins anew, in milliseconds; `None` if waiting does not help.
        wait: Option<Millis>,
    },
}

impl<T> Verdict<T> {
    /// Changes the answer to an accepted vote.
    fn map<U>(self, change: impl FnOnce(T) -> U) -> Verdict<U> {
        match self {
            Self::Accepted(answer) => Verdict::Accepted(change(answer)),
            Self::HeldBack { rule, wait } => Verdict::HeldBack { rule, wait },
        }
    }
}

impl<T: Written> Written for Verdict<T> {
    fn effect(&self) -> Effect {
        match self {
            Self::Accepted(answer) => answer.effect(),
            Self::HeldBack { .. } => Effect::HeldBack,
        }
    }
}

/// The write of a request to vote.
struct Cast<'a> {
    code: u8,
    ballot: &'a Ballot<'a>,
    votes: &'a [Vote<'a>],
    /// The cost of the request for each rule.
    cost: Cost,
    /// The error, if the ballot lacks a value that a rule needs.
    lacks: Option<Error>,
    /// The hash of the voter's name.
    voter: Option<u64>,
    /// The rule that holds the votes back, and the time in milliseconds until the rule begins anew.
    held_back: Option<(Vec<u8>, Option<Millis>)>,
}

impl Intent for Cast<'_> {
    fn fingerprint(&self, targets: &[Target]) -> Fingerprint {
        let voter = self.ballot.voter;
        let begun = Fingerprint::of(self.code).and(voter.unwrap_or_default(), i64::from(voter.is_some()));
        named(begun, targets)
    }

    /// Votes have rules of their own.
    fn is_of_scores(&self) -> bool {
        false
    }

    /// Computes the cost and prefetches the counts of limits, which are the farthest away in memory.
    fn approach(&mut self, board: &Board, write: &Write, stamp: Stamp) {
        if let Some(campaign) = board.campaign() {
            match campaign.limits.cost(self.ballot, self.votes) {
                Ok(cost) => self.cost = cost,
                // The server that decided this write may have had other rules.
                Err(_) if write.is_decided() => {}
                Err(error) => self.lacks = Some(error),
            }
            campaign.limits.prefetch(stamp.now, &self.cost);
        }
        let hash = |voter| self.cost.voter().unwrap_or_else(|| hash_of_voter(voter));
        self.voter = self.ballot.voter.map(hash);
    }

    fn passes(&mut self, board: &Board, case: Case, targets: &mut [Target]) -> Result<bool, Error> {
        if let [target] = targets {
            self.prefetch(board, target);
        }
        targets.iter_mut().try_for_each(|target| board.weigh(case.write, target))?;
        if let Some(lacks) = self.lacks {
            return Err(lacks);
        }
        self.held_back = if case.write.is_decided() { None } else { self.held_back_by(board, case.stamp) };
        Ok(self.held_back.is_none())
    }

    /// The voter is counted even if the votes are too late for all views.
    fn always_enters(&self) -> bool {
        self.voter.is_some()
    }

    /// Adds the cost to the counts of limits, and counts the voter.
    fn carry_out(&self, board: &mut Board, targets: &[Target], stamp: Stamp) {
        if let Some(campaign) = board.extras.as_mut().and_then(|extras| extras.campaign.as_mut()) {
            campaign.limits.count(&board.schema.calendar, stamp.now, &self.cost);
        }
        let Some(voter) = self.voter else { return };
        let Board { views, schema, extras, .. } = board;
        let campaign = extras.get_or_insert_default().campaign.get_or_insert_default();
        let views = views.iter().filter(|view| view.tally == Tally::Shown);
        let batches: ArrayVec<_, MAX_VIEWS> =
            views.filter_map(|view| batch_of(campaign, view, schema, stamp.at)).collect();
        let ids = targets.iter().filter_map(|target| target.id);
        if targets.len() > 1 {
            ids.clone().for_each(|id| campaign.voters.prefetch(voter, id, &batches));
        }
        for id in ids {
            campaign.voters.count(voter, id, &batches);
        }
    }
}

impl Cast<'_> {
    /// Prefetches the sketches of voters that a vote changes.
    fn prefetch(&self, board: &Board, target: &Target) {
        let voted = self.voter.zip(target.id);
        if let (Some(campaign), Some((voter, id))) = (board.campaign(), voted) {
            let batches: ArrayVec<_, MAX_VIEWS> = campaign.series.current_batches().take(MAX_VIEWS).collect();
            campaign.voters.prefetch(voter, id, &batches);
        }
    }

    /// Returns the first rule that does not hold, and the time in milliseconds until it begins anew.
    fn held_back_by(&self, board: &Board, stamp: Stamp) -> Option<(Vec<u8>, Option<Millis>)> {
        let campaign = board.campaign()?;
        if let Some((closed, wait)) = board.is_closed(stamp) {
            return Some((closed.name().as_bytes().to_vec(), wait));
        }
        let held_back = campaign.limits.judge(stamp.now, self.ballot, &self.cost)?;
        Some((held_back.rule.name().to_vec(), held_back.wait))
    }
}

impl Board {
    /// Counts votes for one member, if all rules hold.
    ///
    /// # Errors
    /// The errors of [`Board::add`]; [`Error::NeedsSum`], [`Error::NotWithLevels`], [`Error::NotACandidate`], and
    /// an error if the [`Ballot`] lacks a value that a rule needs.
    pub fn vote(&mut self, write: &Write, ballot: &Ballot, vote: Vote) -> Result<Verdict<Outcome>, Error> {
        self.cast(VOTE, write, ballot, &[vote], &mut [self.voted_for(&vote)])
    }

    /// Counts votes for several members as one request, if all rules hold for all of them. The positions in the
    /// reply are from after the whole request.
    ///
    /// # Errors
    /// The errors of [`Board::vote`]. After an error, no member has changed.
    pub fn vote_many(
        &mut self,
        write: &Write,
        ballot: &Ballot,
        votes: &[Vote],
    ) -> Result<Verdict<Outcomes>, Error> {
        let mut targets: Vec<_> = votes.iter().map(|vote| self.voted_for(vote)).collect();
        let verdict = self.cast(VOTE_MANY, write, ballot, votes, &mut targets)?;
        Ok(verdict.map(|outcome| (outcome.effect, self.positions(write, 0, &targets))))
    }

    fn cast(
        &mut self,
        code: u8,
        write: &Write,
        ballot: &Ballot,
        votes: &[Vote],
        targets: &mut [Target],
    ) -> Result<Verdict<Outcome>, Error> {
        if self.schema.aggregate != Aggregate::Sum {
            return Err(Error::NeedsSum("a vote"));
        }
        self.schema.needs_decimals("a vote")?;
        let cost = Cost::default();
        let mut cast = Cast { code, ballot, votes, cost, lacks: None, voter: None, held_back: None };
        let outcome = self.write(write, 0, &mut cast, targets)?;
        self.figures.count_vote(outcome.effect);
        if let Some((rule, _)) = &cast.held_back {
            match rule == BoardRule::Closed.name().as_bytes() {
                true => self.count_held_back(BoardRule::Closed),
                false => self.campaign_mut().limits.count_held_back(rule),
            }
        }
        Ok(match cast.held_back {
            Some((rule, wait)) => Verdict::HeldBack { rule, wait },
            None => Verdict::Accepted(outcome),
        })
    }

    /// Multiplies the shown votes of a target by the weight of its candidate.
    fn weigh(&self, write: &Write, target: &mut Target) -> Result<(), Error> {
        let found = self.campaign().zip(target.id);
        let candidate = found.and_then(|(campaign, id)| campaign.candidates.get(id));
        if candidate.is_none() && self.schema.declared && !write.is_decided() {
            return Err(Error::NotACandidate);
        }
        if let (Some(candidate), Change::Add(units)) = (candidate, &mut target.changes.shown) {
            *units = units.saturating_mul(i128::from(candidate.weight));
        }
        Ok(())
    }

    /// Returns the target of a request that votes for a member.
    fn voted_for<'a>(&self, (member, votes): &Vote<'a>) -> Target<'a> {
        let scale = 10_i128.saturating_pow(u32::from(self.schema.decimals));
        let units = i128::from(*votes).saturating_mul(scale);
        Target::new(member, votes.cast_signed(), TallyChanges::both(Change::Add(units)))
    }
}
