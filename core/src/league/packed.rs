//! The packed form of a season that has ended: one list of all entries, group after group, and the end of each
//! group in this list.
//!
//! The list is a [`PackedOrder`]: an entry takes seven to ten bytes, including the data for finding its member. The
//! group and the rank of a member are computed from its position in the list.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "ends ascend up to the length of the list, and every tier has a first group"
)]

use super::season::{Live, SeasonPlace};
use crate::chunked::Chunked;
use crate::index::MemberId;
use crate::mover::{Mover, Relocation};
use crate::packed::{PackedOrder, Packer};
use crate::size_class::bytes_of;

/// The number of group ends in a chunk: 4 KB.
const ENDS: usize = 1024;

/// The packed groups of one tier.
#[derive(Debug, Clone, Copy)]
struct PackedTier {
    /// How many groups the tiers below this tier have.
    first: u32,
    /// How many members the last group can have.
    size: u32,
}

/// How many members each group of a season has.
#[derive(Debug, Clone, Default)]
pub struct GroupLengths {
    tiers: Vec<PackedTier>,
    /// The end of each group in the list of all entries.
    ends: Chunked<u32, ENDS>,
}

impl GroupLengths {
    pub const fn tiers(&self) -> usize {
        self.tiers.len()
    }

    /// Begins the next tier.
    pub fn push_tier(&mut self, size: u32) {
        self.tiers.push(PackedTier { first: self.ends.len() as u32, size });
    }

    /// Appends a group to the last tier.
    pub fn push_group(&mut self, members: u32) {
        self.ends.push(self.len().saturating_add(members));
    }

    /// Returns how many members all groups have together.
    pub fn len(&self) -> u32 {
        self.ends.len().checked_sub(1).map_or(0, |last| self.ends[last])
    }

    fn first(&self, tier: usize) -> usize {
        self.tiers.get(tier).map_or(self.ends.len(), |tier| tier.first as usize)
    }

    pub fn count(&self, tier: usize) -> u64 {
        (self.first(tier + 1) - self.first(tier)) as u64
    }

    fn begin(&self, group: usize) -> u32 {
        group.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    pub fn members(&self, tier: usize) -> u64 {
        u64::from(self.begin(self.first(tier + 1)) - self.begin(self.first(tier)))
    }

    pub fn size(&self, tier: usize) -> u32 {
        self.tiers.get(tier).map_or(0, |tier| tier.size)
    }

    /// Returns how many members a group has.
    pub fn group_len(&self, tier: usize, group: u64) -> Option<u64> {
        self.range(tier, group).map(|(from, to)| to - from)
    }

    /// Returns the range of the positions of a group's entries: the first position, and the position after the last
    /// entry.
    fn range(&self, tier: usize, group: u64) -> Option<(u64, u64)> {
        if group >= self.count(tier) {
            return None;
        }
        let group = self.first(tier) + group as usize;
        Some((self.begin(group).into(), self.ends[group].into()))
    }

    /// Returns the tier and the group of a position, and the place in the group.
    fn locate(&self, position: u64) -> (usize, u64, u64) {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if u64::from(self.ends[middle]) <= position { low = middle + 1 } else { high = middle }
        }
        let tier = self.tiers.partition_point(|tier| tier.first as usize <= low) - 1;
        let group = (low - self.first(tier)) as u64;
        (tier, group, position - u64::from(self.begin(low)))
    }

    fn memory(&self) -> usize {
        bytes_of::<PackedTier>(self.tiers.capacity()) + self.ends.memory()
    }
}

/// A packed season.
#[derive(Debug, Clone)]
pub struct PackedSeason {
    shape: GroupLengths,
    order: PackedOrder,
}

impl PackedSeason {
    /// Returns a season with these groups, whose entries the packer has packed; `None` if the packer has another
    /// number of entries.
    pub fn new(shape: GroupLengths, packer: Packer) -> Option<Self> {
        let order = packer.finish()?;
        (order.len() == u64::from(shape.len())).then_some(Self { shape, order })
    }

    pub const fn tiers(&self) -> usize {
        self.shape.tiers()
    }

    pub fn count(&self, tier: usize) -> u64 {
        self.shape.count(tier)
    }

    pub fn members(&self, tier: usize) -> u64 {
        self.shape.members(tier)
    }

    pub fn size(&self, tier: usize) -> u32 {
        self.shape.size(tier)
    }

    pub fn len(&self) -> u64 {
        self.order.len()
    }

    pub fn position(&self, id: MemberId) -> Option<u64> {
        self.order.place(id)
    }

    pub fn group_len(&self, tier: usize, group: u64) -> Option<u64> {
        self.shape.group_len(tier, group)
    }

    pub fn range(&self, tier: usize, group: u64) -> Option<(u64, u64)> {
        self.shape.range(tier, group)
    }

    /// Returns the entries between two positions.
    pub fn entries(&self, (from, to): (u64, u64)) -> impl Iterator<Item = (u64, MemberId)> {
        self.order.iter_from(from).take((to - from) as usize)
    }

    /// Returns the place at a position, and its member.
    pub fn at(&self, position: u64) -> Option<(SeasonPlace, MemberId)> {
        let (rank_key, id) = self.order.entry(position)?;
        let (tier, group, before) = self.shape.locate(position);
        let members = self.group_len(tier, group).unwrap_or(0);
        Some((SeasonPlace { tier, group, before, members, rank_key }, id))
    }

    pub fn spot(&self, id: MemberId) -> Option<SeasonPlace> {
        self.at(self.position(id)?).map(|(spot, _)| spot)
    }

    /// Frees some entries. Returns false when there is nothing more to free. After the first call, the packed
    /// entries must not be used in any other way.
    pub fn drain_some(&mut self) -> bool {
        self.order.drain_some(&mut Vec::new())
    }

    pub fn memory(&self) -> usize {
        bytes_of::<Self>(1) + self.shape.memory() + self.order.memory() - bytes_of::<PackedOrder>(1)
    }

    pub fn effort(&self) -> usize {
        self.order.effort() + self.shape.ends.allocations()
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.order.relocate(walk);
        self.shape.ends.relocate(walk);
    }
}

/// A season that is being packed. Until the packing is finished, reads use its live groups.
#[derive(Debug, Clone)]
pub struct SeasonPacking {
    pub live: Live,
    packer: Packer,
    shape: GroupLengths,
    /// The group that is packed next, as its tier and number, and how many of its members are packed.
    next: (usize, u64),
    packed: u64,
}

impl SeasonPacking {
    pub fn new(live: Live) -> Self {
        Self { live, packer: Packer::of_several(), shape: GroupLengths::default(), next: (0, 0), packed: 0 }
    }

    /// Packs a little. Returns whether there is more to pack.
    pub fn step(&mut self) -> bool {
        /// The number of calls of `pack_one` in one step.
        const STEP: u64 = 32;
        for _ in 0..STEP {
            if !self.pack_one() {
                return self.packer.step();
            }
        }
        true
    }

    /// Packs the next entries, or continues with the next group or tier. Returns false when all entries are packed.
    fn pack_one(&mut self) -> bool {
        let groups = &self.live.groups;
        let (tier, number) = self.next;
        if tier == self.shape.tiers() {
            if tier == groups.tiers() {
                return false;
            }
            self.shape.push_tier(groups.size(tier));
            return true;
        }
        let Some(id) = groups.id(tier, number) else {
            self.next = (tier + 1, 0);
            return true;
        };
        let index = &groups.get(id).index;
        /// The number of entries that are packed together.
        const RUN: usize = 128;
        for (key, id) in index.iter_from(self.packed).take(RUN) {
            self.packer.push(key.rank_key, id);
            self.packed += 1;
        }
        if self.packed >= index.len() {
            self.shape.push_group(index.len() as u32);
            (self.next, self.packed) = ((tier, number + 1), 0);
        }
        true
    }

    /// Returns the packed season and the groups that it replaces. It is called after the last step. `None` if the
    /// numbers of entries differ.
    pub fn finish(&mut self) -> Option<(PackedSeason, Live)> {
        let (shape, packer) =
            (std::mem::take(&mut self.shape), std::mem::replace(&mut self.packer, Packer::new()));
        Some((PackedSeason::new(shape, packer)?, std::mem::replace(&mut self.live, Live::new(0))))
    }

    pub fn memory(&self) -> usize {
        bytes_of::<Self>(1) + self.live.memory() + self.packer.memory() + self.shape.memory()
    }
}
