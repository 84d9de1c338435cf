//! Reads of a league: a member's place, the rows of a group, and how many members each tier has.

use super::League;
use super::rules::Rules;
use super::season::{Season, SeasonPlace};
use super::zone::GroupZone;
use crate::Error;
use crate::calendar::{Period, When};
use crate::index::MemberId;
use crate::score::Score;

/// The number of rows whose memory is prefetched together.
const AHEAD: usize = 128;

/// The place of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The number of the member's tier. The lowest tier is 0.
    pub tier: usize,
    /// The number of the member's group in the tier, from 1.
    pub group: u64,
    /// The member's rank in the group, from 1.
    pub rank: u64,
    /// How many members the group has.
    pub members: u64,
    /// The member's score.
    pub score: Score,
}

impl Place {
    pub(super) const fn of(SeasonPlace { tier, group, before, members, rank_key }: SeasonPlace) -> Self {
        Self {
            tier,
            group: group.saturating_add(1),
            rank: before.saturating_add(1),
            members,
            score: Score::from_descending(rank_key),
        }
    }
}

/// The place of a member, and the effect of this place at the end of the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The place of the member in its group.
    pub place: Place,
    /// Whether the member moves up, stays, or moves down from this place.
    pub zone: GroupZone,
}

/// A member of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The member's rank in the group, from 1.
    pub rank: u64,
    /// The member's number, for [`League::name`] and [`League::meta_of`].
    pub id: MemberId,
    /// The member's score.
    pub score: Score,
}

/// One period of a league.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    league: &'a League,
    /// The period; `None` if there is none of this name.
    period: Option<Period>,
    /// `None` if no member has joined the period, or if the period cannot be read.
    season: Option<&'a Season>,
    /// Whether the period can be read.
    is_kept: bool,
}

/// One group of a period.
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    league: &'a League,
    season: &'a Season,
    tier: usize,
    /// The group's number in the tier, from 0.
    number: u64,
}

impl League {
    /// Returns a period of the league.
    ///
    /// # Errors
    /// [`Error::BadPeriod`].
    pub fn read(&self, when: When) -> Result<Reading<'_>, Error> {
        let Rules { calendar, unit, retain, .. } = &self.rules;
        let current = self.period.map(|period| period.start);
        let start = when.start(calendar, *unit, current, *retain)?;
        let is_kept = match (start, self.period) {
            (Some(start), Some(period)) => start <= period.start && start >= self.oldest(period),
            _ => false,
        };
        let season = start.filter(|_| is_kept).and_then(|start| self.seasons.at(start));
        let season = season.filter(|season| start == current || !season.head.hidden);
        let period = start.filter(|_| is_kept).map(|start| calendar.period(*unit, start));
        Ok(Reading { league: self, period, season, is_kept })
    }
}

impl<'a> Reading<'a> {
    /// Returns the period; `None` if it cannot be read.
    #[must_use]
    pub const fn period(&self) -> Option<Period> {
        self.period
    }

    /// Returns how many members and groups each tier has in the period, lowest tier first.
    #[must_use]
    pub fn sizes(&self) -> Vec<(u64, u64)> {
        let sizes = |tier| self.season.map_or((0, 0), |season| (season.members(tier), season.count(tier)));
        (0..self.league.rules.tiers.len()).map(sizes).collect()
    }

    fn spot(&self, member: &[u8]) -> Option<(&'a Season, SeasonPlace)> {
        let (league, season) = (self.league, self.season?);
        Some((season, season.spot(league.records.find(member)?, &league.records)?))
    }

    /// Returns the standing of a member.
    #[must_use]
    pub fn standing(&self, member: &[u8]) -> Option<Standing> {
        let (season, spot) = self.spot(member)?;
        let place = Place::of(spot);
        Some(Standing { place, zone: season.head.zones.zone(place.tier, place.members, place.rank) })
    }

    /// Returns a group, by the name of its tier and its number in the tier. `None` if the period cannot be read, or
    /// for the first group of a tier without members.
    ///
    /// # Errors
    /// [`Error::NoSuchTier`], [`Error::NoSuchGroup`].
    pub fn group(&self, tier: &[u8], number: u64) -> Result<Option<Group<'a>>, Error> {
        let tier = self.league.rules.tier(tier)?;
        let number = number.checked_sub(1).ok_or(Error::OutOfRange("group"))?;
        let groups = self.season.map_or(0, |season| season.count(tier));
        if number > 0 && number >= groups && self.is_kept {
            return Err(Error::NoSuchGroup(groups));
        }
        let season = self.season.filter(|_| number < groups);
        Ok(season.map(|season| Group { league: self.league, season, tier, number }))
    }

    /// Returns a member's group.
    #[must_use]
    pub fn group_of(&self, member: &[u8]) -> Option<Group<'a>> {
        let (season, spot) = self.spot(member)?;
        Some(Group { league: self.league, season, tier: spot.tier, number: spot.group })
    }
}

impl Group<'_> {
    /// Returns the number of the group's tier. The lowest tier is 0.
    #[must_use]
    pub const fn tier(&self) -> usize {
        self.tier
    }

    /// Returns the group's number in the tier, from 1.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number.saturating_add(1)
    }

    /// Returns how many members the group has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.season.group_len(self.tier, self.number)
    }

    /// Returns whether all members of the group were removed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns what the end of the period means for a rank.
    #[must_use]
    pub fn zone(&self, rank: u64) -> GroupZone {
        self.season.head.zones.zone(self.tier, self.len(), rank)
    }

    /// Returns the first members of the group, best first, at most `count`.
    #[must_use]
    pub fn rows(&self, count: u64) -> Vec<Row> {
        let most = count.min(self.len()) as usize;
        let mut rows = Vec::with_capacity(most);
        if most == 0 {
            return rows;
        }
        self.season.each_entry(self.tier, self.number, &mut |rank_key, id| {
            let rank = (rows.len() as u64).saturating_add(1);
            rows.push(Row { rank, id, score: Score::from_descending(rank_key) });
            rows.len() < most
        });
        // The names and metas of these members are at distant places in memory. Prefetching all of them together
        // reduces many waits to about one.
        for some in rows.chunks(AHEAD) {
            self.league.records.prefetch(some.iter().map(|row| row.id));
        }
        rows
    }
}
