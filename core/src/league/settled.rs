//! The outcomes of members whose last season cannot be read any more and that have not joined a season since.

use super::last::Last;
use super::read::Place;
use super::zone::GroupZone;
use crate::index::MemberId;
use crate::score::Score;
use crate::sorted::Sorted;

/// A [`Last`] in a form that takes few bytes.
#[derive(Debug, Clone, Copy)]
struct PackedLast {
    start: i64,
    rank_key: u64,
    group: u32,
    rank: u32,
    members: u32,
    tier: u8,
    zone: GroupZone,
    is_rewarded: bool,
}

/// The outcomes, by member.
#[derive(Debug, Clone, Default)]
pub struct Settled(Sorted<MemberId, PackedLast>);

impl Settled {
    pub fn get(&self, id: MemberId) -> Option<Last> {
        let PackedLast { start, rank_key, group, rank, members, tier, zone, is_rewarded } =
            *self.0.get(id)?;
        let rank = u64::from(rank);
        let place = Place {
            tier: usize::from(tier),
            group: u64::from(group),
            rank,
            members: u64::from(members),
            score: Score::from_descending(rank_key),
        };
        Some(Last { start, place, zone, reward: if is_rewarded { rank } else { 0 } })
    }

    pub fn insert(&mut self, id: MemberId, last: &Last) {
        let Last { start, place, zone, reward } = *last;
        let packed = PackedLast {
            start,
            rank_key: place.score.descending(),
            group: place.group as u32,
            rank: place.rank as u32,
            members: place.members as u32,
            tier: place.tier as u8,
            zone,
            is_rewarded: reward > 0,
        };
        self.0.insert(id, packed);
    }

    pub fn remove(&mut self, id: MemberId) {
        self.0.remove(id);
    }

    pub const fn len(&self) -> usize {
        self.0.len()
    }

    pub const fn memory(&self) -> usize {
        self.0.memory()
    }

    pub const fn allocations(&self) -> usize {
        self.0.allocations()
    }
}
