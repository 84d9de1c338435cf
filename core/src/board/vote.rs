//! Votes: judged as a whole, then counted in every view, or held back without a trace. No view is brought
//! to the moment of a vote before that has passed: else whoever votes in vain could make a board work.

use arrayvec::ArrayVec;

use super::change::Changes;
use super::write::{VOTE, VOTE_MANY};
use super::{Board, Effect, Outcome, Outcomes, Write};
use crate::Error;
use crate::campaign::{Campaign, Candidate};
use crate::limits::{Ballot, CLOSED, Cost, hash_of_voter};
use crate::requests::Fingerprint;
use crate::schema::{Aggregate, Schema, Tally};
use crate::time::{Millis, Stamp, TimeSource};
use crate::view::{Change, MAX_VIEWS, View};
use crate::voters::{Batch, PeriodWindow};

/// Votes for a member: who it is, and how many, from 1.
pub type Vote<'a> = (&'a [u8], u64);

/// What came of a request to vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<T> {
    /// It was counted, now or before.
    Accepted(T),
    /// A rule does not hold; nothing has changed.
    HeldBack {
        /// The rule's name.
        rule: Vec<u8>,
        /// In how many milliseconds the rule begins anew; nothing where waiting does not help.
        wait: Option<Millis>,
    },
}

impl<T> Verdict<T> {
    fn effect(&self, effect: impl Fn(&T) -> Effect) -> Effect {
        match self {
            Self::Accepted(answer) => effect(answer),
            Self::HeldBack { .. } => Effect::HeldBack,
        }
    }
}

impl Board {
    /// Counts votes for one member, if all rules hold.
    ///
    /// # Errors
    /// As [`Board::add`]; [`Error::NeedsSum`], [`Error::NotACandidate`], and those of [`Ballot`]s that
    /// lack what a rule names.
    pub fn vote(&mut self, write: &Write, ballot: &Ballot, vote: Vote) -> Result<Verdict<Outcome>, Error> {
        let verdict = self.vote_as(write, ballot, vote);
        self.settle(verdict, |verdict| verdict.effect(|outcome| outcome.effect))
    }

    fn vote_as(&mut self, write: &Write, ballot: &Ballot, vote: Vote) -> Result<Verdict<Outcome>, Error> {
        let (member, votes) = vote;
        self.check_sum()?;
        let print = || printed(VOTE, ballot).and(member, votes.cast_signed());
        let stamp = self.stamp(write)?;
        let Some(request) = self.identify(write, stamp, print)? else {
            self.begin(write)?;
            return Ok(Verdict::Accepted(self.unchanged(Effect::Repeated, write, 0, member)));
        };
        let changes = self.worth(write, vote)?;
        let cost = self.cost(write, ballot, &[vote])?;
        let voter = voter_of(ballot, &cost);
        self.prefetch(stamp, &cost, voter, member);
        if let Some(held_back) = self.held_back(write, stamp, ballot, &cost) {
            return Ok(held_back);
        }
        self.judge(member, changes, stamp)?;
        self.advance(stamp.now);
        let outcome = self.change(write, stamp, request, 0, member, changes)?;
        self.count_ballot(stamp, voter, &cost, &[vote]);
        Ok(Verdict::Accepted(outcome))
    }

    /// Counts votes for several members as one request, if all rules hold for all of them. The
    /// positions are those at the end of it.
    ///
    /// # Errors
    /// As [`Board::vote`]; nothing has changed for any member then.
    pub fn vote_many(
        &mut self,
        write: &Write,
        ballot: &Ballot,
        votes: &[Vote],
    ) -> Result<Verdict<Outcomes>, Error> {
        let verdict = self.vote_many_as(write, ballot, votes);
        self.settle(verdict, |verdict| verdict.effect(|(effect, _)| *effect))
    }

    fn vote_many_as(
        &mut self,
        write: &Write,
        ballot: &Ballot,
        votes: &[Vote],
    ) -> Result<Verdict<Outcomes>, Error> {
        self.check_sum()?;
        let print = || {
            let begin = printed(VOTE_MANY, ballot);
            votes.iter().fold(begin, |print, (member, votes)| print.and(member, votes.cast_signed()))
        };
        let stamp = self.stamp(write)?;
        let request = self.identify(write, stamp, print)?;
        let effect = match request {
            None => {
                self.begin(write)?;
                Effect::Repeated
            }
            Some(request) => {
                let changes = votes
                    .iter()
                    .map(|vote| Ok((self.worth(write, *vote)?, vote.0)))
                    .collect::<Result<Vec<_>, Error>>()?;
                let cost = self.cost(write, ballot, votes)?;
                if let Some(held_back) = self.held_back(write, stamp, ballot, &cost) {
                    return Ok(held_back);
                }
                self.check_sums(&changes, stamp)?;
                self.advance(stamp.now);
                self.change_all(stamp, request, &changes)?;
                self.count_ballot(stamp, voter_of(ballot, &cost), &cost, votes);
                Effect::Applied(stamp)
            }
        };
        Ok(Verdict::Accepted((effect, self.positions(0, votes.iter().map(|(member, _)| *member)))))
    }

    const fn check_sum(&self) -> Result<(), Error> {
        match self.schema.aggregate {
            Aggregate::Sum => Ok(()),
            _ => Err(Error::NeedsSum("a vote")),
        }
    }

    /// What votes add in each of the counts.
    fn worth(&self, write: &Write, (member, votes): Vote) -> Result<Changes, Error> {
        let candidate =
            self.campaign().and_then(|campaign| campaign.candidates.get(self.members.find(member)?));
        if candidate.is_none() && self.schema.declared && !is_decided(write) {
            return Err(Error::NotACandidate);
        }
        let weight = candidate.map_or(Candidate::PLAIN.weight, |candidate| candidate.weight);
        let units = i128::from(votes).saturating_mul(10_i128.saturating_pow(u32::from(self.schema.decimals)));
        let shown = units.saturating_mul(i128::from(weight));
        Ok(Changes { shown: Change::Add(shown), real: Change::Add(units) })
    }

    /// What the request costs by each rule.
    fn cost(&self, write: &Write, ballot: &Ballot, votes: &[Vote]) -> Result<Cost, Error> {
        let Some(campaign) = self.campaign() else { return Ok(Cost::default()) };
        match campaign.limits.cost(ballot, votes) {
            // Whoever decided it knew rules that it went by.
            Err(_) if is_decided(write) => Ok(Cost::default()),
            cost => cost,
        }
    }

    /// Asks for the memory that a vote will need and that is far away: first where what was used of limits
    /// is to be found, then the sketches of voters, then what was used.
    fn prefetch(&self, stamp: Stamp, cost: &Cost, voter: Option<u64>, member: &[u8]) {
        let Some(campaign) = self.campaign() else { return };
        campaign.limits.prefetch(stamp.now, cost);
        if let Some((voter, id)) = voter.zip(self.members.find(member)) {
            let batches: ArrayVec<_, MAX_VIEWS> = campaign.series.current_batches().take(MAX_VIEWS).collect();
            campaign.voters.prefetch(voter, id, &batches);
        }
        campaign.limits.prefetch_target(stamp.now, cost);
    }

    /// Whether something stands against the votes.
    fn held_back<T>(&self, write: &Write, stamp: Stamp, ballot: &Ballot, cost: &Cost) -> Option<Verdict<T>> {
        let campaign = self.campaign().filter(|_| !is_decided(write))?;
        let voting_window = campaign.voting_window;
        if !voting_window.holds(stamp.at) {
            let wait = voting_window.opens.checked_sub(stamp.now).filter(|wait| *wait > 0);
            return Some(Verdict::HeldBack { rule: CLOSED.to_vec(), wait });
        }
        let held_back = campaign.limits.judge(stamp.now, ballot, cost)?;
        Some(Verdict::HeldBack { rule: held_back.rule.name().to_vec(), wait: held_back.wait })
    }

    /// Counts what was accepted: by the rules, and the voter.
    fn count_ballot(&mut self, stamp: Stamp, voter: Option<u64>, cost: &Cost, votes: &[Vote]) {
        if let Some(campaign) = self.extras.as_mut().and_then(|extras| extras.campaign.as_mut()) {
            campaign.limits.count(&self.schema.calendar, stamp.now, cost);
        }
        let Some(voter) = voter else { return };
        for (member, _) in votes {
            // Whoever is in no view yet, since the vote is late, has voters all the same.
            if self.members.find(member).is_none() {
                let _ = self.enter_member(member);
            }
        }
        let Self { views, schema, members, extras, .. } = self;
        let campaign = extras.get_or_insert_default().campaign.get_or_insert_default();
        let views = views.iter().filter(|view| view.tally == Tally::Shown);
        let batches: ArrayVec<_, MAX_VIEWS> =
            views.filter_map(|view| campaign.batch_of(view, schema, stamp.at)).collect();
        for id in votes.iter().filter_map(|(member, _)| members.find(member)) {
            campaign.voters.count(voter, id, &batches);
        }
    }
}

impl Campaign {
    /// What a vote of a moment is part of in a view, once the voters are where the view is.
    fn batch_of(&mut self, view: &View, schema: &Schema, at: Millis) -> Option<Batch> {
        let current = view.cycle.as_deref()?.span?.period.start;
        let series = self.series.number(view.spec.kind);
        let last = self.series.window(series).and_then(PeriodWindow::last);
        if last != Some(current) {
            let window = view.window(schema, current)?;
            self.voters.expire_before(series, view.voters_kept(schema)?);
            if last.is_none_or(|last| last > current) {
                self.voters.follow_clock_back(series, &window);
            }
            self.series.set_window(series, window);
        }
        let start = view.period_of_voter(schema, at)?;
        let late = self.series.window(series)?.periods_after(start);
        Some(Batch { series, start, late })
    }
}

fn is_decided(write: &Write) -> bool {
    matches!(write.origin, TimeSource::Decided { .. })
}

/// The hash of who votes.
fn voter_of(ballot: &Ballot, cost: &Cost) -> Option<u64> {
    ballot.voter.map(|voter| cost.voter().unwrap_or_else(|| hash_of_voter(voter)))
}

fn printed(kind: u8, ballot: &Ballot) -> Fingerprint {
    Fingerprint::of(kind).and(ballot.voter.unwrap_or_default(), i64::from(ballot.voter.is_some()))
}
