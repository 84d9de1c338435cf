//! The prizes of a league: what the places of each group of a tier win at the end of a period, and who has claimed. Until the
//! first claim of a period in a tier, a removed member wins nothing, and others move up.

use super::League;
use super::season::Season;
use crate::Error;
use crate::board::PrizePage;
use crate::calendar::{Period, When};
use crate::error::Quoted;
use crate::index::MemberId;
use crate::prizes::{Band, MAX_PAGE, MAX_PERIODS, Payout, PrizeTable, Prizes, Tables, Winner};
use crate::schema::Schema;
use crate::score::Score;
use crate::time::Millis;
use crate::view::MAX_RETAIN;

/// The bits of a cursor below the tier, and below the group.
const TIER_SHIFT: u32 = 52;
const GROUP_SHIFT: u32 = 20;

/// A change of the prizes of a league.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PrizeChanges {
    /// The names of tiers, and their new tables. An empty table ends the prizes of a tier.
    pub tables: Vec<(Box<[u8]>, PrizeTable)>,
    /// For how many days unclaimed prizes are kept beyond `RETAIN`.
    pub days: Option<u32>,
}

/// A prize and its winner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupPrize {
    /// The number of the tier. The lowest tier is 0.
    pub tier: usize,
    /// The number of the group in the tier, from 1.
    pub group: u64,
    /// The rank in the group, from 1.
    pub rank: u64,
    /// The member's name.
    pub member: Box<[u8]>,
    /// The score.
    pub score: Score,
    /// The prize.
    pub prize: Box<[u8]>,
    /// When it was claimed.
    pub claimed: Option<Millis>,
}

/// A period whose prizes are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrizePeriod {
    pub period: Period,
    pub is_running: bool,
    pub is_kept: bool,
}

/// A place of a page: the tier, the group from 0, and the rank of the last winner before the page.
type Place = (u64, u64, u64);

const fn cursor_of((tier, group, rank): Place) -> u64 {
    tier << TIER_SHIFT | group << GROUP_SHIFT | rank
}

const fn place_of(cursor: u64) -> Place {
    let group = (cursor >> GROUP_SHIFT) & ((1 << (TIER_SHIFT - GROUP_SHIFT)) - 1);
    (cursor >> TIER_SHIFT, group, cursor & ((1 << GROUP_SHIFT) - 1))
}

/// The members of a group that were not removed, best first, with their rank keys.
pub(super) struct Standings(pub Vec<(u64, MemberId)>);

impl Standings {
    pub(super) fn of(season: &Season, tier: usize, group: u64) -> Self {
        let mut entries = Vec::new();
        season.each_entry(tier, group, &mut |rank_key, id| {
            if season.removed.get(id).is_none() {
                entries.push((rank_key, id));
            }
            true
        });
        Self(entries)
    }

    /// Returns how many members are ahead of a range of scores, and how many are in it.
    fn span(&self, low: Score, high: Score) -> (u64, u64) {
        let ahead = self.0.partition_point(|(rank_key, _)| *rank_key < high.descending());
        let up_to = self.0.partition_point(|(rank_key, _)| *rank_key <= low.descending());
        (ahead as u64, up_to.saturating_sub(ahead) as u64)
    }

    pub(super) fn bands(&self, table: &PrizeTable, schema: &Schema) -> Vec<Band> {
        table.bands(self.0.len() as u64, schema, |low, high| self.span(low, high))
    }

    /// Returns the member at a rank, and its score.
    pub(super) fn at(&self, rank: u64) -> Option<(MemberId, Score)> {
        let (rank_key, id) = self.0.get(usize::try_from(rank.checked_sub(1)?).ok()?)?;
        Some((*id, Score::from_descending(*rank_key)))
    }
}

impl League {
    /// Returns the tables of the tiers, with the names of the tiers, in the order in which they were set.
    pub fn prize_tables(&self) -> impl Iterator<Item = (&[u8], &PrizeTable)> {
        let current = self.prizes.iter().flat_map(|prizes| prizes.current());
        current.map(|(tier, table)| (self.rules.name(usize::from(tier)), table))
    }

    /// Returns for how many days unclaimed prizes are kept beyond `RETAIN`.
    #[must_use]
    pub fn prize_days(&self) -> u32 {
        self.prizes.as_ref().map_or(crate::prizes::DEFAULT_DAYS, |prizes| prizes.days())
    }

    /// The rules that the scores of places are read by.
    pub(super) fn prize_schema(&self) -> Schema {
        Schema { decimals: self.rules.decimals, ..Schema::default() }
    }

    /// Checks changes of the prizes.
    ///
    /// # Errors
    /// [`Error::NoSuchTier`], [`Error::RepeatedTable`], and the errors of scores.
    pub(super) fn check_prizes(&self, changes: &PrizeChanges) -> Result<(), Error> {
        let mut seen = Vec::new();
        for (name, table) in &changes.tables {
            let tier = self.rules.tier(name)?;
            if seen.contains(&tier) {
                return Err(Error::RepeatedTable(Quoted::new(name)));
            }
            seen.push(tier);
            table.check(&self.prize_schema())?;
        }
        Ok(())
    }

    /// Sets the tables of the periods that end after `now`.
    ///
    /// # Errors
    /// [`Error::NoSuchTier`], [`Error::RepeatedTable`], and the errors of scores. After an error, the league is unchanged.
    pub fn set_prizes(&mut self, changes: &PrizeChanges, now: Millis) -> Result<(), Error> {
        self.check_prizes(changes)?;
        if changes.days.is_none()
            && changes.tables.iter().all(|(_, table)| table.is_empty())
            && self.prizes.is_none()
        {
            return Ok(());
        }
        let (calendar, unit) = (self.rules.calendar, self.rules.unit);
        let prizes = self.prizes.get_or_insert_default();
        prizes.set_days(changes.days.unwrap_or_else(|| prizes.days()));
        for (name, table) in &changes.tables {
            let tier = u8::try_from(self.rules.tier(name)?).unwrap_or(u8::MAX);
            let ended = |from: Millis| calendar.period(unit, from.cast_signed()).end <= now.cast_signed();
            prizes.set(tier, table.clone(), now, ended);
        }
        Ok(())
    }

    pub(super) fn prize_period(&self, when: When) -> Result<Option<PrizePeriod>, Error> {
        let Some(current) = self.period else { return Ok(None) };
        let most = MAX_RETAIN.saturating_add(u32::try_from(MAX_PERIODS).unwrap_or(u32::MAX));
        let start = when.start(&self.rules.calendar, self.rules.unit, Some(current.start), most)?;
        Ok(start.map(|start| PrizePeriod {
            period: self.rules.calendar.period(self.rules.unit, start),
            is_running: start >= current.start,
            is_kept: start >= self.oldest(current),
        }))
    }

    /// Returns the season of a period whose winners may not be fixed.
    pub(super) fn prize_season(&self, period: PrizePeriod) -> Option<&Season> {
        self.seasons.at(period.period.start).filter(|season| period.is_running || !season.head.hidden)
    }

    /// Returns a page of the winners of a period, from the lowest tier on, and the cursor of the next page; 0 if there is none.
    /// `now` is the league's present time.
    ///
    /// # Errors
    /// [`Error::BadPeriod`].
    pub fn prize_rows(
        &self,
        when: When,
        page: PrizePage,
        now: Millis,
    ) -> Result<(u64, Vec<GroupPrize>), Error> {
        let (Some(period), Some(prizes)) = (self.prize_period(when)?, &self.prizes) else {
            return Ok((0, Vec::new()));
        };
        let (first, mut group, mut rank) = place_of(page.cursor);
        let mut rows = Vec::new();
        let mut looked = 0_u64;
        for tier in first..self.rules.tiers.len() as u64 {
            let table =
                prizes.find(u8::try_from(tier).unwrap_or(u8::MAX)).and_then(|at| prizes.tables().get(at));
            if let Some(tables) = table {
                let more =
                    self.tier_rows(tables, (period, now), page, (group, rank), (&mut looked, &mut rows));
                if let Some((group, rank)) = more {
                    return Ok((cursor_of((tier, group, rank)), rows));
                }
            }
            (group, rank) = (0, 0);
        }
        Ok((0, rows))
    }

    /// Adds the winners of a tier to a page. Returns the place at which the page ends, if it ends in this tier.
    fn tier_rows(
        &self,
        tables: &Tables<u8>,
        (period, now): (PrizePeriod, Millis),
        page: PrizePage,
        (mut group, mut rank): (u64, u64),
        (looked, rows): (&mut u64, &mut Vec<GroupPrize>),
    ) -> Option<(u64, u64)> {
        let tier = usize::from(tables.name);
        let is_full = |looked: u64, rows: &Vec<GroupPrize>| {
            rows.len() as u64 >= page.count.min(MAX_PAGE) || looked >= MAX_PAGE
        };
        if let Some(payout) = tables.payout_by(period.period.start, now) {
            if self.is_over(payout, period, now) {
                return None;
            }
            let place = (u32::try_from(group).unwrap_or(u32::MAX), u32::try_from(rank).unwrap_or(u32::MAX));
            for winner in payout.winners().get(payout.behind(place)..).unwrap_or_default() {
                if is_full(*looked, rows) {
                    return Some((group, rank));
                }
                (group, rank) = (winner.segment.into(), winner.rank.into());
                *looked = looked.saturating_add(1);
                let is_claimed = winner.claimed > 0;
                if (is_claimed || !winner.is_removed) && !(page.unclaimed && is_claimed) {
                    rows.push(prize_of(tier, payout, winner));
                }
            }
            return None;
        }
        let table = self.open_table(tables, period, now)?;
        let (season, schema) = (self.prize_season(period)?, self.prize_schema());
        while group < season.count(tier) {
            let standings = Standings::of(season, tier, group);
            for band in standings.bands(table, &schema) {
                for place in band.first.max(rank.saturating_add(1))..=band.last {
                    if is_full(0, rows) {
                        return Some((group, rank));
                    }
                    rank = place;
                    rows.extend(standings.at(place).map(|(id, score)| GroupPrize {
                        tier,
                        group: group.saturating_add(1),
                        rank: place,
                        member: self.name(id).into(),
                        score,
                        prize: table.prize(band.place).into(),
                        claimed: None,
                    }));
                }
            }
            *looked = looked.saturating_add(standings.0.len() as u64);
            (group, rank) = (group.saturating_add(1), 0);
            if is_full(*looked, rows) && group < season.count(tier) {
                return Some((group, rank));
            }
        }
        None
    }

    /// Returns the table by which the winners of a period are looked up whose winners are not fixed.
    pub(super) fn open_table<'t>(
        &self,
        tables: &'t Tables<u8>,
        period: PrizePeriod,
        now: Millis,
    ) -> Option<&'t PrizeTable> {
        if period.is_running {
            return tables.current();
        }
        let over = self.prizes.as_ref().map_or(i64::MAX, |prizes| prizes.over_until(now.cast_signed()));
        let is_over = !period.is_kept && period.period.end <= over;
        tables.in_force(period.period.end).filter(|_| !is_over)
    }

    pub(super) fn is_over(&self, payout: &Payout, period: PrizePeriod, now: Millis) -> bool {
        !period.is_kept
            && self.prizes.as_ref().is_some_and(|prizes| prizes.is_over(payout, now.cast_signed()))
    }
}

pub(super) fn prize_of(tier: usize, payout: &Payout, winner: &Winner) -> GroupPrize {
    GroupPrize {
        tier,
        group: u64::from(winner.segment).saturating_add(1),
        rank: winner.rank.into(),
        member: winner.member.clone(),
        score: winner.score,
        prize: payout.prize(winner).into(),
        claimed: (winner.claimed > 0).then_some(winner.claimed),
    }
}

/// The prizes of a league, whose tables have the numbers of tiers as their names.
pub(super) type LeaguePrizes = Prizes<u8>;
