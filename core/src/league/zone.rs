//! Who of a group moves up, who down, and who is rewarded. Readers of a running period and the outcome of one
//! that is over both ask here.

use super::rules::{Amount, Rules};

/// What the end of a period means for a rank of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// Up one tier.
    Promote,
    /// The same tier.
    Stay,
    /// Down one tier.
    Demote,
}

/// The rules of one period: they stay as they were when it was the current one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Zones {
    /// Who moves up and who moves down, of each tier.
    pub(super) amounts: Box<[(Amount, Amount)]>,
    /// How many ranks of each group are rewarded.
    pub(super) reward: u32,
}

impl Zones {
    pub(super) fn of(rules: &Rules) -> Self {
        let amounts = rules.tiers.iter().map(|tier| (tier.promote, tier.demote));
        Self { amounts: amounts.collect(), reward: rules.reward }
    }

    /// The zone of a rank in a group of so many members. Where both ends overlap, members move up.
    pub(super) fn zone(&self, tier: usize, members: u64, rank: u64) -> Zone {
        let (promote, demote) = self.amounts.get(tier).copied().unwrap_or((Amount::NONE, Amount::NONE));
        if rank <= promote.of(members) {
            Zone::Promote
        } else if rank > members.saturating_sub(demote.of(members)) {
            Zone::Demote
        } else {
            Zone::Stay
        }
    }

    /// The rewarded rank, or 0.
    pub(super) const fn reward(&self, rank: u64) -> u64 {
        if rank <= self.reward as u64 { rank } else { 0 }
    }
}
