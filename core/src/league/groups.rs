//! The groups of a season that can be written to. Each group has an order index.
//!
//! Most groups have up to a hundred members, which fit the small form of an [`Index`]. A larger group changes to a
//! tree. A member is in one group at a time, so one leaf number for each member is enough for all trees.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "groups are found by ids that this list gave out, counts are those of entries that are there"
)]

use super::records::{GroupId, Records};
use crate::chunked::Chunked;
use crate::index::{EntryPlace, Index, Key, MemberId, SMALL};
use crate::mover::{Mover, Relocation};
use crate::schema::Ties;
use crate::size_class::{bytes_of, put};

/// The number of groups in a chunk: 36 KB.
const GROUPS: usize = 512;
/// The number of group ids in a chunk: 4 KB.
const NUMBERS: usize = 1024;

/// A group: members that play against each other.
#[derive(Debug, Clone)]
pub struct LiveGroup {
    pub tier: u8,
    /// The group's number in its tier, from 0.
    pub number: u32,
    pub index: Index,
}

/// The groups of one tier.
#[derive(Debug, Clone, Default)]
struct TierGroups {
    /// The ids of the groups, by the groups' numbers.
    ids: Chunked<GroupId, NUMBERS>,
    members: u64,
    /// How many members the last group can have.
    size: u32,
}

/// All groups of a season.
#[derive(Debug)]
pub struct Groups {
    all: Chunked<LiveGroup, GROUPS>,
    tiers: Box<[TierGroups]>,
    /// The groups whose indexes are trees.
    trees: Vec<GroupId>,
    /// Bytes of all indexes.
    bytes: usize,
}

impl Clone for Groups {
    /// Clones the groups. A copy has no unused room in its lists, so its bytes are counted again.
    fn clone(&self) -> Self {
        let (all, tiers, trees) = (self.all.clone(), self.tiers.clone(), self.trees.clone());
        let mut copy = Self { all, tiers, trees, bytes: 0 };
        copy.bytes = copy.count_bytes();
        copy
    }
}

impl Groups {
    pub fn new(tiers: usize) -> Self {
        let tiers = vec![TierGroups::default(); tiers].into();
        Self { all: Chunked::default(), tiers, trees: Vec::new(), bytes: 0 }
    }

    pub fn get(&self, group: GroupId) -> &LiveGroup {
        &self.all[group as usize]
    }

    /// Returns the id of a group, given its tier and its number.
    pub fn id(&self, tier: usize, number: u64) -> Option<GroupId> {
        let ids = &self.tiers.get(tier)?.ids;
        usize::try_from(number).ok().filter(|number| *number < ids.len()).map(|number| ids[number])
    }

    pub const fn tiers(&self) -> usize {
        self.tiers.len()
    }

    /// Returns how many groups a tier has.
    pub fn count(&self, tier: usize) -> u64 {
        self.tiers.get(tier).map_or(0, |tier| tier.ids.len() as u64)
    }

    /// Returns how many members a tier has.
    pub fn members(&self, tier: usize) -> u64 {
        self.tiers.get(tier).map_or(0, |tier| tier.members)
    }

    /// Returns how many members the last group of a tier can have.
    pub fn size(&self, tier: usize) -> u32 {
        self.tiers.get(tier).map_or(0, |tier| tier.size)
    }

    pub fn set_size(&mut self, tier: usize, size: u32) {
        if let Some(tier) = self.tiers.get_mut(tier) {
            tier.size = size;
        }
    }

    /// Returns how many members all tiers have.
    pub fn len(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.members).sum()
    }

    /// Adds a group for `size` members behind the other groups of a tier. Returns its id.
    pub fn open(&mut self, tier: usize, size: u32) -> GroupId {
        let id = self.all.len() as GroupId;
        let of_tier = &mut self.tiers[tier];
        let number = of_tier.ids.len() as u32;
        self.all.push(LiveGroup { tier: tier as u8, number, index: Index::small(Ties::First) });
        of_tier.ids.push(id);
        of_tier.size = size;
        id
    }

    /// Returns the group that the next member of a tier joins. If the last group is full, a new group of this size
    /// is added.
    pub fn next(&mut self, tier: usize, size: u32) -> GroupId {
        let of_tier = &self.tiers[tier];
        let last = of_tier.ids.len().checked_sub(1).map(|last| of_tier.ids[last]);
        match last {
            Some(last) if self.get(last).index.len() < u64::from(of_tier.size) => last,
            _ => self.open(tier, size),
        }
    }

    /// Changes the index of a group, and updates the count of bytes.
    fn change<A>(&mut self, group: GroupId, change: impl FnOnce(&mut Index) -> A) -> A {
        let index = &mut self.all[group as usize].index;
        let before = index.memory();
        let answer = change(index);
        self.bytes = self.bytes + index.memory() - before;
        answer
    }

    /// Inserts a member into a group. Returns how many members are before it.
    pub fn insert(&mut self, group: GroupId, key: Key, id: MemberId, records: &mut Records) -> u64 {
        let tier = usize::from(self.get(group).tier);
        self.tiers[tier].members += 1;
        let index = &self.get(group).index;
        if !index.is_tree() && index.len() >= SMALL as u64 {
            self.change(group, |index| index.enlarge(&mut records.indexed_mut()));
            let last = self.trees.len();
            put(&mut self.trees, last, group);
        }
        self.change(group, |index| index.insert(key, id, &mut records.indexed_mut()))
    }

    /// Changes the key of a member's entry. Returns how many entries of its group are before it then.
    pub fn update(
        &mut self,
        group: GroupId,
        place: EntryPlace,
        key: Key,
        id: MemberId,
        records: &mut Records,
    ) -> u64 {
        self.change(group, |index| {
            let landed = index.update(place, key, id, &mut records.indexed_mut());
            index.before(landed)
        })
    }

    /// Removes a member from its group.
    pub fn remove(&mut self, group: GroupId, id: MemberId, records: &mut Records) {
        let Some(place) = self.place(group, id, records) else { return };
        let tier = usize::from(self.get(group).tier);
        self.tiers[tier].members -= 1;
        self.change(group, |index| index.remove(place, id, &mut records.indexed_mut()));
    }

    /// Returns the place of a member's entry in its group. If the member has joined another season since then, its
    /// leaf is not stored any more, and all leaves are searched.
    pub fn place(&self, group: GroupId, id: MemberId, records: &Records) -> Option<EntryPlace> {
        let index = &self.get(group).index;
        index.prefetch_small();
        index.find(id, &records.indexed()).or_else(|| index.scan(id))
    }

    /// Returns all groups, by tier and number.
    pub fn in_order(&self) -> impl Iterator<Item = (GroupId, &LiveGroup)> {
        self.tiers.iter().flat_map(|tier| tier.ids.iter().map(|id| (*id, self.get(*id))))
    }

    /// Frees some groups. Returns false when there is nothing more to free. After the first call, the list must not
    /// be used in any other way.
    pub fn drain_some(&mut self) -> bool {
        /// The number of groups that one step frees.
        const STEP: usize = 32;
        let mut nobody = Vec::new();
        for _ in 0..STEP {
            let Some(last) = self.all.last_mut().and_then(|groups| groups.last_mut()) else { return false };
            let before = last.index.memory();
            if last.index.is_tree() && last.index.drain_some(&mut nobody) {
                self.bytes = self.bytes + last.index.memory() - before;
                continue;
            }
            self.bytes -= before;
            self.all.pop();
        }
        true
    }

    fn count_bytes(&self) -> usize {
        self.all.iter().map(|group| group.index.memory()).sum()
    }

    pub fn memory(&self) -> usize {
        let ids: usize = self.tiers.iter().map(|tier| tier.ids.memory()).sum();
        let lists = bytes_of::<TierGroups>(self.tiers.len()) + bytes_of::<GroupId>(self.trees.capacity());
        self.all.memory() + lists + ids + self.bytes
    }

    /// Returns about how many allocations there are. Trees have about one node for every eighty members.
    pub fn effort(&self) -> usize {
        self.all.len() + (self.len() / 80) as usize + self.all.allocations() + self.tiers.len()
    }

    pub fn relocate(&mut self, walk: &mut Relocation<'_, impl Mover>) {
        self.all.relocate(walk);
        // Each index is a separate step, so that a relocation that continues after a pause does not walk through a
        // million groups first.
        walk.steps(self.all.len(), |at, mover| self.all[at].index.relocate_small(mover));
        for id in &self.trees {
            self.all[*id as usize].index.relocate(walk);
        }
        for tier in &mut self.tiers {
            tier.ids.relocate(walk);
        }
    }

    /// Checks the invariants of the list itself. Only tests call it.
    pub fn check(&self) {
        assert_eq!(self.count_bytes(), self.bytes, "bytes of the groups");
        let trees = self.all.iter().filter(|group| group.index.is_tree()).count();
        assert_eq!(trees, self.trees.len(), "groups that are trees");
        for (tier, of_tier) in self.tiers.iter().enumerate() {
            let members = of_tier.ids.iter().map(|id| self.get(*id).index.len());
            assert_eq!(members.sum::<u64>(), of_tier.members, "members of tier {tier}");
            for (number, id) in of_tier.ids.iter().enumerate() {
                let group = self.get(*id);
                assert_eq!((usize::from(group.tier), group.number as usize), (tier, number));
            }
        }
    }
}
