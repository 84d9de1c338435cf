//! The data that only a board with rules for writes, or with voting, has: when it is open, the rules of scores, the limits of
//! votes, the candidates, and the voters. These do not use each other. [`crate::board`] checks the rules before a write
//! counts, and updates the counts when it does.

mod bounds;
mod series;

pub use crate::candidates::{Candidate, MAX_WEIGHT};
pub use bounds::{Bounds, MAX_BOUND};
pub(crate) use series::SeriesList;

use crate::Error;
use crate::board_rule::BoardRule;
use crate::calendar::{Calendar, Hours};
use crate::candidates::Candidates;
use crate::error::Quoted;
use crate::index::MemberId;
use crate::limits::{Attempts, Limits, MAX_RULES, Rule};
use crate::prizes::{DEFAULT_DAYS, Prizes, TableChange, TableName};
use crate::schema::Schema;
use crate::score::Score;
use crate::size_class::bytes_of;
use crate::time::{Millis, Stamp};
use crate::voters::Voters;

/// The time in which votes and scores count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VotingWindow {
    /// The moment from which writes count; 0 means that they count from the beginning.
    pub opens: Millis,
    /// The moment before which writes count; 0 means that there is no end.
    pub closes: Millis,
}

impl VotingWindow {
    /// Checks that it closes after it opens.
    ///
    /// # Errors
    /// [`Error::ClosesBeforeOpens`].
    pub(crate) const fn check(self) -> Result<(), Error> {
        if self.closes != 0 && self.closes <= self.opens { Err(Error::ClosesBeforeOpens) } else { Ok(()) }
    }

    /// Returns whether a write at this moment counts.
    pub(crate) const fn holds(self, at: Millis) -> bool {
        self.opens <= at && (self.closes == 0 || at < self.closes)
    }
}

/// Changes to the rules of writes. A rule without a change stays as it is.
#[derive(Debug, Clone, Default)]
pub struct RuleChanges {
    /// The moment from which writes count; 0 means that they count from the beginning.
    pub opens: Option<Millis>,
    /// The moment from which writes no longer count; 0 means that there is no end.
    pub closes: Option<Millis>,
    /// The opening hours; empty hours mean that it is always open.
    pub hours: Option<Hours>,
    /// The attempts of each member in a period; `Some(None)` means that there is no such rule.
    pub attempts: Option<Option<Attempts>>,
    /// The maximum number of members; 0 means that there is no maximum.
    pub max_members: Option<u32>,
    /// The range of points and scores.
    pub bounds: Option<Bounds>,
    /// The names of limits to remove, before new limits are set.
    pub lifted: Vec<Vec<u8>>,
    /// Prize tables to set. An empty table ends a table.
    pub prizes: Vec<TableChange>,
    /// For how many days unclaimed prizes are kept.
    pub prize_days: Option<u32>,
    /// Limits to set. A limit replaces the limit with the same name. It keeps the usage if scope and unit are the
    /// same.
    pub limits: Vec<Rule>,
}

impl RuleChanges {
    /// Returns whether there are no changes.
    pub(crate) const fn is_empty(&self) -> bool {
        self.opens.is_none()
            && self.closes.is_none()
            && self.hours.is_none()
            && self.attempts.is_none()
            && self.max_members.is_none()
            && self.bounds.is_none()
            && !self.has_limits()
            && !self.has_prizes()
    }

    /// Returns whether there are changes of prizes.
    pub(crate) const fn has_prizes(&self) -> bool {
        !self.prizes.is_empty() || self.prize_days.is_some()
    }

    /// Returns whether there are changes of the limits of votes.
    pub(crate) const fn has_limits(&self) -> bool {
        !self.lifted.is_empty() || !self.limits.is_empty()
    }
}

/// The campaign of a board.
#[derive(Debug, Clone, Default)]
pub(crate) struct Campaign {
    pub(crate) voting_window: VotingWindow,
    pub(crate) hours: Hours,
    /// The rule of attempts, if there is one, and the attempts of each member.
    pub(crate) attempts: Limits,
    /// The maximum number of members; 0 for no maximum.
    pub(crate) max_members: u32,
    /// The first and the last score that clients may write, if not all of them.
    pub(crate) bounds: Option<(Score, Score)>,
    pub(crate) limits: Limits,
    pub(crate) candidates: Candidates,
    pub(crate) voters: Voters,
    pub(crate) series: SeriesList,
    pub(crate) prizes: Option<Box<Prizes<TableName>>>,
}

impl Campaign {
    /// Returns the rules of the campaign, as changes to a campaign without rules.
    pub(crate) fn rules(&self, schema: &Schema) -> RuleChanges {
        // All fields are named here, so that the author of a new field must decide whether it is a rule.
        let Self {
            voting_window,
            hours,
            attempts,
            max_members,
            bounds,
            limits,
            candidates: _,
            voters: _,
            series: _,
            prizes,
        } = self;
        let VotingWindow { opens, closes } = *voting_window;
        RuleChanges {
            opens: Some(opens).filter(|opens| *opens > 0),
            closes: Some(closes).filter(|closes| *closes > 0),
            hours: Some(hours.clone()).filter(|hours| !hours.is_empty()),
            attempts: attempts.rules().next().map(|rule| Some(Attempts(rule.clone()))),
            max_members: Some(*max_members).filter(|max| *max > 0),
            bounds: bounds.map(|range| Bounds::of(range, schema)),
            lifted: Vec::new(),
            prizes: prizes.iter().flat_map(|prizes| prizes.current()).map(TableChange::from).collect(),
            prize_days: prizes.as_ref().map(|prizes| prizes.days()).filter(|days| *days != DEFAULT_DAYS),
            limits: limits.rules().cloned().collect(),
        }
    }

    /// Returns whether a rule can hold a write back. [`BoardRule::Joined`] is a rule of the schema.
    pub(crate) fn has(&self, rule: BoardRule) -> bool {
        match rule {
            BoardRule::Closed => self.voting_window != VotingWindow::default() || !self.hours.is_empty(),
            BoardRule::Joined => false,
            BoardRule::Bounds => self.bounds.is_some(),
            BoardRule::Full => self.max_members > 0,
            BoardRule::Attempts => self.attempts.rules().len() > 0,
        }
    }

    /// Returns whether writes of this moment do not count, because the board is closed then. If so, the inner value is the time
    /// from `now` until it opens, in milliseconds; `None` if it never opens again, or if it is open now.
    pub(crate) fn closed(&self, calendar: &Calendar, stamp: Stamp) -> Option<Option<Millis>> {
        let at = stamp.at.cast_signed();
        if self.voting_window.holds(stamp.at) && calendar.is_open(&self.hours, at) {
            return None;
        }
        let VotingWindow { opens, closes } = self.voting_window;
        let next = calendar.next_open(&self.hours, stamp.now.max(opens).cast_signed());
        let next = next.map(i64::cast_unsigned).filter(|next| closes == 0 || *next < closes);
        Some(next.and_then(|next| next.checked_sub(stamp.now)).filter(|wait| *wait > 0))
    }

    /// Checks that the rules can be changed in this way.
    ///
    /// # Errors
    /// [`Error::ClosesBeforeOpens`], [`Error::NoSuchRule`], [`Error::RepeatedRule`],
    /// [`Error::TooManyRules`], and the errors of [`Bounds`].
    pub(crate) fn check(&self, changes: &RuleChanges, schema: &Schema) -> Result<(), Error> {
        self.voting_window_after(changes).check()?;
        if let Some(bounds) = &changes.bounds {
            bounds.range(schema)?;
        }
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

    const fn voting_window_after(&self, changes: &RuleChanges) -> VotingWindow {
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
    pub(crate) fn change(&mut self, changes: &RuleChanges, schema: &Schema) {
        self.voting_window = self.voting_window_after(changes);
        if let Some(hours) = &changes.hours {
            self.hours = hours.clone();
        }
        match &changes.attempts {
            // There is room: it is the only rule.
            Some(Some(Attempts(rule))) => _ = self.attempts.replace(rule.clone()),
            Some(None) => _ = self.attempts.remove(BoardRule::Attempts.name().as_bytes()),
            None => {}
        }
        self.max_members = changes.max_members.unwrap_or(self.max_members);
        if let Some(bounds) = &changes.bounds {
            // `check` has read them.
            self.bounds = bounds.range(schema).ok().flatten();
        }
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
        let rules = [self.hours.memory(), self.attempts.memory(), self.limits.memory()];
        let prizes = self.prizes.as_ref().map_or(0, |prizes| prizes.memory());
        let others = [self.candidates.memory(), self.voters.memory(), self.series.memory(), prizes];
        rules.into_iter().chain(others).fold(bytes_of::<Self>(1), usize::saturating_add)
    }

    /// Returns about how many allocations must be freed with the campaign.
    pub(crate) fn effort(&self) -> usize {
        let prizes = self.prizes.as_ref().map_or(0, |prizes| prizes.effort());
        [self.attempts.effort(), self.limits.effort(), self.candidates.effort(), self.voters.effort(), prizes]
            .into_iter()
            .fold(1, usize::saturating_add)
    }

    /// Frees a limited quantity of the data of ended periods. Returns whether there is more to free. Small counts
    /// of limits stay until votes of another period replace them.
    pub(crate) fn work(&mut self, now: Millis) -> bool {
        (self.limits.is_big() && self.limits.work(now))
            || (self.attempts.is_big() && self.attempts.work(now))
            || self.voters.work()
    }

    /// Returns whether there may be work between commands.
    pub(crate) fn is_big(&self) -> bool {
        self.limits.is_big() || self.attempts.is_big() || self.voters.is_big()
    }
}
