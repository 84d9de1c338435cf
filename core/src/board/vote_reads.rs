//! Reads that only boards with voting have: the used quantity of each limit, and the number of voters.

use std::borrow::Cow;

use super::{Board, voter_periods};
use crate::Error;
use crate::board_rule::BoardRule;
use crate::calendar::When;
use crate::campaign::{Campaign, RuleChanges, VotingWindow};
use crate::error::Quoted;
use crate::limits::{Ballot, Quota, Rule};
use crate::time::{Millis, Stamp, TimeSource};
use crate::view::{Kind, View};
use crate::voters::{PeriodWindow, Sketch};

impl Board {
    /// Returns the used quantity of each rule that applies to this ballot and this member. The rules of scores come first, if a
    /// member is given and nothing of a voter: whether the board is closed, the member's attempts, and the number of members.
    ///
    /// # Errors
    /// [`Error::AtInFuture`].
    pub fn quota<'a>(
        &'a self,
        ballot: &'a Ballot,
        member: Option<&'a [u8]>,
        at: Option<Millis>,
        origin: TimeSource,
    ) -> Result<Vec<Quota<'a>>, Error> {
        let now = match at {
            Some(_) => self.schema.clock.stamp(self.last, at, origin)?.now,
            None => self.now_of(origin),
        };
        let Some(campaign) = self.campaign() else { return Ok(Vec::new()) };
        let scoring = member.filter(|_| ballot.voter.is_none() && ballot.tags.is_empty());
        let attempts = campaign.attempts.quota(&self.schema.calendar, now, &Ballot::NOBODY, scoring);
        let limits = campaign.limits.quota(&self.schema.calendar, now, ballot, member);
        let [closed, full] = scoring.map(|_| self.quota_of_all(campaign, now)).unwrap_or_default();
        Ok(closed.into_iter().chain(attempts).chain(full).chain(limits).collect())
    }

    /// Returns the quota of the rules that are for all members: when the board is open, and how many members it has.
    fn quota_of_all(&self, campaign: &Campaign, now: Millis) -> [Option<Quota<'static>>; 2] {
        let quota = |rule: BoardRule, used, max, wait| {
            campaign.has(rule).then(|| Quota { rule: rule.name().as_bytes(), used, max, wait })
        };
        let closed = campaign.closed(&self.schema.calendar, Stamp { now, at: now });
        let view = self.views.first().filter(|_| !self.schema.declared);
        let wait = view.and_then(|view| self.until_next(view, now));
        [
            quota(BoardRule::Closed, closed.is_some().into(), 1, closed.flatten()),
            quota(BoardRule::Full, self.counted_members(now), campaign.max_members.into(), wait),
        ]
    }

    /// Returns the time in which votes and scores count.
    #[must_use]
    pub fn voting_window(&self) -> VotingWindow {
        self.campaign().map(|campaign| campaign.voting_window).unwrap_or_default()
    }

    /// Returns the rules of writes.
    #[must_use]
    pub fn write_rules(&self) -> RuleChanges {
        self.campaign().map(|campaign| campaign.rules(&self.schema)).unwrap_or_default()
    }

    /// Returns the limits of votes, in the order in which they are judged.
    pub fn limits(&self) -> impl Iterator<Item = &Rule> {
        self.campaign().into_iter().flat_map(|campaign| campaign.limits.rules())
    }

    /// Returns an estimate of the number of voters, of all members or of one member: in a period of a view that is
    /// kept, or since the beginning if neither a view nor a period is given.
    ///
    /// # Errors
    /// [`Error::NoSuchView`], [`Error::BadPeriod`].
    pub fn voters(
        &self,
        member: Option<&[u8]>,
        view: Option<&[u8]>,
        when: Option<When>,
    ) -> Result<u64, Error> {
        Ok(self.voters_sketch(member, view, when)?.estimate())
    }

    /// Returns the voters that [`Self::voters`] counts, so that they can be joined with the voters of other parts.
    ///
    /// # Errors
    /// The errors of [`Self::voters`].
    pub fn voters_sketch(
        &self,
        member: Option<&[u8]>,
        view: Option<&[u8]>,
        when: Option<When>,
    ) -> Result<Cow<'_, Sketch>, Error> {
        let asked = match (view, when) {
            (None, None) => Asked::Ever,
            (view, when) => self.asked(view, when.unwrap_or_default())?,
        };
        let candidate = member.and_then(|member| self.members.find(member));
        if member.is_some() && candidate.is_none() {
            return Ok(Cow::default());
        }
        let Some(campaign) = self.campaign() else { return Ok(Cow::default()) };
        Ok(match asked {
            Asked::Ever => campaign.voters.overall(candidate),
            Asked::Window { kind, window, has_ended } => {
                let series = campaign.series.find(kind);
                let within = |series| campaign.voters.within(candidate, series, &window, has_ended);
                series.map(within).unwrap_or_default()
            }
            Asked::Nothing => Cow::default(),
        })
    }

    /// Returns the start of the period whose voters [`Self::voters`] counts, as [`Self::start_of_period`] does. The time
    /// since the beginning is the endless period.
    ///
    /// # Errors
    /// The errors of [`Self::voters`].
    pub fn start_of_voters(
        &self,
        view: Option<&[u8]>,
        when: Option<When>,
        now: Millis,
    ) -> Result<Option<i64>, Error> {
        match (view, when) {
            (None, None) => Ok(Some(0)),
            (Some(view), when) if is_all(view) => {
                Ok(matches!(overall(when.unwrap_or_default())?, Asked::Ever).then_some(0))
            }
            (view, when) => self.start_of_period(view, when.unwrap_or_default(), now),
        }
    }

    fn asked(&self, view: Option<&[u8]>, when: When) -> Result<Asked, Error> {
        // The overall number of voters exists even on a board that does not have the view `all`.
        if view.is_some_and(is_all) {
            return overall(when);
        }
        let view = self.views.get(self.view(view)?).ok_or(Error::NoView)?;
        if view.spec.kind == Kind::All {
            return overall(when);
        }
        let start = self.start_of(view, when)?.ok();
        Ok(start.and_then(|start| self.asked_of(view, start)).unwrap_or(Asked::Nothing))
    }

    /// Returns the window of a view whose last period starts at `start`. `None` if that period is no longer kept,
    /// or if it ended before the view's first write.
    fn asked_of(&self, view: &View, start: i64) -> Option<Asked> {
        let periods = view.periods()?;
        let span = periods.span?;
        let first = periods.oldest();
        let has_ended = start < span.period.start;
        let window = voter_periods::window(view, &self.schema, start)?;
        let is_kept = first <= start && start <= span.period.start;
        is_kept.then_some(Asked::Window { kind: view.spec.kind, window, has_ended })
    }
}

/// The voters that a read requests.
enum Asked {
    /// All voters.
    Ever,
    /// The voters in a window of a view.
    Window {
        kind: Kind,
        window: PeriodWindow,
        has_ended: bool,
    },
    Nothing,
}

fn is_all(view: &[u8]) -> bool {
    matches!(Kind::parse(view), Ok(Kind::All))
}

fn overall(when: When) -> Result<Asked, Error> {
    match when {
        When::Now | When::At(_) | When::Back(0) => Ok(Asked::Ever),
        When::Back(_) | When::Ahead => Ok(Asked::Nothing),
        When::Label(label) => Err(Error::BadPeriod(Quoted::new(label))),
    }
}
