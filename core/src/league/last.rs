//! The outcome of a member's last season, and the tier that it joins next.

use super::League;
use super::read::Place;
use super::records::Active;
use super::season::{Season, SeasonHead, SeasonPlace};
use super::zone::GroupZone;
use crate::calendar::Period;
use crate::index::MemberId;

/// The outcome of a member in a season that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Last {
    /// The start of the season's period, in milliseconds since the epoch.
    pub start: i64,
    /// The member's place at the end of the season.
    pub place: Place,
    /// Whether the member moves up, stays, or moves down.
    pub zone: GroupZone,
    /// The rank if it is rewarded, or 0.
    pub reward: u64,
}

impl Last {
    pub(super) fn of(head: &SeasonHead, spot: SeasonPlace) -> Self {
        let place = Place::of(spot);
        let zone = head.zones.zone(place.tier, place.members, place.rank);
        Self { start: head.start, place, zone, reward: head.zones.reward(place.rank) }
    }

    /// Returns the tier to which the member moves after the season.
    const fn next_tier(&self) -> usize {
        match self.zone {
            GroupZone::Promote => self.place.tier.saturating_add(1),
            GroupZone::Stay => self.place.tier,
            GroupZone::Demote => self.place.tier.saturating_sub(1),
        }
    }
}

impl League {
    /// Returns the outcome of a member in the season that it was last active in.
    pub(super) fn last_of(&self, id: MemberId) -> Option<Last> {
        match self.records.active(id) {
            Active::Never => None,
            Active::Settled => self.settled.get(id),
            Active::In(number) => {
                let season = self.seasons.numbered(number)?;
                Some(Last::of(&season.head, season.spot(id, &self.records)?))
            }
        }
    }

    /// Returns the tier of a member that joins a period, and the outcome of the member's previous season.
    pub(super) fn tier_for(&self, id: MemberId, period: Period) -> (usize, Option<Last>) {
        let last = self.last_before(id, period.start);
        let tier = match &last {
            // If the member has only joined periods that lay ahead because of a wrong clock, it keeps the tier that
            // it had there.
            None => self.last_of(id).map_or(0, |last| last.place.tier),
            Some(last) => {
                let lost = self.skipped(last.start, period.start).saturating_mul(self.rules.idle as usize);
                last.next_tier().saturating_sub(lost)
            }
        };
        let tier = self.records.tier(id).map_or(tier, usize::from);
        (tier, last)
    }

    /// Returns the outcome of a member in the last season before a period with this start.
    fn last_before(&self, id: MemberId, start: i64) -> Option<Last> {
        let last = self.last_of(id)?;
        if last.start < start {
            return Some(last);
        }
        // The member's last season may begin later: a clock may have been put back after the member had joined a
        // later period.
        let names = |season: &&Season| season.names(id, &self.records) && season.removed.get(id).is_none();
        let season = self.seasons.kept().filter(|season| season.head.start < start).find(names)?;
        Some(Last::of(&season.head, season.spot(id, &self.records)?))
    }

    /// Returns how many whole periods are between the periods that start at `from` and `to`. The count stops at the
    /// number of tiers, since more periods cannot cost more tiers.
    fn skipped(&self, from: i64, to: i64) -> usize {
        if self.rules.idle == 0 {
            return 0;
        }
        let mut start = to;
        for skipped in 0..self.rules.tiers.len() {
            start = self.rules.calendar.back(self.rules.unit, start, 1).start;
            if start <= from {
                return skipped;
            }
        }
        self.rules.tiers.len()
    }
}
