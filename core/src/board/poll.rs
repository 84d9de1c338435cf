//! Reading what only a vote has: what is left of limits, and how many voted. Nothing here changes
//! anything.

use super::{Board, When};
use crate::Error;
use crate::campaign::Hours;
use crate::error::Quoted;
use crate::limits::{Ballot, Quota, Rule};
use crate::time::{Millis, Origin};
use crate::view::Kind;

impl Board {
    /// What was used of each rule that applies to somebody who would vote for somebody.
    ///
    /// # Errors
    /// [`Error::AtInFuture`].
    pub fn quota<'a>(
        &'a self,
        ballot: &'a Ballot,
        member: Option<&'a [u8]>,
        at: Option<Millis>,
        origin: Origin,
    ) -> Result<Vec<Quota<'a>>, Error> {
        let now = match at {
            Some(_) => self.schema.clock.stamp(self.last, at, origin)?.now,
            None => self.now_of(origin),
        };
        let Some(campaign) = self.campaign() else { return Ok(Vec::new()) };
        Ok(campaign.limits.quota(&self.schema.calendar, now, ballot, member).collect())
    }

    /// When votes count.
    #[must_use]
    pub fn hours(&self) -> Hours {
        self.campaign().map(|campaign| campaign.hours).unwrap_or_default()
    }

    /// The limits of votes, in the order in which they are judged.
    pub fn limits(&self) -> impl Iterator<Item = &Rule> {
        self.campaign().into_iter().flat_map(|campaign| campaign.limits.rules())
    }

    /// How many have voted, as an estimate: for anybody or for one member, in a period of a view that is
    /// kept, or ever where neither view nor period is named.
    ///
    /// # Errors
    /// [`Error::NoSuchView`], [`Error::BadPeriod`].
    pub fn voters(
        &self,
        member: Option<&[u8]>,
        view: Option<&[u8]>,
        when: Option<When>,
    ) -> Result<u64, Error> {
        let window = match (view, when) {
            (None, None) => Window::Ever,
            (view, when) => self.window(view, when.unwrap_or_default())?,
        };
        let option = match member.map(|member| self.members.find(member)) {
            Some(None) => return Ok(0),
            Some(found) => found,
            None => None,
        };
        let Some(campaign) = self.campaign() else { return Ok(0) };
        Ok(match window {
            Window::Ever => campaign.voters.overall(option),
            Window::Periods { kind, from, to } => {
                let series = campaign.series.find(kind);
                series.map_or(0, |series| campaign.voters.between(option, series, from, to))
            }
            Window::Nothing => 0,
        })
    }

    fn window(&self, view: Option<&[u8]>, when: When) -> Result<Window, Error> {
        // There is an overall count even on a board that has no view of it.
        let is_all = |name| matches!(Kind::parse(name), Ok(Kind::All));
        if view.is_some_and(is_all) {
            return overall(when);
        }
        let view = self.views.get(self.view(view)?).ok_or(Error::NoView)?;
        if view.spec.kind == Kind::All {
            return overall(when);
        }
        let Ok(start) = self.start_of(view, when)? else { return Ok(Window::Nothing) };
        let (Kind::Periods { unit, count }, Some(cycle)) = (view.spec.kind, &view.cycle) else {
            return Ok(Window::Nothing);
        };
        if !cycle.span.is_some_and(|span| cycle.kept <= start && start <= span.period.start) {
            return Ok(Window::Nothing);
        }
        let back = u32::from(count.saturating_sub(1));
        let from = self.schema.calendar.back(unit, start, back).start;
        Ok(Window::Periods { kind: view.spec.kind, from, to: start })
    }
}

/// The time that voters are asked for.
enum Window {
    Ever,
    /// Of a view, the periods that begin from one moment to another, both included.
    Periods {
        kind: Kind,
        from: i64,
        to: i64,
    },
    Nothing,
}

fn overall(when: When) -> Result<Window, Error> {
    match when {
        When::Now | When::At(_) | When::Back(0) => Ok(Window::Ever),
        When::Back(_) => Ok(Window::Nothing),
        When::Label(label) => Err(Error::BadPeriod(Quoted::new(label))),
    }
}
