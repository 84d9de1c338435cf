//! Seasons: the members, groups and scores of one period. The season that was last written to is open. The other
//! seasons are closed: only their form changes, from live groups to a packed list.

use super::groups::Groups;
use super::packed::{PackedSeason, SeasonPacking};
use super::records::{Active, GroupId, Records, SeasonNumber};
use super::zone::Zones;
use crate::index::MemberId;
use crate::mover::{Mover, Relocation};
use crate::size_class::bytes_of;
use crate::sorted::Sorted;

/// Data that a season has in every form.
#[derive(Debug, Clone)]
pub struct SeasonHead {
    /// The start of the season's period, in milliseconds since the epoch.
    pub start: i64,
    /// The number of the season. Members that were last active in this season store this number.
    pub number: SeasonNumber,
    pub zones: Zones,
    /// How many times a member has joined the season, if equal scores are in the order of joining.
    pub joined: u64,
    /// Whether the season cannot be read, because it was out of reach of RETAIN when the rules changed. A write to
    /// the season sets this to false.
    pub hidden: bool,
}

/// The groups of a season that can be written to.
#[derive(Debug, Clone)]
pub struct Live {
    pub groups: Groups,
    /// The groups of members whose records refer to another season, or to no season.
    pub moved: Sorted<MemberId, GroupId>,
}

/// The groups of a season, in one of three forms.
#[derive(Debug, Clone)]
pub enum Body {
    Live(Live),
    Packing(Box<SeasonPacking>),
    Packed(Box<PackedSeason>),
}

#[derive(Debug, Clone)]
pub struct Season {
    pub head: SeasonHead,
    pub body: Body,
    /// Members that have entries, but were removed after the season ended. The order stays as it was at the end. If
    /// the clock is corrected so that the period is current again, these members are not in it.
    pub removed: Sorted<MemberId, ()>,
}

/// A member's place in a season, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeasonPlace {
    pub tier: usize,
    pub group: u64,
    pub before: u64,
    /// How many members the group has.
    pub members: u64,
    pub rank_key: u64,
}

impl Live {
    pub fn new(tiers: usize) -> Self {
        Self { groups: Groups::new(tiers), moved: Sorted::default() }
    }

    /// Returns the group of a member, if the member has an entry in this season.
    pub fn group_of(&self, number: SeasonNumber, id: MemberId, records: &Records) -> Option<GroupId> {
        if records.active(id) == Active::In(number) {
            return Some(records.group(id));
        }
        self.moved.get(id).copied()
    }

    fn spot(&self, number: SeasonNumber, id: MemberId, records: &Records) -> Option<SeasonPlace> {
        let id_of_group = self.group_of(number, id, records)?;
        let place = self.groups.place(id_of_group, id, records)?;
        let group = self.groups.get(id_of_group);
        Some(SeasonPlace {
            tier: usize::from(group.tier),
            group: u64::from(group.number),
            before: group.index.rank(place),
            members: group.index.len(),
            rank_key: place.key.rank_key,
        })
    }

    pub fn memory(&self) -> usize {
        self.groups.memory().saturating_add(self.moved.memory())
    }
}

impl Season {
    /// Returns the groups that can be written to; `None` after the season was packed.
    pub const fn live(&self) -> Option<&Live> {
        match &self.body {
            Body::Live(live) => Some(live),
            Body::Packing(packing) => Some(&packing.live),
            Body::Packed(_) => None,
        }
    }

    pub const fn live_mut(&mut self) -> Option<&mut Live> {
        match &mut self.body {
            Body::Live(live) => Some(live),
            Body::Packing(packing) => Some(&mut packing.live),
            Body::Packed(_) => None,
        }
    }

    /// Returns the place of a member in the season.
    pub fn spot(&self, id: MemberId, records: &Records) -> Option<SeasonPlace> {
        match &self.body {
            Body::Packed(packed) => packed.spot(id),
            Body::Live(live) => live.spot(self.head.number, id, records),
            Body::Packing(packing) => packing.live.spot(self.head.number, id, records),
        }
    }

    /// Returns whether a member has an entry in the season.
    pub fn names(&self, id: MemberId, records: &Records) -> bool {
        match &self.body {
            Body::Packed(packed) => packed.position(id).is_some(),
            _ => self.live().is_some_and(|live| live.group_of(self.head.number, id, records).is_some()),
        }
    }

    /// Stores the group of a member whose record refers to this season, before the record is changed to another
    /// season.
    pub fn leave(&mut self, id: MemberId, group: GroupId) {
        if let Some(live) = self.live_mut() {
            live.moved.insert(id, group);
        }
    }

    /// Counts that a member joins. Returns the number of the join, from 1, which takes the place of a moment where equal scores
    /// are in the order of joining.
    pub const fn count_join(&mut self) -> u64 {
        self.head.joined = self.head.joined.saturating_add(1);
        self.head.joined
    }

    /// Prepares the open season for a write. The clock may have passed the season's end, and may have been put back
    /// after that. Members that were removed before the clock was put back are removed from their groups here.
    pub fn go_on(&mut self, records: &mut Records) {
        self.head.hidden = false;
        if self.removed.is_empty() {
            return;
        }
        for (id, ()) in std::mem::take(&mut self.removed).iter() {
            if let Some(live) = self.live_mut()
                && let Some(group) = live.moved.remove(id)
            {
                live.groups.remove(group, id, records);
            }
        }
    }

    pub fn tiers(&self) -> usize {
        match &self.body {
            Body::Packed(packed) => packed.tiers(),
            _ => self.live().map_or(0, |live| live.groups.tiers()),
        }
    }

    /// Returns how many groups a tier has.
    pub fn count(&self, tier: usize) -> u64 {
        match &self.body {
            Body::Packed(packed) => packed.count(tier),
            _ => self.live().map_or(0, |live| live.groups.count(tier)),
        }
    }

    /// Returns how many members a tier has.
    pub fn members(&self, tier: usize) -> u64 {
        match &self.body {
            Body::Packed(packed) => packed.members(tier),
            _ => self.live().map_or(0, |live| live.groups.members(tier)),
        }
    }

    /// Returns how many members the last group of a tier can have.
    pub fn size(&self, tier: usize) -> u32 {
        match &self.body {
            Body::Packed(packed) => packed.size(tier),
            _ => self.live().map_or(0, |live| live.groups.size(tier)),
        }
    }

    /// Returns how many members a group has.
    pub fn group_len(&self, tier: usize, group: u64) -> u64 {
        match &self.body {
            Body::Packed(packed) => packed.group_len(tier, group).unwrap_or(0),
            _ => {
                let groups = self.live().map(|live| &live.groups);
                let group = groups.and_then(|groups| Some(groups.get(groups.id(tier, group)?)));
                group.map_or(0, |group| group.index.len())
            }
        }
    }

    /// Calls `each` with the entries of a group, best first, until `each` returns false.
    pub fn each_entry(&self, tier: usize, group: u64, each: &mut impl FnMut(u64, MemberId) -> bool) {
        match &self.body {
            Body::Packed(packed) => {
                let range = packed.range(tier, group).unwrap_or_default();
                packed.entries(range).all(|(rank_key, id)| each(rank_key, id));
            }
            _ => {
                let Some(live) = self.live() else { return };
                let Some(id) = live.groups.id(tier, group) else { return };
                live.groups.get(id).index.iter_from(0).all(|(key, id)| each(key.rank_key, id));
            }
        }
    }

    /// Calls `each` with all entries, group after group.
    pub fn each(&self, each: &mut impl FnMut(u64, MemberId)) {
        for tier in 0..self.tiers() {
            for group in 0..self.count(tier) {
                self.each_entry(tier, group, &mut |rank_key, id| {
                    each(rank_key, id);
                    true
                });
            }
        }
    }

    pub fn memory(&self) -> usize {
        let zones = bytes_of::<(super::TierAmount, super::TierAmount)>(self.head.zones.amounts.len());
        zones.saturating_add(self.removed.memory()).saturating_add(match &self.body {
            Body::Live(live) => live.memory(),
            Body::Packing(packing) => packing.memory(),
            Body::Packed(packed) => packed.memory(),
        })
    }

    pub fn effort(&self) -> usize {
        match &self.body {
            Body::Packed(packed) => packed.effort(),
            _ => self.live().map_or(0, |live| live.groups.effort()),
        }
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        match &mut self.body {
            Body::Packed(packed) => packed.relocate(walk),
            Body::Live(live) => live.groups.relocate(walk),
            // This form is about to be freed.
            Body::Packing(_) => {}
        }
    }
}
