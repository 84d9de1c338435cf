//! One period of a league as reads return it: rows, places, and the outcomes of places.

use leaderboard_core::Score;
use leaderboard_core::league::{GroupZone, Place, Rules, Standing, TierAmount};

use super::Name;

/// The rules that decide the outcome of a place.
#[derive(Debug, Clone)]
pub struct Shares {
    pub promote: Vec<TierAmount>,
    pub demote: Vec<TierAmount>,
    pub reward: u64,
}

impl Shares {
    pub fn of(rules: &Rules) -> Self {
        Self {
            promote: rules.tiers.iter().map(|tier| tier.promote).collect(),
            demote: rules.tiers.iter().map(|tier| tier.demote).collect(),
            reward: rules.reward.into(),
        }
    }

    pub fn zone(&self, place: &Place) -> GroupZone {
        let promoted = amount(self.promote[place.tier], place.members);
        let demoted = amount(self.demote[place.tier], place.members);
        if place.rank <= promoted {
            GroupZone::Promote
        } else if place.rank + demoted > place.members {
            GroupZone::Demote
        } else {
            GroupZone::Stay
        }
    }

    pub fn reward(&self, place: &Place) -> u64 {
        if place.rank <= self.reward { place.rank } else { 0 }
    }
}

fn amount(amount: TierAmount, members: u64) -> u64 {
    match amount {
        TierAmount::Count(count) => count.into(),
        TierAmount::Share(share) => members * u64::from(share) / 10_000,
    }
}

/// A row of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub name: Name,
    pub score: i64,
}

/// The reply to a read of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    Rows(Vec<Line>),
    /// There is no such group.
    Unknown,
}

#[derive(Debug, Clone)]
pub struct Table {
    /// The rows of each group of each tier.
    pub tiers: Vec<Vec<Vec<Line>>>,
    pub shares: Shares,
    /// Whether RETAIN allows reads of the period.
    pub is_kept: bool,
}

impl Table {
    /// Returns a group of a tier. Groups are numbered from 1.
    pub fn group(&self, tier: usize, number: u64) -> Asked {
        match self.tiers[tier].get(number.wrapping_sub(1) as usize) {
            Some(lines) => Asked::Rows(lines.clone()),
            None if number == 1 || !self.is_kept => Asked::Rows(Vec::new()),
            None => Asked::Unknown,
        }
    }

    pub fn place(&self, name: &Name) -> Option<Place> {
        self.places().find(|(line, _)| line.name == *name).map(|(_, place)| place)
    }

    pub fn standing(&self, name: &Name) -> Option<Standing> {
        self.place(name).map(|place| Standing { place, zone: self.shares.zone(&place) })
    }

    fn places(&self) -> impl Iterator<Item = (&Line, Place)> {
        let groups = self.tiers.iter().enumerate().flat_map(|(tier, groups)| {
            groups.iter().enumerate().map(move |(group, lines)| (tier, group, lines))
        });
        groups.flat_map(|(tier, group, lines)| {
            lines.iter().enumerate().map(move |(rank, line)| {
                let (group, rank, members) = (group as u64 + 1, rank as u64 + 1, lines.len() as u64);
                let score = Score::from_units(line.score).unwrap();
                (line, Place { tier, group, rank, members, score })
            })
        })
    }

    /// Returns the numbers of members and groups of each tier.
    pub fn sizes(&self) -> Vec<(u64, u64)> {
        let members = |groups: &[Vec<Line>]| groups.iter().map(|lines| lines.len() as u64).sum();
        self.tiers.iter().map(|groups| (members(groups), groups.len() as u64)).collect()
    }
}
