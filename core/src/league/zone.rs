//! Which members of a group move up or down, and which are rewarded. Readers of a running period and the outcome of
//! an ended one both use this.

use super::rules::{Rules, TierAmount};

/// What the end of a period means for a rank of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupZone {
    /// Up one tier.
    Promote,
    /// The same tier.
    Stay,
    /// Down one tier.
    Demote,
}

/// The rules of one period: they stay as they were when the period was current.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Zones {
    /// How many members move up and down, for each tier.
    pub(super) amounts: Box<[(TierAmount, TierAmount)]>,
    /// How many ranks of each group are rewarded.
    pub(super) reward: u32,
}

impl Zones {
    pub(super) fn of(rules: &Rules) -> Self {
        let amounts = rules.tiers.iter().map(|tier| (tier.promote, tier.demote));
        Self { amounts: amounts.collect(), reward: rules.reward }
    }

    /// The zone of a rank in a group of `members` members. Where both zones overlap, members move up.
    pub(super) fn zone(&self, tier: usize, members: u64, rank: u64) -> GroupZone {
        let (promote, demote) =
            self.amounts.get(tier).copied().unwrap_or((TierAmount::NONE, TierAmount::NONE));
        if rank <= promote.of(members) {
            GroupZone::Promote
        } else if rank > members.saturating_sub(demote.of(members)) {
            GroupZone::Demote
        } else {
            GroupZone::Stay
        }
    }

    /// The rank if it is rewarded, or 0.
    pub(super) const fn reward(&self, rank: u64) -> u64 {
        if rank <= self.reward as u64 { rank } else { 0 }
    }
}
