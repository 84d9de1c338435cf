//! A second implementation of the league's rules, which gives the expected places and outcomes.

use std::cmp::Reverse;
use std::collections::HashMap;

pub use leaderboard_client::Zone;

/// The tiers, the lowest first.
pub const TIERS: [&str; 3] = ["bronze", "silver", "gold"];
/// The number of members in a group.
const GROUP: usize = 15;
/// One member in five moves up, and one in five moves down.
const MOVE: u64 = 5;
const REWARDED: u64 = 3;
/// The number of tiers that a player loses for each week without joining.
const IDLE: u64 = 1;

/// The place of a player in the league.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub tier: usize,
    /// The number of the group in its tier, from 1.
    pub group: u64,
    /// The rank in the group, from 1.
    pub rank: u64,
    pub members: u64,
    pub score: u64,
}

/// The result of a player in a past week.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub week: u64,
    pub place: Place,
    pub zone: Zone,
    /// The rank if it gets a reward, otherwise 0.
    pub reward: u64,
}

/// A player in a group. The smallest entry is in the first place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    score: Reverse<u64>,
    /// The moment when the player reached the score.
    moment: u64,
    /// The number of the write with which the player reached the score.
    write: u64,
    player: u64,
}

/// A player's tier and group, both counted from 0.
type Seat = (usize, usize);

/// The league in one week, and the last outcomes of all players.
#[derive(Default)]
pub struct Model {
    pub week: u64,
    writes: u64,
    /// The groups of each tier. The entries of a group are in order.
    tiers: [Vec<Vec<Entry>>; TIERS.len()],
    seats: HashMap<u64, Seat>,
    outcomes: HashMap<u64, Outcome>,
}

impl Place {
    /// Returns the movement that this place gives at the end of the week.
    pub fn zone(&self) -> Zone {
        let moving = self.members / MOVE;
        let (up, down) = (self.tier < TIERS.len().saturating_sub(1), self.tier > 0);
        if up && self.rank <= moving {
            Zone::Promote
        } else if down && self.rank > self.members.saturating_sub(moving) {
            Zone::Demote
        } else {
            Zone::Stay
        }
    }
}

impl Outcome {
    /// Returns the tier that the player joins in a later week.
    fn tier_in(&self, week: u64) -> usize {
        let next = match self.zone {
            Zone::Promote => self.place.tier.saturating_add(1),
            Zone::Stay => self.place.tier,
            Zone::Demote => self.place.tier.saturating_sub(1),
        };
        let skipped = week.saturating_sub(self.week).saturating_sub(1);
        next.saturating_sub(usize::try_from(skipped.saturating_mul(IDLE)).unwrap_or(usize::MAX))
    }
}

impl Model {
    /// Adds a player who is not in this week's league. Returns the outcome of the last week in which the player took
    /// part.
    pub fn join(&mut self, player: u64, at: u64) -> Option<Outcome> {
        let last = self.outcomes.get(&player).cloned();
        let tier = last.as_ref().map_or(0, |last| last.tier_in(self.week));
        let groups = self.tiers.get_mut(tier)?;
        if groups.last().is_none_or(|group| group.len() >= GROUP) {
            groups.push(Vec::new());
        }
        self.writes = self.writes.saturating_add(1);
        self.seats.insert(player, (tier, groups.len().saturating_sub(1)));
        groups.last_mut()?.push(Entry { score: Reverse(0), moment: at, write: self.writes, player });
        last
    }

    /// Adds points to a player.
    pub fn add(&mut self, player: u64, points: u64, at: u64) {
        self.writes = self.writes.saturating_add(1);
        let Some(&(tier, group)) = self.seats.get(&player) else { return };
        let Some(group) = self.tiers.get_mut(tier).and_then(|groups| groups.get_mut(group)) else { return };
        if let Some(entry) = group.iter_mut().find(|entry| entry.player == player) {
            entry.score.0 = entry.score.0.saturating_add(points);
            (entry.moment, entry.write) = (at, self.writes);
        }
        group.sort();
    }

    /// Returns the place of a player.
    pub fn place(&self, player: u64) -> Option<Place> {
        let &(tier, number) = self.seats.get(&player)?;
        let group = self.tiers.get(tier)?.get(number)?;
        let (rank, entry) = (1..).zip(group).find(|(_, entry)| entry.player == player)?;
        let (group, members) = ((number as u64).saturating_add(1), group.len() as u64);
        Some(Place { tier, group, rank, members, score: entry.score.0 })
    }

    /// Returns the players of this week, in order of their numbers.
    pub fn players(&self) -> Vec<u64> {
        let mut players: Vec<u64> = self.seats.keys().copied().collect();
        players.sort_unstable();
        players
    }

    /// Returns the numbers of members and groups of each tier.
    pub fn sizes(&self) -> Vec<(u64, u64)> {
        let members = |groups: &Vec<Vec<Entry>>| groups.iter().map(|group| group.len() as u64).sum();
        self.tiers.iter().map(|groups| (members(groups), groups.len() as u64)).collect()
    }

    /// Returns the outcome of the last week in which the player took part.
    pub fn outcome(&self, player: u64) -> Option<&Outcome> {
        self.outcomes.get(&player)
    }

    /// Stores the outcomes of all players of this week, and begins the next week.
    pub fn end_week(&mut self) {
        for player in self.players() {
            if let Some(place) = self.place(player) {
                let reward = if place.rank <= REWARDED { place.rank } else { 0 };
                let outcome = Outcome { week: self.week, zone: place.zone(), reward, place };
                self.outcomes.insert(player, outcome);
            }
        }
        self.week = self.week.saturating_add(1);
        self.tiers = Default::default();
        self.seats.clear();
    }
}
