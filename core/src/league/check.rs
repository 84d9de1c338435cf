//! Checks the invariants of a league, member by member, for tests and fuzzers.
#![allow(clippy::panic, clippy::arithmetic_side_effects, reason = "a failed check is meant to panic")]

use super::League;
use super::records::Active;
use super::season::Season;
use crate::secret::HashSet;

impl League {
    /// Checks the whole league, and panics if something is wrong. Only tests call it.
    #[doc(hidden)]
    pub fn check(&self) {
        let seasons = &self.seasons;
        assert!(seasons.open.as_ref().is_none_or(|open| open.live().is_some()), "the open season is packed");
        let closed: Vec<_> = seasons.closed.iter().map(|season| season.head.start).collect();
        assert!(closed.windows(2).all(|pair| pair.first() < pair.last()), "closed seasons out of order");
        let unpacked = seasons.closed.iter().filter(|season| season.live().is_some()).count();
        assert_eq!(unpacked, seasons.unpacked, "closed seasons that are not packed");
        seasons.kept().for_each(|season| self.check_season(season));
        let known = self.records.ids().filter(|id| self.records.is_known(*id)).count();
        assert_eq!(known as u64, self.records.known(), "known members");
        let settled = self.records.ids().filter(|id| self.records.active(*id) == Active::Settled).count();
        assert_eq!(settled, self.settled.len(), "settled members");
        for id in self.records.ids() {
            if let Active::In(number) = self.records.active(id) {
                let season = seasons.numbered(number);
                assert!(
                    season.is_some_and(|season| season.spot(id, &self.records).is_some()),
                    "a lost member"
                );
            }
        }
    }

    fn check_season(&self, season: &Season) {
        if let Some(live) = season.live() {
            live.groups.check();
            // Members that have moved to another season have no leaf of this season stored.
            for (_, group) in live.groups.in_order().filter(|_| live.moved.is_empty()) {
                group.index.check(&self.records.indexed());
            }
        }
        let mut seen = HashSet::default();
        for tier in 0..season.tiers() {
            let (mut members, mut before) = (0, 0);
            for group in 0..season.count(tier) {
                let mut at = 0;
                season.each_entry(tier, group, &mut |rank_key, id| {
                    assert!(seen.insert(id), "a member twice");
                    assert!(at == 0 || before <= rank_key, "a group out of order");
                    before = rank_key;
                    let spot = season.spot(id, &self.records);
                    let found = spot.map(|spot| (spot.tier, spot.group, spot.before, spot.rank_key));
                    assert_eq!(found, Some((tier, group, at, rank_key)), "a member's place");
                    at += 1;
                    true
                });
                assert_eq!(at, season.group_len(tier, group), "members of a group");
                members += at;
            }
            assert_eq!(members, season.members(tier), "members of tier {tier}");
        }
    }
}
