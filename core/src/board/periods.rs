//! Finds the view and the period of a read, and lists the periods that can be read.

use super::{Board, Reading};
use crate::Error;
use crate::calendar::{Period, When};
use crate::error::Quoted;
use crate::schema::Tally;
use crate::view::hidden::hidden_in;
use crate::view::{HiddenEntries, Kind, Periods, Ranking, Seen, View};

/// A period that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptPeriod {
    /// The period's label; `all` for the endless period of the view `all`.
    pub label: String,
    /// The period's start and end; `None` for the endless period.
    pub period: Option<Period>,
    /// How many visible members are ranked in the period.
    pub members: u64,
}

impl Board {
    /// Returns the index of the view with this name, or of the default view if there is no name.
    ///
    /// # Errors
    /// [`Error::NoSuchView`].
    pub fn view(&self, name: Option<&[u8]>) -> Result<usize, Error> {
        let Some(name) = name else { return Ok(0) };
        let missing = || Error::NoSuchView("VIEW", Quoted::new(name));
        let kind = Kind::parse(name).map_err(|_| missing())?;
        self.view_of(kind).ok_or_else(missing)
    }

    /// Returns the index of the view of this kind.
    #[must_use]
    pub fn view_of(&self, kind: Kind) -> Option<usize> {
        self.specs().position(|spec| spec.kind == kind)
    }

    /// Returns a period of a view, by the view's name. A board that counts real votes apart has one period for each
    /// tally.
    ///
    /// # Errors
    /// [`Error::NoSuchView`], [`Error::BadPeriod`].
    pub fn read(&self, name: Option<&[u8]>, when: When, tally: Tally) -> Result<Reading<'_>, Error> {
        let first = if tally == Tally::Real && self.schema.shown { self.width() } else { 0 };
        let view = self.views.get(first.saturating_add(self.view(name)?)).ok_or(Error::NoView)?;
        let start = self.start_of(view, when)?;
        Ok(Reading::new(self, view, start))
    }

    /// Does the same as [`Self::read`], to look up one member. Distant memory is prefetched: the table of names before the view
    /// is looked up, and the member's record before the caller looks up a segment.
    ///
    /// # Errors
    /// The errors of [`Self::read`].
    pub fn read_of(
        &self,
        member: &[u8],
        name: Option<&[u8]>,
        when: When,
        tally: Tally,
    ) -> Result<Reading<'_>, Error> {
        let approach = self.members.approach(member);
        let reading = self.read(name, when, tally)?;
        self.members.approach_record(approach);
        Ok(reading)
    }

    /// Returns the start of the requested period, or the reason why there is no such period.
    pub(super) fn start_of(&self, view: &View, when: When) -> Result<Result<i64, Missing>, Error> {
        let Some((unit, _)) = view.spec.reach() else {
            return match when {
                When::Now | When::At(_) | When::Back(0) => Ok(Err(Missing::Endless)),
                When::Back(_) | When::Ahead => Ok(Err(Missing::Nothing)),
                When::Label(label) => Err(Error::BadPeriod(Quoted::new(label))),
            };
        };
        let current = view.periods().and_then(|periods| periods.span).map(|span| span.period.start);
        let start = when.start(&self.schema.calendar, unit, current, view.spec.retain)?;
        let oldest = view.periods().map_or(i64::MIN, Periods::oldest);
        Ok(start.filter(|start| oldest <= *start).ok_or(Missing::Nothing))
    }

    /// Returns the order of a period, as readers see it.
    pub(super) fn seen<'a>(&'a self, view: &'a View, start: Result<i64, Missing>) -> Seen<'a> {
        let (ranking, hidden) = self.ranking(view, start);
        Seen::new(ranking, hidden.map_or(&[], |hidden| hidden.of(&ranking, self.hidden_members())))
    }

    /// Returns the order of the current period, as readers see it.
    pub(super) fn seen_now<'a>(&'a self, view: &'a View) -> Seen<'a> {
        let ranking = self.current(view);
        Seen::new(ranking, view.hidden.of(&ranking, self.hidden_members()))
    }

    fn current<'a>(&'a self, view: &'a View) -> Ranking<'a> {
        Ranking::current(&self.schema, &view.index, view.index_members(&self.members))
    }

    /// Returns the order of a period, and the place where the positions of its hidden members are kept.
    fn ranking<'a>(
        &'a self,
        view: &'a View,
        start: Result<i64, Missing>,
    ) -> (Ranking<'a>, Option<&'a HiddenEntries>) {
        let live = || (self.current(view), Some(&view.hidden));
        let nobody = || (Ranking::empty(&self.schema), None);
        let (start, periods) = match (start, view.periods()) {
            (Err(Missing::Endless), _) => return live(),
            (Ok(start), Some(periods)) => (start, periods),
            _ => return nobody(),
        };
        if periods.span.is_some_and(|span| span.period.start == start) {
            return live();
        }
        match periods.ended_since(start, &self.context(), || self.note_worked()) {
            Some(ended) => (ended.ranking(&self.schema, &self.members), Some(ended.hidden)),
            None => nobody(),
        }
    }

    /// Returns the periods of a view that can be read, newest first.
    ///
    /// # Errors
    /// [`Error::NoSuchView`].
    pub fn periods(&self, name: &[u8]) -> Result<Vec<KeptPeriod>, Error> {
        let view = self.views.get(self.view(Some(name))?).ok_or(Error::NoView)?;
        let context = self.context();
        let mut counts: &[(i64, u64)] = &[];
        let mut kept = self.kept_periods(Some(name), usize::MAX)?;
        for KeptPeriod { period, members, .. } in &mut kept {
            let Some((period, periods)) = period.zip(view.periods()) else {
                *members = self.count_seen(view, Err(Missing::Endless));
                continue;
            };
            if counts.first().is_none_or(|(first, _)| period.start < *first) {
                counts = periods.counts_around(period.start, &context).unwrap_or_default();
            }
            let counted = counts.partition_point(|(first, _)| *first <= period.start).checked_sub(1);
            *members = match counted.and_then(|at| counts.get(at)) {
                Some((_, members)) => *members,
                None => self.count_seen(view, Ok(period.start)),
            };
        }
        Ok(kept)
    }

    /// Returns the periods of a view that can be read, newest first, at most `most`. Their members are not counted.
    ///
    /// # Errors
    /// [`Error::NoSuchView`].
    pub fn kept_periods(&self, name: Option<&[u8]>, most: usize) -> Result<Vec<KeptPeriod>, Error> {
        let view = self.views.get(self.view(name)?).ok_or(Error::NoView)?;
        let Some((unit, _)) = view.spec.reach() else {
            return Ok(vec![KeptPeriod { label: "all".to_owned(), period: None, members: 0 }]);
        };
        let Some((span, periods)) = view.periods().and_then(|periods| Some((periods.span?, periods))) else {
            return Ok(Vec::new());
        };
        let calendar = &self.schema.calendar;
        let oldest = periods.oldest();
        let before = |period: &Period| (period.start > oldest).then(|| calendar.back(unit, period.start, 1));
        let kept = std::iter::successors(Some(span.period), before).take(most);
        let listed = |period: Period| KeptPeriod {
            label: calendar.label(unit, period.start),
            period: Some(period),
            members: 0,
        };
        Ok(kept.map(listed).collect())
    }
}

impl Board {
    /// Returns how many visible members a period has.
    fn count_seen(&self, view: &View, start: Result<i64, Missing>) -> u64 {
        let (ranking, _) = self.ranking(view, start);
        ranking.len().saturating_sub(hidden_in(&ranking, self.hidden_members()))
    }
}

/// Why a view does not have a period with a start.
#[derive(Debug, Clone, Copy)]
pub(super) enum Missing {
    /// The view `all` has one endless period.
    Endless,
    /// The period is not kept, or never existed.
    Nothing,
}
