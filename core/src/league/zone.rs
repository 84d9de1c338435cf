//! The ranks of a group whose members move up or down, and the ranks that are rewarded. Reads of a running period
//! and the outcome of an ended period both use this module.

use super::rules::{Rules, TierAmount};

/// The effect of a rank on a member's tier at the end of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupZone {
    /// The member moves up one tier.
    Promote,
    /// The member stays in the same tier.
    Stay,
    /// The member moves down one tier.
    Demote,
}

/// The rules of one period. They stay as they were when the period was current.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Zones {
    /// How many members of each group move up and move down, for each tier.
    pub(super) amounts: Box<[(TierAmount, TierAmount)]>,
    /// How many ranks of each group are rewarded.
    pub(super) reward: u32,
}

impl Zones {
    pub(super) fn of(rules: &Rules) -> Self {
        let amounts = rules.tiers.iter().map(|tier| (tier.promote, tier.demote));
        Self { amounts: amounts.collect(), reward: rules.reward }
    }

    /// Returns the zone of a rank in a group of `members` members. If both zones contain the rank, the member moves
    /// up.
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

    /// Returns the rank if it is rewarded, or 0.
    pub(super) const fn reward(&self, rank: u64) -> u64 {
        if rank <= self.reward as u64 { rank } else { 0 }
    }
}
