//! Writes down who wins the prizes of a period: at the first claim, and before the order of the period is dropped because it
//! leaves `RETAIN`.

use super::Board;
use crate::Error;
use crate::calendar::Unit;
use crate::campaign::RuleChanges;
use crate::error::Quoted;
use crate::parts::Role;
use crate::prizes::{MAX_PERIODS, Payout, Prizes, TableName, WinnerList};
use crate::schema::{Ranks, Schema};
use crate::time::Millis;
use crate::view::{Kind, Span, Spec, View};

/// A period of a view with prizes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Period {
    /// The number of the view.
    pub view: usize,
    pub start: i64,
    pub end: i64,
    /// Whether the period has not ended.
    pub is_running: bool,
    /// Whether `RETAIN` keeps the period.
    pub is_kept: bool,
}

impl Board {
    /// Returns the span of the current period of a view.
    pub(super) fn span_of(&self, view: usize) -> Option<Span> {
        self.views.get(view)?.periods()?.span
    }

    fn unit_of(&self, view: usize) -> Option<Unit> {
        Some(self.views.get(view)?.spec.reach()?.0)
    }

    /// Returns the start of the current period of a view. The board has gone on to the present time `now`. A root need not have
    /// done so, because it has no members: its periods follow from the time.
    pub(super) fn current_start(&self, view: usize, now: Millis) -> Option<i64> {
        if self.is_root() {
            let now = i64::try_from(now).unwrap_or(i64::MAX);
            return Some(self.schema.calendar.period(self.unit_of(view)?, now).start);
        }
        Some(self.span_of(view)?.period.start)
    }

    /// Returns the period of a view that starts at a moment. `current` is the start of the view's current period.
    pub(super) fn prize_period(&self, view: usize, start: i64, current: Option<i64>) -> Period {
        let end = self.unit_of(view).map_or(i64::MAX, |unit| self.schema.calendar.period(unit, start).end);
        let retain = self.views.get(view).map_or(0, |view| view.spec.retain);
        let kept = current.and_then(|current| self.kept_from(view, retain, current));
        let is_running = current.is_none_or(|current| start >= current);
        Period { view, start, end, is_running, is_kept: kept.is_some_and(|kept| kept <= start) }
    }

    /// Returns the start of the oldest period that a view keeps with this `RETAIN`. `current` is the start of its current period.
    fn kept_from(&self, view: usize, retain: u32, current: i64) -> Option<i64> {
        Some(self.schema.calendar.back(self.unit_of(view)?, current, retain).start)
    }

    /// Fixes the winners of all periods that leave `RETAIN` with the last boundary, before it becomes final.
    pub(super) fn settle_prizes(&mut self) {
        self.prizes_mut().into_iter().for_each(|prizes| prizes.settled = None);
        self.settle_beyond(true, |board, view| Some(board.views.get(view)?.spec.retain));
        if let Some(prizes) = self.prizes_mut() {
            prizes.drop_ended();
        }
    }

    /// Fixes the winners of all periods that leave `RETAIN` with a boundary that is not final. So a member that is hidden or
    /// removed from now on is in the payouts of these periods, as it would be after a write. Nothing is forgotten: if nobody is
    /// hidden or removed then, replicas hear nothing of this.
    pub(super) fn settle_pending_prizes(&mut self) {
        let current = self.upkeep.as_ref().map(|upkeep| upkeep.current);
        let is_pending = self.prizes().is_some_and(|prizes| prizes.settled != current);
        if is_pending && self.views.iter().any(View::is_reversible) {
            self.settle_beyond(false, |board, view| Some(board.views.get(view)?.spec.retain));
            self.prizes_mut().into_iter().for_each(|prizes| prizes.settled = current);
        }
    }

    /// Fixes the winners of the periods of a view that a smaller `RETAIN` would drop. Its last boundary must be final.
    pub(super) fn settle_for(&mut self, specs: &[Spec]) {
        self.settle_beyond(true, |board, view| {
            let kind = board.views.get(view)?.spec.kind;
            Some(specs.iter().find(|spec| spec.kind == kind)?.retain)
        });
    }

    /// Fixes the winners of the periods of each table that are beyond the `RETAIN` of its view. A view without one is left.
    /// `forgets`: also forgets payouts that are over.
    fn settle_beyond(&mut self, forgets: bool, retain_of: impl Fn(&Self, usize) -> Option<u32>) {
        for number in 0..self.prizes().map_or(0, |prizes| prizes.tables().len()) {
            let view = self.prizes().and_then(|prizes| self.view_of(prizes.tables().get(number)?.name.view));
            if let Some((view, retain)) = view.and_then(|view| Some((view, retain_of(self, view)?))) {
                self.settle_before(number, forgets, (view, retain));
            }
        }
    }

    /// Fixes the winners of the periods of a table that are beyond this `RETAIN`. `forgets`: also forgets payouts that are over.
    fn settle_before(&mut self, number: usize, forgets: bool, (view, retain): (usize, u32)) {
        let (Some(unit), Some(span)) = (self.unit_of(view), self.span_of(view)) else { return };
        let current = span.period.start;
        let Some(kept) = self.kept_from(view, retain, current) else { return };
        let since =
            self.views.get(view).and_then(|view| view.periods()).map_or(i64::MAX, |periods| periods.since);
        let over = self.prizes().map_or(i64::MAX, |prizes| prizes.over_until(span.period.start));
        let mut start = kept;
        let mut left = MAX_PERIODS;
        while left > 0 {
            start = self.schema.calendar.back(unit, start, 1).start;
            let period = self.prize_period(view, start, Some(current));
            if start < since || period.end <= over {
                break;
            }
            if self.is_fixed(number, period) {
                left = left.saturating_sub(1);
            } else if self.has_winners(period) {
                self.fix_period(number, period);
                left = left.saturating_sub(1);
            } else {
                start = start.min(self.empty_since(period));
            }
            self.drop_worked();
        }
        let unsettled = self.schema.calendar.period(unit, kept).end;
        if let Some(prizes) = self.prizes_mut().filter(|_| forgets) {
            prizes.prune(number, (kept, unsettled), span.period.start);
        }
    }

    /// Returns whether the winners of a period of a table are fixed.
    fn is_fixed(&self, number: usize, period: Period) -> bool {
        let tables = self.prizes().and_then(|prizes| prizes.tables().get(number));
        tables.is_some_and(|tables| tables.payout(period.start).is_some())
    }

    /// Returns whether anybody can win a prize of an ended period whose order is known.
    fn has_winners(&self, period: Period) -> bool {
        self.prize_reading(period).is_some_and(|reading| !reading.is_empty())
    }

    /// Returns the start of the first of the periods without winners that a period without winners belongs to.
    fn empty_since(&self, period: Period) -> i64 {
        let periods = self.views.get(period.view).and_then(|view| view.periods());
        periods.map_or(i64::MIN, |periods| periods.empty_since(period.start, &self.context()))
    }

    /// Fixes the winners of an ended period, if it has any and they are not fixed.
    pub(super) fn fix_period(&mut self, number: usize, period: Period) {
        let payout = self.payout_of(number, period);
        if let (Some(payout), Some(prizes)) = (payout, self.prizes_mut()) {
            prizes.fix(number, period.start, payout);
        }
    }

    /// Returns the winners of an ended period; `None` if it has none, or if they are fixed.
    pub(super) fn payout_of(&self, number: usize, period: Period) -> Option<Payout> {
        let tables = self.prizes()?.tables().get(number)?;
        let table = tables.in_force(period.end).filter(|_| tables.payout(period.start).is_none())?;
        let reading = self.prize_reading(period)?;
        let (mut list, mut segments) = (WinnerList::default(), Vec::new());
        let mut segment = 0_u32;
        while let Some((name, reading)) = self.nth_ranking(&reading, tables.name, segment) {
            let before = list.len();
            for band in table.bands(reading.len(), &self.schema, |low, high| reading.span(low, high)) {
                let count = band.last.saturating_sub(band.first).saturating_add(1);
                let rows = reading.rows(band.first.saturating_sub(1), count, Ranks::Ordinal);
                let rows = rows.map(|row| (row.rank, self.name(row.id).into(), row.score));
                list.add((table, band), segment, rows);
            }
            if list.len() > before {
                segments.extend(name.map(|name| (segment, name.into())));
            }
            segment = segment.saturating_add(1);
        }
        list.payout(period.end, segments.into())
    }

    /// Checks that a board with these rules can have the tables that it would have after these changes.
    ///
    /// # Errors
    /// [`Error::NotWithParts`], [`Error::NoPrizes`], [`Error::NoSuchView`], [`Error::NoSuchDimension`],
    /// [`Error::RepeatedTable`], [`Error::HasPrizes`], and the errors of scores.
    pub(super) fn check_prizes(
        &self,
        schema: &Schema,
        specs: &[Spec],
        changes: &RuleChanges,
    ) -> Result<(), Error> {
        let mut seen: Vec<TableName> = Vec::new();
        for change in &changes.prizes {
            let TableName { view, per } = change.name;
            let view_name = || Quoted::new(view.to_string().as_bytes());
            if view == Kind::All {
                return Err(Error::NoPrizes);
            }
            // What is dropped can end its prizes in the same command.
            let ends = change.table.is_empty();
            let is_there = specs.iter().any(|spec| spec.kind == view) || ends && self.view_of(view).is_some();
            if !is_there {
                return Err(Error::NoSuchView("PRIZES", view_name()));
            }
            if let Some(per) = per {
                let ends = ends && self.schema.segments.find(per.as_bytes()).is_ok();
                schema
                    .segments
                    .find(per.as_bytes())
                    .map(|_| ())
                    .or_else(|error| if ends { Ok(()) } else { Err(error) })?;
            }
            if seen.contains(&change.name) {
                return Err(Error::RepeatedTable(view_name()));
            }
            seen.push(change.name);
            change.table.check(schema)?;
            match schema.role {
                Role::Root(_) if per.is_some() => return Err(Error::NotWithParts("PRIZES ... PER")),
                Role::Root(_) => change.table.check_over_parts()?,
                // The root alone has the tables of a board over parts.
                Role::Part { .. } if !change.table.is_empty() => return Err(Error::NotWithParts("PRIZES")),
                Role::Part { .. } | Role::Whole => {}
            }
        }
        let current = self.prizes().into_iter().flat_map(Prizes::current);
        for TableName { view, per } in current.map(|(name, _)| name).filter(|name| !seen.contains(name)) {
            if !specs.iter().any(|spec| spec.kind == view) {
                return Err(Error::HasPrizes("view", Quoted::new(view.to_string().as_bytes())));
            }
            if let Some(per) = per.filter(|per| schema.segments.find(per.as_bytes()).is_err()) {
                return Err(Error::HasPrizes("dimension", Quoted::new(per.as_bytes())));
            }
        }
        Ok(())
    }

    /// Sets the tables of later periods, at the board's present time, and forgets those of views and dimensions that the board
    /// does not have any more.
    pub(super) fn set_prizes(&mut self, specs: &[Spec], changes: &RuleChanges, now: Millis) {
        let names = |name: TableName| {
            specs.iter().any(|spec| spec.kind == name.view)
                && name.per.is_none_or(|per| self.schema.segments.find(per.as_bytes()).is_ok())
        };
        let calendar = self.schema.calendar;
        let is_needed =
            changes.prize_days.is_some() || changes.prizes.iter().any(|change| !change.table.is_empty());
        let names: Vec<TableName> = self
            .prizes()
            .into_iter()
            .flat_map(Prizes::tables)
            .map(|tables| tables.name)
            .filter(|name| names(*name))
            .collect();
        if is_needed {
            self.campaign_mut().prizes.get_or_insert_default();
        }
        let Some(prizes) = self.prizes_mut() else { return };
        prizes.keep(|name| names.contains(&name));
        prizes.set_days(changes.prize_days.unwrap_or_else(|| prizes.days()));
        for change in &changes.prizes {
            let Kind::Periods { unit, .. } = change.name.view else { continue };
            let ended = |from: Millis| calendar.period(unit, from.cast_signed()).end <= now.cast_signed();
            prizes.set(change.name, change.table.clone(), now, ended);
        }
        self.rules_changed();
    }
}
