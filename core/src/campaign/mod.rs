//! The parts that only a board with voting has: when voting is open, the limits of votes, the candidates, and the
//! voters. The parts do not know each other. [`crate::board`] asks all of them before a vote counts, and updates all
//! of them when it does.

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

/// When votes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VotingWindow {
    /// Votes count from this moment on; 0: from the beginning.
    pub opens: Millis,
    /// Votes count before this moment; 0: without an end.
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

    /// Whether a vote of this moment counts.
    pub(crate) const fn holds(self, at: Millis) -> bool {
        self.opens <= at && (self.closes == 0 || at < self.closes)
    }
}

/// Changes to the rules of a vote. A rule that is not named stays as it is.
#[derive(Debug, Clone, Default)]
pub struct VotingChanges {
    /// From when on votes count; 0: from the beginning.
    pub opens: Option<Millis>,
    /// From when on votes no longer count; 0: never.
    pub closes: Option<Millis>,
    /// Names of limits to lift, before new ones are set.
    pub lifted: Vec<Vec<u8>>,
    /// Limits to set. A limit replaces one with the same name. It keeps the usage if scope and unit are the same.
    pub limits: Vec<Rule>,
}

impl VotingChanges {
    /// Whether nothing changes.
    pub(crate) const fn is_empty(&self) -> bool {
        self.opens.is_none() && self.closes.is_none() && self.lifted.is_empty() && self.limits.is_empty()
    }
}

/// The campaign of a board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Campaign {
    pub(crate) voting_window: VotingWindow,
    /// How many requests to vote came outside of the voting window.
    closed: u64,
    pub(crate) limits: Limits,
    pub(crate) candidates: Candidates,
    pub(crate) voters: Voters,
    pub(crate) series: SeriesList,
}

impl Campaign {
    /// Its rules, as changes to a campaign that has none.
    pub(crate) fn rules(&self) -> VotingChanges {
        // This names all fields, so that a new field must be classified here: is it a rule?
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

    /// How many requests each rule held back.
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

    /// Makes changes that were [checked](Self::check).
    pub(crate) fn change(&mut self, changes: &VotingChanges) {
        self.voting_window = self.voting_window_after(changes);
        for name in &changes.lifted {
            self.limits.remove(name);
        }
        for rule in &changes.limits {
            // There is room: `check` made sure of it.
            let _ = self.limits.replace(rule.clone());
        }
    }

    /// Whether a member was declared as a candidate or has votes.
    pub(crate) fn knows(&self, id: MemberId) -> bool {
        self.candidates.get(id).is_some() || self.voters.contains(id)
    }

    /// Forgets a candidate and its voters. The voters still count for the board.
    pub(crate) fn remove(&mut self, id: MemberId) {
        self.candidates.remove(id);
        self.voters.remove(id);
    }

    /// Gives all members other ids, on a board that grows.
    pub(crate) fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        self.candidates.renumber(&renumbered);
        self.voters.renumber(&renumbered);
    }

    /// Bytes, its own struct included.
    pub(crate) fn memory(&self) -> usize {
        [self.limits.memory(), self.candidates.memory(), self.voters.memory(), self.series.memory()]
            .into_iter()
            .fold(bytes_of::<Self>(1), usize::saturating_add)
    }

    /// About how many allocations there are to free.
    pub(crate) fn effort(&self) -> usize {
        [self.limits.effort(), self.candidates.effort(), self.voters.effort()]
            .into_iter()
            .fold(1, usize::saturating_add)
    }

    /// Frees a bounded part of the data of ended periods. Returns whether there is more to do. Small counts of limits
    /// stay until votes of another period replace them.
    pub(crate) fn work(&mut self, now: Millis) -> bool {
        (self.limits.is_big() && self.limits.work(now)) || self.voters.work()
    }

    /// Whether there may be work between commands.
    pub(crate) fn is_big(&self) -> bool {
        self.limits.is_big() || self.voters.is_big()
    }
}
