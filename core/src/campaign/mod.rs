//! What only boards that are voted on have: when voting is open, the limits of votes, the options that
//! were declared, and the distinct voters. Each is a part of its own; [`crate::board`] asks them all
//! before a vote counts, and tells them all when it does.

mod candidates;
mod series;

pub(crate) use candidates::Candidates;
pub use candidates::{Candidate, MAX_WEIGHT};
pub(crate) use series::SeriesList;

use crate::Error;
use crate::error::Quoted;
use crate::index::MemberId;
use crate::limits::{Limits, MAX_RULES, Rule};
use crate::size_class::bytes_of;
use crate::time::Millis;
use crate::voters::Voters;

/// When votes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VotingWindow {
    /// From this moment on; 0: from the beginning.
    pub opens: Millis,
    /// Up to, and without, this moment; 0: without end.
    pub closes: Millis,
}

impl VotingWindow {
    /// Checks that there is time between the two.
    ///
    /// # Errors
    /// [`Error::ClosesBeforeOpens`].
    pub const fn check(self) -> Result<(), Error> {
        if self.closes != 0 && self.closes <= self.opens { Err(Error::ClosesBeforeOpens) } else { Ok(()) }
    }

    /// Whether a vote of this moment counts.
    #[must_use]
    pub const fn hold(self, at: Millis) -> bool {
        self.opens <= at && (self.closes == 0 || at < self.closes)
    }
}

/// Changes to the rules of a vote; nothing that is not named.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// From when on votes count; 0: from the beginning.
    pub opens: Option<Millis>,
    /// From when on they do not any more; 0: never.
    pub closes: Option<Millis>,
    /// Limits to lift, by name. They go before new ones come.
    pub lifted: Vec<Vec<u8>>,
    /// Limits to set. One of a name that there is takes its place, and goes on with what was used as
    /// long as it counts the same.
    pub limits: Vec<Rule>,
}

impl Changes {
    /// Whether nothing changes.
    pub(crate) const fn is_empty(&self) -> bool {
        self.opens.is_none() && self.closes.is_none() && self.lifted.is_empty() && self.limits.is_empty()
    }
}

/// The campaign of a board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Campaign {
    pub(crate) voting_window: VotingWindow,
    pub(crate) limits: Limits,
    pub(crate) candidates: Candidates,
    pub(crate) voters: Voters,
    pub(crate) series: SeriesList,
}

impl Campaign {
    /// Whether the rules can be changed so.
    ///
    /// # Errors
    /// [`Error::ClosesBeforeOpens`], [`Error::NoSuchRule`], [`Error::RepeatedRule`],
    /// [`Error::TooManyRules`].
    pub(crate) fn check(&self, changes: &Changes) -> Result<(), Error> {
        self.hours_after(changes).check()?;
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

    const fn hours_after(&self, changes: &Changes) -> VotingWindow {
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

    /// Changes the rules as was checked.
    pub(crate) fn change(&mut self, changes: &Changes) {
        self.voting_window = self.hours_after(changes);
        for name in &changes.lifted {
            self.limits.remove(name);
        }
        for rule in &changes.limits {
            // There is room: that was checked.
            let _ = self.limits.replace(rule.clone());
        }
    }

    /// Whether it is an option that was declared, or somebody whose voters are counted.
    pub(crate) fn knows(&self, id: MemberId) -> bool {
        self.candidates.get(id).is_some() || self.voters.contains(id)
    }

    /// Forgets an option with everything about it; its voters stay voters of the board.
    pub(crate) fn remove(&mut self, id: MemberId) {
        self.candidates.remove(id);
        self.voters.remove(id);
    }

    /// Gives all members other numbers, on a board that grows.
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

    /// How many allocations freeing takes, about.
    pub(crate) fn effort(&self) -> usize {
        [self.limits.effort(), self.candidates.effort(), self.voters.effort()]
            .into_iter()
            .fold(1, usize::saturating_add)
    }

    /// Does a bounded piece of freeing what is over; false when there is nothing to do. Where little is
    /// used of limits, that stays until votes of another period take its place.
    pub(crate) fn work(&mut self, now: Millis) -> bool {
        (self.limits.is_big() && self.limits.work(now)) || self.voters.work()
    }

    /// Whether there may be work between commands.
    pub(crate) fn is_big(&self) -> bool {
        self.limits.is_big() || self.voters.is_big()
    }
}
