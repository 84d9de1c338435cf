//! Changes of the model other than joins and points: rules, tiers, texts and removals.

use std::cmp::Reverse;

use leaderboard_core::league::{Alter, TierAmount};

use super::table::Shares;
use super::{Member, Model, Name};

impl Model {
    /// Removes a member. Returns whether the league had any data of it. Such a removal is a write, and also a write
    /// to the current period if the member is in it.
    pub fn remove(&mut self, name: &Name, now: u64) -> bool {
        let start = self.period(now).start;
        if self.is_in(name, now) {
            self.begin(now);
            self.seasons.get_mut(&start).unwrap().remove(name);
        }
        if self.members.remove(name).is_none() {
            return false;
        }
        for season in self.seasons.values_mut() {
            season.change(name, |entry| entry.gone = true);
        }
        self.move_clock(now);
        true
    }

    /// Sets the tier of a member's next join. Returns whether that changed anything, or nothing if there is no such
    /// tier.
    pub fn set_tier(&mut self, name: &Name, tier: &[u8]) -> Option<bool> {
        let tier = self.tier(tier)?;
        let member = self.members.entry(name.clone()).or_default();
        Some(member.tier.replace(tier) != Some(tier))
    }

    /// Sets a member's text. Returns whether that changed anything.
    pub fn set_meta(&mut self, name: &Name, meta: &[u8]) -> bool {
        let member = self.members.entry(name.clone()).or_default();
        let new = (!meta.is_empty()).then(|| meta.to_vec());
        let has_changed = member.meta != new;
        member.meta = new;
        if *member == Member::default() {
            self.members.remove(name);
        }
        has_changed
    }

    /// Changes the rules. If the new rules are invalid, changes nothing and returns false.
    pub fn alter(&mut self, alter: &Alter, now: u64) -> bool {
        if !self.is_possible(alter) {
            return false;
        }
        self.keep_shares(now);
        let rules = &mut self.rules;
        for (tier, promote) in rules.tiers.iter_mut().zip(alter.promote.iter().flatten()) {
            tier.promote = *promote;
        }
        for (tier, demote) in rules.tiers.iter_mut().zip(alter.demote.iter().flatten()) {
            tier.demote = *demote;
        }
        rules.group = alter.group.unwrap_or(rules.group);
        rules.reward = alter.reward.unwrap_or(rules.reward);
        rules.idle = alter.idle.unwrap_or(rules.idle);
        rules.join_until = alter.join_until.unwrap_or(rules.join_until);
        self.requests.forget(rules.dedup, self.last);
        rules.dedup = alter.dedup.unwrap_or(rules.dedup);
        if rules.dedup == 0 {
            self.requests = super::requests::Requests::default();
        }
        if let Some(retain) = alter.retain {
            let oldest = self.back(now, self.rules.retain.min(retain)).start;
            self.seasons.range_mut(..oldest).for_each(|(_, season)| season.is_lost = true);
            self.rules.retain = retain;
            self.drop_before(oldest);
        }
        true
    }

    fn is_possible(&self, alter: &Alter) -> bool {
        let tiers = self.rules.tiers.len();
        let is_list = |list: &Option<Vec<TierAmount>>, zero: usize| {
            list.as_ref().is_none_or(|list| list.len() == tiers && is_none(list[zero]))
        };
        is_list(&alter.promote, tiers - 1)
            && is_list(&alter.demote, 0)
            && alter.group.is_none_or(|group| (1..=1_000_000).contains(&group))
            && alter.retain.is_none_or(|retain| retain <= 10_000)
    }

    /// Makes ended periods keep the shares that they ended with, also if the clock goes back to them. An alteration
    /// that is made while the clock is in such a period, or before it, applies to the period again.
    fn keep_shares(&mut self, now: u64) {
        let (start, shares) = (self.period(now).start, Shares::of(&self.rules));
        for season in self.seasons.range_mut(..start).map(|(_, season)| season) {
            season.shares.get_or_insert_with(|| shares.clone());
        }
        for season in self.seasons.range_mut(start..).map(|(_, season)| season) {
            season.shares = season.shares.take().filter(|_| season.is_dropped);
        }
    }

    /// Drops periods that ended before `oldest`, except the last two before the open one that were written to. The
    /// outcome of a dropped period does not change, even if the clock goes back.
    pub(super) fn drop_before(&mut self, oldest: i64) {
        let Some(open) = self.open else { return };
        let shares = Shares::of(&self.rules);
        let mut kept: Vec<_> =
            self.seasons.range_mut(..open).map(|(start, season)| (*start, season)).collect();
        kept.retain(|(_, season)| !season.is_dropped);
        kept.sort_by_key(|(_, season)| Reverse(season.written));
        for (_, season) in kept.into_iter().skip(2).filter(|(start, _)| *start < oldest) {
            season.is_dropped = true;
            season.shares.get_or_insert_with(|| shares.clone());
        }
    }
}

const fn is_none(amount: TierAmount) -> bool {
    matches!(amount, TierAmount::Count(0) | TierAmount::Share(0))
}
