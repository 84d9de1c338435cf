//! The reply of LB.LEAGUE.INFO.

use leaderboard_client::{Info, InfoValue};

use crate::pages::times::Zone;

/// A league.
pub struct League {
    /// The tiers, the highest first.
    pub tiers: Vec<Tier>,
    pub cycle: String,
    pub zone: Zone,
    pub period: String,
    pub end: i64,
    pub now: i64,
    pub group_size: u64,
    pub reward: u64,
    pub join_until: String,
    pub idle: u64,
    /// Whether equal scores are in the order of joining.
    pub is_by_joining: bool,
    pub retain: u64,
    pub decimals: u64,
    /// Whether the times of the writes are the clock of the league.
    pub is_event_clock: bool,
    pub known: u64,
    pub memory: u64,
}

/// A tier in the current period.
pub struct Tier {
    pub name: String,
    pub promote: String,
    pub demote: String,
    pub members: u64,
    pub groups: u64,
}

impl League {
    pub fn of(told: &Info) -> Self {
        let number = |name| told.number(name).and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
        let text = |name| told.text(name).unwrap_or_default().to_owned();
        Self {
            tiers: tiers(told),
            cycle: text("cycle"),
            zone: Zone::of_board(&text("tz")),
            period: text("period"),
            end: told.number("end").unwrap_or(0),
            now: told.number("now").unwrap_or(0),
            group_size: number("group"),
            reward: number("reward"),
            join_until: text("joinuntil"),
            idle: number("idle"),
            is_by_joining: text("ties") == "JOINED",
            retain: number("retain"),
            decimals: number("decimals"),
            is_event_clock: told.text("clock") == Some("EVENT"),
            known: number("known"),
            memory: number("memory"),
        }
    }

    /// The amounts of all tiers as they are written, the lowest tier first.
    fn amounts(&self, of: impl Fn(&Tier) -> &str) -> String {
        self.tiers.iter().rev().map(of).collect::<Vec<_>>().join(",")
    }

    /// How many members move up, of all tiers.
    pub fn promote(&self) -> String {
        self.amounts(|tier| &tier.promote)
    }

    /// How many members move down, of all tiers.
    pub fn demote(&self) -> String {
        self.amounts(|tier| &tier.demote)
    }

    /// The number of members of all tiers together.
    pub fn members(&self) -> u64 {
        self.tiers.iter().fold(0, |sum, tier| sum.saturating_add(tier.members))
    }

    pub fn tier(&self, name: &str) -> Option<&Tier> {
        self.tiers.iter().find(|tier| tier.name == name)
    }

    /// The highest tier that has members; else the lowest tier.
    pub fn first_tier(&self) -> Option<&Tier> {
        self.tiers.iter().find(|tier| tier.members > 0).or(self.tiers.last())
    }

    /// Minutes until the period ends.
    pub fn minutes_left(&self) -> i64 {
        self.end.saturating_sub(self.now).max(0) / 60_000
    }
}

fn tiers(told: &Info) -> Vec<Tier> {
    let (promote, demote) = (words(told, "promote"), words(told, "demote"));
    let count = |name: &str, place: usize| {
        let number = match told.get(name) {
            Some(InfoValue::Numbers(numbers)) => numbers.get(place).copied(),
            _ => None,
        };
        number.and_then(|number| u64::try_from(number).ok()).unwrap_or(0)
    };
    let amount = |amounts: &[String], place: usize| amounts.get(place).cloned().unwrap_or_default();
    let tier = |(place, name)| Tier {
        name,
        promote: amount(&promote, place),
        demote: amount(&demote, place),
        members: count("members", place),
        groups: count("groups", place),
    };
    words(told, "tiers").into_iter().enumerate().map(tier).rev().collect()
}

fn words(told: &Info, name: &str) -> Vec<String> {
    told.text(name).unwrap_or_default().split(',').map(str::to_owned).collect()
}
