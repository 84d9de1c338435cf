//! Removes members, and sets tiers and texts (metas) of members.

use super::League;
use super::records::Active;
use crate::Error;
use crate::index::MemberId;
use crate::time::{Millis, Stamp};

impl League {
    /// Removes a member from the current period, and forgets its tier, its last outcome and its meta. Returns
    /// whether there was any of this data. Periods that have ended stay unchanged. `now` is the league's present
    /// time.
    pub fn remove(&mut self, member: &[u8], now: Millis) -> bool {
        let period = self.period_at(now);
        if self.records.find(member).is_some() {
            // The winners of periods that leave `RETAIN` are the same as after a write.
            self.settle_prizes(period, self.oldest(period));
        }
        let lost = self.prizes.as_mut().is_some_and(|prizes| prizes.remove(member));
        let Some(id) = self.records.find(member).filter(|id| self.records.is_known(*id)) else {
            return lost;
        };
        if self.is_in(period, id) {
            self.open(period);
            self.seasons.remove(id, &mut self.records);
        } else {
            self.seasons.leave(id, &self.records);
        }
        self.settled.remove(id);
        self.records.set_active(id, Active::Never);
        self.seasons.mark_removed(id, &self.records);
        self.records.set_tier(id, None);
        self.records.remove_meta(id);
        self.forget(id);
        self.touch(Stamp { now, at: now });
        true
    }

    /// Forgets a member if the league keeps no data of it, unless a readable season contains it.
    pub(super) fn forget(&mut self, id: MemberId) {
        let is_named = || self.seasons.kept().any(|season| season.names(id, &self.records));
        if !self.records.is_known(id) && !is_named() {
            self.records.remove(id);
        }
    }

    /// Sets the tier that a member joins next, by the tier's name. Returns whether anything changed.
    ///
    /// # Errors
    /// [`Error::NoSuchTier`], [`Error::Full`].
    pub fn set_tier(&mut self, member: &[u8], tier: &[u8]) -> Result<bool, Error> {
        let tier = self.rules.tier(tier)? as u8;
        let id = self.find_or_insert(member)?;
        let changed = self.records.tier(id) != Some(tier);
        self.records.set_tier(id, Some(tier));
        Ok(changed)
    }

    fn find_or_insert(&mut self, member: &[u8]) -> Result<MemberId, Error> {
        self.records.find(member).map_or_else(|| self.records.insert(member), Ok)
    }

    /// Sets a member's meta; an empty text deletes it. Returns whether anything changed.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn set_meta(&mut self, member: &[u8], meta: &[u8]) -> Result<bool, Error> {
        if meta.is_empty() && self.records.find(member).is_none() {
            return Ok(false);
        }
        let id = self.find_or_insert(member)?;
        let changed = self.records.meta(id).unwrap_or_default() != meta;
        if changed {
            self.records.set_meta(id, meta)?;
            self.forget(id);
        }
        Ok(changed)
    }
}
