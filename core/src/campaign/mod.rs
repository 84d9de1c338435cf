//! The data that only a board with voting has: the hours of voting, the limits of votes, the candidates, and the
//! voters. These four do not use each other. [`crate::board`] checks the hours, the limits and the candidates
//! before a vote counts, and updates the counts when it does.

mod series;

pub use crate::candidates::{Candidate, MAX_WEIGHT};
pub(crate) use series::SeriesList;

use crate::Error;
use crate::candidates::Candidates;
use crate::error::Quoted;
use crate::index::MemberId;
use crate::limits::{CLOSED, Limits, MAX_RULES, Rule};
use crate::size_class::bytes_of;
use crate::time::Millis;
use crate::voters::Voters;

/// The time in which votes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VotingWindow {
    /// The moment from which votes count; 0 means that they count from the beginning.
    pub opens: Millis,
    /// The moment before which votes count; 0 means that there is no end.
    pub closes: Millis,
}

impl VotingWindow {
    /// Checks that voting closes after it opens.
    ///
    /// # Errors
    /// [`Error::ClosesBeforeOpens`].
    pub(crate) const fn check(self) -> Result<(), Error> {
        if self.closes != 0 && self.closes <= self.opens { Err(Error::ClosesBeforeOpens) } else { Ok(()) }
    }

    /// Returns whether a vote at this moment counts.
    pub(crate) const fn holds(self, at: Millis) -> bool {
        self.opens <= at && (self.closes == 0 || at < self.closes)
    }
}

/// Changes to the rules of a vote. A rule without a change stays as it is.
#[derive(Debug, Clone, Default)]
pub struct VotingChanges {
    /// The moment from which votes count; 0 means that they count from the beginning.
    pub opens: Option<Millis>,
    /// The moment from which votes no longer count; 0 means that there is no end.
    pub closes: Option<Millis>,
    /// The names of limits to remove, before new limits are set.
    pub lifted: Vec<Vec<u8>>,
    /// Limits to set. A limit replaces the limit with the same name. It keeps the usage if scope and unit are the
    /// same.
    pub limits: Vec<Rule>,
}

impl VotingChanges {
    /// Returns whether there are no changes.
    pub(crate) const fn is_empty(&self) -> bool {
        self.opens.is_none() && self.closes.is_none() && self.lifted.is_empty() && self.limits.is_empty()
    }
}

/// The campaign of a board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Campaign {
    pub(crate) voting_window: VotingWindow,
    /// The number of requests to vote outside of the voting window.
    closed: u64,
    pub(crate) limits: Limits,
    pub(crate) candidates: Candidates,
    pub(crate) voters: Voters,
    pub(crate) series: SeriesList,
}

impl Campaign {
    /// Returns the rules of the campaign, as changes to a campaign without rules.
    pub(crate) fn rules(&self) -> VotingChanges {
        // All fields are named here, so that the author of a new field must decide whether it is a rule.
        let Self { voting_window, closed: _, limits, candidates: _, voters: _, series: _ } = self;
        let VotingWindow { opens, closes } = *voting_window;
        VotingChanges {
            opens: Some(opens).filter(|opens| *opens > 0),
            closes: Some(closes).filter(|closes| *closes > 0),
            lifted: Vec::new(),
            limits: limits.rules().cloned().collect(),
        }
    }

    /// Counts a request to vote that a rule held back.
    pub(crate) fn count_held_back(&mut self, rule: &[u8]) {
        if rule == CLOSED {
            self.closed = self.closed.saturating_add(1);
        } else {
            self.limits.count_held_back(rule);
        }
    }

    /// Returns the name of each rule, and how many requests to vote the rule has not allowed ("held back").
    pub(crate) fn held_back(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let hours = (self.voting_window != VotingWindow::default()).then_some((CLOSED, self.closed));
        hours.into_iter().chain(self.limits.held_back())
    }

    /// Checks that the rules can be changed in this way.
    ///
    /// # Errors
    /// [`Error::ClosesBeforeOpens`], [`Error::NoSuchRule`], [`Error::RepeatedRule`],
    /// [`Error::TooManyRules`].
    pub(crate) fn check(&self, changes: &VotingChanges) -> Result<(), Error> {
        self.voting_window_after(changes).check()?;
        let mut names: Vec<&[u8]> = self.limits.rules().map(Rule::name).collect();
        for name in &changes.lifted {
            let at = names.iter().position(|other| other == name);
            names.swap_remove(at.ok_or(Error::NoSuchRule(Quoted::new(name)))?);
        }
        let mut new: Vec<&[u8]> = Vec::new();
        for rule in &changes.limits {
            if new.contains(&rule.name()) {
                return Err(Error::RepeatedRule(Quoted::new(rule.name())));
            }
            new.push(rule.name());
        }
        names.retain(|name| !new.contains(name));
        if names.len().saturating_add(new.len()) > MAX_RULES {
            Err(Error::TooManyRules(MAX_RULES))
        } else {
            Ok(())
        }
    }

    const fn voting_window_after(&self, changes: &VotingChanges) -> VotingWindow {
        VotingWindow {
            opens: match changes.opens {
                Some(opens) => opens,
                None => self.voting_window.opens,
            },
            closes: match changes.closes {
                Some(closes) => closes,
                None => self.voting_window.closes,
            },
        }
    }

    /// Makes changes that [`Self::check`] has accepted.
    pub(crate) fn change(&mut self, changes: &VotingChanges) {
        self.voting_window = self.voting_window_after(changes);
        for name in &changes.lifted {
            self.limits.remove(name);
        }
        for rule in &changes.limits {
            // `check` has made sure that there is room.
            let _ = self.limits.replace(rule.clone());
        }
    }

    /// Returns whether a member was declared as a candidate or has votes.
    pub(crate) fn knows(&self, id: MemberId) -> bool {
        self.candidates.get(id).is_some() || self.voters.contains(id)
    }

    /// Forgets a candidate and its voters. The voters still count for the board.
    pub(crate) fn remove(&mut self, id: MemberId) {
        self.candidates.remove(id);
        self.voters.remove(id);
    }

    /// Changes the ids of all members, when the board changes to the form for many members.
    pub(crate) fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        self.candidates.renumber(&renumbered);
        self.voters.renumber(&renumbered);
    }

    /// Returns the number of bytes, including this struct.
    pub(crate) fn memory(&self) -> usize {
        [self.limits.memory(), self.candidates.memory(), self.voters.memory(), self.series.memory()]
            .into_iter()
            .fold(bytes_of::<Self>(1), usize::saturating_add)
    }

    /// Returns about how many allocations must be freed with the campaign.
    pub(crate) fn effort(&self) -> usize {
        [self.limits.effort(), self.candidates.effort(), self.voters.effort()]
            .into_iter()
            .fold(1, usize::saturating_add)
    }

    /// Frees a limited quantity of the data of ended periods. Returns whether there is more to free. Small counts
    /// of limits stay until votes of another period replace them.
    pub(crate) fn work(&mut self, now: Millis) -> bool {
        (self.limits.is_big() && self.limits.work(now)) || self.voters.work()
    }

    /// Returns whether there may be work between commands.
    pub(crate) fn is_big(&self) -> bool {
        self.limits.is_big() || self.voters.is_big()
    }
}
