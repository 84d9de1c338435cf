//! The prizes of a board: who wins them, and who has claimed them. See [`super::claims`] for the claims.

use super::periods::Missing;
use super::settle::Period;
use super::{Board, Reading};
use crate::Error;
use crate::calendar::When;
use crate::error::Quoted;
use crate::prizes::{Band, MAX_PAGE, MAX_PERIODS, Payout, PrizeTable, Prizes, TableName, Tables};
use crate::schema::Ranks;
use crate::score::Score;
use crate::short_name::ShortName;
use crate::time::Millis;
use crate::view::{Kind, MAX_RETAIN};

/// The period and the table that a client names.
#[derive(Debug, Clone, Copy)]
pub struct PrizeQuery<'a> {
    /// The name of the view; `None` for the first view whose running period has prizes. If there is none, the first view with
    /// prizes of ended periods.
    pub view: Option<&'a [u8]>,
    /// The period.
    pub period: When<'a>,
    /// The dimension of a table of segments.
    pub per: Option<&'a [u8]>,
}

/// A page of winners.
#[derive(Debug, Clone, Copy)]
pub struct PrizePage {
    /// The cursor of the page; 0 for the first one.
    pub cursor: u64,
    /// The maximum number of rows.
    pub count: u64,
    /// Whether the page has only prizes that can still be claimed.
    pub unclaimed: bool,
}

/// A prize and its winner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrizeRow<'a> {
    /// The ordinal rank, from 1: in the segment, for a table of segments.
    pub rank: u64,
    /// The member's name.
    pub member: &'a [u8],
    /// The score.
    pub score: Score,
    /// The prize.
    pub prize: &'a [u8],
    /// When it was claimed.
    pub claimed: Option<Millis>,
    /// The segment, for a table of segments.
    pub segment: Option<&'a [u8]>,
}

/// The bits of a cursor below the number of the segment: the rank.
const RANK_BITS: u32 = 32;

/// Returns the cursor behind a place.
const fn cursor_behind((segment, rank): (u32, u32)) -> u64 {
    (segment as u64) << RANK_BITS | rank as u64
}

/// Returns the place before which a cursor's page begins.
const fn place_of(cursor: u64) -> (u32, u32) {
    ((cursor >> RANK_BITS) as u32, cursor as u32)
}

impl Board {
    pub(crate) fn prizes(&self) -> Option<&Prizes<TableName>> {
        self.campaign()?.prizes.as_deref()
    }

    pub(super) fn prizes_mut(&mut self) -> Option<&mut Prizes<TableName>> {
        self.extras.as_mut()?.campaign.as_mut()?.prizes.as_deref_mut()
    }

    /// Returns whether periods of the board have or had prizes that are not forgotten.
    #[must_use]
    pub fn has_prizes(&self) -> bool {
        self.prizes().is_some_and(|prizes| !prizes.tables().is_empty())
    }

    /// Returns the name of the table that a client names; `None` if the view has no periods.
    pub(super) fn table_name(&self, query: &PrizeQuery) -> Result<Option<TableName>, Error> {
        let per = query.per.map(|per| {
            self.schema.segments.find(per)?;
            ShortName::parse(per).ok_or(Error::NoSuchDimension(Quoted::new(per)))
        });
        let per = per.transpose()?;
        let tables = self.prizes().map_or(&[][..], Prizes::tables);
        let first = || {
            let views = || self.specs().map(|spec| spec.kind);
            let table_of = |view| tables.iter().find(|tables| tables.name == TableName { view, per });
            let pays = |view: &Kind| table_of(*view).is_some_and(|tables| tables.current().is_some());
            // A table that has ended goes when its last prize is paid. The default does not change then, if another view pays.
            views()
                .find(pays)
                .or_else(|| views().find(|view| table_of(*view).is_some()))
                .or_else(|| views().next())
        };
        let view = match query.view {
            Some(name) => self.specs().nth(self.view(Some(name))?).map(|spec| spec.kind),
            None => first(),
        };
        Ok(view.filter(|view| *view != Kind::All).map(|view| TableName { view, per }))
    }

    /// Returns the table that a client names, by its number, and the period. `now` is the board's present time.
    pub(super) fn table_and_period(
        &self,
        query: &PrizeQuery,
        now: Millis,
    ) -> Result<Option<(usize, Period)>, Error> {
        let name = self.table_name(query)?;
        let Some((name, view)) = name.and_then(|name| Some((name, self.view_of(name.view)?))) else {
            return Ok(None);
        };
        let Some((unit, _)) = self.views.get(view).and_then(|view| view.spec.reach()) else {
            return Ok(None);
        };
        let current = self.current_start(view, now);
        // Payouts are kept beyond RETAIN.
        let most = MAX_RETAIN.saturating_add(u32::try_from(MAX_PERIODS).unwrap_or(u32::MAX));
        let start = query.period.start(&self.schema.calendar, unit, current, most)?;
        let table = self.prizes().and_then(|prizes| prizes.find(name));
        Ok(table.zip(start).map(|(table, start)| (table, self.prize_period(view, start, current))))
    }

    /// Returns a page of the winners of a period, and the cursor of the next page; 0 if there is none. `now` is the board's
    /// present time.
    ///
    /// # Errors
    /// [`Error::NoSuchView`], [`Error::NoSuchDimension`], [`Error::BadPeriod`].
    pub fn prize_rows(
        &self,
        query: &PrizeQuery,
        page: PrizePage,
        now: Millis,
    ) -> Result<(u64, Vec<PrizeRow<'_>>), Error> {
        let Some((number, period)) = self.table_and_period(query, now)? else { return Ok((0, Vec::new())) };
        let Some((prizes, tables)) =
            self.prizes().and_then(|prizes| Some((prizes, prizes.tables().get(number)?)))
        else {
            return Ok((0, Vec::new()));
        };
        if let Some(payout) = tables.payout_by(period.start, now) {
            let is_over = !period.is_kept && prizes.is_over(payout, now.cast_signed());
            return Ok(if is_over { (0, Vec::new()) } else { self.fixed_rows(payout, page) });
        }
        if !period.is_running && !period.is_kept && period.end <= prizes.over_until(now.cast_signed()) {
            return Ok((0, Vec::new()));
        }
        let table = if period.is_running { tables.current() } else { tables.in_force(period.end) };
        Ok(table.map_or((0, Vec::new()), |table| self.open_rows((tables, table), period, page)))
    }

    fn fixed_rows<'a>(&'a self, payout: &'a Payout, page: PrizePage) -> (u64, Vec<PrizeRow<'a>>) {
        let first = payout.behind(place_of(page.cursor));
        let winners = payout.winners().get(first..).unwrap_or_default();
        let mut rows = Vec::new();
        for (looked, winner) in (1_u64..).zip(winners) {
            let is_claimed = winner.claimed > 0;
            // A prize of a hidden or removed member goes to nobody. A claim stays.
            let is_shown = is_claimed || !winner.is_removed && !self.hides(&winner.member);
            if is_shown && !(page.unclaimed && is_claimed) {
                rows.push(PrizeRow {
                    rank: winner.rank.into(),
                    member: &winner.member,
                    score: winner.score,
                    prize: payout.prize(winner),
                    claimed: is_claimed.then_some(winner.claimed),
                    segment: payout.segment(winner),
                });
            }
            let is_full = rows.len() as u64 == page.count || looked == MAX_PAGE;
            if is_full && (looked as usize) < winners.len() {
                return (cursor_behind(winner.place()), rows);
            }
        }
        (0, rows)
    }

    pub(super) fn hides(&self, member: &[u8]) -> bool {
        self.members.find(member).is_some_and(|id| self.is_hidden(id))
    }

    /// Returns a page of the winners of a period that nobody has claimed a prize of.
    fn open_rows<'a>(
        &'a self,
        (tables, table): (&Tables<TableName>, &'a PrizeTable),
        period: Period,
        page: PrizePage,
    ) -> (u64, Vec<PrizeRow<'a>>) {
        let Some(reading) = self.prize_reading(period) else { return (0, Vec::new()) };
        let (mut segment, mut rank) = place_of(page.cursor);
        let (mut rows, mut looked) = (Vec::new(), 0_u64);
        let count = page.count.min(MAX_PAGE);
        while let Some((name, reading)) = self.nth_ranking(&reading, tables.name, segment) {
            for band in table.bands(reading.len(), &self.schema, |low, high| reading.span(low, high)) {
                let from = band.first.max(u64::from(rank).saturating_add(1));
                let most = count.saturating_sub(rows.len() as u64).min(MAX_PAGE.saturating_sub(looked));
                let some = band.last.saturating_add(1).saturating_sub(from).min(most);
                looked = looked.saturating_add(some);
                rows.extend(self.rows_of(&reading, (table, band), (from, some), name));
                if from.saturating_add(some) <= band.last {
                    let rank = u32::try_from(from.saturating_add(some).saturating_sub(1)).unwrap_or(u32::MAX);
                    return (cursor_behind((segment, rank)), rows);
                }
            }
            (segment, rank, looked) = (segment.saturating_add(1), 0, looked.saturating_add(1));
            let is_full = rows.len() as u64 >= count || looked >= MAX_PAGE;
            if is_full && self.nth_ranking(&reading, tables.name, segment).is_some() {
                return (cursor_behind((segment, 0)), rows);
            }
        }
        (0, rows)
    }

    fn rows_of<'a>(
        &'a self,
        reading: &Reading<'a>,
        (table, band): (&'a PrizeTable, Band),
        (from, count): (u64, u64),
        segment: Option<&'a [u8]>,
    ) -> impl Iterator<Item = PrizeRow<'a>> {
        let rows = reading.rows(from.saturating_sub(1), count, Ranks::Ordinal);
        let prize = table.prize(band.place);
        rows.map(move |row| PrizeRow {
            rank: row.rank,
            member: self.name(row.id),
            score: row.score,
            prize,
            claimed: None,
            segment,
        })
    }

    /// Returns the reading of a period for its prizes. It reads periods beyond `RETAIN` too, until the boundary after them is
    /// final.
    pub(super) fn prize_reading(&self, period: Period) -> Option<Reading<'_>> {
        let view = self.views.get(period.view)?;
        Some(Reading::new(self, view, Ok::<_, Missing>(period.start)))
    }

    /// Returns the n-th ranking of a table: of all members, or of the n-th segment.
    pub(super) fn nth_ranking<'a>(
        &'a self,
        reading: &Reading<'a>,
        name: TableName,
        number: u32,
    ) -> Option<(Option<&'a [u8]>, Reading<'a>)> {
        let Some(per) = name.per else { return (number == 0).then_some((None, *reading)) };
        let dimension = self.schema.segments.find(per.as_bytes()).ok()?;
        let name = reading.segments(dimension, number.into(), 1).first()?.name;
        Some((Some(name), reading.in_segment(dimension, name)))
    }
}
